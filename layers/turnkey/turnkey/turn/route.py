"""Route: drains the inbox into a turn, and decides what the turn shows the model."""

from datetime import date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from turnkey.channels import InboundMessage
from turnkey.errors import NotServed, Refusal
from turnkey.models.resolve import resolve
from turnkey.reply.language import Pinned, pin
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Agent, Tenant
from turnkey.tools import Toolset
from turnkey.tools.builtins.situation import Known, Standing
from turnkey.turn import carrying, clear, hearing, offering, proactive, reviewing, skilling, waking
from turnkey.turn.admission import admit, words
from turnkey.turn.closing import close
from turnkey.turn.knowing import known_of, zone_said
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
            record = open_turn(self._stores, reference, now, partial(self._not_served, reference, refusal.why, now))
        if record is None:
            # Nothing waits, as after a redrive: the lease goes back.
            return close(self._stores, reference, "empty", now)
        if record.woken == "nothing":
            return close(self._stores, reference, "nothing", now)
        if record.woken == "reminder":
            self._stores.turns.save_reply(reference, waking.words(record))
            return reference.then("deliver")
        if record.not_served and record.not_served != "person":
            self._stores.turns.save_reply(reference, words(record.not_served, record.language))
        return reference.then("deliver" if record.not_served else "tool_loop")

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
        registrations = self._stores.tenants.registrations(reference.tenant, agent.servers)
        every = tools_of(reference.tenant, registrations)
        tools = tools_of(reference.tenant, registrations, skilling.hidden(agent, every))
        question, today = "\n".join(message.said for message in messages), _local(tenant, now).date()
        due = proactive.due(self._stores, reference, messages, now)
        if messages[0].origin == "platform" and (due is None or due.kind == "reminder"):
            return waking.record(reference, messages, history, due, now)
        texts = [message.text for message in messages if message.origin == "customer"]
        pinned = waking.pinned(due, pin(texts, _pinned_before(history)))
        standing = self._in_zone(reference, texts, pinned.language, standing, now)
        known = known_of(tenant, agent, standing, history)
        begun = self._begun(known, agent, history, "\n".join(texts), pinned.language)
        word = hearing.hear(
            messages if texts else (),
            history,
            every,
            pinned.language,
            now,
            were_waiting=lambda: self._stores.conversations.was_handed_over(reference),
        )
        tools = tools.without(word.declined)
        understood = (
            Understood(plan=hearing.plan(word.agreed, every, question))
            if word.agreed
            else self._clear(agent, texts, history, tools, begun.known, pinned.language, now)
            or _by_skill(begun)
            or self._chosen(agent, begun, history, question)
            or self._understand(agent, due.text if due else question, history, tools, pinned.language, today)
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
            kept=reviewing.kept(self._stores.reviews, reference.tenant, agent, texts),
            skill=understood.skill,
            skill_tools=skilling.tools_of(agent, begun.known.loaded, every.without(word.declined)),
            reading=understood.reading,
            known=begun.known,
            woken="follow_up" if due else "",
            language=pinned.language,
            language_wished=pinned.wished,
            opened_at=now,
            deadline=now + timedelta(seconds=agent.limits.seconds),
        )

    def _not_served(
        self,
        reference: TurnReference,
        why: Refusal,
        now: datetime,
        messages: tuple[InboundMessage, ...],
        history: tuple[Exchange, ...],
        standing: Standing,
    ) -> TurnRecord:
        if messages[0].origin == "platform":
            return self._woken_unserved(reference, why, now, messages, history)
        return _not_served(reference, why, now, messages, history, standing)

    def _woken_unserved(
        self,
        reference: TurnReference,
        why: Refusal,
        now: datetime,
        messages: tuple[InboundMessage, ...],
        history: tuple[Exchange, ...],
    ) -> TurnRecord:
        """A reminder costs nothing and is said; what would ask a model is held."""
        due = proactive.due(self._stores, reference, messages, now)
        if due and due.kind == "follow_up":
            proactive.hold(self._stores, reference.tenant, due, f"the tenant is not served: {why}", now)
            due = None
        return waking.record(reference, messages, history, due, now)

    def _in_zone(
        self, reference: TurnReference, texts: list[str], language: str, standing: Standing, now: datetime
    ) -> Standing:
        """With the time zone that the customer has just said is theirs; it is kept for later turns."""
        zone = zone_said(texts, language)
        if not zone or zone == standing.time_zone:
            return standing
        self._stores.conversations.stand(reference.key, now, time_zone=zone)
        return standing.model_copy(update={"time_zone": zone})

    def _begun(
        self, known: Known, agent: Agent, history: tuple[Exchange, ...], message: str, language: str
    ) -> carrying.Begun:
        """With the skills that the turn begins with. Raises nothing."""
        try:
            return carrying.begin(known, agent, history, message, language)
        except Exception:
            logger.exception("reading which skill is meant failed")
            return carrying.Begun(known=known.model_copy(update={"loaded": (), "skills": ()}))

    def _clear(
        self,
        agent: Agent,
        texts: list[str],
        history: tuple[Exchange, ...],
        tools: Toolset,
        known: Known,
        language: str,
        now: datetime,
    ) -> Understood | None:
        """The plan that needs no model to be read. Raises nothing."""
        if agent.plain or not texts:
            return None
        try:
            made = clear.plan("\n".join(texts), history, tools, known, language, now)
        except Exception:
            # A help that fails must not cost the turn; the operator sees it.
            logger.exception("reading a plain request failed")
            return None
        return Understood(plan=made) if made else None

    def _chosen(
        self, agent: Agent, begun: carrying.Begun, history: tuple[Exchange, ...], question: str
    ) -> Understood | None:
        """The skill that the small model takes the message to be for, where words leave several."""
        if not begun.between:
            return None
        reader = Reader(resolve(agent.model, self._stores.secrets), allow_private=self._allow_private)
        return reader.skill(question, history, begun.between)

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


def _by_skill(begun: carrying.Begun) -> Understood | None:
    """Where a skill leads the turn, its instructions say which tools are called, and when."""
    return Understood(skill=begun.opened) if begun.opened or begun.known.loaded else None


def _local(tenant: Tenant, now: datetime) -> datetime:
    return now.astimezone(ZoneInfo(tenant.time_zone))


def _not_served(
    reference: TurnReference,
    why: Refusal,
    now: datetime,
    messages: tuple[InboundMessage, ...],
    history: tuple[Exchange, ...],
    standing: Standing,
) -> TurnRecord:
    pinned = pin([message.text for message in messages], _pinned_before(history))
    return TurnRecord(
        turn=reference.turn,
        agent=PLATFORM,
        messages=messages,
        history=history,
        language=pinned.language,
        language_wished=pinned.wished,
        known=Known(standing=standing),
        not_served=why,
        opened_at=now,
        deadline=now,
    )


def _pinned_before(history: tuple[Exchange, ...]) -> Pinned:
    last = history[-1] if history else None
    return Pinned(language=last.language, wished=last.language_wished) if last else Pinned()
