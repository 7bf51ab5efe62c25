"""Contacts in their table: once for each call, whatever dies, and each tenant's own alone."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.provisioning import breaking_after
from turnkey.channels import InboundMessage
from turnkey.contacts.contact import Customer, Given
from turnkey.doing.contacts import Contacts
from turnkey.environment import required
from turnkey.store.contacts import ContactStore
from turnkey.store.objects import ObjectStore
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores
from turnkey.store.turns import TurnStore
from turnkey.tenancy.contact_section import Contacts as Settings
from turnkey.tenancy.settings import Agent
from turnkey.tools import JsonObject
from turnkey.tools.builtins.situation import Known
from turnkey.turn.journal import Journal, ModelAnswer, ToolCall, ToolResult
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.station import Done, Station, Task

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)
ANN = Customer(connection="web", conversation="c-1", sender="u-1")
REFERENCE = TurnReference(tenant="shop", connection="web", conversation="c-1", turn=1)
NUMBER = "My number is 0151 23456789"
PHONE = {"phone": Given(value="+4915123456789", written="0151 23456789")}


@pytest.fixture
def store(stores: Stores) -> ContactStore:
    return stores.contacts


def message(text: str, sender: str = "u-1", **fields: Any) -> InboundMessage:
    given = {
        "id": f"m{abs(hash((text, sender)))}",
        "conversation": "c-1",
        "text": text,
        "sent_at": NOW,
        "sender": sender,
    }
    return InboundMessage.model_validate({**given, **fields})


def record(*messages: InboundMessage, history: tuple[Exchange, ...] = ()) -> TurnRecord:
    return TurnRecord(
        turn=1,
        agent="clerk",
        messages=messages,
        history=history,
        known=Known(time_zone="Europe/Berlin"),
        language="en",
        opened_at=NOW,
        deadline=NOW,
    )


def task(of: TurnRecord, arguments: JsonObject, name: str = "capture_contact", number: int = 0) -> Task:
    agent = Agent(name="clerk", instructions="", contacts=Settings())
    call = ToolCall(id=f"call_{number}_0", name=name, arguments=arguments)
    return Task(REFERENCE, of, agent, call, (), NOW)


def phone_of(store: ContactStore, customer: Customer = ANN) -> str:
    found = store.find("shop", customer.id)
    return found.values["phone"].value if found and "phone" in found.values else ""


def capture(store: ContactStore, *messages: InboundMessage, **given: str) -> Done:
    return Contacts(store).capture(task(record(*messages), dict(given)))


def test_the_same_call_twice_is_one_change_and_the_same_outcome(store: ContactStore) -> None:
    outcomes = [capture(store, message(NUMBER), phone="0151 23456789") for _ in range(2)]
    assert outcomes[0] == outcomes[1]
    found = store.find("shop", ANN.id)
    assert found
    assert (found.earlier, len(found.done)) == ((), 1)


def test_two_calls_at_once_lose_nothing(store: ContactStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """One writes between the other's read and write."""
    real: Callable[..., Any] = ContactStore._put  # pyright: ignore[reportPrivateUsage]
    met: list[bool] = []

    def put(self: ContactStore, *arguments: Any) -> bool:
        if not met:
            met.append(True)
            store.keep("shop", ANN, {"email": Given(value="a@x.de")}, NOW, "other")
        return real(self, *arguments)

    monkeypatch.setattr(ContactStore, "_put", put)
    store.keep("shop", ANN, PHONE, NOW, "own")
    found = store.find("shop", ANN.id)
    assert found
    assert set(found.values) == {"phone", "email"}


def test_what_was_told_stays_told_when_more_is_kept(store: ContactStore) -> None:
    store.tell("shop", ANN.id, NOW)
    assert store.find("shop", ANN.id) is None
    store.keep("shop", ANN, PHONE, NOW, "a")
    store.tell("shop", ANN.id, NOW)
    after = store.keep("shop", ANN, {"name": Given(value="Ann")}, NOW, "b")
    assert after.told_at == NOW
    found = store.find("shop", ANN.id)
    assert found
    assert found.told_at == NOW


