"""What a customer says of themselves is kept once, for their tenant alone, and erased when they or the tenant ask."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from local.stack import Stack
from tests.support.model_server import Answer, Call, ModelServer, calls
from tests.support.shop import Shop
from tests.workflow.test_provisioning_command import Command, turnkey
from turnkey.contacts.contact import Customer
from turnkey.contacts.notes import erasing

__all__ = ["turnkey"]
pytestmark = pytest.mark.long
Json = dict[str, Any]
OpenShop = Callable[..., Shop]
BERLIN = {"time_zone": "Europe/Berlin"}
STAGES = ("Webhook", "Route", "ToolLoop", "Assist", "Compose", "Deliver", "Provision")


@pytest.fixture
def desk(shops: OpenShop) -> Shop:
    """A business in Berlin without any system of its own."""
    return in_berlin(shops([]))


def in_berlin(shop: Shop, **contacts: Any) -> Shop:
    shop.manifest["tenant"].update(BERLIN)
    if contacts:
        shop.manifest["agents"][0]["contacts"] = contacts
    assert not shop.apply()["errors"]
    return shop


def captures(reply: str, **values: str) -> list[Answer | str]:
    """What a model answers that captures at once and then says so, in the loop and in the clean reply."""
    return [calls(Call("capture_contact", values)), reply, reply]


def say(shop: Shop, model: ModelServer, text: str, script: list[Answer | str], number: int = 1, **more: Any) -> str:
    model.script(script)
    shop.post(text, **more)
    return shop.texts(number)[number - 1]


def rows(shop: Shop) -> list[Json]:
    return [json.loads(row["json"]) for row in shop.rows() if row["sk"].startswith("CUSTOMER#")]


def kept(shop: Shop) -> dict[str, str]:
    """Of the one customer there is."""
    [row] = rows(shop) or [{"values": {}}]
    return {field: one["value"] for field, one in row["values"].items()}


def ask(shop: Shop, action: str, **fields: Any) -> Json:
    answer = shop.stack.client("lambda").invoke(
        FunctionName=shop.stack.function_name("Provision"),
        Payload=json.dumps({"action": action, "tenant": shop.tenant, **fields}),
    )
    return json.loads(answer["Payload"].read())


@pytest.mark.parametrize(
    ("zone", "text", "given", "number", "reply"),
    [
        (
            "Europe/London",
            "Please call me on 07911 123456, I'm Ann Lee.",
            {"phone": "+447911123456", "name": "Ann Lee"},
            "+447911123456",
            "Thank you, I have noted your number.",
        ),
        (
            "Asia/Shanghai",
            "我叫王小明，电话13812345678，请给我回电",
            {"phone": "138 1234 5678", "name": "王小明"},
            "+8613812345678",
            "好的，您的号码已保存。",
        ),
        (
            "Asia/Tokyo",
            "電話番号は０９０－１２３４－５６７８です。連絡をください。",
            {"phone": "090-1234-5678"},
            "+819012345678",
            "電話番号を保存しました。",
        ),
        (
            "Europe/Moscow",
            "Мой телефон 8 (916) 123-45-67, перезвоните мне",
            {"phone": "+79161234567"},
            "+79161234567",
            "Ваш номер сохранён.",
        ),
        (
            "Asia/Seoul",
            "제 전화번호는 010-1234-5678이에요. 전화 주세요.",
            {"phone": "01012345678"},
            "+821012345678",
            "전화번호를 저장했습니다.",
        ),
    ],
)
def test_a_number_goes_from_the_message_into_the_list_and_the_customer_is_told(
    shops: OpenShop, model: ModelServer, zone: str, text: str, given: Json, number: str, reply: str
) -> None:
    shop = shops([])
    shop.manifest["tenant"]["time_zone"] = zone
    shop.apply()
    told = say(shop, model, text, captures(reply, **given))
    [row] = rows(shop)
    assert row["values"]["phone"]["value"] == number
    assert row["values"].get("name", {}).get("value", given.get("name")) == given.get("name")
    assert told.startswith(reply)
    language = json.loads(shop.turns()[0]["json"])["language"]
    assert told.endswith(erasing(language))
    assert ask(shop, "contacts")["contacts"][0]["told_at"]


def test_a_number_that_nobody_said_is_refused_and_the_reply_does_not_claim_it(desk: Shop, model: ModelServer) -> None:
    text = "Please call me back about the red chair."
    script = [
        calls(Call("capture_contact", {"phone": "+49 151 23456789"})),
        "I have noted your number.",
        "I've saved your number +49 151 23456789.",
        "I have saved your number.",
    ]
    told = say(desk, model, text, script)
    assert rows(desk) == []
    assert "saved" not in told
    assert "noted" not in told
    asked = json.dumps([request.body["messages"] for request in model.requests])
    assert "does not stand in the customer's own messages" in asked


def test_what_the_agent_said_is_nobodys_number(shops: OpenShop, model: ModelServer) -> None:
    shop = in_berlin(shops([], instructions="You are a clerk. Our number is 0151 23456789."))
    assert "23456789" in say(shop, model, "How can I reach you?", ["Our number is 0151 23456789."])
    asked_back = "What is your number?"
    script = [calls(Call("capture_contact", {"phone": "0151 23456789"})), asked_back, asked_back]
    say(shop, model, "Please call me back.", script, 2)
    assert rows(shop) == []


def test_a_number_said_a_turn_before_is_still_the_customers(desk: Shop, model: ModelServer) -> None:
    say(desk, model, "My number is 0151 23456789.", ["What is it about?"])
    say(desk, model, "Please call me back about a table.", captures("I have noted it.", phone="0151 23456789"), 2)
    assert kept(desk) == {"phone": "+4915123456789"}


def test_half_of_what_was_given_is_kept_and_the_other_half_is_told_not_to_be(desk: Shop, model: ModelServer) -> None:
    text = "My e-mail is ann@example.com, please contact me."
    script = captures("I have noted your number and your address.", email="ann@example.com", phone="0151 23456789")
    told = say(desk, model, text, script)
    assert kept(desk) == {"email": "ann@example.com"}
    assert "Noted: e-mail address." in told
    assert "Not noted: phone number." in told


def test_fields_of_the_tenants_own_are_offered_and_kept_and_its_consent_text_is_told(
    shops: OpenShop, model: ModelServer
) -> None:
    fields = [{"name": "company", "description": "The company they work for"}]
    shop = in_berlin(shops([]), fields=fields, consent={"en": "We keep this to call you back."})
    text = "Call me on 0151 23456789. I work for Acme GmbH."
    told = say(shop, model, text, captures("Gladly.", phone="0151 23456789", company="Acme GmbH"))
    assert kept(shop) == {"phone": "+4915123456789", "company": "Acme GmbH"}
    offered = {tool["function"]["name"]: tool["function"] for tool in model.requests[0].body["tools"]}
    assert "company they work for" in offered["capture_contact"]["parameters"]["properties"]["company"]["description"]
    assert told == f"Gladly.\n\nWe keep this to call you back. {erasing('en')}"


def test_an_agent_that_keeps_nothing_is_not_offered_to(shops: OpenShop, model: ModelServer) -> None:
    shop = in_berlin(shops([]), enabled=False)
    say(shop, model, "My number is 0151 23456789, please call me.", ["I am sorry, we cannot call."])
    assert "capture_contact" not in json.dumps(model.requests[0].body)


def test_the_customer_is_told_once_and_a_new_number_takes_the_place_of_the_old_one(
    desk: Shop, model: ModelServer
) -> None:
    first = say(desk, model, "My number is 0151 23456789", captures("Thanks.", phone="0151 23456789"))
    again = say(desk, model, "My number is 0151 23456789", captures("Thanks.", phone="0151 23456789"), 2)
    other = say(desk, model, "My new number is 030 1234567", captures("Thanks.", phone="030 1234567"), 3)
    assert [erasing("en") in text for text in (first, again, other)] == [True, False, False]
    [row] = rows(desk)
    assert row["values"]["phone"]["value"] == "+49301234567"
    assert [(one["field"], one["value"]) for one in row["earlier"]] == [("phone", "+4915123456789")]


def test_one_customer_has_one_entry_in_all_their_conversations_and_others_have_their_own(
    desk: Shop, model: ModelServer
) -> None:
    say(desk, model, "My number is 0151 23456789", captures("Thanks.", phone="0151 23456789"))
    mail = captures("Thanks.", email="ann@example.com")
    say(desk, model, "My email is ann@example.com", mail, 2, conversation="c-2")
    say(desk, model, "My number is 030 1234567", captures("Thanks.", phone="030 1234567"), 3, sender="u-2")
    values = {row["customer"]["sender"]: sorted(row["values"]) for row in rows(desk)}
    assert values == {"u-1": ["email", "phone"], "u-2": ["phone"]}


def test_a_repeated_webhook_and_a_function_that_dies_keep_it_once(desk: Shop, model: ModelServer) -> None:
    model.script(captures("Thanks.", phone="0151 23456789"))
    desk.kill_next("Assist", "after")
    for _ in range(2):
        desk.post("My number is 0151 23456789", message_id="msg-twice")
    told = desk.texts(1)
    assert told == [f"Thanks.\n\nNoted: phone number. {erasing('en')}"]
    [row] = rows(desk)
    assert row["earlier"] == []
    assert len(row["done"]) == 1


def test_a_customer_has_their_data_erased_by_saying_so(desk: Shop, model: ModelServer) -> None:
    say(desk, model, "My number is 0151 23456789", captures("Thanks.", phone="0151 23456789"))
    forget = [calls(Call("forget_contact")), "I have deleted your data.", "I have deleted your data."]
    told = say(desk, model, "Please delete my data", forget, 2)
    assert told == "I have deleted your data."
    assert rows(desk) == []
    # What was said before is not taken up again.
    again = [calls(Call("capture_contact", {"phone": "0151 23456789"})), "What is your number?", "What is your number?"]
    say(desk, model, "Please call me back", again, 3)
    assert rows(desk) == []


def test_only_the_number_goes_where_only_the_number_is_meant(desk: Shop, model: ModelServer) -> None:
    text = "I'm Ann, my number is 0151 23456789"
    say(desk, model, text, captures("Thanks.", phone="0151 23456789", name="Ann"))
    forget = [calls(Call("forget_contact", {"fields": ["phone"]})), "I have deleted it.", "I have deleted it."]
    say(desk, model, "Please delete my number", forget, 2)
    assert kept(desk) == {"name": "Ann"}


def test_a_second_tenant_sees_and_erases_nothing_of_the_first(shops: OpenShop, model: ModelServer) -> None:
    first, second = in_berlin(shops([])), in_berlin(shops([]))
    say(first, model, "My number is 0151 23456789", captures("Thanks.", phone="0151 23456789"))
    [row] = rows(first)
    assert ask(second, "contacts")["contacts"] == []
    for whom in ({"id": row["id"]}, {"phone": "+4915123456789"}, {"phone": "0151 23456789"}):
        assert ask(second, "erase_contact", **whom)["errors"]
    forget = [calls(Call("forget_contact")), "Nothing is kept of you.", "Nothing is kept of you."]
    say(second, model, "Please delete my data", forget)
    assert kept(first) == {"phone": "+4915123456789"}
    assert row["id"] == Customer(connection="web", conversation="c-1", sender="u-1").id


def test_the_tenant_lists_exports_and_erases_by_command(turnkey: Command, desk: Shop, model: ModelServer) -> None:
    text = "I'm Ann. My number is 0151 23456789, my email is ann@example.com"
    say(desk, model, text, captures("Thanks.", phone="0151 23456789", name="Ann", email="ann@example.com"))
    [row] = rows(desk)
    status, listed = turnkey("contacts", desk.tenant, "list")
    assert status == 0
    assert all(part in listed for part in (row["id"], "+4915123456789", "as written: 0151 23456789", "(told)"))
    [line] = csv.DictReader(io.StringIO(turnkey("contacts", desk.tenant, "export")[1]))
    assert (line["name"], line["phone"], line["email"]) == ("Ann", "'+4915123456789", "ann@example.com")
    [exported] = json.loads(turnkey("contacts", desk.tenant, "export", "--format", "json")[1])
    assert exported["values"]["phone"]["value"] == "+4915123456789"
    assert turnkey("contacts", desk.tenant, "erase")[0] != 0
    status, said = turnkey("contacts", desk.tenant, "erase", "--phone", "0151/23456789")
    assert (status, row["id"] in said) == (0, True), said
    assert rows(desk) == []
    assert turnkey("contacts", desk.tenant, "erase", "--phone", "0151/23456789")[0] != 0
    status, audit = turnkey("audit", desk.tenant)
    assert f"contact {row['id']}" in audit
    assert "23456789" not in audit
    assert "contacts were read" in audit


def test_a_turn_that_fails_behind_the_call_still_tells_that_something_is_kept(desk: Shop, model: ModelServer) -> None:
    def fails_from_now_on(body: Json) -> Answer:
        is_first = body["messages"][-1]["role"] == "user"
        return calls(Call("capture_contact", {"phone": "0151 23456789"})) if is_first else Answer("down", status=500)

    model.script(fails_from_now_on)
    desk.post("My number is 0151 23456789")
    [told] = desk.texts(1, seconds=90)
    assert told.startswith("Sorry")
    assert told.endswith(f"Noted: phone number. {erasing('en')}")
    assert kept(desk) == {"phone": "+4915123456789"}
    assert ask(desk, "contacts")["contacts"][0]["told_at"]


def test_nobodys_number_stands_in_the_logs(desk: Shop, model: ModelServer, stack: Stack) -> None:
    say(desk, model, "My number is 0151 98765432", captures("Thanks.", phone="0151 98765432"))
    ask(desk, "contacts")
    ask(desk, "erase_contact", phone="+4915198765432")
    logs = [line for name in STAGES for line in stack.logs(name)]
    assert any("capture_contact" in line for line in logs)
    assert not any("98765432" in line for line in logs)
