"""Skills through the real state machine: only named before, their body and tools once they are loaded, while needed."""

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from local import cli
from local.announcement import Announcement, announce
from local.manifest import read
from local.stack import Stack
from local.stores import read_partitions
from tests.support.faulty_server import FaultyServer
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.shop import Shop

pytestmark = pytest.mark.long

OpenShop = Callable[..., Shop]
BODY = "Ask for the order's number first. Refund within 30 days only, by refund_order."
REFUNDS = (
    "---\nname: refunds\n"
    "description: Gives customers their money back. Use it when somebody wants a refund for an order.\n"
    f"allowed-tools: refund_order till:find_order\n---\n\n# Refunds\n\n{BODY}\nSee references/terms.md.\n"
)
ENGRAVING = (
    "---\nname: engraving\ndescription: How engravings on bracelets are made.\n---\nNever more than 12 letters.\n"
)
TERMS = "Shipping is not paid back."
TOOLS = [
    {
        "name": name,
        "description": text,
        "inputSchema": {"type": "object", "properties": {"order": {"type": "string"}}, "required": ["order"]},
        "annotations": {"readOnlyHint": reads},
    }
    for name, text, reads in (
        ("find_order", "Finds an order by its number.", True),
        ("refund_order", "Pays an order back.", False),
        ("order_status", "Says where an order is.", True),
    )
]
LOAD = calls(Call("invoke_skill", {"name": "refunds"}))
UNCLEAR = "Something went wrong with what I bought, can you sort that out?"
"""Of which no words say that it is about a refund."""


class Till(FaultyServer):
    """Keeps what it is called with."""

    def __init__(self) -> None:
        self.called: list[tuple[str, Any]] = []
        super().__init__({"tools/call": self._note}, tools=TOOLS)

    def _note(self, _: object, message: dict[str, Any]) -> bool:
        self.called.append((message["params"]["name"], message["params"].get("arguments")))
        return False


