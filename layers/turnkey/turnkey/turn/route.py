"""Route: drains the inbox into a turn, and decides what the turn shows the model."""

from datetime import date, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

from turnkey.channels import InboundMessage
from turnkey.errors import NotServed
from turnkey.reply.language import pin
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Agent, Tenant
from turnkey.tools import Toolset
from turnkey.tools.builtins.situation import Standing
from turnkey.turn import hearing, meaning, offering, proactive, reviewing, skilling, unserved, waking
from turnkey.turn.admission import admit, words
from turnkey.turn.carrying import Begun
from turnkey.turn.closing import close
from turnkey.turn.knowing import known_of, zone_said
from turnkey.turn.opening import open_turn
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.toolsets import tools_of
from turnkey.turn.understanding import Understood


class Router:
    def __init__(self, stores: Stores, *, allow_private: bool) -> None:
        self._stores = stores
        self._allow_private = allow_private

    def route(self, reference: TurnReference, now: datetime) -> TurnReference:
        """Opens the turn; next is "deliver" where the tenant is not served. Raises LeaseLost, TooManyTurns, or
        TenantMisconfigured when the connection or its agent is gone."""
        admitted = partial(admit, self._stores, reference, now)
        try:
            record = open_turn(self._stores, reference, now, partial(self._decide, reference, now), admitted)
        except NotServed as refusal:
            decide = partial(unserved.record, self._stores, reference, refusal.why, now)
            record = open_turn(self._stores, reference, now, decide)
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
        now: datetime,
        messages: tuple[InboundMessage, ...],
        history: tuple[Exchange, ...],
        standing: Standing,
    ) -> TurnRecord:
        due = proactive.due(self._stores, reference, messages, now)
        if messages[0].origin == "platform" and (due is None or due.kind == "reminder"):
            return waking.record(reference, messages, history, due, now)
        tenant, agent, every, tools = self._settings(reference)
        texts = [message.text for message in messages if message.origin == "customer"]
        pinned = waking.pinned(due, pin(texts, unserved.pinned_before(history)))
        word = self._word(reference, now, messages if texts else (), history, every, pinned.language)
        asking = meaning.Asking(
            agent=agent,
            texts=texts,
            question=due.text if due else "\n".join(message.said for message in messages),
            history=history,
            tools=tools.without(word.declined),
            language=pinned.language,
            now=now,
            today=_today(tenant, now),
        )
        standing = self._in_zone(reference, texts, pinned.language, standing, now)
        begun = meaning.begun(asking, known_of(tenant, agent, standing, history))
        understood = self._understood(asking, begun, word, every)
        plan = understood.plan
        shown = (plan.directive.tool,) if plan else offering.choose(asking.tools, texts, history, agent.limits.tools)
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

    def _settings(self, reference: TurnReference) -> tuple[Tenant, Agent, Toolset, Toolset]:
        """Tenant and agent, all the tools it has, and those of them that no skill has to bring first."""
        tenant, connection = self._stores.tenants.entry(reference.tenant, reference.connection)
        agent = self._stores.tenants.agent(reference.tenant, connection.agent)
        registrations = self._stores.tenants.registrations(reference.tenant, agent.servers)
        every = tools_of(reference.tenant, registrations)
        return tenant, agent, every, tools_of(reference.tenant, registrations, skilling.hidden(agent, every))

    def _word(
        self,
        reference: TurnReference,
        now: datetime,
        messages: tuple[InboundMessage, ...],
        history: tuple[Exchange, ...],
        every: Toolset,
        language: str,
    ) -> hearing.Word:
        """What the customer says to the question whether calls may be made."""

        def were_waiting() -> bool:
            return self._stores.conversations.was_handed_over(reference)

        return hearing.hear(messages, history, every, language, now, were_waiting=were_waiting)

    def _understood(self, asking: meaning.Asking, begun: Begun, word: hearing.Word, every: Toolset) -> Understood:
        if word.agreed:
            return Understood(plan=hearing.plan(word.agreed, every, asking.question))
        return meaning.understood(asking, begun, self._stores.secrets, allow_private=self._allow_private)

    def _in_zone(
        self, reference: TurnReference, texts: list[str], language: str, standing: Standing, now: datetime
    ) -> Standing:
        """With the time zone that the customer has just said is theirs; it is kept for later turns."""
        zone = zone_said(texts, language)
        if not zone or zone == standing.time_zone:
            return standing
        self._stores.conversations.stand(reference.key, now, time_zone=zone)
        return standing.model_copy(update={"time_zone": zone})


def _today(tenant: Tenant, now: datetime) -> date:
    return now.astimezone(ZoneInfo(tenant.time_zone)).date()