def test_pages_have_every_contact_once(store: ContactStore) -> None:
    customers = [Customer(connection="web", conversation="c", sender=f"u-{n}") for n in range(7)]
    for customer in customers:
        store.keep("shop", customer, PHONE, NOW, "a")
    store.keep("shop2", ANN, PHONE, NOW, "a")
    found: list[str] = []
    while page := store.page("shop", found[-1] if found else "", 3):
        found += [one.id for one in page]
    assert found == sorted(customer.id for customer in customers)


def test_erasing_says_whether_there_was_something_and_leaves_other_tenants_alone(store: ContactStore) -> None:
    store.keep("shop", ANN, PHONE, NOW, "a")
    store.keep("other", ANN, PHONE, NOW, "a")
    assert [store.erase("shop", ANN.id, NOW), store.erase("shop", ANN.id, NOW)] == [True, False]
    assert store.find("other", ANN.id)


def test_forgetting_the_last_field_leaves_no_row(store: ContactStore) -> None:
    store.keep("shop", ANN, PHONE, NOW, "a")
    store.forget("shop", ANN.id, ("phone",), NOW, "b")
    assert store.find("shop", ANN.id) is None


def test_a_call_that_dies_between_its_start_and_its_end_is_made_once(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = ResultStore(required("TURNKEY_CONVERSATIONS_TABLE"), ObjectStore("never-used"))
    stores.tenants.put("shop", Agent(name="clerk", instructions=""))
    stores.conversations.accept(REFERENCE.key, message(NUMBER), NOW)
    stores.conversations.take_lease(REFERENCE.key, NOW)
    now = datetime.now(UTC)
    open_record = record(message(NUMBER)).model_copy(update={"deadline": now.replace(year=now.year + 1)})
    stores.turns.open(REFERENCE, open_record, 1, NOW)
    call = ToolCall(id="call_0_0", name="capture_contact", arguments={"phone": "0151 23456789"})
    stores.turns.add_answer(REFERENCE, 0, ModelAnswer(text="", calls=(call,)), NOW)
    station = Station(stores, results, "assist", {"capture_contact": Contacts.of(stores).capture})
    with monkeypatch.context() as patched:
        patched.setattr(TurnStore, "end_call", breaking_after(TurnStore.end_call, 0))
        with pytest.raises(KeyboardInterrupt):
            station.run(REFERENCE)
    assert phone_of(stores.contacts) == "+4915123456789"
    station.run(REFERENCE)
    found = stores.contacts.find("shop", ANN.id)
    assert found
    assert (found.earlier, len(found.done)) == ((), 1)
    ended = results_of(stores.turns.journal(REFERENCE))
    assert [(one.status, bool(one.contact and one.contact.contact)) for one in ended] == [("ok", True)]


def results_of(steps: Journal) -> list[ToolResult]:
    return [step for step in steps if isinstance(step, ToolResult)]


def test_a_platforms_own_message_is_nobodys_word(store: ContactStore) -> None:
    reminder = message(NUMBER, sender="", origin="platform", schedule="s")
    assert capture(store, reminder, phone="0151 23456789").outcome.status == "error"
    done = capture(store, reminder, message("Please call me"), phone="0151 23456789")
    assert done.outcome.status == "error"
    assert store.page("shop", "", 10) == ()


def test_a_number_goes_to_whoever_of_several_gave_it(store: ContactStore) -> None:
    both = (message(NUMBER, sender="u-1"), message("and I will come later", sender="u-2"))
    assert capture(store, *both, phone="0151 23456789").outcome.status == "ok"
    assert phone_of(store, ANN) == "+4915123456789"
    assert phone_of(store, Customer(connection="web", conversation="c-1", sender="u-2")) == ""


def exchange(question: str, **fields: Any) -> Exchange:
    return Exchange.model_validate({"question": question, "reply": "Yes?", "senders": ("u-1",), **fields})


@pytest.mark.parametrize(
    ("before", "is_kept"),
    [
        ((exchange(NUMBER),), True),
        ((exchange(NUMBER, senders=("u-2",)),), False),
        ((exchange(NUMBER, senders=("u-1", "u-2")),), False),
        ((exchange(NUMBER, prompted=True),), False),
        ((exchange("Hello?").model_copy(update={"reply": NUMBER}),), False),
        ((exchange(f"{'x ' * 740}+49 151 23456789 123456"[:1500]),), True),
        ((exchange("x" * 1489 + " 0151234567"),), False),
    ],
)
def test_of_earlier_turns_only_the_customers_own_words_count(
    store: ContactStore, before: tuple[Exchange, ...], is_kept: bool
) -> None:
    given = {"phone": "0151 234567"} if before[0].question.startswith("xxx") else {"phone": "0151 23456789"}
    done = Contacts(store).capture(task(record(message("Call me please"), history=before), dict(given)))
    assert (done.outcome.status == "ok") is is_kept


@pytest.mark.parametrize("erased_by", ["customer", "tenant", "part"])
def test_what_was_said_before_it_was_erased_is_not_taken_up_again(store: ContactStore, erased_by: str) -> None:
    values = {**PHONE, "name": Given(value="Ann")}
    store.keep("shop", ANN, values, NOW, "a")
    if erased_by == "tenant":
        store.erase("shop", ANN.id, NOW)
    else:
        store.forget("shop", ANN.id, ("phone",) if erased_by == "part" else (), NOW, "b")
    asked = {"phone": "0151 23456789"}
    for at, status in ((NOW - timedelta(minutes=1), "error"), (None, "error"), (NOW + timedelta(minutes=1), "ok")):
        before = record(message("Call me please"), history=(exchange(NUMBER, at=at),))
        assert Contacts(store).capture(task(before, dict(asked))).outcome.status == status
    # What they write now counts in every case.
    store.forget("shop", ANN.id, (), NOW + timedelta(days=1), "c")
    assert capture(store, message(NUMBER), phone="0151 23456789").outcome.status == "ok"


def test_the_history_that_a_reply_leaves_says_whose_words_it_has() -> None:
    from turnkey.turn.record import ReplyRecord

    of = record(message(NUMBER), message("Remember!", sender="", origin="platform", schedule="s"))
    [last] = of.history_for_next(ReplyRecord(text="Yes."))
    assert (last.senders, last.prompted, last.at) == (("", "u-1"), True, NOW)


def test_what_models_write_for_nothing_is_nothing(store: ContactStore) -> None:
    blanks = {"name": "N/A", "email": "unknown", "phone": "0151 23456789"}
    done = capture(store, message(NUMBER), **blanks)
    assert (done.meaning["contact"].kept, done.meaning["contact"].refused) == (("phone",), ())
    assert "Fill in" in capture(store, message(NUMBER), name="", phone="none").outcome.text


def test_of_several_the_one_who_asks_is_forgotten(store: ContactStore) -> None:
    other = Customer(connection="web", conversation="c-1", sender="u-2")
    for customer in (ANN, other):
        store.keep("shop", customer, PHONE, NOW, "a")
    both = (message("Please delete my data", sender="u-1"), message("Hello", sender="u-2"))
    done = Contacts(store).forget(task(record(*both), {}, "forget_contact"))
    assert done.outcome.status == "ok"
    assert (phone_of(store, ANN), phone_of(store, other)) == ("", "+4915123456789")


def test_forgetting_again_says_the_same(store: ContactStore) -> None:
    store.keep("shop", ANN, PHONE, NOW, "a")
    asked = task(record(message("Please delete my data")), {}, "forget_contact")
    outcomes = [Contacts(store).forget(asked) for _ in range(2)]
    assert outcomes[0] == outcomes[1]


def test_refused_arguments_found_no_reply() -> None:
    from turnkey.turn.bookkeeping import facts_of

    call = ToolCall(id="call_0_0", name="capture_contact", arguments={"phone": "0151 23456789"})
    given = [facts_of([ToolResult(call=call, tool_kind="action", status=status)]) for status in ("ok", "error")]
    assert [fact.arguments for [fact] in given] == [{"phone": "0151 23456789"}, {}]
