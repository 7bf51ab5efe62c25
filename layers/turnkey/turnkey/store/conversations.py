"""A conversation's inbox and lease: no message is lost, one turn at a time.

Rows of a conversation (partition TENANT#…#CONVERSATION#…):
  STATE            pending (ids of messages not yet in a turn, in order), turn_seq, and while a turn runs lease_turn,
                   lease_until, lease_running, lease_from; customer_at, when the customer wrote last; `tenant`, by which
                   the index by-tenant finds it; standing_*, how the conversation stands beside its messages
  MESSAGE#<id>     a message; that it exists is what drops a repeat
  TURN#<n>         see turns.py
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from turnkey import ids
from turnkey.channels.protocol import InboundMessage
from turnkey.errors import LeaseLost, RequestRefused
from turnkey.store.table import ConditionFailed, Item, Table
from turnkey.tools.builtins.situation import Standing
from turnkey.turn.reference import TurnReference

LEASE_SECONDS = 3600
"""Longer than the longest execution of one turn with all its retries (tests/unit/test_state_machine.py computes it)."""
MESSAGE_DAYS = 30
"""Longer than any sender keeps retrying."""
STATE_DAYS = 400
"""Longer than Step Functions keeps an execution's name (90 days), so that a name is never met again."""
MAX_PENDING = 200

_DAY = 24 * 3600
_EMPTY_INBOX = "(attribute_not_exists(pending) OR size(pending) = :zero)"


@dataclass(frozen=True)
class Inbox:
    """`pending` are ids of the messages that wait, oldest first."""

    pending: list[str]
    standing: Standing


@dataclass(frozen=True)
class Lease:
    """Who holds the conversation. `needs_start` until its execution has been seen running."""

    turn: int
    needs_start: bool


