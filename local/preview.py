"""What applying a manifest did, or would do, in words."""

from collections.abc import Iterator, Mapping
from typing import Any

from turnkey.mcp.differences import visible

DIGEST = 12
"""Characters of a tool's hash that are shown."""
_STATES = {
    "approved": "approved",
    "new": "HELD: new",
    "changed": "HELD: changed",
    "not_allowed": "not allowed",
    "set_aside": "set aside",
}


def report_lines(report: Mapping[str, Any], place: str, *, planned: bool = False) -> Iterator[str]:
    """The report line by line. `planned`: nothing was changed yet."""
    errors: list[dict[str, Any]] = report.get("errors") or []
    tenant = f"Tenant {report['tenant']}" if report.get("tenant") else "The manifest"
    if errors:
        yield f"{tenant}: refused {place}, nothing changed."
        yield from map(_error, errors)
    else:
        told = ("would change", "would stay as it is") if planned else ("changed", "already so")
        yield f"{tenant}: {told[0] if report.get('changed') else told[1]} {place}."
    yield from _changes(report.get("changes") or [])
    servers: list[dict[str, Any]] = report.get("servers") or []
    for server in servers:
        yield from _server(server)
    skills: list[dict[str, Any]] = report.get("skills") or []
    for skill in skills:
        yield from _skill(skill)


def _skill(skill: Mapping[str, Any]) -> Iterator[str]:
    agents = ", ".join(map(visible, skill["agents"])) or "no agent"
    tools = ", ".join(map(visible, skill["tools"])) or "no tools"
    yield f"  skill {visible(skill['name'])} of {agents}: with {tools}, {skill['files']} further files"
    for warning in skill["warnings"]:
        yield f"    ! {visible(warning)}"


def _error(error: Mapping[str, Any]) -> str:
    about = [error["error"]] if error.get("error") else []
    about += [f"HTTP {error['http_status']}"] if error.get("http_status") else []
    return f"  {visible(error['path'])}: {visible(error['problem'])}" + (f" [{', '.join(about)}]" if about else "")


def _changes(changes: list[dict[str, Any]]) -> Iterator[str]:
    for change in changes:
        if change["change"] != "unchanged":
            fields = f": {', '.join(map(visible, change['fields']))}" if change["fields"] else ""
            yield f"  {change['change']:<10}{visible(change['what'])}{fields}"
    unchanged = sum(change["change"] == "unchanged" for change in changes)
    if unchanged:
        yield f"  {'unchanged':<10}{unchanged}"


def _server(server: Mapping[str, Any]) -> Iterator[str]:
    name = f"  server {server['name']} at {visible(server['url'])}"
    if server["error"]:
        status = f", HTTP {server['http_status']}" if server["http_status"] else ""
        yield f"{name}: {server['error']}{status} after {server['milliseconds']} ms"
        return
    tools: list[dict[str, Any]] = server["tools"]
    transport, protocol = server["transport"], server["protocol"]
    yield f"{name}: {len(tools)} tools, MCP {protocol} over {transport}, {server['milliseconds']} ms"
    for warning in server["warnings"]:
        yield f"    ! {visible(warning)}"
    for tool in tools:
        yield from _tool(tool)
    if server["test"]:
        yield _test(server["test"])


def _tool(tool: Mapping[str, Any]) -> Iterator[str]:
    hints: dict[str, bool] = tool["hints"]
    effect = "reads" if hints["read_only"] else "acts"
    asks = ", asks first" if tool["confirm"] else ""
    name, names = visible(tool["name"]), ", ".join(tool["model_names"])
    as_shown = f" as {names}" if names and names != name else ""
    about = f"{tool['kind']}, {effect}{asks}"
    yield f"    {name + as_shown:<32} {about:<22} {_STATES[tool['state']]:<14} {tool['digest'][:DIGEST]}"
    flags: list[dict[str, str]] = tool["flags"]
    told = [f"{flag['kind'].replace('_', ' ')} in {flag['where']}: {flag['what']}" for flag in flags]
    for remark in (tool["reason"], *tool["warnings"], *told):
        if remark:
            yield f"      ! {visible(remark)}"


def _test(test: Mapping[str, Any]) -> str:
    error = f" [{test['error']}]" if test["error"] else ""
    took = f" in {test['milliseconds']} ms" if test["milliseconds"] else ""
    return f"    test call of {visible(test['tool'])}: {test['outcome']}{error}{took}: {visible(test['view'])}"
