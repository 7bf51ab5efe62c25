"""Turns, their journals and their replies.

Rows beside those of conversations.py:
  TURN#<n>               the record; `reply` once it is written, `sent_at` once it is sent, `ended` once it is over;
                         `held_by`, the hand-over for which its reply was not sent, and `forwarded`, how many of its
                         messages the person was told of
  PROGRESS               what the customer is shown while a turn works: `text`, of `turn`, since `at`
  STEP#<n>#<answer>      a model answer
  STEP#<n>#<answer>#<i>  its i-th call, from start to end
  STEP#<n>#<answer>#~    messages that joined behind it
  STEP#<n>#<answer>#~~   the one more ask behind it
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from turnkey.channels.protocol import InboundMessage
from turnkey.errors import LeaseLost, NotServed
from turnkey.store.conversations import MESSAGE_DAYS, ConversationStore, turn_key
from turnkey.store.table import ConditionFailed, Item, Table
from turnkey.turn.journal import STEP, Again, Joined, ModelAnswer, Step, ToolResult
from turnkey.turn.record import ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference

_DAY = 24 * 3600


class OpenTurn:
    """A turn as it stands: the record, and the reply as soon as there is one."""

    def __init__(self, item: Item) -> None:
        self.record = TurnRecord.model_validate_json(item["json"])
        added = [InboundMessage.model_validate_json(text) for text in item.get("joined", [])]
        self.whole = self.record.with_messages(tuple(added))
        """The record with the messages that joined later: what the reply answers."""
        self.reply = ReplyRecord.model_validate_json(item["reply"]) if "reply" in item else None
        self.sent: bool = "sent_at" in item
        self.ended: str | None = item.get("ended")
        self.held_by: str = item.get("held_by", "")
        self.forwarded = int(item.get("forwarded", 0))
        """How many of its messages a person has been told of, who answers in the agent's place."""


