"""Is a tool clearly meant? The gate, the one small call, the plan. Whatever fails or is in doubt here leaves the turn
as if the step were not there."""

import asyncio
from collections.abc import Sequence
from datetime import date

from pydantic import Field

from turnkey.errors import TurnkeyError
from turnkey.models.chat import ChatAnswer, ChatRequest, Endpoint
from turnkey.reading.asked import Asked
from turnkey.reading.facts import Facts, Suspicion
from turnkey.reading.gate import suspect
from turnkey.reading.parse import Doubt, counts, read_facts
from turnkey.reading.pending import resume
from turnkey.reading.plan import Plan
from turnkey.reading.planning import plan
from turnkey.reading.prompt import Said, facts_request
from turnkey.reading.skill_prompt import read_skill, skill_request
from turnkey.reading.subject import content
from turnkey.skills.head import SkillHead
from turnkey.telemetry import logger
from turnkey.tools import Toolset
from turnkey.turn.record import Exchange, Reading
from turnkey.values import Value

READ_SECONDS = 8.0
"""For the small call: later than this, its answer would cost the customer more than it brings."""


class Understood(Value):
    """What came of it. `reading` is there where the small call was made."""

    plan: Plan | None = None
    reading: Reading | None = None
    skill: str = Field(default="", description="the skill that the message is plainly for")


class Reader:
    def __init__(self, endpoint: Endpoint, *, allow_private: bool) -> None:
        self._endpoint = endpoint
        self._allow_private = allow_private

    def understand(
        self, question: str, history: Sequence[Exchange], tools: Toolset, language: str, today: date
    ) -> Understood:
        """The plan for what the customer asks, where that is clear. Raises nothing."""
        try:
            return self._understood(question, history, tools, language, today)
        except Exception:
            # A help that fails must not cost the turn; the operator sees it.
            logger.exception("reading failed")
            return Understood()

    def skill(self, question: str, history: Sequence[Exchange], skills: Sequence[SkillHead]) -> Understood | None:
        """Which of these skills the customer's message is for; None where that stays open. Raises nothing."""
        try:
            request = skill_request(_said(history, question), skills, seconds=READ_SECONDS)
            answer = _ask(self._endpoint, request, allow_private=self._allow_private)
            chosen = read_skill(answer.text, skills) if answer else ""
        except Exception:
            logger.exception("reading which skill is meant failed")
            return None
        logger.info("skill read", skill=chosen, likely=[skill.name for skill in skills])
        return Understood(skill=chosen, reading=_reading(request, answer, "")) if answer and chosen else None

    def _understood(
        self, question: str, history: Sequence[Exchange], tools: Toolset, language: str, today: date
    ) -> Understood:
        last = history[-1] if history else None
        handed = last.handed if last else None
        suspicion = suspect(question, tools, handed_over=handed is not None)
        said = _said(history, question)
        asked = Asked(
            message=question,
            customer=tuple(text for who, text in reversed(said) if who == "customer"),
            facts=Facts(kind="answer"),
            language=language,
            today=today,
            elliptical=bool(suspicion and (suspicion.elliptical or (handed and not content(question, language)))),
            handed=handed,
            said_before=last.told if last else "",
        )
        waiting = last.pending if last else None
        resumed = resume(waiting, asked, suspicion, tools) if waiting else None
        if resumed or suspicion is None:
            return Understood(plan=resumed)
        return self._read(asked, suspicion, said, tools)

    def _read(self, asked: Asked, suspicion: Suspicion, said: Said, tools: Toolset) -> Understood:
        request = facts_request(said, suspicion, counted=bool(counts(asked.message)), seconds=READ_SECONDS)
        answer = _ask(self._endpoint, request, allow_private=self._allow_private)
        if answer is None:
            return Understood(reading=_reading(request, ChatAnswer(text=""), "the small model did not answer"))
        try:
            facts = read_facts(answer.text, suspicion, said, asked.language, handed_over=asked.handed is not None)
        except Doubt as doubt:
            logger.info("facts in doubt", doubt=str(doubt))
            return Understood(reading=_reading(request, answer, str(doubt)))
        made = plan(asked.model_copy(update={"facts": facts}), tools, suspicion.kinds)
        _log(suspicion, made)
        return Understood(plan=made, reading=_reading(request, answer, "" if made else "no one tool is meant"))


def _said(history: Sequence[Exchange], question: str) -> Said:
    pairs = [(who, text) for one in history for who, text in (("customer", one.question), ("agent", one.told))]
    return (*pairs, ("customer", question))


def _ask(endpoint: Endpoint, request: ChatRequest, *, allow_private: bool) -> ChatAnswer | None:
    try:
        return asyncio.run(_ask_small(endpoint, request, allow_private=allow_private))
    except TurnkeyError as error:
        logger.warning("facts not read", error=type(error).__name__, reason=str(error))
        return None


async def _ask_small(endpoint: Endpoint, request: ChatRequest, *, allow_private: bool) -> ChatAnswer:
    from turnkey.models.openai_endpoint import OpenAIEndpoint

    async with OpenAIEndpoint(endpoint, allow_private=allow_private) as model:
        return await model.ask(request, small=True)


def _reading(request: ChatRequest, answer: ChatAnswer, doubt: str) -> Reading:
    return Reading(
        prompt_characters=request.characters,
        prompt_tokens=answer.prompt_tokens,
        completion_tokens=answer.completion_tokens,
        milliseconds=answer.milliseconds,
        doubt=doubt,
    )


def _log(suspicion: Suspicion, made: Plan | None) -> None:
    logger.info(
        "facts read",
        kinds=list(suspicion.kinds),
        tool=made.directive.tool if made else None,
        goal=made.goal if made else None,
    )
