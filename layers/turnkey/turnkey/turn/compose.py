"""Compose: writes the reply. If tools ran, from a request rebuilt clean; if none ran, the loop's answer stands."""

import asyncio
from datetime import UTC, datetime, timedelta

from turnkey.errors import ModelAnswerInvalid, TurnOverdue
from turnkey.loop.text_calls import recover
from turnkey.models.chat import ChatAnswer, ChatRequest
from turnkey.models.resolve import resolve
from turnkey.reply.prompt import reply_request
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Agent
from turnkey.tools import Toolset
from turnkey.turn.joining import join
from turnkey.turn.journal import Journal, answers, results
from turnkey.turn.progress import Finish, Reason, next_step
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
        """Saves the reply; next is "deliver", or "tool_loop" when the customer wrote something more that this turn
        answers too. Raises what the model endpoint raises, ModelAnswerInvalid when it has nothing to say, TurnOverdue
        when there is no time left."""
        turn = self._stores.turns.get(reference)
        if turn.reply is not None:
            return reference.then("deliver")
        now = datetime.now(UTC)
        journal = self._stores.turns.journal(reference)
        agent = self._stores.tenants.agent(reference.tenant, turn.record.agent)
        step = next_step(journal, agent.limits, now, turn.record.deadline, turn.record.goal)
        if not isinstance(step, Finish) or join(self._stores, reference, turn, journal, now):
            return reference.then("tool_loop")
        reply = _standing(journal) or self._rebuilt(turn.whole, agent, journal, step.reason, now)
        self._stores.turns.save_reply(reference, reply)
        logger.info("reply written", rebuilt=reply.rebuilt, milliseconds=reply.milliseconds)
        return reference.then("deliver")

    def _rebuilt(
        self, record: TurnRecord, agent: Agent, journal: Journal, reason: Reason, now: datetime
    ) -> ReplyRecord:
        late = now - record.deadline
        if late > timedelta(seconds=REPLY_SECONDS) or (late > timedelta() and not journal):
            raise TurnOverdue(f"turn {record.turn} had until {record.deadline} and found nothing to reply with")
        request = reply_request(record, agent, journal, "" if reason == "answered" else reason)
        return asyncio.run(self._ask(request, agent))

    async def _ask(self, request: ChatRequest, agent: Agent) -> ReplyRecord:
        from turnkey.models.openai_endpoint import OpenAIEndpoint

        endpoint = resolve(agent.model, self._stores.secrets)
        timed = request.model_copy(update={"seconds": min(agent.limits.model_seconds, ATTEMPT_SECONDS)})
        async with OpenAIEndpoint(endpoint, allow_private=self._allow_private) as model:
            for _ in range(ATTEMPTS):
                answer = await model.ask(timed)
                text = recover(answer.text, Toolset(()), answer.finish_reason).text
                if text:
                    return _written(text, timed, answer)
        raise ModelAnswerInvalid(f"the model wrote an empty reply {ATTEMPTS} times")


def _written(text: str, request: ChatRequest, answer: ChatAnswer) -> ReplyRecord:
    return ReplyRecord(
        text=text,
        rebuilt=True,
        prompt_characters=request.characters,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        milliseconds=answer.milliseconds,
    )


def _standing(journal: Journal) -> ReplyRecord | None:
    """The loop's own answer, where no tool ran and it says something."""
    given = answers(journal)
    if results(journal) or not given or given[-1].calls or not given[-1].text:
        return None
    return ReplyRecord(text=given[-1].text)
