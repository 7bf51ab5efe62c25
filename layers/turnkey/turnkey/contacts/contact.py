"""A customer as the tenant's list of contacts has them: what they said themselves, and what that was before. Plain."""

import hashlib
import json
from collections.abc import Collection, Mapping
from datetime import datetime

from pydantic import Field

from turnkey import ids
from turnkey.contacts.fields import EMAIL
from turnkey.values import Value

MOST_EARLIER = 30
"""Values that were replaced, of one customer; the oldest go."""
MOST_DONE = 30
"""Calls that are remembered: far more than one turn makes, and only the newest is ever made again."""


class Customer(Value):
    """Who a customer is: whoever writes under the same sender's id on the same connection, in whatever conversation;
    where the channel gives no sender, whoever writes in the same conversation."""

    connection: ids.Name
    conversation: str
    sender: str = ""

    @property
    def id(self) -> str:
        """Tells nothing of the customer: 24 hexadecimal digits."""
        parts = [self.connection, "sender" if self.sender else "conversation", self.sender or self.conversation]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


class Given(Value):
    """A value that stands in the customer's own messages. `written` is how it stands there, where that is different."""

    value: str
    written: str = ""

    def same_as(self, other: "Given", field: str) -> bool:
        mine, theirs = (one.value.casefold() if field == EMAIL else one.value for one in (self, other))
        return mine == theirs


class Kept(Given):
    """`call` is the key of the tool call that kept it; it begins with the name of the turn's execution."""

    at: datetime
    call: str


class Earlier(Kept):
    """A value that another one has replaced."""

    field: str
    until: datetime


class Contact(Value):
    """`conversation` is the one in which something was kept last. `told_at`: when the customer was sent the note that
    something is kept of them; None until then."""

    id: str
    customer: Customer
    values: Mapping[str, Kept] = Field(default={}, description="by the field's name")
    earlier: tuple[Earlier, ...] = ()
    done: tuple[str, ...] = Field(default=(), description="keys of the newest calls that changed something")
    told_at: datetime | None = None

    @property
    def changed_at(self) -> datetime | None:
        return max((one.at for one in self.values.values()), default=None)

    def has(self, field: str, wanted: str) -> bool:
        """Whether that is, or was, the customer's value of the field, in whatever spelling."""
        found = [*(one for name, one in self.values.items() if name == field)]
        before = [one for one in self.earlier if one.field == field]
        return any(_plain(wanted) in (_plain(one.value), _plain(one.written)) for one in (*found, *before))


def kept(contact: Contact, given: Mapping[str, Given], at: datetime, call: str) -> Contact:
    """The contact with what a call has brought: new values added, others replaced, the same ones left as they are.
    The same call once more changes nothing."""
    if call in contact.done:
        return contact
    values, earlier = dict(contact.values), list(contact.earlier)
    for field, one in given.items():
        before = values.get(field)
        if before and before.same_as(one, field):
            continue
        if before:
            earlier.append(Earlier(**before.model_dump(), field=field, until=at))
        values[field] = Kept(value=one.value, written=one.written, at=at, call=call)
    return _after(contact, call, values, earlier)


def forgotten(contact: Contact, fields: Collection[str], call: str) -> Contact:
    """The contact without these fields' values, also the ones they had before. The same call once more changes
    nothing."""
    if call in contact.done:
        return contact
    values = {name: one for name, one in contact.values.items() if name not in fields}
    return _after(contact, call, values, [one for one in contact.earlier if one.field not in fields])


def _after(contact: Contact, call: str, values: dict[str, Kept], earlier: list[Earlier]) -> Contact:
    done = (*contact.done, call)[-MOST_DONE:]
    return contact.model_copy(update={"values": values, "earlier": tuple(earlier[-MOST_EARLIER:]), "done": done})


def _plain(text: str) -> str:
    """Without what telephone numbers are broken up by; no letter's case counts."""
    return "".join(character for character in text.casefold() if character not in " -()./\u00a0")
