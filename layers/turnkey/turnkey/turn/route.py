"""Route: drains the inbox into a turn, and decides what the turn shows the model."""

from datetime import date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from turnkey.channels import InboundMessage
from turnkey.errors import NotServed, Refusal
from turnkey.models.resolve import resolve
from turnkey.reply.language import Pinned, pin
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Agent, Tenant
from turnkey.tools import Toolset
from turnkey.tools.builtins.situation import Standing
from turnkey.turn import hearing, offering
from turnkey.turn.admission import admit, words
from turnkey.turn.closing import close
from turnkey.turn.knowing import known_of
from turnkey.turn.opening import open_turn
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.toolsets import tools_of
from turnkey.turn.understanding import Reader, Understood

PLATFORM = "platform"
"""Stands for the agent where none is asked."""


class Router:
    def __init__(self, stores: Stores, *, allow_private: bool) -> None:
        self._stores = stores
        self._allow_private = allow_private

    def route(self, reference: TurnReference, now: datetime) -> TurnReference:
        """Opens the turn; next is "deliver" where the tenant is not served. Raises LeaseLost, TooManyTurns, or
        TenantMisconfigured when the connection or its agent is gone."""

        def decide(
            messages: tuple[InboundMessage, ...], history: tuple[Exchange, ...], standing: Standing
        ) -> TurnRecord:
            return self._decide(reference, messages, history, standing, now)

        try:
            record = open_turn(self._stores, reference, now, decide, partial(admit, self._stores, reference, now))
        except NotServed as refusal:
            record = open_turn(self._stores, reference, now, partial(_not_served, reference, refusal.why, now))
        if record is None:
            # Nothing waits, as after a redrive: the lease goes back.
            return close(self._stores, reference, "empty", now)
        if record.not_served:
            self._stores.turns.save_reply(reference, words(record.not_served, record.language))
            return reference.then("deliver")
        return reference.then("tool_loop")

    def _decide(
        self,
        reference: TurnReference,
        messages: tuple[InboundMessage, ...],
        history: tuple[Exchange, ...],
        standing: Standing,
        now: datetime,
    ) -> TurnRecord:
        tenant, connection = self._stores.tenants.entry(reference.tenant, reference.connection)
        agent = self._stores.tenants.agent(reference.tenant, connection.agent)
        tools = tools_of(reference.tenant, self._stores.tenants.registrations(reference.tenant, agent.servers))
        question = "\n".join(message.said for message in messages)
        texts = [message.text for message in messages]
        pinned = pin(texts, _pinned_before(history))
        word = hearing.hear(
            messages,
            history,
            tools,
            pinned.language,
            now,
            were_waiting=lambda: self._stores.conversations.was_handed_over(reference),
        )
        tools = tools.without(word.declined)
        understood = (
            Understood(plan=hearing.plan(word.agreed, tools, question))
            if word.agreed
            else self._understand(agent, question, history, tools, pinned.language, _local(tenant, now).date())
        )
        plan = understood.plan
        shown = (plan.directive.tool,) if plan else offering.choose(tools, texts, history, agent.limits.tools)
        return TurnRecord(
            turn=reference.turn,
            agent=agent.name,
            messages=messages,
            history=history,
            tools=shown,
            plan=plan,
            agreed=word.agreed,
            reading=understood.reading,
            known=known_of(tenant, agent, standing, history),
            language=pinned.language,
            language_wished=pinned.wished,
            opened_at=now,
            deadline=now + timedelta(seconds=agent.limits.seconds),
        )

    def _understand(
        self,
        agent: Agent,
        question: str,
        history: tuple[Exchange, ...],
        tools: Toolset,
        language: str,
        today: date,
    ) -> Understood:
        if agent.plain or not len(tools):
            return Understood()
        reader = Reader(resolve(agent.model, self._stores.secrets), allow_private=self._allow_private)
        return reader.understand(question, history, tools, language, today)


def _local(tenant: Tenant, now: datetime) -> datetime:
    return now.astimezone(ZoneInfo(tenant.time_zone))


def _not_served(
    reference: TurnReference,
    why: Refusal,
    now: datetime,
    messages: tuple[InboundMessage, ...],
    history: tuple[Exchange, ...],
    _: Standing,
) -> TurnRecord:
    pinned = pin([message.text for message in messages], _pinned_before(history))
    return TurnRecord(
        turn=reference.turn,
        agent=PLATFORM,
        messages=messages,
        history=history,
        language=pinned.language,
        language_wished=pinned.wished,
        not_served=why,
        opened_at=now,
        deadline=now,
    )


def _pinned_before(history: tuple[Exchange, ...]) -> Pinned:
    last = history[-1] if history else None
    return Pinned(language=last.language, wished=last.language_wished) if last else Pinned()
