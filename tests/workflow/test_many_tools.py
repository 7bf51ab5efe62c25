"""Turns of a tenant with 300 tools, through the real template: what a request shows, and how the others are found."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.support.endpoint_rules import NAME, broken_rules
from tests.support.faulty_server import FaultyServer
from tests.support.many_tools import offered
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.shop import Shop

pytestmark = pytest.mark.long

OpenShop = Callable[..., Shop]
PARCEL = "Tell me where my parcel 4711 has got to"
LOOK = calls(Call("find_tools", {"query": "change a customer's postal address"}))


class ManyTools(FaultyServer):
    """Keeps what it is called with."""

    def __init__(self, tools: list[Any]) -> None:
        self.called: list[tuple[str, Any]] = []
        super().__init__({"tools/call": self._note}, tools=tools)

    def _note(self, _: object, message: dict[str, Any]) -> bool:
        self.called.append((message["params"]["name"], message["params"].get("arguments")))
        return False


@pytest.fixture(scope="module")
def many() -> Iterator[ManyTools]:
    with ManyTools(offered(300)) as server:
        yield server


@pytest.fixture
def shop(shops: OpenShop, many: ManyTools) -> Shop:
    many.called.clear()
    return shops([{"name": "s", "url": many.url("/mcp")}])


def shown(model: ModelServer, place: int = -1) -> list[str]:
    return [tool["function"]["name"] for tool in model.requests[place].body.get("tools", [])]


def address(model: ModelServer) -> str:
    """The name under which the tool is shown that changes an address."""
    return next(name for name in shown(model) if name.startswith("crm_update_address"))


def test_a_turn_shows_the_twenty_tools_that_the_message_is_about(shop: Shop, model: ModelServer) -> None:
    model.script(["It is on its way."])
    shop.post(PARCEL)
    assert shop.texts(1) == ["It is on its way."]
    names = shown(model, 0)
    assert len(names) == 21
    assert {"track_parcel", "find_tools"} <= set(names)


def test_every_tool_that_is_shown_is_one_that_endpoints_take(shop: Shop, model: ModelServer) -> None:
    model.script(["Hm."])
    shop.post("请帮我取消订单")
    shop.texts(1)
    functions = [tool["function"] for tool in model.requests[0].body["tools"]]
    assert all(NAME.fullmatch(function["name"]) and function["description"].strip() for function in functions)
    assert [broken_rules(function["parameters"]) for function in functions] == [[]] * len(functions)


def test_a_tool_that_is_not_shown_is_found_and_called_under_its_own_name(
    shop: Shop, model: ModelServer, many: ManyTools
) -> None:
    arguments = {"customer_id": "C1001", "street": "Elm 1", "city": "Rome", "zip": "00100"}

    def script(body: dict[str, Any]) -> Answer | str:
        if "tools" not in body:
            return "Your address is changed."
        if not any(message["role"] == "tool" for message in body["messages"]):
            return LOOK
        return calls(Call(address(model), arguments)) if not many.called else "Done."

    model.script(script)
    shop.post(PARCEL)
    assert shop.texts(1) == ["Your address is changed."]
    assert many.called == [("crm.update_address", arguments)]
    assert not any(name.startswith("crm_update_address") for name in shown(model, 0))
    found, made = (step for step in shop.steps() if step["kind"] == "result")
    assert found["call"]["name"] == "find_tools"
    assert made["call"]["name"] in found["found"]
    assert set(found["found"]).isdisjoint(shown(model, 0))
    assert "find_tools" not in json.dumps(model.requests[-1].body["messages"])


def test_a_loop_cut_off_behind_find_tools_goes_on_with_the_tools_it_found(shop: Shop, model: ModelServer) -> None:
    asked: list[list[str]] = []

    def script(body: dict[str, Any]) -> Answer | str:
        asked.append(shown(model))
        if len(asked) == 1:
            return LOOK
        if len(asked) == 2:
            # Before this answer can be journalled.
            for pid in shop.pids("ToolLoop"):
                os.kill(pid, signal.SIGKILL)
        return "That is all."

    model.script(script)
    shop.post(PARCEL)
    assert shop.texts(1) == ["That is all."]
    assert [step["call"]["name"] for step in shop.steps() if step["kind"] == "result"] == ["find_tools"]
    assert set(asked[1]) == set(asked[2])
    assert len(asked[2]) > len(asked[0])


def test_looking_for_what_there_is_not_ends_in_an_honest_answer(shop: Shop, model: ModelServer) -> None:
    model.script([calls(Call("find_tools", {"query": "xyzzy"})), "I cannot do that here."])
    shop.post(PARCEL)
    assert shop.texts(1) == ["I cannot do that here."]
    told = model.requests[1].body["messages"][-1]["content"]
    assert "None of the other tools has to do with “xyzzy”" in told
    assert shown(model, 0) == shown(model, 1)


def test_a_model_that_only_looks_for_tools_is_stopped_by_its_calls(
    shops: OpenShop, model: ModelServer, many: ManyTools
) -> None:
    shop = shops([{"name": "s", "url": many.url("/mcp")}], limits={"calls": 3, "tools": 128})
    many_words = ["parcel", "invoice", "weather", "room", "flight", "salary", "password"]

    def script(body: dict[str, Any]) -> Answer | str:
        if "tools" not in body:
            return "I could not find a way."
        assert len(body["tools"]) <= 128
        return calls(Call("find_tools", {"query": many_words[len(model.requests) - 1]}))

    model.script(script)
    shop.post(PARCEL)
    assert shop.texts(1) == ["I could not find a way."]
    assert len([step for step in shop.steps() if step["kind"] == "result"]) == 3


def test_few_tools_are_all_shown_and_no_way_to_more(shops: OpenShop, model: ModelServer) -> None:
    with ManyTools(offered(20)) as server:
        shop = shops([{"name": "s", "url": server.url("/mcp")}])
        model.script(["Hello."])
        shop.post("Hello!")
        shop.texts(1)
    assert len(shown(model, 0)) == 20
    assert "find_tools" not in shown(model, 0)


NODE = {"type": "object", "properties": {"name": {"type": "string"}, "under": {"$ref": "#/$defs/Node"}}}
AWKWARD: list[dict[str, Any]] = [
    {"name": "查询/包裹.v2", "inputSchema": {"type": "object", "properties": {"filter[名]": {"type": "string"}}}},
    {"name": "x" * 90, "description": " ", "inputSchema": {}},
    {"name": "tree", "inputSchema": {"properties": {"of": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": NODE}}},
    {
        "name": "either",
        "inputSchema": {
            "anyOf": [
                {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]},
                {"type": "object", "properties": {"at": {"type": ["object", "null"]}}, "required": ["at"]},
            ]
        },
    },
    {"name": "elsewhere", "inputSchema": {"properties": {"x": {"$ref": "http://169.254.169.254/schema"}}}},
    {"name": "list", "inputSchema": {"type": "array"}},
]


def test_awkward_tools_are_shown_as_endpoints_take_them_and_called_as_their_server_wants(
    shops: OpenShop, model: ModelServer
) -> None:
    with ManyTools(AWKWARD) as server:
        shop = shops([{"name": "s", "url": server.url("/mcp")}])

        def script(body: dict[str, Any]) -> Answer | str:
            if "tools" not in body or server.called:
                return "It is in Rome."
            [parcel] = [tool["function"] for tool in body["tools"] if "v2" in tool["function"]["name"]]
            [argument] = parcel["parameters"]["properties"]
            return calls(Call(parcel["name"], {argument: "4711"}), Call("either", {}))

        model.script(script)
        shop.post("Which ones are left?")
        assert shop.texts(1) == ["It is in Rome."]
        functions = [tool["function"] for tool in model.requests[0].body["tools"]]
        assert len(functions) == 4
        assert all(NAME.fullmatch(function["name"]) and function["description"].strip() for function in functions)
        assert [broken_rules(function["parameters"]) for function in functions] == [[]] * 4
        assert server.called == [("查询/包裹.v2", {"filter[名]": "4711"})]
    wrong = next(step for step in shop.steps() if step["kind"] == "result" and step["call"]["name"] == "either")
    assert "do not fit" in wrong["text"]