class ConversationStore:
    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def accept(self, key: str, message: InboundMessage, now: datetime) -> bool:
        """Stores the message; False when it was there already. Raises RequestRefused(429) when too many wait."""
        expires = int(now.timestamp()) + MESSAGE_DAYS * _DAY
        row = {"pk": key, "sk": f"MESSAGE#{message.id}", "json": message.model_dump_json(), "expires_at": expires}
        try:
            self._table.transact(
                self._table.put_write(row, condition="attribute_not_exists(pk)"),
                self._table.update_write(
                    (key, "STATE"),
                    "SET pending = list_append(if_not_exists(pending, :none), :one), expires_at = :expires, "
                    "tenant = :tenant" + (", customer_at = :at" if message.origin == "customer" else ""),
                    condition="attribute_not_exists(pending) OR size(pending) < :most",
                    values={
                        ":none": [],
                        ":one": [message.id],
                        ":most": MAX_PENDING,
                        ":expires": _state_end(now),
                        ":tenant": ids.tenant_key(ids.split_conversation_key(key)[0]),
                        **({":at": int(now.timestamp())} if message.origin == "customer" else {}),
                    },
                ),
            )
        except ConditionFailed as error:
            if 0 in error.failed:
                return False
            raise RequestRefused(
                429, "too_many_messages", f"{MAX_PENDING} messages of this conversation wait already: slow down"
            ) from error
        return True

    def take_lease(self, key: str, now: datetime) -> Lease | None:
        """A lease for the next turn if messages wait and no turn holds the conversation; else the one that is held;
        None when nothing waits and nothing is held."""
        seconds = int(now.timestamp())
        try:
            state = self._table.update(
                (key, "STATE"),
                "SET turn_seq = if_not_exists(turn_seq, :zero) + :one, "
                "lease_turn = if_not_exists(turn_seq, :zero) + :one, "
                "lease_until = :until, lease_running = :false, expires_at = :expires REMOVE lease_from",
                condition="size(pending) > :zero AND (attribute_not_exists(lease_turn) OR lease_until < :now)",
                values={
                    ":zero": 0,
                    ":one": 1,
                    ":now": seconds,
                    ":until": seconds + LEASE_SECONDS,
                    ":false": False,
                    ":expires": _state_end(now),
                },
            )
        except ConditionFailed as error:
            state = error.item or {}
        if "lease_turn" not in state:
            return None
        return Lease(turn=state["lease_turn"], needs_start=not state.get("lease_running", False))

    def pending(self, reference: TurnReference) -> list[str]:
        """Ids of the messages that wait, oldest first. Raises LeaseLost unless this turn holds the conversation."""
        return self.inbox(reference).pending

    def inbox(self, reference: TurnReference) -> Inbox:
        """The messages that wait, and how the conversation stands. Raises LeaseLost unless this turn holds it."""
        state = self._table.get((reference.key, "STATE")) or {}
        if state.get("lease_turn") != reference.turn:
            raise LeaseLost(f"turn {reference.turn} does not hold the conversation, {state.get('lease_turn')} does")
        return Inbox(state.get("pending", []), _standing(state))

    def customer_wrote_at(self, key: str) -> datetime | None:
        """When the customer wrote last; None where they never did."""
        seconds = (self._table.get((key, "STATE")) or {}).get("customer_at")
        return datetime.fromtimestamp(seconds, UTC) if seconds else None

    def standing(self, key: str) -> Standing:
        """How the conversation stands now."""
        return _standing(self._table.get((key, "STATE")) or {})

    def stand(self, key: str, now: datetime, **changes: Any) -> None:
        """Changes fields of the conversation's standing, such as reminders=2."""
        fields = Standing.model_validate(changes).model_dump(mode="json", include=set(changes))
        named = ", ".join(f"{_STANDING}{name} = :{name}" for name in fields)
        self._table.update(
            (key, "STATE"),
            f"SET {named}, expires_at = :expires, tenant = :tenant",
            values={
                **{f":{name}": value for name, value in fields.items()},
                ":expires": _state_end(now),
                ":tenant": ids.tenant_key(ids.split_conversation_key(key)[0]),
            },
        )

    def was_handed_over(self, reference: TurnReference) -> bool:
        """Whether messages waited already when the turn before this one ended. Until this one is opened."""
        state = self._table.get((reference.key, "STATE")) or {}
        return state.get("lease_from") == reference.turn - 1

    def messages(self, reference: TurnReference, message_ids: list[str]) -> tuple[InboundMessage, ...]:
        """In the order of `message_ids`."""
        keys = [(reference.key, f"MESSAGE#{message_id}") for message_id in message_ids]
        rows = self._table.get_many(keys)
        return tuple(InboundMessage.model_validate_json(rows[key]["json"]) for key in keys)

    def drain_write(self, reference: TurnReference, count: int, now: datetime) -> dict[str, Any]:
        """The write that takes the first `count` pending messages: part of the transaction that opens the turn."""
        taken = "".join(f", pending[{place}]" for place in range(count))
        return self._table.update_write(
            (reference.key, "STATE"),
            f"SET lease_running = :true, lease_until = :until REMOVE lease_from{taken}",
            condition="lease_turn = :turn",
            values={":true": True, ":turn": reference.turn, ":until": int(now.timestamp()) + LEASE_SECONDS},
        )

    def put_back(self, reference: TurnReference, message_ids: list[str]) -> None:
        """Messages of a turn that nobody answers wait again, before all others; once, however often it is called.
        Raises LeaseLost."""
        try:
            self._table.transact(
                self._table.update_write(
                    (reference.key, turn_key(reference.turn)),
                    "SET put_back = :true",
                    condition="attribute_not_exists(put_back)",
                    values={":true": True},
                ),
                self._table.update_write(
                    (reference.key, "STATE"),
                    "SET pending = list_append(:some, if_not_exists(pending, :none))",
                    condition="lease_turn = :turn",
                    values={":some": message_ids, ":none": [], ":turn": reference.turn},
                ),
            )
        except ConditionFailed as error:
            if 0 not in error.failed:
                raise LeaseLost(f"turn {reference.turn} no longer holds the conversation") from error

    def renew_lease(self, reference: TurnReference, now: datetime) -> None:
        """For a turn that waits. Raises LeaseLost."""
        try:
            self._table.update(
                (reference.key, "STATE"),
                "SET lease_until = :until",
                condition="lease_turn = :turn",
                values={":turn": reference.turn, ":until": int(now.timestamp()) + LEASE_SECONDS},
            )
        except ConditionFailed as error:
            raise LeaseLost(f"turn {reference.turn} no longer holds the conversation") from error

    def finish(self, reference: TurnReference, status: str, now: datetime, *also: dict[str, Any]) -> int | None:
        """Ends the turn and releases the conversation, unless messages came meanwhile: then the lease passes to the
        next turn, whose number is returned. `also` are writes without conditions that happen with it. Calling it again
        gives the same answer and writes nothing. Raises LeaseLost."""
        if self._finish(reference, status, _LET_GO, _EMPTY_INBOX, {":zero": 0}, also):
            return None
        following = {":next": reference.turn + 1, ":until": int(now.timestamp()) + LEASE_SECONDS, ":true": True}
        if self._finish(reference, status, _HAND_OVER, "size(pending) > :zero", {":zero": 0, **following}, also):
            return reference.turn + 1
        return self._finished_before(reference)

    def _finish(
        self,
        reference: TurnReference,
        status: str,
        expression: str,
        condition: str,
        values: dict[str, Any],
        also: tuple[dict[str, Any], ...],
    ) -> bool:
        turn = (reference.key, turn_key(reference.turn))
        try:
            self._table.transact(
                self._table.update_write(turn, "SET ended = :status", values={":status": status}),
                self._table.update_write(
                    (reference.key, "STATE"),
                    expression,
                    condition=f"lease_turn = :turn AND {condition}",
                    values={":turn": reference.turn, **values},
                ),
                *also,
            )
        except ConditionFailed:
            return False
        return True

    def _finished_before(self, reference: TurnReference) -> int | None:
        """An earlier attempt of this run may have ended the turn and died before it could say so."""
        state: Item = self._table.get((reference.key, "STATE")) or {}
        if state.get("lease_from") == reference.turn:
            return int(state["lease_turn"])
        if "lease_turn" not in state:
            return None
        raise LeaseLost(f"turn {reference.turn} no longer holds the conversation, {state['lease_turn']} does")


_LET_GO = "REMOVE lease_turn, lease_until, lease_running, lease_from"
_HAND_OVER = "SET lease_turn = :next, turn_seq = :next, lease_until = :until, lease_running = :true, lease_from = :turn"


_STANDING = "standing_"


def _standing(state: Item) -> Standing:
    found = {name: state[f"{_STANDING}{name}"] for name in Standing.model_fields if f"{_STANDING}{name}" in state}
    return Standing.model_validate(found)


def turn_key(turn: int) -> str:
    """Sort key of a turn; padded, so that the newest is last."""
    return f"TURN#{turn:010d}"


def _state_end(now: datetime) -> int:
    return int(now.timestamp()) + STATE_DAYS * _DAY
