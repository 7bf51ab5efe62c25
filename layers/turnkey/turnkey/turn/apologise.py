"""Apologise: a turn failed. The customer is told, the operator finds the cause, the conversation is given back."""

from datetime import datetime

from turnkey.channels import InboundMessage
from turnkey.errors import Permanent, PersonNotTold, PersonUnreachable, TenantMisconfigured
from turnkey.reply import person_words
from turnkey.store.stores import Stores
from turnkey.store.turns import OpenTurn
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Agent
from turnkey.tools.builtins.situation import Standing
from turnkey.turn import proactive
from turnkey.turn.deliver import Deliverer
from turnkey.turn.noting import with_note
from turnkey.turn.opening import open_turn
from turnkey.turn.record import Exchange, ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference

UNKNOWN_AGENT = "unknown"


class Apologiser:
    def __init__(self, stores: Stores, deliverer: Deliverer) -> None:
        self._stores = stores
        self._deliverer = deliverer

    def apologise(self, reference: TurnReference, now: datetime) -> TurnReference:
        """Raises LeaseLost, or Transient when even this cannot be sent now.

        A reply that was written already but could not be sent stays the reply: it is not said twice in other words.
        """

        def decide(messages: tuple[InboundMessage, ...], history: tuple[Exchange, ...], _: Standing) -> TurnRecord:
            # Also a turn that failed before it was opened takes its messages with it, or it would fail for ever.
            return TurnRecord(
                turn=reference.turn,
                agent=UNKNOWN_AGENT,
                messages=messages,
                history=history,
                opened_at=now,
                deadline=now,
            )

        if open_turn(self._stores, reference, now, decide) is None:
            return self._deliverer.finish(reference, "empty", now)
        turn = self._stores.turns.get(reference)
        over = turn.sent or turn.ended is not None
        return self._deliverer.finish(reference, "apologised" if over else self._end(reference, turn, now), now)

    def _end(self, reference: TurnReference, turn: OpenTurn, now: datetime) -> str:
        """Tells the customer, unless a person answers them; how the turn ends."""
        held = self._held(reference, turn)
        try:
            if held and turn.record.not_served != "person":
                return self._deliverer.people.forward(reference, turn, now)
        except (PersonNotTold, PersonUnreachable) as error:
            logger.error("person not told", reason=str(error))
        return "apologised" if self._tell(reference, turn, now, held=held) else "unanswered"

    def _held(self, reference: TurnReference, turn: OpenTurn) -> bool:
        """Whether a person answers under another hand-over than the one that this turn asked for."""
        owner = self._deliverer.people.owner(reference)
        return bool(owner) and not (turn.reply and turn.reply.handover and turn.reply.handover.id == owner)

    def _tell(self, reference: TurnReference, turn: OpenTurn, now: datetime, *, held: bool) -> bool:
        """False when this can never be sent: the address is refused, or the connection is gone."""
        if turn.record.messages[0].origin == "platform" and turn.reply is None:
            # Nobody has asked for anything just now.
            proactive.hold_all(self._stores, reference, turn.record.messages, "the turn failed", now)
            return False
        try:
            reply = self._instead(reference, turn, held=held) or self._apology(reference, turn)
            self._deliverer.send(reference, reply, turn.whole.address, now)
        except Permanent as error:
            proactive.hold_all(self._stores, reference, turn.record.messages, str(error), now)
            return False
        self._stores.turns.mark_sent(reference, now)
        proactive.done(self._stores, reference, turn.record.messages, now)
        return True

    def _apology(self, reference: TurnReference, turn: OpenTurn) -> ReplyRecord:
        agent = self._agent(reference)
        steps = self._stores.turns.journal(reference)
        apology = with_note(ReplyRecord(text=agent.apology), turn.record, agent, steps)
        return self._stores.turns.save_reply(reference, apology)

    def _instead(self, reference: TurnReference, turn: OpenTurn, *, held: bool) -> ReplyRecord | None:
        """What is said in place of a reply about people: never that one has been told who has not."""
        language = turn.record.language
        asked = turn.reply.handover if turn.reply else None
        people = self._deliverer.people
        if held:
            text = person_words.not_passed_on(language)
        elif asked is None or people.was_told(reference, asked.id):
            return None
        elif people.owner(reference) == asked.id:
            text = person_words.not_reached(language)
        else:
            text = self._agent(reference).apology
        reply = ReplyRecord(text=text, author="platform", delivered=False)
        self._stores.turns.replace_reply(reference, reply)
        return reply

    def _agent(self, reference: TurnReference) -> Agent:
        connection = self._stores.tenants.connection(reference.tenant, reference.connection)
        try:
            return self._stores.tenants.agent(reference.tenant, connection.agent)
        except TenantMisconfigured:
            return Agent(name=UNKNOWN_AGENT, instructions="")
