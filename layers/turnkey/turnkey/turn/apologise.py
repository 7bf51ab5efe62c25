"""Apologise: a turn failed. The customer is told, the operator finds the cause, the conversation is given back."""

from datetime import datetime

from turnkey.channels import InboundMessage
from turnkey.errors import Permanent, TenantMisconfigured
from turnkey.store.stores import Stores
from turnkey.store.turns import OpenTurn
from turnkey.tenancy.settings import Agent
from turnkey.tools.builtins.situation import Standing
from turnkey.turn.deliver import Deliverer
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
        sent = turn.sent or turn.ended is not None or self._tell(reference, turn, now)
        return self._deliverer.finish(reference, "apologised" if sent else "unanswered", now)

    def _tell(self, reference: TurnReference, turn: OpenTurn, now: datetime) -> bool:
        """False when this can never be sent: the address is refused, or the connection is gone."""
        try:
            agent = self._agent(reference)
            reply = self._stores.turns.save_reply(reference, ReplyRecord(text=agent.apology))
            self._deliverer.send(reference, reply, turn.whole.address, now)
        except Permanent:
            return False
        self._stores.turns.mark_sent(reference, now)
        return True

    def _agent(self, reference: TurnReference) -> Agent:
        connection = self._stores.tenants.connection(reference.tenant, reference.connection)
        try:
            return self._stores.tenants.agent(reference.tenant, connection.agent)
        except TenantMisconfigured:
            return Agent(name=UNKNOWN_AGENT, instructions="")
