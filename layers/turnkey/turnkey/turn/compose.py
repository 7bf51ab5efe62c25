"""Compose: sees to it that what was due has come back, then writes the reply."""

import asyncio
from datetime import UTC, datetime, timedelta

from turnkey.errors import TurnOverdue
from turnkey.models.resolve import resolve
from turnkey.reply.finding import finding
from turnkey.reply.reask import again as words_of_again
from turnkey.store.stores import Stores
from turnkey.store.turns import OpenTurn
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Agent
from turnkey.turn import remedy, skilling
from turnkey.turn.bookkeeping import handed_over, ledger_of
from turnkey.turn.joining import join
from turnkey.turn.journal import Again, Journal, answers
from turnkey.turn.progress import Finish, next_step
from turnkey.turn.record import ReplyRecord
from turnkey.turn.reference import TurnReference
from turnkey.turn.replying import Replying
from turnkey.turn.skill_calls import with_skills

REPLY_SECONDS = 120
"""Time to reply, past the turn's own deadline."""


class Composer:
    def __init__(self, stores: Stores, *, allow_private: bool) -> None:
        self._stores = stores
        self._allow_private = allow_private

    def compose(self, reference: TurnReference) -> TurnReference:
        """Saves the reply; next is "deliver", or "tool_loop" when the loop has to go on: the customer wrote something
        more that this turn answers too, or what was due has not come back. Raises what the model endpoint raises,
        ModelAnswerInvalid when it has nothing to say, TurnOverdue when there is no time left."""
        turn = self._stores.turns.get(reference)
        if turn.reply is not None:
            return reference.then("deliver")
        now = datetime.now(UTC)
        journal = self._stores.turns.journal(reference)
        agent = self._stores.tenants.agent(reference.tenant, turn.record.agent)
        loaded = skilling.loaded(turn.record, journal)
        agent = with_skills(self._stores.tenants, reference.tenant, agent, loaded)
        step = next_step(journal, agent.limits, now, turn.record.deadline, turn.record.plan)
        if not isinstance(step, Finish) or join(self._stores, reference, turn, journal, now):
            return reference.then("tool_loop")
        if step.reason == "answered" and self._remedied(reference, turn, journal, now):
            return reference.then("tool_loop")
        reply = self._reply(turn, agent, journal, "" if step.reason == "answered" else step.reason, now)
        if isinstance(reply, Again):
            self._stores.turns.ask_again(reference, len(answers(journal)) - 1, reply, now)
            logger.info("asked again", tool="")
            return reference.then("tool_loop")
        self._stores.turns.save_reply(reference, reply)
        logger.info(
            "reply written",
            author=reply.author,
            due=reply.due,
            delivered=reply.delivered,
            findings=list(reply.findings),
            milliseconds=reply.milliseconds,
        )
        return reference.then("deliver")

    def _remedied(self, reference: TurnReference, turn: OpenTurn, journal: Journal, now: datetime) -> bool:
        """Whether the step that the model left out is tried once more: by the model, then by the platform itself."""
        plan = turn.record.plan
        directive = remedy.skipped(plan, journal)
        if plan is None or directive is None or now >= turn.record.deadline:
            return False
        number = len(answers(journal))
        if remedy.may_ask_again(journal):
            text = words_of_again((finding("missing", plan.title),), turn.record.due, plan.title, directive.sentence)
            self._stores.turns.ask_again(reference, number - 1, Again(text=text), now)
            logger.info("asked again", tool=directive.tool)
            return True
        made = remedy.own_call(plan, directive, journal)
        if made is None:
            return False
        self._stores.turns.add_answer(reference, number, made, now)
        logger.info("called by the platform", tool=directive.tool)
        return True

    def _reply(
        self, turn: OpenTurn, agent: Agent, journal: Journal, unfinished: str, now: datetime
    ) -> ReplyRecord | Again:
        late = now - turn.record.deadline
        if late > timedelta(seconds=REPLY_SECONDS) or (late > timedelta() and not journal):
            raise TurnOverdue(
                f"turn {turn.record.turn} had until {turn.record.deadline} and found nothing to reply with"
            )
        handed = handed_over(turn.record, journal)
        ledger = ledger_of(turn.whole, agent, journal, handed)
        endpoint = resolve(agent.model, self._stores.secrets)
        replying = Replying(turn.whole, agent, journal, ledger, endpoint, allow_private=self._allow_private)
        return asyncio.run(replying.write(unfinished, may_ask_again=late < timedelta()))
