"""From a server's answer to what is said of it, and to what is wrong with the manifest's words about it."""

from collections.abc import Iterator

from turnkey.mcp.failures import Failure
from turnkey.mcp.snapshot import Snapshot, place
from turnkey.tenancy.asking import Asked
from turnkey.tenancy.preview import ServerReport, ToolPreview
from turnkey.tenancy.problems import Problem, of_failure, path_of, unknown
from turnkey.tenancy.server_section import ServerSection


def report_of(asked: Asked, tools: tuple[ToolPreview, ...]) -> ServerReport:
    registration, failure, snapshot = asked.registration, asked.failure, asked.snapshot
    return ServerReport(
        name=registration.name,
        url=place(registration),
        transport=registration.transport,
        protocol=registration.protocol if snapshot else "",
        milliseconds=asked.milliseconds,
        tools=tools,
        warnings=snapshot.warnings if snapshot else (),
        error=failure.kind if failure else None,
        http_status=failure.http_status if failure else 0,
        problem=failure.message if failure else "",
        test=asked.test,
    )


def problems_of(number: int, section: ServerSection, asked: Asked) -> Iterator[Problem]:
    """`number` is the server's place in the manifest."""
    if asked.failure:
        yield of_failure(path_of(("servers", number, _at_fault(section, asked.failure))), asked.failure)
    if asked.snapshot:
        yield from _unknown_tools(number, section, asked.snapshot)
    if asked.test and asked.test.outcome == "refused":
        yield Problem(path=path_of(("servers", number, "test", "tool")), problem=asked.test.view)
    if asked.test and asked.test.outcome == "failed":
        problem = f"the call failed: {asked.test.view}"
        yield Problem(path=path_of(("servers", number, "test")), problem=problem, error=asked.test.error)


def _at_fault(section: ServerSection, failure: Failure) -> str:
    if section.transport == "stdio":
        return "catalogue"
    return "auth" if failure.kind == "AuthFailed" else "url"


def _unknown_tools(number: int, section: ServerSection, snapshot: Snapshot) -> Iterator[Problem]:
    """What is said of a tool that the server does not have would do nothing, silently."""
    if snapshot.cut:
        return
    known = [*(tool.name for tool in snapshot.registration.tools), *snapshot.unreadable]
    said = [(("tools", name), name) for name in section.tools]
    said += [(("allow", place), name) for place, name in enumerate(section.allow or ())]
    for keys, name in said:
        if name not in known:
            yield unknown(path_of(("servers", number, *keys)), name, known, "a tool of the server")
