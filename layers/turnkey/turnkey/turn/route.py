"""Route: drains the inbox into a turn, and decides what the turn shows the model."""

from datetime import datetime, timedelta

from turnkey.channels import InboundMessage
from turnkey.mcp.catalogue import toolset
from turnkey.reading.choice import choose
from turnkey.reply import language
from turnkey.store.stores import Stores
from turnkey.turn.opening import open_turn
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.reference import TurnReference


class Router:
    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def route(self, reference: TurnReference, now: datetime) -> TurnReference:
        """Opens the turn. Raises LeaseLost, or TenantMisconfigured when the connection or its agent is gone."""

        def decide(messages: tuple[InboundMessage, ...], history: tuple[Exchange, ...]) -> TurnRecord:
            return self._decide(reference, messages, history, now)

        if open_turn(self._stores, reference, now, decide) is not None:
            return reference.then("tool_loop")
        # Nothing waits, as after a redrive: the lease goes back.
        following = self._stores.conversations.finish(reference, "empty", now)
        return reference.then("route", following) if following else reference.then("end")

    def _decide(
        self,
        reference: TurnReference,
        messages: tuple[InboundMessage, ...],
        history: tuple[Exchange, ...],
        now: datetime,
    ) -> TurnRecord:
        connection = self._stores.tenants.connection(reference.tenant, reference.connection)
        agent = self._stores.tenants.agent(reference.tenant, connection.agent)
        tools = toolset(self._stores.tenants.registrations(reference.tenant, agent.servers))
        question = "\n".join(message.text for message in messages)
        directive = choose(question, tools)
        shown = (directive.tool,) if directive else tools.names[: agent.limits.tools]
        return TurnRecord(
            turn=reference.turn,
            agent=agent.name,
            messages=messages,
            history=history,
            tools=shown,
            directive=directive,
            language=language.pin(question),
            opened_at=now,
            deadline=now + timedelta(seconds=agent.limits.seconds),
        )
