"""Every eval case asks for something that the tenant's own server can really do, or really cannot."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import product
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, Tool

from local.evals.case import Case, HandedCall, Tenant, Wanted
from tests.evals.handover import CASES, HALVES, fresh_server, load

pytestmark = pytest.mark.long

BY_HALF = {half: load(half) for half in HALVES}
ALL = [case for half in HALVES for case in BY_HALF[half]]
ACTING = {"hold_for_pickup", "book_appointment", "cancel_appointment"}
LISTS = {"search_books": "books", "find_slots": "slots", "list_doctors": "doctors", "list_documents": "documents"}
TENANTS: tuple[Tenant, ...] = ("bookshop", "clinic")
KINDS = {
    "items": ("items",),
    "count": ("lookup",),
    "chart": ("chart",),
    "booking": ("action", "none", "honest"),
    "lookup": ("lookup",),
    "ordinary": ("none",),
    "impossible": ("honest",),
    "followup": ("items", "lookup", "chart", "action", "honest"),
}
WANTED = {"items": 1, "chart": 2}
"""How many things must be found at least."""


@dataclass
class Ran:
    """What the servers answered: to what was handed over earlier, and to each way of asking that a case accepts."""

    earlier: list[CallToolResult] = field(default_factory=list)
    asked: list[CallToolResult] = field(default_factory=list)


def choices(wanted: Wanted) -> tuple[Wanted, ...]:
    return wanted if isinstance(wanted, tuple) else (wanted,)


def ways(case: Case) -> Iterator[dict[str, Any]]:
    """The arguments of every accepted call, what is not prescribed left out or empty."""
    names = list(case.expect.arguments)
    for values in product(*(choices(case.expect.arguments[name]) for name in names)):
        yield ({"query": ""} if case.expect.tool in ("search_books", "list_documents") else {}) | dict(
            zip(names, values, strict=True)
        )


def handed(case: Case) -> list[HandedCall]:
    return [message.handed for message in case.conversation if message.handed]


async def run(case: Case, reading: dict[str, Client]) -> Ran:
    """What changes something runs on a server of its own."""
    ran, expected = Ran(), list(ways(case)) if case.expect.tool else []
    if not ACTING & {case.expect.tool, *(call.tool for call in handed(case))}:
        client = reading[case.tenant]
        ran.earlier = [await client.call_tool(call.tool, call.arguments) for call in handed(case)]
        ran.asked = [await client.call_tool(case.expect.tool, arguments) for arguments in expected]
        return ran
    for arguments in expected or [None]:
        async with Client(fresh_server(case.tenant)) as client:
            ran.earlier = [await client.call_tool(call.tool, call.arguments) for call in handed(case)]
            if arguments is not None:
                ran.asked.append(await client.call_tool(case.expect.tool, arguments))
    return ran


@pytest.fixture(scope="module")
def runs() -> dict[str, Ran]:
    async def every() -> dict[str, Ran]:
        async with Client(fresh_server("bookshop")) as bookshop, Client(fresh_server("clinic")) as clinic:
            return {case.id: await run(case, {"bookshop": bookshop, "clinic": clinic}) for case in ALL}

    return asyncio.run(every())


@pytest.fixture(scope="module")
def tools() -> dict[Tenant, dict[str, Tool]]:
    async def listed(tenant: Tenant) -> dict[str, Tool]:
        async with Client(fresh_server(tenant)) as client:
            return {tool.name: tool for tool in (await client.list_tools()).tools}

    return {tenant: asyncio.run(listed(tenant)) for tenant in TENANTS}


def found(result: CallToolResult) -> bool:
    return not result.is_error and bool(result.structured_content)


def content(result: CallToolResult) -> dict[str, Any]:
    return result.structured_content or {}


def listed(tool: str, result: CallToolResult) -> list[dict[str, Any]]:
    return content(result).get(LISTS[tool], [])


def total(result: CallToolResult) -> int:
    return content(result).get("total", 0)


def key(item: dict[str, Any]) -> str:
    return next(str(value) for name, value in item.items() if name.endswith("_id"))


def spoken(tool: str, result: CallToolResult) -> list[str]:
    """What an agent that hands this over has to have said."""
    if tool in LISTS:
        return [str(item.get("title") or item.get("name") or item["time"]) for item in listed(tool, result)]
    if tool == "get_price":
        return [f"{content(result)['price_eur']:.2f}"]
    return [content(result)[name] for name in ("appointment_number", "time", "doctor") if name in content(result)]


def test_there_are_cases_enough_of_every_kind_and_language():
    languages, kinds = (Counter(getattr(case, name) for case in ALL) for name in ("language", "kind"))
    assert len(ALL) >= 200
    assert languages["en"] >= 80
    assert len(languages) == 12
    assert min(languages.values()) >= 11
    assert len(kinds) == 8
    assert min(kinds.values()) >= 20
    assert {(case.language, case.kind) for case in ALL} == {(a, b) for a in languages for b in kinds}
    assert min(Counter(case.tenant for case in ALL).values()) >= 100


def test_ids_are_unique_and_say_language_and_kind():
    assert [one for one, count in Counter(case.id for case in ALL).items() if count > 1] == []
    assert [case.id for case in ALL if not case.id.startswith(f"{case.language}-{case.kind}-")] == []


def test_each_case_stands_in_the_file_of_its_kind():
    for path in CASES.glob("*/*.jsonl"):
        for line in path.read_text("utf-8").splitlines():
            assert json.loads(line)["kind"] == path.stem


@pytest.mark.parametrize("name", ["kind", "language", "tenant"])
def test_the_halves_are_alike(name: str):
    tuning, held = (Counter(getattr(case, name) for case in BY_HALF[half]) for half in HALVES)
    assert max(abs(tuning[value] - held[value]) for value in tuning | held) <= 3


def test_no_case_has_its_like_in_the_other_half():
    tuned, held = (
        [(case, case.conversation[-1].text.casefold()) for case in BY_HALF[half] if len(case.conversation) == 1]
        for half in HALVES
    )
    alike = [
        (one.id, other.id)
        for one, text in tuned
        for other, others in held
        if one.language == other.language and SequenceMatcher(None, text, others).ratio() > 0.8
    ]
    assert alike == []


def failing(keeps: Callable[[Case], bool]) -> list[str]:
    return [case.id for case in ALL if not keeps(case)]


def test_the_customer_has_the_last_word_and_only_the_agent_hands_over():
    def keeps(case: Case) -> bool:
        roles = [message.role for message in case.conversation]
        in_turn = roles == (["customer", "agent"] * len(roles))[: len(roles)] and roles[-1] == "customer"
        return in_turn and all(message.role == "agent" for message in case.conversation if message.handed)

    assert failing(keeps) == []


def test_an_expectation_is_of_one_piece():
    def keeps(case: Case) -> bool:
        expect = case.expect
        return all(
            [
                expect.tool or not expect.arguments,
                expect.tool or expect.handed in ("none", "honest", "lookup"),
                expect.handed != "none" or not expect.tool,
                expect.handed != "lookup" or expect.tool or expect.mentions,
                bool(expect.by) == (expect.handed == "chart"),
                not expect.asks or (expect.handed, case.kind) == ("none", "booking"),
                expect.handed == "items" or not (expect.count or expect.fresh),
                handed(case) or not expect.fresh,
            ]
        )

    assert failing(keeps) == []


def test_kind_and_expectation_agree():
    def keeps(case: Case) -> bool:
        acts = (case.expect.tool in ACTING) == (case.expect.handed == "action")
        return acts and case.expect.handed in KINDS[case.kind] and (case.kind != "followup" or bool(handed(case)))

    assert failing(keeps) == []


def test_tools_and_arguments_are_on_the_tenant_s_server(tools: dict[Tenant, dict[str, Tool]]):
    def keeps(case: Case) -> bool:
        calls = [(call.tool, set(call.arguments)) for call in handed(case)]
        calls += [(case.expect.tool, set(case.expect.arguments))] if case.expect.tool else []
        of_tenant = tools[case.tenant]
        return all(
            tool in of_tenant and names <= set(of_tenant[tool].input_schema["properties"]) for tool, names in calls
        )

    assert failing(keeps) == []


def test_what_was_handed_over_can_be_handed_over_again(runs: dict[str, Ran]):
    def keeps(case: Case) -> bool:
        earlier = zip(handed(case), runs[case.id].earlier, strict=True)
        return all(found(result) and (call.tool not in LISTS or listed(call.tool, result)) for call, result in earlier)

    assert failing(keeps) == []


def test_the_agent_said_what_was_really_handed_over(runs: dict[str, Ran]):
    def keeps(case: Case) -> bool:
        said = (message.text for message in case.conversation if message.handed)
        earlier = zip(said, handed(case), runs[case.id].earlier, strict=True)
        return all(thing in text for text, call, result in earlier for thing in spoken(call.tool, result))

    assert failing(keeps) == []


def test_what_is_asked_for_can_be_had(runs: dict[str, Ran]):
    def keeps(case: Case) -> bool:
        wanted, asked = WANTED.get(case.expect.handed, 0), runs[case.id].asked
        found_all = all(found(result) for result in asked)
        return found_all and (not wanted or all(total(result) >= (case.expect.count or wanted) for result in asked))

    assert failing(lambda case: case.expect.handed == "honest" or keeps(case)) == []


def test_what_is_not_to_be_had_is_not_found(runs: dict[str, Ran]):
    def keeps(case: Case) -> bool:
        return all(result.is_error or total(result) == 0 for result in runs[case.id].asked)

    assert failing(lambda case: case.expect.handed != "honest" or keeps(case)) == []


def test_the_server_s_answer_holds_every_mention(runs: dict[str, Ran]):
    def keeps(case: Case) -> bool:
        answers = [json.dumps(content(result), ensure_ascii=False) for result in runs[case.id].asked]
        return all(case.expect.unmentioned(answer) == () for answer in answers)

    assert failing(lambda case: not case.expect.mentions or keeps(case)) == []


def test_more_of_the_same_is_really_there(runs: dict[str, Ran]):
    def keeps(case: Case) -> bool:
        ran = runs[case.id]
        earlier = zip(handed(case), ran.earlier, strict=True)
        shown = {key(item) for call, result in earlier for item in listed(call.tool, result)}
        # Every way of asking finds more than was shown, so that some are left whatever the order.
        return all(total(result) >= len(shown) + (case.expect.count or 1) for result in ran.asked)

    assert failing(lambda case: not case.expect.fresh or keeps(case)) == []


@pytest.mark.parametrize(
    ("arguments", "accepted"),
    [
        ({"query": "Books about WHALES", "limit": 5}, True),
        ({"query": "whale", "limit": 5, "level": "any"}, True),
        ({"query": "whale", "limit": 4}, False),
        ({"query": "sharks", "limit": 5}, False),
        ({"limit": 5}, False),
    ],
)
def test_a_call_is_accepted_if_what_must_be_right_is_right(arguments: dict[str, Any], accepted: bool):
    line = {"handed": "items", "tool": "search_books", "arguments": {"query": ["whale"], "limit": 5}}
    expect = Case.model_validate(
        {
            "id": "x",
            "tenant": "bookshop",
            "language": "en",
            "kind": "items",
            "conversation": [{"role": "customer", "text": "five whale books"}],
            "expect": line,
        }
    ).expect
    assert expect.accepts("search_books", arguments) == accepted
    assert not expect.accepts("get_book", arguments)