@pytest.fixture(scope="module")
def till() -> Iterator[Till]:
    with Till() as server:
        yield server


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two skills beside a manifest."""
    for path, text in {
        "skills/refunds/SKILL.md": REFUNDS,
        "skills/refunds/references/terms.md": TERMS,
        "skills/refunds/scripts/sum.py": "print(1 + 1)",
        "skills/engraving/SKILL.md": ENGRAVING,
    }.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    return tmp_path


@pytest.fixture
def shop(shops: OpenShop, till: Till, folder: Path) -> Shop:
    till.called.clear()
    shop = shops([{"name": "till", "url": till.url("/mcp")}])
    report = apply(shop, folder)
    assert not report["errors"], report
    return shop


def with_skills(shop: Shop) -> dict[str, Any]:
    """As somebody would write it."""
    agent = {**shop.manifest["agents"][0], "skills": ["refunds", "engraving"]}
    paths = [{"path": "./skills/refunds"}, {"path": "skills/engraving"}]
    return {**shop.manifest, "agents": [agent], "skills": paths}


def apply(shop: Shop, folder: Path, **changes: Any) -> dict[str, Any]:
    """Through the file that the `turnkey` command reads."""
    file = folder / "tenant.yaml"
    file.write_text(json.dumps({**with_skills(shop), **changes}))
    return shop.apply(read(file, {}))


def shown(model: ModelServer, place: int = -1) -> list[str]:
    return [tool["function"]["name"] for tool in model.requests[place].body.get("tools", [])]


def system(model: ModelServer, place: int = -1) -> str:
    return model.requests[place].body["messages"][0]["content"]


def test_before_it_is_loaded_a_skill_is_a_name_and_a_description(shop: Shop, model: ModelServer) -> None:
    model.script(["What is it?"])
    shop.post(UNCLEAR)
    shop.texts(1)
    assert shown(model) == ["order_status", "invoke_skill"]
    [function] = [tool["function"] for tool in model.requests[-1].body["tools"][1:]]
    assert function["parameters"]["properties"]["name"]["enum"] == ["refunds", "engraving"]
    assert "Use it when somebody wants a refund" in function["description"]
    sent = json.dumps(model.requests[-1].body)
    assert BODY not in sent
    assert TERMS not in sent
    assert "12 letters" not in sent


def test_a_greeting_has_no_trace_of_skills(shop: Shop, model: ModelServer) -> None:
    model.script(["Hello!"])
    shop.post("Hello!")
    shop.texts(1)
    assert "refunds" not in json.dumps(model.requests[-1].body)
    assert shown(model) == ["order_status"]


def test_once_it_is_loaded_its_body_and_its_tools_are_there(shop: Shop, model: ModelServer, till: Till) -> None:
    model.script([LOAD, calls(Call("refund_order", {"order": "4711"})), "It is paid back.", "It is paid back."])
    shop.post(UNCLEAR)
    assert shop.texts(1) == ["It is paid back."]
    assert shown(model, 1) == ["order_status", "find_order", "refund_order", "invoke_skill"]
    told = model.requests[1].body["messages"][-1]["content"]
    assert BODY in told
    assert "refund_order" in told
    assert "references/terms.md" in told
    assert till.called == [("refund_order", {"order": "4711"})]
    reply = model.requests[-1].body
    assert BODY in reply["messages"][0]["content"], "the clean request of the reply has the instructions too"
    assert "is loaded" not in reply["messages"][1]["content"]
    [loaded, _] = [step for step in shop.steps() if step["kind"] == "result"]
    assert (loaded["skill"], loaded["status"], loaded["tokens"]) == ("refunds", "ok", 0)


def test_a_tool_of_a_skill_cannot_be_called_before_it_is_loaded(shop: Shop, model: ModelServer, till: Till) -> None:
    model.script([calls(Call("refund_order", {"order": "4711"})), "I cannot do that.", "I cannot do that."])
    shop.post(UNCLEAR)
    assert shop.texts(1) == ["I cannot do that."]
    assert till.called == []
    assert "There is no tool 'refund_order'" in model.requests[1].body["messages"][-1]["content"]


@pytest.mark.parametrize(
    ("first", "reply", "answer", "second", "other", "third"),
    [
        (
            UNCLEAR,
            "Which order is it?",
            "It is 4711, bought in March",
            "Was it a gift?",
            "When do you open tomorrow?",
            "Which shop do you mean?",
        ),
        (
            "我买的东西有问题，能帮我处理吗？",
            "请问是哪个订单？",
            "4711，三月份买的",
            "是礼物吗？",
            "你们明天几点开门？",
            "请问是哪家店？",
        ),
        (
            "買ったものに問題があるのですが、どうにかできますか？",
            "どのご注文でしょうか？",
            "4711です。3月に買いました",
            "贈り物でしたか？",
            "明日は何時に開きますか？",
            "どちらの店舗でしょうか？",
        ),
        (
            "С моей покупкой что-то не так, можете разобраться?",
            "Какой это заказ?",
            "4711, купила в марте",
            "Это был подарок?",
            "Во сколько вы завтра открываетесь?",
            "Какой магазин вы имеете в виду?",
        ),
        (
            "산 물건에 문제가 있는데 해결해 주실 수 있나요?",
            "어떤 주문인가요?",
            "4711이에요. 3월에 샀어요",
            "선물이었나요?",
            "내일 몇 시에 문을 열어요?",
            "어느 지점 말씀이세요?",
        ),
    ],
)
def test_a_skill_stays_while_the_conversation_needs_it_and_goes_with_another_topic(
    shop: Shop, model: ModelServer, first: str, reply: str, answer: str, second: str, other: str, third: str
) -> None:
    model.script([LOAD, reply, second, third])
    shop.post(first)
    shop.texts(1)
    shop.post(answer)
    shop.texts(2)
    assert BODY in system(model)
    assert shown(model) == ["order_status", "find_order", "refund_order", "invoke_skill"]
    properties = model.requests[-1].body["tools"][-1]["function"]["parameters"]["properties"]
    assert "file" in properties, "its files can still be read"
    shop.post(other)
    assert shop.texts(3) == [reply, second, third]
    assert BODY not in json.dumps(model.requests[-1].body)
    assert shown(model) == ["order_status", "invoke_skill"]


def test_a_file_of_a_skill_is_read_and_a_script_is_never_run(shop: Shop, model: ModelServer) -> None:
    terms, script = ({"name": "refunds", "file": path} for path in ("references/terms.md", "scripts/sum.py"))
    nowhere = {"name": "refunds", "file": "../engraving/SKILL.md"}
    asked = calls(*(Call("invoke_skill", arguments) for arguments in (terms, script, nowhere)))
    model.script([LOAD, asked, TERMS, TERMS])
    shop.post(UNCLEAR)
    shop.texts(1)
    assert "nothing runs them" in model.requests[1].body["messages"][-1]["content"]
    *_, first, second, third = (message["content"] for message in model.requests[2].body["messages"])
    assert first == TERMS
    assert second == "print(1 + 1)"
    assert "has no file '../engraving/SKILL.md'" in third
    assert TERMS in model.requests[-1].body["messages"][1]["content"], "what a file says is a fact for the reply"


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("I'd like a refund for order 4711", "When did you buy it?"),
        ("我要退款，订单号是4711", "请问是什么时候买的？"),
        ("注文4711の返金をお願いします", "いつお買い上げでしたか？"),
        ("Хочу вернуть деньги за заказ 4711", "Когда вы его купили?"),
        ("주문 4711 환불해 주세요", "언제 구매하셨나요?"),
    ],
)
def test_where_it_is_plain_which_skill_is_meant_the_turn_opens_with_it(
    shop: Shop, model: ModelServer, text: str, reply: str
) -> None:
    model.script([reply])
    shop.post(text)
    assert shop.texts(1) == [reply]
    assert model.small_requests == [], "words alone settle it"
    [opened, _, answered] = shop.steps()
    assert (opened["author"], opened["calls"][0]["arguments"]) == ("platform", {"name": "refunds"})
    assert BODY in model.requests[0].body["messages"][-1]["content"]
    assert "refund_order" in shown(model, 0)
    assert answered["text"] == reply
    assert all("tool_choice" not in request.body for request in model.requests)


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ("When do you open tomorrow?", "Which shop do you mean?"),
        ("你们几点开门？", "请问是哪家店？"),
        ("何時に開きますか？", "どちらの店舗でしょうか？"),
        ("Во сколько вы открываетесь?", "Какой магазин вы имеете в виду?"),
        ("몇 시에 문을 열어요?", "어느 지점 말씀이세요?"),
    ],
)
def test_an_ordinary_question_costs_nothing_but_a_line(shop: Shop, model: ModelServer, text: str, reply: str) -> None:
    model.script([reply])
    shop.post(text)
    assert shop.texts(1) == [reply]
    assert (len(model.requests), model.small_requests) == (1, [])
    assert BODY not in json.dumps(model.requests[0].body)


def test_what_was_loaded_is_still_there_after_a_crash(shop: Shop, model: ModelServer) -> None:
    asked: list[list[str]] = []

    def script(body: dict[str, Any]) -> Answer | str:
        asked.append(shown(model))
        if len(asked) == 1:
            return LOAD
        if len(asked) == 2:
            # Before this answer can be journalled.
            for pid in shop.pids("ToolLoop"):
                os.kill(pid, signal.SIGKILL)
        return "Which order?"

    model.script(script)
    shop.post(UNCLEAR)
    assert shop.texts(1) == ["Which order?"]
    assert asked[1] == asked[2]
    assert "refund_order" in asked[2]
    assert [step["skill"] for step in shop.steps() if step["kind"] == "result"] == ["refunds"]


def test_another_tenant_has_no_part_in_it(
    shop: Shop, shops: OpenShop, till: Till, model: ModelServer, tmp_path: Path
) -> None:
    without = shops([{"name": "till", "url": till.url("/mcp")}])
    model.script([LOAD, "No.", "No."])
    without.post(UNCLEAR)
    without.texts(1)
    assert shown(model, 0) == ["find_order", "refund_order", "order_status"]
    assert "There is no tool 'invoke_skill'" in model.requests[1].body["messages"][-1]["content"]
    (tmp_path / "skills/refunds/SKILL.md").write_text(REFUNDS.replace(BODY, "Never refund."))
    other = shops([{"name": "till", "url": till.url("/mcp")}])
    apply(other, tmp_path)
    model.requests.clear()
    model.script([LOAD, "No.", "Which order?"])
    other.post(UNCLEAR)
    other.texts(1)
    sent = json.dumps([request.body for request in model.requests])
    assert "Never refund." in sent
    assert BODY not in sent


def ask(shop: Shop, action: str, **fields: Any) -> dict[str, Any]:
    payload = json.dumps({"action": action, "tenant": shop.tenant, **fields})
    answer = shop.stack.client("lambda").invoke(FunctionName=shop.stack.function_name("Provision"), Payload=payload)
    found: dict[str, Any] = json.loads(answer["Payload"].read())
    assert "FunctionError" not in answer, found
    return found


def test_a_manifest_says_what_its_skills_bring_and_comes_back_whole(shop: Shop, folder: Path) -> None:
    report = apply(shop, folder)
    assert (report["errors"], report["changed"]) == ([], False)
    assert report["skills"] == [
        {
            "name": "refunds",
            "agents": ["clerk"],
            "tools": ["till:refund_order", "till:find_order"],
            "files": 2,
            "warnings": [],
        },
        {"name": "engraving", "agents": ["clerk"], "tools": [], "files": 0, "warnings": []},
    ]
    exported = ask(shop, "export")["manifest"]
    assert exported["skills"][0]["files"]["references/terms.md"] == TERMS
    again = shop.apply(exported)
    assert (again["errors"], again["changed"]) == ([], False)


def test_changes_and_removal_are_planned_and_made(shop: Shop, folder: Path, model: ModelServer) -> None:
    (folder / "skills/refunds/references/terms.md").write_text("Shipping is paid back.")
    manifest = with_skills(shop)
    manifest = {
        **manifest,
        "skills": manifest["skills"][:1],
        "agents": [{**manifest["agents"][0], "skills": ["refunds"]}],
    }
    (folder / "tenant.yaml").write_text(json.dumps(manifest))
    sent = read(folder / "tenant.yaml", {})
    planned = [change for change in ask_plan(shop, sent)["changes"] if change["change"] != "unchanged"]
    assert [(change["change"], change["what"], change["fields"]) for change in planned] == [
        ("updated", "skill refunds", ["files.references/terms.md"]),
        ("updated", "agent clerk", ["skills"]),
        ("removed", "skill engraving", []),
    ]
    report = shop.apply(sent)
    assert [change for change in report["changes"] if change["change"] != "unchanged"] == planned
    model.script([calls(Call("invoke_skill", {"name": "refunds", "file": "references/terms.md"})), "Yes.", "Yes."])
    shop.post(UNCLEAR)
    shop.texts(1)
    assert "Shipping is paid back." in model.requests[1].body["messages"][-1]["content"]


def ask_plan(shop: Shop, manifest: dict[str, Any]) -> dict[str, Any]:
    payload = json.dumps({"action": "plan", "manifest": manifest})
    answer = shop.stack.client("lambda").invoke(FunctionName=shop.stack.function_name("Provision"), Payload=payload)
    return json.loads(answer["Payload"].read())


def test_a_skill_that_is_taken_away_ends_with_the_next_turn(shop: Shop, folder: Path, model: ModelServer) -> None:
    model.script([LOAD, "Which order is it?", "Hm."])
    shop.post(UNCLEAR)
    shop.texts(1)
    shop.apply(shop.manifest)
    shop.post("4711")
    shop.texts(2)
    assert BODY not in json.dumps(model.requests[-1].body)
    assert shown(model) == ["find_order", "refund_order", "order_status"]


def test_everything_that_is_wrong_is_said_at_once_and_nothing_is_changed(shop: Shop, folder: Path) -> None:
    (folder / "skills/refunds/SKILL.md").write_text(REFUNDS.replace("name: refunds", "name: Money"))
    (folder / "skills/engraving/SKILL.md").write_text("Just words.")
    errors = {error["path"]: error["problem"] for error in apply(shop, folder)["errors"]}
    assert set(errors) == {'skills[0].files["SKILL.md"].name', 'skills[1].files["SKILL.md"]'}
    (folder / "skills/refunds/SKILL.md").write_text(REFUNDS.replace("till:find_order", "till:burn_order Bash(git:*)"))
    (folder / "skills/engraving/SKILL.md").write_text(ENGRAVING)
    report = apply(shop, folder)
    path = 'skills[0].files["SKILL.md"].allowed-tools'
    assert [error["path"] for error in report["errors"]] == [path, path]
    assert "'till:burn_order' is not a tool that agent 'clerk' has: use one of till:find_order" in str(report["errors"])
    assert ask(shop, "export")["manifest"]["skills"][0]["files"]["SKILL.md"] == REFUNDS


def test_deleting_a_tenant_leaves_none_of_its_skills(shop: Shop) -> None:
    for _ in range(20):
        if ask(shop, "delete", confirm=shop.tenant, quiet_seconds=0).get("done"):
            break
    with shop.stack.at_rest():
        tables = read_partitions(lambda key: key.startswith(f"TENANT#{shop.tenant}"))
    assert BODY not in str(tables)
    kinds = {item["sk"]["S"].split("#")[0] for items in tables.values() for item in items}
    assert "SKILL" not in kinds
    assert "MANIFEST" not in kinds


def test_a_call_that_the_customer_agreed_to_is_made_with_the_skill_still_there(
    shop: Shop, folder: Path, model: ModelServer, till: Till
) -> None:
    server = {**shop.manifest["servers"][0], "tools": {"refund_order": {"confirm": True, "title": "Refund order"}}}
    apply(shop, folder, servers=[server])
    model.script([LOAD, calls(Call("refund_order", {"order": "4711"}))])
    shop.post(UNCLEAR)
    assert "4711" in shop.texts(1)[0]
    assert till.called == []
    model.script(["It is paid back."])
    shop.post("Yes please")
    assert shop.texts(2)[1] == "It is paid back."
    assert till.called == [("refund_order", {"order": "4711"})]
    assert BODY in system(model)


def test_where_words_leave_two_skills_the_small_model_is_asked_which(
    shops: OpenShop, till: Till, folder: Path, model: ModelServer
) -> None:
    shop = shops([{"name": "till", "url": till.url("/mcp")}])
    both = {
        "wedding-rings": "Plans rings for a wedding: their engraving, their size.",
        "birthday-gifts": "Chooses a gift for a birthday: wrapping, a card.",
    }
    skills = [
        {"files": {"SKILL.md": f"---\nname: {name}\ndescription: {text}\n---\nThe way of {name}."}}
        for name, text in both.items()
    ]
    agent = {**shop.manifest["agents"][0], "skills": list(both)}
    assert not shop.apply({**shop.manifest, "skills": skills, "agents": [agent]})["errors"]
    text = "I need a gift for a wedding, with an engraving and a card"
    model.small(['{"skill": "wedding-rings"}'])
    model.script(["When did you buy it?"])
    shop.post(text)
    shop.texts(1)
    [asked] = model.small_requests
    choices = asked.body["response_format"]["json_schema"]["schema"]["properties"]["skill"]["enum"]
    assert sorted(choices) == ["birthday-gifts", "none", "wedding-rings"]
    assert "The way of wedding-rings." in json.dumps(model.requests[-1].body)
    assert "The way of birthday-gifts." not in json.dumps(model.requests[-1].body)
    model.small(['{"skill": "none"}', '{"kind": "answer"}'])
    model.script(["When did you buy it?"])
    shop.post(text, conversation="c-2")
    shop.texts(2)
    assert "The way of" not in json.dumps(model.requests[-1].body)


def test_an_endpoint_that_takes_calls_as_text_is_given_skills_the_same_way(
    shops: OpenShop, till: Till, folder: Path, model: ModelServer
) -> None:
    shop = shops([{"name": "till", "url": till.url("/mcp")}])
    example = '<tool_call>\n{"name": "refund_order", "arguments": {"order": "4711"}}\n</tool_call>'
    (folder / "skills/refunds/SKILL.md").write_text(f"{REFUNDS}Such as:\n{example}\n")
    apply(shop, folder, model={**shop.manifest["model"], "call_format": "text"})
    load = '<tool_call>{"name": "invoke_skill", "arguments": {"name": "refunds"}}</tool_call>'
    model.script([load, example, "It is paid back.", "It is paid back."])
    till.called.clear()
    shop.post(UNCLEAR)
    assert shop.texts(1) == ["It is paid back."]
    assert till.called == [("refund_order", {"order": "4711"})], "a call that the skill shows is made, not quoted"
    assert "- refunds: Gives customers their money back" in system(model, 0)
    assert "refund_order(" not in system(model, 0)
    assert "refund_order(" in system(model, 1)
    assert BODY in model.requests[1].body["messages"][-1]["content"]


def test_the_turnkey_command_applies_a_manifest_with_its_folders(
    shop: Shop, stack: Stack, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(folder)
    announce(Announcement(stack.api_url, stack.aws_endpoint, stack.function_name("Provision"), os.getpid()))
    assert cli.main(("plan", "tenant.yaml")) == cli.OK
    told = capsys.readouterr().out
    assert "would stay as it is" in told
    assert "skill refunds of clerk: with till:refund_order, till:find_order, 2 further files" in told
    (folder / "skills/refunds/SKILL.md").write_text(REFUNDS.replace(BODY, "Ask first."))
    assert cli.main(("apply", "tenant.yaml")) == cli.OK
    assert "updated   skill refunds: body" in capsys.readouterr().out
    assert cli.main(("export", shop.tenant)) == cli.OK
    Path("exported.yaml").write_text(capsys.readouterr().out)
    assert cli.main(("apply", "exported.yaml")) == cli.OK
    assert "already so" in capsys.readouterr().out
    (folder / "skills/refunds/logo.png").write_bytes(b"\x89PNG\x00")
    assert cli.main(("apply", "tenant.yaml")) == cli.USAGE
    assert "skills/refunds/logo.png is no text in UTF-8" in capsys.readouterr().err
