"""A person in the agent's place: told once, told everything, and given up without losing a message."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.manifests import MANIFEST, SECRET, changed
from turnkey.channels import InboundMessage, Outgoing
from turnkey.errors import PersonNotTold, PersonUnreachable, ReplyRefused, SendFailed
from turnkey.people.handover import Handover
from turnkey.people.mail import Mail
from turnkey.people.senders import sender_of
from turnkey.store.stores import Stores
from turnkey.tenancy.manifest import Manifest, parse
from turnkey.tenancy.person_section import mail_problems
from turnkey.tenancy.plan import desired
from turnkey.tenancy.settings import Agent, Connection, Person, PersonHook, PersonMail, Tenant
from turnkey.turn import interlude
from turnkey.turn.closing import close
from turnkey.turn.interlude import WITH_PERSON
from turnkey.turn.people import PUT_BACK, People
from turnkey.turn.record import Exchange, ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.route import Router
from turnkey.turn.ways import Ways

TENANT, CONVERSATION = "shop", "c-1"
HOOK = Person(hook=PersonHook(url="https://shop.example.com/people", secrets=("turnkey/tenants/shop/hook",)))
MAIL = Person(mail=PersonMail(to="desk@shop.example.com", sender=""))


@dataclass
class Wire:
    """Takes what is sent, until `left` is used up; then it fails with `error`."""

    left: int = 1000
    error: Exception = field(default_factory=lambda: SendFailed("no answer"))
    sent: list[Any] = field(default_factory=list[Any])

    def send(self, outgoing: Outgoing) -> None:
        self.take(outgoing)

    def take(self, what: Any) -> None:
        if not self.left:
            raise self.error
        self.left -= 1
        self.sent.append(what)

    @property
    def ids(self) -> list[str]:
        return [outgoing.headers["webhook-id"] for outgoing in self.sent]


class Post(Wire):
    """The same for mail."""

    def send(self, mail: Mail) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        self.take(mail)


@dataclass
class Desk:
    """A tenant with one conversation."""

    stores: Stores
    now: datetime
    wire: Wire
    mail: Post
    written: int = 0

    @property
    def people(self) -> People:
        return People(self.stores, Ways(self.stores.secrets, self.wire, self.mail, "mail.example.com"))

    def reference(self, turn: int) -> TurnReference:
        return TurnReference(tenant=TENANT, connection="web", conversation=CONVERSATION, turn=turn)

    def write(self, *texts: str) -> TurnReference:
        """The customer writes; the turn that is to answer, opened."""
        for text in texts:
            self.written += 1
            sent_at = self.now + timedelta(seconds=self.written)
            message = InboundMessage(id=f"m{self.written}", conversation=CONVERSATION, text=text, sent_at=sent_at)
            self.stores.conversations.accept(self.reference(1).key, message, self.now)
        lease = self.stores.conversations.take_lease(self.reference(1).key, self.now)
        assert lease
        Router(self.stores, allow_private=False).route(self.reference(lease.turn), self.now)
        return self.reference(lease.turn)

    def take(self, name: str = "ho_1", **fields: Any) -> Handover:
        handover = Handover(id=name, connection="web", conversation=CONVERSATION, by="agent", since=self.now, **fields)
        self.stores.people.open(TENANT, handover)
        return handover

    def forward(self, reference: TurnReference) -> str:
        return self.people.forward(reference, self.stores.turns.get(reference), self.now)

    def end(self, reference: TurnReference, status: str) -> TurnReference:
        return close(self.stores, reference, status, self.now)


@pytest.fixture
def desk(stores: Stores, now: datetime) -> Desk:
    stores.tenants.put(TENANT, Tenant(id=TENANT, name="The Shop"))
    stores.tenants.put(TENANT, Agent(name="clerk", instructions="Be kind.", plain=True, person=HOOK))
    stores.tenants.put(TENANT, Connection(name="web", channel="standard_webhooks", agent="clerk"))
    stores.secrets.put("turnkey/tenants/shop/hook", SECRET)
    return Desk(stores, now, Wire(), Post())


def settle_first(desk: Desk) -> None:
    """One turn that the agent answered."""
    desk.end(desk.write("Hello."), "delivered")


def test_a_hand_over_opens_once_and_never_again_after_it_was_given_back(desk: Desk, now: datetime) -> None:
    settle_first(desk)
    handover = Handover(id="ho_1", connection="web", conversation=CONVERSATION, by="agent", since=now)
    people, key = desk.stores.people, desk.reference(1).key
    assert people.open(TENANT, handover) == "opened"
    assert people.open(TENANT, handover) == "known"
    assert people.open(TENANT, handover.model_copy(update={"id": "ho_2"})) == "owned"
    assert desk.stores.conversations.standing(key).person == "ho_1"
    assert people.give_back(TENANT, handover, "Done.", now)
    assert not people.give_back(TENANT, handover, "Again.", now)
    assert people.open(TENANT, handover) == "known"
    assert desk.stores.conversations.standing(key).person == ""
    assert [one.note for one in people.all(TENANT)] == ["Done."]


def test_there_is_nothing_to_take_over_where_nobody_has_written(desk: Desk) -> None:
    handover = Handover(id="ho_1", connection="web", conversation="c-none", by="person", since=desk.now)
    assert desk.stores.people.open(TENANT, handover) == "unknown"
    assert desk.stores.people.all(TENANT) == ()


def test_messages_go_on_where_an_attempt_broke_off_in_order_and_under_the_same_ids(desk: Desk) -> None:
    settle_first(desk)
    desk.take()
    turn = desk.write("one", "two", "three")
    desk.wire.left = 2
    with pytest.raises(PersonNotTold):
        desk.forward(turn)
    desk.wire.left = 100
    assert desk.forward(turn) == WITH_PERSON
    bodies = [outgoing.body for outgoing in desk.wire.sent]
    assert ["handed_over" in body for body in bodies] == [True, False, False, False]
    assert [next(word for word in ("one", "two", "three") if f'"{word}"' in body) for body in bodies[1:]] == [
        "one",
        "two",
        "three",
    ]
    assert len(set(desk.wire.ids)) == 4
    assert desk.forward(turn) == WITH_PERSON
    assert len(desk.wire.sent) == 4, "what they were told they are not told again"


def test_a_hook_that_refuses_is_not_asked_again_and_again(desk: Desk) -> None:
    settle_first(desk)
    desk.take()
    turn = desk.write("one")
    desk.wire.left, desk.wire.error = 0, ReplyRefused("410")
    with pytest.raises(PersonUnreachable):
        desk.forward(turn)


def test_an_agent_whose_people_were_taken_out_of_the_manifest_says_so(desk: Desk) -> None:
    settle_first(desk)
    desk.take()
    desk.stores.tenants.put(TENANT, Agent(name="clerk", instructions="Be kind."))
    with pytest.raises(PersonUnreachable, match="apply its manifest"):
        desk.forward(desk.write("one"))


def test_by_mail_a_turns_messages_are_one_mail(desk: Desk) -> None:
    desk.stores.tenants.put(TENANT, Agent(name="clerk", instructions="Be kind.", person=MAIL))
    settle_first(desk)
    desk.take(told_at=desk.now)
    turn = desk.write("один", "два")
    desk.forward(turn)
    desk.forward(turn)
    [mail] = desk.mail.sent
    assert (mail.sender, mail.to) == ("shop@mail.example.com", "desk@shop.example.com")
    assert "> один\n> два" in mail.text
    assert "\n" not in mail.subject


def test_what_was_routed_to_a_person_who_gave_it_back_meanwhile_is_answered_by_the_agent(desk: Desk) -> None:
    settle_first(desk)
    handover = desk.take(told_at=desk.now)
    turn = desk.write("one", "two")
    desk.stores.people.give_back(TENANT, handover, "", desk.now)
    assert desk.forward(turn) == PUT_BACK
    assert desk.forward(turn) == PUT_BACK
    assert desk.wire.sent == []
    following = desk.end(turn, PUT_BACK)
    assert following.next == "route"
    Router(desk.stores, allow_private=False).route(following, desk.now)
    record = desk.stores.turns.get(following).record
    assert [message.text for message in record.messages] == ["one", "two"]
    assert record.not_served is None


def test_the_agents_past_has_what_the_person_left_once_and_all_that_was_said_before(desk: Desk) -> None:
    settle_first(desk)
    handover = desk.take(told_at=desk.now)
    for number in range(9):
        turn = desk.write(f"to the person {number}")
        desk.end(turn, desk.forward(turn))
    later = desk.now + timedelta(seconds=1)
    desk.stores.people.give_back(TENANT, handover, "They get a refund.", later)
    desk.now = later + timedelta(seconds=1)
    first = desk.stores.turns.get(desk.write("And now?")).record
    assert [exchange.person for exchange in first.history] == ["ho_1"]
    assert "to the person 0\nto the person 1" in first.history[0].question
    assert "They get a refund." in first.history[0].reply
    answered = desk.reference(first.turn)
    desk.stores.turns.save_reply(answered, ReplyRecord(text="It is on its way."))
    desk.stores.turns.mark_sent(answered, desk.now)
    desk.end(answered, "delivered")
    second = desk.stores.turns.get(desk.write("Thanks.")).record
    assert str([exchange.reply for exchange in second.history]).count("They get a refund.") == 1


def record(now: datetime, *history: Exchange, text: str = "x") -> TurnRecord:
    message = InboundMessage(id="m", conversation="c", text=text, sent_at=now)
    return TurnRecord(turn=9, agent="clerk", messages=(message,), history=history, opened_at=now, deadline=now)


def test_a_long_interlude_leaves_what_was_said_before_it(now: datetime) -> None:
    before = tuple(Exchange(question=f"q{number}", reply="r") for number in range(6))
    history = before
    for number in range(50):
        history = interlude.during(record(now, *history, text=f"{number} " + "y" * 100), "ho_1")
    assert [exchange.question for exchange in history[:-1]] == ["q1", "q2", "q3", "q4", "q5"]
    assert "49 y" in history[-1].question


def test_two_interludes_are_two(now: datetime) -> None:
    once = interlude.during(record(now, text="one"), "ho_1")
    twice = interlude.during(record(now, *once, text="two"), "ho_2")
    assert [exchange.person for exchange in twice] == ["ho_1", "ho_2"]


@pytest.mark.parametrize(
    ("sender", "sent_from"),
    [
        ("", "shop@mail.example.com"),
        ("shop@mail.example.com", "shop@mail.example.com"),
        ("shop+desk@mail.example.com", "shop+desk@mail.example.com"),
        ("shop+@mail.example.com", ""),
        ("shopx@mail.example.com", ""),
        ("boss@mail.example.com", ""),
        ("shop@elsewhere.example.com", ""),
        ("shop@mail.example.com.evil.example", ""),
        ("shop@mail.example.com\nBcc: x@example.com", ""),
        ("shop+a b@mail.example.com", ""),
        ("x <shop@mail.example.com>", ""),
    ],
)
def test_a_tenant_sends_as_itself_alone(sender: str, sent_from: str) -> None:
    assert sender_of(sender, "shop", "mail.example.com") == sent_from


def test_without_a_mail_domain_nothing_is_sent() -> None:
    assert sender_of("", "shop", "") == ""


def problems(person: Any) -> dict[str, str]:
    found = parse(changed("agents.0.person", person), allow_private=False)
    return {problem.path: problem.problem for problem in found} if isinstance(found, tuple) else {}


def test_a_manifest_says_how_people_are_told_and_rows_name_its_secret() -> None:
    person = {"hook": {"url": "https://shop.example.com/people", "secret": SECRET}}
    assert problems(person) == {}
    manifest = parse(changed("agents.0.person", person), allow_private=False)
    assert isinstance(manifest, Manifest)
    wanted = desired(manifest)
    [agent] = [row for row in wanted.settings if isinstance(row, Agent)]
    [part] = [part for part in wanted.secrets if "person" in part.alias]
    assert agent.person
    assert agent.person.hook
    assert agent.person.hook.secrets == (part.name,)
    assert part.alias == "agents.clerk.person.hook.secret"
    assert SECRET not in agent.model_dump_json()


@pytest.mark.parametrize(
    ("person", "path"),
    [
        ({}, "agents[0].person"),
        ({"hook": None, "email": None}, "agents[0].person"),
        (
            {"hook": {"url": "https://x.example.com", "secret": SECRET}, "email": {"to": "a@b.example"}},
            "agents[0].person",
        ),
        ({"hook": {"url": "http://127.0.0.1/x", "secret": SECRET}}, "agents[0].person.hook.url"),
        ({"hook": {"url": "https://x.example.com", "secret": "short"}}, "agents[0].person.hook.secret"),
        ({"hook": {"url": "https://x.example.com"}}, "agents[0].person.hook.secret"),
        ({"email": {"to": "nobody"}}, "agents[0].person.email.to"),
        ({"email": {"to": "a@b.example\n"}}, "agents[0].person.email.to"),
    ],
)
def test_what_is_wrong_with_people_is_told_at_its_place(person: Any, path: str) -> None:
    assert path in problems(person)


def test_mail_needs_the_operators_domain() -> None:
    manifest = parse(changed("agents.0.person", {"email": {"to": "a@b.example"}}), allow_private=False)
    assert isinstance(manifest, Manifest)
    section = manifest.agents[0].person
    assert [problem.path for problem in mail_problems(section, "person", "shop", "")] == ["person.email"]
    assert list(mail_problems(section, "person", "shop", "mail.example.com")) == []
    assert list(mail_problems(None, "person", MANIFEST["tenant"]["id"], "")) == []


def test_what_is_exported_of_mail_can_be_applied_again() -> None:
    manifest = parse(
        changed("agents.0.person", {"email": {"to": "a@b.example", "from": "shop@mail.example.com"}}),
        allow_private=False,
    )
    assert isinstance(manifest, Manifest)
    exported = manifest.model_dump(mode="json", exclude_unset=True, by_alias=True)
    assert exported["agents"][0]["person"] == {"email": {"to": "a@b.example", "from": "shop@mail.example.com"}}
    again = parse(exported, allow_private=False)
    assert isinstance(again, Manifest)
    assert again.agents == manifest.agents
