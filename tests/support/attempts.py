"""Everything that a store can be asked of a tenant, to be asked in another's name."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from turnkey.channels import InboundMessage
from turnkey.contacts.contact import Customer
from turnkey.documents.document import SHARED, Head
from turnkey.environment import required
from turnkey.mcp.registration import Registration
from turnkey.mcp.tokens import Claim, Grant, Token
from turnkey.mcp.trust import Remembered
from turnkey.people.handover import Handover
from turnkey.people.mail import Mail
from turnkey.public.extracting import Text
from turnkey.public.pages import PageText
from turnkey.public.review import Review
from turnkey.public.robots import Robots
from turnkey.schedules import Schedule
from turnkey.schedules.schedule import key
from turnkey.store.alarms import AlarmStore
from turnkey.store.audit import AuditStore, Entry
from turnkey.store.contacts import ContactStore
from turnkey.store.conversations import ConversationStore
from turnkey.store.deletions import Deletion, DeletionStore
from turnkey.store.documents import DocumentStore, Draft
from turnkey.store.erasing import Eraser
from turnkey.store.locks import LockStore
from turnkey.store.mail import SesMailer
from turnkey.store.manifests import Applied, ManifestStore
from turnkey.store.objects import ObjectStore
from turnkey.store.pages import PageStore
from turnkey.store.people import PeopleStore
from turnkey.store.registrations import Registrations
from turnkey.store.results import ResultStore
from turnkey.store.reviews import ReviewStore
from turnkey.store.schedules import ScheduleStore
from turnkey.store.secrets import SecretStore
from turnkey.store.servers import After, Seen, ServerStore
from turnkey.store.table import Table
from turnkey.store.tallies import TallyStore
from turnkey.store.tenants import TenantStore
from turnkey.store.tokens import TokenStore
from turnkey.store.turns import TurnStore
from turnkey.store.usage import UsageStore
from turnkey.tenancy.settings import Tenant
from turnkey.turn.journal import Again, Joined, ModelAnswer, ToolCall, ToolResult
from turnkey.turn.record import ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
MESSAGE = InboundMessage(id="m", conversation="c-1", text="Hello.", sent_at=NOW)
RECORD = TurnRecord(turn=1, agent="clerk", messages=(MESSAGE,), opened_at=NOW, deadline=NOW)
RESULT = ToolResult(call=ToolCall(id="call_0_0", name="t"))
ENTRY = Entry(at=NOW, request="r", action="apply")
HEAD = Head(name="d", title="d", scope=SHARED, version=1, sha256="x")
DRAFT = Draft(name="d", title="d", scope=SHARED, text="x", action="create", call="c")
SCHEDULE = Schedule(
    key=key("web", "c-1", "x"),
    kind="reminder",
    connection="web",
    conversation="c-1",
    text="x",
    at=NOW,
    zone="UTC",
    made_at=NOW,
    made_by="x",
)
ALARMS = AlarmStore("turnkey-wakes", "arn:aws:iam::123456789012:role/turnkey-WakeScheduleRole", "arn")
PAGE = PageText(url="https://a.org/", text=Text(text="x"))
REVIEW = Review(id="msg_1", at=NOW, agent="clerk", conversation="c", question="q", reply="r")
SERVER = Registration(name="s", url="https://s.example.com/mcp")
CUSTOMER = Customer(connection="web", conversation="c-1", sender="u-1")


@dataclass(frozen=True)
class Victim:
    """One tenant's things, by the names that another would have to guess."""

    tenant: str

    @property
    def reference(self) -> TurnReference:
        return TurnReference(tenant=self.tenant, connection="web", conversation="c-1", turn=1)

    @property
    def key(self) -> str:
        return self.reference.key

    @property
    def secret(self) -> str:
        return f"turnkey/tenants/{self.tenant}/connection/web/secret"

    @property
    def object(self) -> str:
        return f"passing/tenants/{self.tenant}/results/x"

    @property
    def handover(self) -> Handover:
        return Handover(id="ho_1", connection="web", conversation="c-1", by="person", since=NOW)

    @property
    def mail(self) -> Mail:
        return Mail(sender=f"{self.tenant}@mail.example.com", to="x@example.com", subject="x", text="x")

    @property
    def grant(self) -> Grant:
        place = f"turnkey/tenants/{self.tenant}/server/s/oauth-token"
        return Grant(tenant=self.tenant, secret=place, url="https://s", issuer="https://i", client_id="c")

    @property
    def token(self) -> Token:
        return Token(id="t", value="v", grant=self.grant, obtained_at=0, expires_at=None)


