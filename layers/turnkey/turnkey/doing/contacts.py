"""Keeps what customers say of themselves, and erases it at their wish."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from turnkey.asks import wants
from turnkey.contacts import checking, regions
from turnkey.contacts.checking import Checked
from turnkey.contacts.contact import Customer, Given
from turnkey.contacts.fields import COMMON
from turnkey.contacts.note import Note
from turnkey.contacts.saying import Saying, own_texts, senders
from turnkey.store.contacts import ContactStore
from turnkey.store.stores import Stores
from turnkey.tools import CallOutcome
from turnkey.turn.record import HISTORY_CHARACTERS, Exchange, TurnRecord
from turnkey.turn.station import Done, Task

_NOBODY = "No customer has written in this turn: there is nothing to keep."
_NOTHING = "Nothing was given. Fill in what the customer has said in their own messages, or ask them."
_BLANKS = frozenset(["", "none", "null", "n/a", "na", "nil", "unknown", "not provided", "not given", "not specified"])
_OFF = "This business keeps no contact details. Say so if the customer wants to leave theirs."


@dataclass(frozen=True)
class Contacts:
    store: ContactStore

    @classmethod
    def of(cls, stores: Stores) -> "Contacts":
        return cls(stores.contacts)

    def capture(self, task: Task) -> Done:
        """Keeps those of the given values that stand in the customer's own messages, each once."""
        settings = task.agent.contacts
        fields = (*COMMON, *(field.name for field in settings.fields))
        values = {name: str(value) for name, value in task.call.arguments.items() if name in fields and _says(value)}
        if not settings.enabled:
            return _refused(_OFF)
        if not values:
            return _refused(_NOTHING)
        found = self._whose(task, values)
        if found is None:
            return _refused(_NOBODY)
        customer, checked = found
        if not checked.given:
            return _refused(_told_refused(checked), Note(refused=tuple(checked.refused)))
        before = self.store.find(task.reference.tenant, customer.id)
        self.store.keep(task.reference.tenant, customer, checked.given, task.now, task.key)
        is_new = before is None or before.told_at is None
        note = Note(contact=customer.id if is_new else "", kept=tuple(checked.given), refused=tuple(checked.refused))
        return _done({"kept": _shown(checked.given)}, checked.reasons(), note)

    def forget(self, task: Task) -> Done:
        """Erases what is kept of those who wrote in this turn: all of it, or the fields that are named."""
        whose = senders(_messages(task.record))
        if not whose:
            return _refused(_NOBODY)
        fields = tuple(str(field) for field in task.call.arguments.get("fields") or ())
        customer = _customer(task, _who_asked(task.record, whose[0]))
        self.store.forget(task.reference.tenant, customer.id, fields, task.now, task.key)
        what = {"erased": True, "_note": f"Of this customer's contact details, no {_named(fields)} is kept any more."}
        return _done(what, {}, None)

    def _whose(self, task: Task, values: Mapping[str, str]) -> tuple[Customer, Checked] | None:
        """Who of those who wrote in this turn gave the most of these values, and what can be kept of them."""
        messages = _messages(task.record)
        found: list[tuple[Customer, Checked]] = []
        for sender in senders(messages):
            customer = _customer(task, sender)
            since = self.store.erased_at(task.reference.tenant, customer.id)
            texts = own_texts(sender, messages, tuple(_before(task.record.history, since)))
            found.append((customer, checking.check(values, texts, _regions(task, sender))))
        return max(found, key=lambda one: len(one[1].given), default=None)


def _says(value: Any) -> bool:
    """Whether it is anything but what models write where there is nothing."""
    return str(value or "").strip(" .-–—?_<>[]()").casefold() not in _BLANKS


def _who_asked(record: TurnRecord, last: str) -> str:
    """Of several who wrote, the one who wants to be forgotten."""
    wishing = (one.sender for one in reversed(_messages(record)) if wants("forget", one.text))
    return next(wishing, last)


def _messages(record: TurnRecord) -> tuple[Saying, ...]:
    return tuple(Saying(one.sender, one.text) for one in record.messages if one.origin == "customer")


def _before(history: Sequence[Exchange], since: datetime | None) -> Iterator[Saying]:
    """The questions of earlier turns that one person wrote, `since` something of them was erased."""
    for exchange in history:
        counts = since is None or (exchange.at is not None and exchange.at > since)
        if counts and len(exchange.senders) == 1 and not exchange.prompted:
            yield Saying(exchange.senders[0], _whole_words(exchange.question))


def _whole_words(question: str) -> str:
    """Without what a cut may have left of a number."""
    return question if len(question) < HISTORY_CHARACTERS else re.sub(r"\S*\Z", "", question)


def _customer(task: Task, sender: str) -> Customer:
    reference = task.reference
    return Customer(connection=reference.connection, conversation=reference.conversation, sender=sender)


def _regions(task: Task, sender: str) -> tuple[str, ...]:
    return regions.regions(
        sender=sender,
        conversation=task.reference.conversation,
        manifest=task.agent.contacts.region,
        time_zone=task.record.known.time_zone,
        language=task.record.language,
    )


def _shown(given: Mapping[str, Given]) -> dict[str, str]:
    """As the customer wrote it: that is what a reply may repeat."""
    return {field: one.written or one.value for field, one in given.items()}


def _named(fields: Sequence[str]) -> str:
    return " and no ".join(fields) if fields else "part"


def _told_refused(checked: Checked) -> str:
    reasons = "; ".join(f"{field}: {why}" for field, why in checked.reasons().items())
    return f"Nothing was kept. {reasons}. Do not say that it was noted."


def _done(what: dict[str, Any], refused: Mapping[str, str], note: Note | None) -> Done:
    """Names that begin with a line are for the model alone (turnkey.reply.facts_text)."""
    missing = {"_not_kept": refused} if refused else {}
    text = json.dumps({**what, **missing}, ensure_ascii=False)
    return Done(outcome=CallOutcome(status="ok", text=text), meaning={"contact": note})


def _refused(text: str, note: Note | None = None) -> Done:
    return Done(outcome=CallOutcome(status="error", text=text), meaning={"contact": note})