class TurnStore:
    def __init__(self, table: str, conversations: ConversationStore) -> None:
        self._table = Table(table)
        self._conversations = conversations

    def find(self, reference: TurnReference) -> OpenTurn | None:
        item = self._table.get((reference.key, turn_key(reference.turn)))
        return OpenTurn(item) if item else None

    def get(self, reference: TurnReference) -> OpenTurn:
        """Raises LeaseLost for a turn that was never opened: nothing else leads here without one."""
        turn = self.find(reference)
        if turn is None:
            raise LeaseLost(f"turn {reference.turn} was never opened")
        return turn

    def before(self, reference: TurnReference) -> OpenTurn | None:
        """The newest turn before this one."""
        items = self._table.query(reference.key, "TURN#", newest_first=True, limit=2)
        earlier = [item for item in items if item["sk"] < turn_key(reference.turn)]
        return OpenTurn(earlier[0]) if earlier else None

    def open(
        self,
        reference: TurnReference,
        record: TurnRecord,
        drained: int,
        now: datetime,
        counting: Sequence[dict[str, Any]] | None = None,
    ) -> None:
        """Writes the record and takes its messages out of the inbox, both or neither, and with them one of `counting`.
        Raises LeaseLost, or NotServed where none of these can be written."""
        row = {
            "pk": reference.key,
            "sk": turn_key(reference.turn),
            "json": record.model_dump_json(),
            "expires_at": _end(now),
        }
        put = self._table.put_write(row, condition="attribute_not_exists(pk)")
        drain = self._conversations.drain_write(reference, drained, now)
        for also in [()] if counting is None else [(write,) for write in counting]:
            try:
                self._table.transact(put, drain, *also)
            except ConditionFailed as error:
                if error.failed == (2,):
                    continue
                raise LeaseLost(f"turn {reference.turn} was opened by another run, or lost its lease") from error
            return
        raise NotServed("turns")

    def journal(self, reference: TurnReference) -> list[Step]:
        """The steps so far, in order."""
        items = self._table.query(reference.key, f"STEP#{reference.turn:010d}#")
        return [STEP.validate_json(item["json"]) for item in items]

    def add_answer(self, reference: TurnReference, number: int, answer: ModelAnswer, now: datetime) -> None:
        """Raises LeaseLost when another run has written this step: then that run goes on, not this one."""
        self._add(reference, f"{number:04d}", answer, now)

    def ask_again(self, reference: TurnReference, number: int, step: Again, now: datetime) -> None:
        """Behind answer `number`. Raises LeaseLost as add_answer does."""
        self._add(reference, f"{number:04d}#~~", step, now)

    def join(self, reference: TurnReference, number: int, step: Joined, now: datetime) -> None:
        """Takes messages into the running turn, behind answer `number`: out of the inbox, into journal and record, all
        or nothing. Raises LeaseLost."""
        texts = [message.model_dump_json() for message in step.messages]
        try:
            self._table.transact(
                self._table.put_write(
                    self._row(reference, f"{number:04d}#~", step, now), condition="attribute_not_exists(pk)"
                ),
                self._table.update_write(
                    (reference.key, turn_key(reference.turn)),
                    "SET joined = list_append(if_not_exists(joined, :none), :some)",
                    condition="attribute_exists(pk)",
                    values={":none": [], ":some": texts},
                ),
                self._conversations.drain_write(reference, len(texts), now),
            )
        except ConditionFailed as error:
            raise LeaseLost(f"turn {reference.turn} was changed by another run, or lost its lease") from error

    def start_call(self, reference: TurnReference, result: ToolResult, now: datetime) -> None:
        """Raises LeaseLost as add_answer does."""
        self._add(reference, _place(result), result, now)

    def end_call(self, reference: TurnReference, result: ToolResult, *also: dict[str, Any]) -> None:
        """Writes the call's end, and `also` these writes, all or nothing."""
        key, values = (reference.key, _step_key(reference, _place(result))), {":json": result.model_dump_json()}
        if also:
            self._table.transact(self._table.update_write(key, "SET json = :json", values=values), *also)
        else:
            self._table.update(key, "SET json = :json", values=values)

    def save_reply(self, reference: TurnReference, reply: ReplyRecord) -> ReplyRecord:
        """The reply that counts: the one that was saved first."""
        try:
            self._table.update(
                (reference.key, turn_key(reference.turn)),
                "SET reply = :reply",
                condition="attribute_not_exists(reply)",
                values={":reply": reply.model_dump_json()},
            )
        except ConditionFailed as error:
            kept = (error.item or {}).get("reply")
            return ReplyRecord.model_validate_json(kept) if kept else reply
        return reply

    def show_progress(self, reference: TurnReference, text: str, now: datetime) -> None:
        row = {"text": text, "turn": reference.turn, "at": now.isoformat(), "expires_at": _end(now)}
        self._table.put({"pk": reference.key, "sk": "PROGRESS", **row})

    def mark_sent(self, reference: TurnReference, now: datetime) -> None:
        self._table.update(
            (reference.key, turn_key(reference.turn)), "SET sent_at = :at", values={":at": now.isoformat()}
        )

    def replace_reply(self, reference: TurnReference, reply: ReplyRecord) -> None:
        """For a reply that was never sent and must not be."""
        self._set(reference, "SET reply = :value", reply.model_dump_json())

    def mark_held(self, reference: TurnReference, handover: str) -> None:
        """Its reply is not sent: a person answers."""
        self._set(reference, "SET held_by = :value", handover)

    def mark_forwarded(self, reference: TurnReference, messages: int) -> None:
        """So many of its messages, from the first on."""
        self._set(reference, "SET forwarded = :value", messages)

    def _set(self, reference: TurnReference, expression: str, value: str | int) -> None:
        self._table.update((reference.key, turn_key(reference.turn)), expression, values={":value": value})

    def _row(self, reference: TurnReference, place: str, step: Step, now: datetime) -> Item:
        return {
            "pk": reference.key,
            "sk": _step_key(reference, place),
            "json": step.model_dump_json(),
            "expires_at": _end(now),
        }

    def _add(self, reference: TurnReference, place: str, step: Step, now: datetime) -> None:
        try:
            self._table.put(self._row(reference, place, step, now), condition="attribute_not_exists(pk)")
        except ConditionFailed as error:
            raise LeaseLost(f"step {place} of turn {reference.turn} was written by another run") from error


def _place(result: ToolResult) -> str:
    """Behind its answer: call_3_0 is 0003#000."""
    _, answer, place = result.call.id.split("_")
    return f"{int(answer):04d}#{int(place):03d}"


def _step_key(reference: TurnReference, place: str) -> str:
    return f"STEP#{reference.turn:010d}#{place}"


def _end(now: datetime) -> int:
    return int(now.timestamp()) + MESSAGE_DAYS * _DAY