Attempt = Callable[[Victim], Any]


def _table(kind: str = "CONVERSATIONS") -> str:
    return required(f"TURNKEY_{kind}_TABLE")


def _conversations() -> ConversationStore:
    return ConversationStore(_table())


def _turns() -> TurnStore:
    return TurnStore(_table(), _conversations())


def _tenants() -> TenantStore:
    return TenantStore(_table("TENANTS"))


def results_store() -> ResultStore:
    return ResultStore(_table(), ObjectStore("turnkey-objectsbucket"))


def _tokens() -> TokenStore:
    return TokenStore(_table(), SecretStore())


def _pages() -> PageStore:
    return PageStore(_table())


def _reviews() -> ReviewStore:
    return ReviewStore(_table())


def _people() -> PeopleStore:
    return PeopleStore(_table())


def _usage() -> UsageStore:
    return UsageStore(_table())


def _contacts() -> ContactStore:
    return ContactStore(_table())


def _schedules() -> ScheduleStore:
    return ScheduleStore(_table())


def _objects() -> ObjectStore:
    return ObjectStore("turnkey-objectsbucket")


def _documents() -> DocumentStore:
    return DocumentStore(_table(), _objects())


TURN: dict[str, Attempt] = {
    "ConversationStore.accept": lambda v: _conversations().accept(v.key, MESSAGE, NOW),
    "ConversationStore.take_lease": lambda v: _conversations().take_lease(v.key, NOW),
    "ConversationStore.customer_wrote_at": lambda v: _conversations().customer_wrote_at(v.key),
    "ConversationStore.inbox": lambda v: _conversations().inbox(v.reference),
    "ConversationStore.standing": lambda v: _conversations().standing(v.key),
    "ConversationStore.stand": lambda v: _conversations().stand(v.key, NOW, reminders=1),
    "ConversationStore.pending": lambda v: _conversations().pending(v.reference),
    "ConversationStore.was_handed_over": lambda v: _conversations().was_handed_over(v.reference),
    "ConversationStore.messages": lambda v: _conversations().messages(v.reference, ["m"]),
    "ConversationStore.renew_lease": lambda v: _conversations().renew_lease(v.reference, NOW),
    "ConversationStore.finish": lambda v: _conversations().finish(v.reference, "delivered", NOW),
    "ContactStore.find": lambda v: _contacts().find(v.tenant, CUSTOMER.id),
    "ContactStore.keep": lambda v: _contacts().keep(v.tenant, CUSTOMER, {}, NOW, "c"),
    "ContactStore.forget": lambda v: _contacts().forget(v.tenant, CUSTOMER.id, (), NOW, "c"),
    "ContactStore.erased_at": lambda v: _contacts().erased_at(v.tenant, CUSTOMER.id),
    "ContactStore.tell": lambda v: _contacts().tell(v.tenant, CUSTOMER.id, NOW),
    "TurnStore.find": lambda v: _turns().find(v.reference),
    "TurnStore.get": lambda v: _turns().get(v.reference),
    "TurnStore.before": lambda v: _turns().before(v.reference),
    "TurnStore.open": lambda v: _turns().open(v.reference, RECORD, 1, NOW),
    "TurnStore.journal": lambda v: _turns().journal(v.reference),
    "TurnStore.add_answer": lambda v: _turns().add_answer(v.reference, 0, ModelAnswer(text="x"), NOW),
    "TurnStore.ask_again": lambda v: _turns().ask_again(v.reference, 0, Again(text="x"), NOW),
    "TurnStore.join": lambda v: _turns().join(v.reference, 0, Joined(messages=(MESSAGE,)), NOW),
    "TurnStore.start_call": lambda v: _turns().start_call(v.reference, RESULT, NOW),
    "TurnStore.end_call": lambda v: _turns().end_call(v.reference, RESULT),
    "TurnStore.save_reply": lambda v: _turns().save_reply(v.reference, ReplyRecord(text="x")),
    "TurnStore.show_progress": lambda v: _turns().show_progress(v.reference, "x", NOW),
    "TurnStore.mark_sent": lambda v: _turns().mark_sent(v.reference, NOW),
    "TenantStore.connection": lambda v: _tenants().connection(v.tenant, "web"),
    "TenantStore.find_entry": lambda v: _tenants().find_entry(v.tenant, "web"),
    "TenantStore.entry": lambda v: _tenants().entry(v.tenant, "web"),
    "TenantStore.find_tenant": lambda v: _tenants().find_tenant(v.tenant),
    "TenantStore.tenant": lambda v: _tenants().tenant(v.tenant),
    "TenantStore.agent": lambda v: _tenants().agent(v.tenant, "clerk"),
    "TenantStore.registrations": lambda v: _tenants().registrations(v.tenant, ("catalogue",)),
    "TenantStore.skills": lambda v: _tenants().skills(v.tenant, ("refunds",)),
    "ResultStore.put": lambda v: results_store().put(v.reference, "r1", "x", NOW),
    "ResultStore.find": lambda v: results_store().find(v.reference, "r1"),
    "ObjectStore.put": lambda v: _objects().put(v.object, b"x"),
    "ObjectStore.find": lambda v: _objects().find(v.object),
    "DocumentStore.heads": lambda v: _documents().heads(v.tenant, SHARED),
    "DocumentStore.all_heads": lambda v: _documents().all_heads(v.tenant),
    "DocumentStore.find": lambda v: _documents().find(v.tenant, SHARED, "d"),
    "DocumentStore.versions": lambda v: _documents().versions(v.tenant, HEAD),
    "DocumentStore.version": lambda v: _documents().version(v.tenant, HEAD, 1),
    "DocumentStore.text": lambda v: _documents().text(v.tenant, HEAD, 1),
    "DocumentStore.made": lambda v: _documents().made(v.tenant, "c"),
    "DocumentStore.write": lambda v: _documents().write(v.tenant, None, DRAFT, NOW),
    "DocumentStore.give": lambda v: _documents().give(v.tenant, HEAD, "c", NOW),
    "DocumentStore.follow": lambda v: _documents().follow(v.tenant, "t", NOW),
    "SecretStore.get": lambda v: SecretStore().get(v.secret),
    "SecretStore.fresh": lambda v: SecretStore().fresh(v.secret),
    "SecretStore.accepted": lambda v: SecretStore().accepted(v.secret),
    "SecretStore.find": lambda v: SecretStore().find(v.secret),
    "TokenStore.find": lambda v: _tokens().find(v.grant),
    "TokenStore.claim": lambda v: _tokens().claim(v.grant),
    "TokenStore.keep": lambda v: _tokens().keep(Claim(holder="x"), v.token),
    "TokenStore.release": lambda v: _tokens().release(Claim(holder="x"), v.grant),
    "ScheduleStore.find": lambda v: _schedules().find(v.tenant, SCHEDULE.key),
    "ScheduleStore.of_conversation": lambda v: _schedules().of_conversation(v.tenant, "web", "c-1", NOW),
    "ScheduleStore.all": lambda v: _schedules().all(v.tenant, NOW),
    "ScheduleStore.keys": lambda v: _schedules().keys(v.tenant),
    "ScheduleStore.add": lambda v: _schedules().add(v.tenant, SCHEDULE, NOW),
    "ScheduleStore.move": lambda v: _schedules().move(v.tenant, SCHEDULE.key, "cancelled"),
    "ScheduleStore.change": lambda v: _schedules().change(v.tenant, SCHEDULE, SCHEDULE),
    "AlarmStore.set": lambda v: ALARMS.set(v.tenant, SCHEDULE.key, 1, NOW),
    "AlarmStore.reset": lambda v: ALARMS.reset(v.tenant, SCHEDULE.key, 1, NOW),
    "AlarmStore.delete": lambda v: ALARMS.delete(v.tenant, SCHEDULE.key),
    "UsageStore.of_day": lambda v: _usage().of_day(v.tenant, NOW.date()),
    "UsageStore.last_days": lambda v: _usage().last_days(v.tenant, 2, NOW.date()),
    "UsageStore.turn_writes": lambda v: Table(_table()).transact(
        _usage().turn_writes(v.tenant, "t", _usage().of_day(v.tenant, NOW.date()), 5, NOW)[0]
    ),
    "UsageStore.take_place": lambda v: _usage().take_place(v.tenant, "t", 5, NOW),
    "UsageStore.leave_writes": lambda v: _usage().leave_writes(v.tenant, "t", NOW),
    "UsageStore.running": lambda v: _usage().running(v.tenant, NOW),
    "ConversationStore.put_back": lambda v: _conversations().put_back(v.reference, ["m"]),
    "TurnStore.replace_reply": lambda v: _turns().replace_reply(v.reference, ReplyRecord(text="x")),
    "TurnStore.mark_held": lambda v: _turns().mark_held(v.reference, "ho_1"),
    "TurnStore.mark_forwarded": lambda v: _turns().mark_forwarded(v.reference, 1),
    "PageStore.page": lambda v: _pages().page(v.reference, "https://a.org/", NOW),
    "PageStore.keep_page": lambda v: _pages().keep_page(v.reference, "https://a.org/", PAGE, NOW),
    "PageStore.robots": lambda v: _pages().robots(v.reference, "https://a.org/robots.txt", NOW),
    "PageStore.keep_robots": lambda v: _pages().keep_robots(v.reference, "https://a.org/robots.txt", Robots(), NOW),
    "PageStore.show": lambda v: _pages().show(v.reference, "x", ("https://a.org/",), NOW),
    "PageStore.shown": lambda v: _pages().shown(v.reference, NOW),
    "ReviewStore.enter": lambda v: _reviews().enter(v.tenant, REVIEW),
    "ReviewStore.answers": lambda v: _reviews().answers(v.tenant, "clerk"),
    "PeopleStore.open": lambda v: _people().open(v.tenant, v.handover),
    "PeopleStore.find": lambda v: _people().find(v.tenant, v.handover.id),
    "PeopleStore.told": lambda v: _people().told(v.tenant, v.handover.id, NOW),
    "PeopleStore.give_back": lambda v: _people().give_back(v.tenant, v.handover, "x", NOW),
    "SesMailer.send": lambda v: SesMailer().send(v.mail),
    "TallyStore.cuts": lambda v: TallyStore(_table()).cuts(v.tenant),
    "Table.get": lambda v: Table(_table()).get((v.key, "STATE")),
    "Table.get_many": lambda v: Table(_table()).get_many([(v.key, "STATE"), (v.key, "PROGRESS")]),
    "Table.query": lambda v: Table(_table()).query(v.key, ""),
    "Table.scan": lambda v: Table(_table()).scan("STATE"),
    "Table.put": lambda v: Table(_table()).put({"pk": v.key, "sk": "STATE"}),
    "Table.delete": lambda v: Table(_table()).delete((v.key, "STATE")),
    "Table.update": lambda v: Table(_table()).update((v.key, "STATE"), "SET x = :x", values={":x": 1}),
    "Table.transact": lambda v: Table(_table()).transact(Table(_table()).put_write({"pk": v.key, "sk": "STATE"})),
}
"""As a turn's function."""


