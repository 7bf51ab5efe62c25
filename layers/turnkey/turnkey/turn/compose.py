"""Compose: writes the reply. If tools ran, from a request rebuilt clean; if none ran, the loop's answer stands."""

import asyncio
from datetime import UTC, datetime, timedelta

from turnkey.errors import ModelAnswerInvalid, TurnOverdue
from turnkey.loop.text_calls import recover
from turnkey.models.resolve import resolve
from turnkey.reply.prompt import reply_request
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Agent
from turnkey.tools import Toolset
from turnkey.turn.journal import Journal, answers, next_step, results
from turnkey.turn.record import ReplyRecord, TurnRecord
from turnkey.turn.reference import TurnReference

REPLY_SECONDS = 120
"""Time to reply, past the turn's own deadline."""
ATTEMPT_SECONDS = 80
"""For one attempt: all of them fit into the function's time."""
ATTEMPTS = 2
"""An answer that is empty, or empty once call syntax is taken out, is asked for again, never sent."""


class Composer:
    def __init__(self, stores: Stores, *, allow_private: bool) -> None:
        self._stores = stores
        self._allow_private = allow_private

    def compose(self, reference: TurnReference) -> TurnReference:
        """Saves the reply; next is "deliver". Raises what the model endpoint raises, and ModelAnswerInvalid when it
        has nothing to say."""
        turn = self._stores.turns.get(reference)
        if turn.reply is None:
            journal = self._stores.turns.journal(reference)
            reply = _standing(journal) or asyncio.run(self._rebuild(reference, turn.record, journal))
            self._stores.turns.save_reply(reference, reply)
            logger.info("reply written", rebuilt=reply.rebuilt, milliseconds=reply.milliseconds)
        return reference.then("deliver")

    async def _rebuild(self, reference: TurnReference, record: TurnRecord, journal: Journal) -> ReplyRecord:
        from turnkey.models.openai_endpoint import OpenAIEndpoint

        now = datetime.now(UTC)
        if now > record.deadline + timedelta(seconds=REPLY_SECONDS):
            raise TurnOverdue(f"turn {record.turn} ended at {record.deadline}, with {REPLY_SECONDS} s more to reply")
        agent = self._stores.tenants.agent(reference.tenant, record.agent)
        request = reply_request(record, agent, journal, _unfinished(record, agent, journal, now)).model_copy(
            update={"seconds": min(agent.limits.model_seconds, ATTEMPT_SECONDS)}
        )
        async with OpenAIEndpoint(
            resolve(agent.model, self._stores.secrets), allow_private=self._allow_private
        ) as model:
            for _ in range(ATTEMPTS):
                answer = await model.ask(request)
                text = recover(answer.text, Toolset(()), answer.finish_reason).text
                if text:
                    return ReplyRecord(
                        text=text,
                        rebuilt=True,
                        prompt_characters=request.characters,
                        prompt_tokens=answer.prompt_tokens,
                        completion_tokens=answer.completion_tokens,
                        milliseconds=answer.milliseconds,
                    )
        raise ModelAnswerInvalid(f"the model wrote an empty reply {ATTEMPTS} times")


def _standing(journal: Journal) -> ReplyRecord | None:
    """The loop's own answer, where no tool ran and it says something."""
    given = answers(journal)
    if results(journal) or not given or given[-1].calls or not given[-1].text:
        return None
    return ReplyRecord(text=given[-1].text)


def _unfinished(record: TurnRecord, agent: Agent, journal: Journal, now: datetime) -> str:
    """Why the loop stopped before it was done, or nothing."""
    step = next_step(journal, agent.limits, now, record.deadline, record.goal)
    reason = getattr(step, "reason", "")
    return "" if reason == "answered" else reason or "deadline"