def _servers() -> ServerStore:
    return ServerStore(_table("TENANTS"))


def _registrations() -> Registrations:
    return Registrations(Table(_table("TENANTS")))


def _audit() -> AuditStore:
    return AuditStore(_table("TENANTS"))


def _eraser() -> Eraser:
    return Eraser(_table("TENANTS"), _table(), "turnkey-objectsbucket")


@contextmanager
def _held(victim: Victim) -> Generator[None]:
    with LockStore(_table()).held(victim.tenant, "apply", "x", 0, 60):
        yield


def _hold(victim: Victim) -> None:
    with _held(victim):
        pass


_SEEN = Seen(SERVER, None, None, b"x")
_AFTER = After(SERVER, None, Remembered(name="s"), NOW)
PROVISION: dict[str, Attempt] = {
    "ContactStore.page": lambda v: _contacts().page(v.tenant, "", 10),
    "ContactStore.erase": lambda v: _contacts().erase(v.tenant, CUSTOMER.id, NOW),
    "ReviewStore.find": lambda v: _reviews().find(v.tenant, "msg_1"),
    "ReviewStore.list": lambda v: _reviews().list(v.tenant, None, 10),
    "ReviewStore.decide": lambda v: _reviews().decide(v.tenant, REVIEW),
    "ReviewStore.of_customer": lambda v: _reviews().of_customer(v.tenant, "x"),
    "ReviewStore.erase": lambda v: _reviews().erase(v.tenant, "x"),
    "PeopleStore.all": lambda v: _people().all(v.tenant),
    "TenantStore.all_registrations": lambda v: _tenants().all_registrations(v.tenant),
    "TenantStore.all_rows": lambda v: _tenants().all_rows(v.tenant),
    "TenantStore.put": lambda v: _tenants().put(v.tenant, Tenant(id=v.tenant, name="x")),
    "TenantStore.delete": lambda v: _tenants().delete(v.tenant, "AGENT#clerk"),
    "ObjectStore.delete": lambda v: _objects().delete(v.object),
    "DocumentStore.forget": lambda v: _documents().forget(v.tenant, HEAD),
    "SecretStore.put": lambda v: SecretStore().put(v.secret, "x"),
    "SecretStore.rotate": lambda v: SecretStore().rotate(v.secret, "x"),
    "SecretStore.delete": lambda v: SecretStore().delete(v.secret),
    "Registrations.find": lambda v: _registrations().find(v.tenant, ["s"]),
    "Registrations.put": lambda v: _registrations().put(v.tenant, SERVER),
    "Registrations.transact": lambda v: _registrations().transact(_registrations().writes(v.tenant, SERVER, None)),
    "Registrations.delete": lambda v: _registrations().delete(v.tenant, "s"),
    "ServerStore.find": lambda v: _servers().find(v.tenant, "s"),
    "ServerStore.all": lambda v: _servers().all(v.tenant),
    "ServerStore.claim": lambda v: _servers().claim(v.tenant, "s", NOW, NOW),
    "ServerStore.put_off": lambda v: _servers().put_off(v.tenant, "s", NOW),
    "ServerStore.write": lambda v: _servers().write(v.tenant, _SEEN, _AFTER),
    "AuditStore.begin": lambda v: _audit().begin(v.tenant, ENTRY),
    "AuditStore.end": lambda v: _audit().end(v.tenant, ENTRY),
    "AuditStore.entries": lambda v: _audit().entries(v.tenant, 10),
    "LockStore.held": _hold,
    "ManifestStore.find": lambda v: ManifestStore(_table("TENANTS")).find(v.tenant),
    "ManifestStore.put": lambda v: ManifestStore(_table("TENANTS")).put(v.tenant, Applied()),
    "ManifestStore.delete": lambda v: ManifestStore(_table("TENANTS")).delete(v.tenant),
    "DeletionStore.find": lambda v: DeletionStore(_table()).find(v.tenant),
    "DeletionStore.put": lambda v: DeletionStore(_table()).put(v.tenant, Deletion(closed_at=NOW, entry=ENTRY)),
    "DeletionStore.delete": lambda v: DeletionStore(_table()).delete(v.tenant),
    "Eraser.conversation_keys": lambda v: list(_eraser().conversation_keys(v.tenant)),
    "Eraser.running": lambda v: _eraser().running([v.key], NOW),
    "Eraser.erase_conversations": lambda v: _eraser().erase_conversations([v.key], lambda: True),
    "Eraser.erase": lambda v: _eraser().erase(_table(), v.key, lambda: True),
    "Eraser.count": lambda v: _eraser().count(_table(), v.key),
    "Eraser.erase_objects": lambda v: _eraser().erase_objects(v.tenant, lambda: True),
    "Eraser.count_objects": lambda v: _eraser().count_objects(v.tenant),
}
"""As provisioning."""
