"""Writing the reply, and holding it against the ledger before it stands."""

from typing import Literal

from turnkey.deliverables import Deliverable
from turnkey.errors import ModelAnswerInvalid, ModelUnavailable, TurnkeyError
from turnkey.loop.text_calls import recover
from turnkey.models.chat import ChatAnswer, ChatRequest, Endpoint
from turnkey.reading.facts import Kind
from turnkey.reading.plan import Linked
from turnkey.reply import person_words
from turnkey.reply.checking import is_delivered, wrong_with
from turnkey.reply.claims import claims_request, needs_reading, read_claims, unfounded
from turnkey.reply.finding import Finding
from turnkey.reply.ledger import Ledger
from turnkey.reply.own_words import found_so_far, own_words
from turnkey.reply.prompt import reply_request
from turnkey.reply.reask import again as words_of_again
from turnkey.tenancy.settings import Agent
from turnkey.tools import Toolset
from turnkey.tools.builtins import hand_to_person
from turnkey.turn import interlude, progress, skilling
from turnkey.turn.asking import question
from turnkey.turn.bookkeeping import spare, to_go_back_to
from turnkey.turn.journal import Again, Journal, again, answers, findings, joined, left_open, results, unconfirmed
from turnkey.turn.noting import with_note
from turnkey.turn.record import ReplyRecord, TurnRecord
from turnkey.turn.remedy import waiting
from turnkey.turn.running import Model
from turnkey.turn.sourcing import sourced, without_strange_links

Author = Literal["model", "platform"]

ATTEMPT_SECONDS = 50
"""For one attempt: all of them, and the reading of claims, fit into the function's time."""
ATTEMPTS = 2
"""An answer that is empty, in another language, or says what the ledger does not, is asked for again, never sent."""
CLAIM_SECONDS = 10


class Replying:
    """One reply. Where no answer of the model holds, the platform writes it from the ledger."""

    def __init__(
        self,
        record: TurnRecord,
        agent: Agent,
        journal: Journal,
        ledger: Ledger,
        endpoint: Endpoint,
        *,
        allow_private: bool,
    ) -> None:
        self._record = record
        self._agent = agent
        self._journal = journal
        self._ledger = ledger
        self._endpoint = endpoint
        self._allow_private = allow_private
        self._asked: list[tuple[ChatRequest, ChatAnswer]] = []
        self._rejected: list[Finding] = []

    async def write(self, unfinished: str, *, may_ask_again: bool) -> ReplyRecord | Again:
        """The reply; or the one more ask, where an answer without any call says what no call has brought."""
        from turnkey.models.openai_endpoint import OpenAIEndpoint

        handed_over = progress.is_handed_over(self._journal)
        # Who would hear the answer is a person then.
        if not handed_over and (asking := question(self._record, self._journal)):
            before = found_so_far(self._ledger, self._record.language)
            return self._written("\n\n".join(part for part in (before, asking) if part), author="platform")
        if handed_over and (interlude.by_customer(self._record) or unconfirmed(self._journal)):
            # Whoever asks for a person gets one, whether or not a model answers.
            return self._by_the_platform()
        async with OpenAIEndpoint(self._endpoint, allow_private=self._allow_private) as model:
            standing = self._standing()
            if standing and self._agent.plain:
                return self._written(standing)
            if standing:
                wrong = await self._wrong_with(standing, model)
                if not wrong:
                    return self._written(standing)
                if may_ask_again and not again(self._journal) and self._ledger.tools and not self._waits:
                    return Again(text=words_of_again(wrong, self._due, "", ""))
                if self._waits:
                    return self._by_the_platform()
            text = await self._rebuilt(unfinished, model)
        return self._written(text, rebuilt=True) if text else self._by_the_platform()

    def _standing(self) -> str:
        """The loop's own answer, where no tool ran and it says something."""
        given = answers(self._journal)
        if not given or given[-1].calls or (findings(self._journal) and not self._agent.plain):
            return ""
        return given[-1].text

    @property
    def _waits(self) -> bool:
        """Whether the turn can go no further without the customer."""
        return waiting(self._record.plan, self._journal) is not None

    @property
    def _due(self) -> Kind:
        """What is due: where a list did not lead to the one thing that was meant, the list itself."""
        if joined(self._journal):
            # The plan was made for the first messages alone.
            return "answer"
        plan = self._record.plan
        is_choice = plan is not None and isinstance(plan.following, Linked) and self._ledger.has_cards()
        return "items" if is_choice else self._record.due

    def _said(self) -> str:
        """What was asked, in the customer's words and in the calls'."""
        arguments = [str(value) for result in results(self._journal) for value in result.call.arguments.values()]
        return "\n".join((self._record.question, *arguments))

    async def _rebuilt(self, unfinished: str, model: Model) -> str:
        """The reply from a clean request; empty where no attempt holds. Raises ModelAnswerInvalid where all are empty
        and there is nothing that the platform could say itself."""
        wrong: tuple[Finding, ...] = ()
        for _ in range(ATTEMPTS):
            request = reply_request(self._record, self._agent, self._journal, self._ledger, unfinished, wrong)
            timed = request.model_copy(update={"seconds": min(self._agent.limits.model_seconds, ATTEMPT_SECONDS)})
            try:
                answer = await model.ask(timed)
            except ModelUnavailable:
                # What was done must be told, whatever else fails: an apology would have it done again.
                if not self._ledger.has_acted():
                    raise
                break
            self._asked.append((timed, answer))
            text = recover(answer.text, Toolset(()), answer.finish_reason).text
            text = without_strange_links(text, self._ledger, self._journal)
            if not text:
                continue
            wrong = () if self._agent.plain else await self._wrong_with(text, model)
            if not wrong:
                return text
        if not self._rejected and not results(self._journal):
            raise ModelAnswerInvalid(f"the model wrote an empty reply {ATTEMPTS} times")
        return ""

    async def _wrong_with(self, text: str, model: Model) -> tuple[Finding, ...]:
        record = self._record
        wrong = wrong_with(
            text, self._due, self._ledger, record.language, asked=self._said(), open_question=self._waits
        )
        acts = record.plan is None or not record.plan.read_only
        if not wrong and needs_reading(text, record.language, tools_can_act=acts and bool(record.tools)):
            wrong = await self._unfounded(text, model)
        self._rejected += wrong
        return wrong

    async def _unfounded(self, text: str, model: Model) -> tuple[Finding, ...]:
        """Claims of actions as the small model reads them. It is evidence only where it answers."""
        request = claims_request(text, self._record.language).model_copy(update={"seconds": CLAIM_SECONDS})
        try:
            answer = await model.ask(request, small=True)
        except TurnkeyError:
            return ()
        self._asked.append((request, answer))
        return unfounded(read_claims(answer.text), self._ledger)

    def _by_the_platform(self) -> ReplyRecord:
        listed = any(finding.kind == "typed_list" for finding in self._rejected)
        handed = self._ledger.handed or (spare(self._journal) if listed else ())
        ledger = self._ledger.model_copy(update={"handed": handed})
        plan = waiting(self._record.plan, self._journal) or self._record.plan
        if progress.is_handed_over(self._journal):
            text = _handing_over(ledger, self._record.language)
            return self._written(text, rebuilt=True, author="platform", handed=handed)
        if asked_back := left_open(self._journal):
            before = found_so_far(ledger, self._record.language)
            text = "\n\n".join(part for part in (before, asked_back.asks) if part)
        else:
            text = own_words(self._due, ledger, self._record.language, plan, mended=not self._record.agreed)
        return self._written(text, rebuilt=True, author="platform", handed=handed)

    def _written(
        self,
        text: str,
        *,
        rebuilt: bool = False,
        author: Author = "model",
        handed: tuple[Deliverable, ...] | None = None,
    ) -> ReplyRecord:
        handed = self._ledger.handed if handed is None else handed
        ledger = self._ledger.model_copy(update={"handed": handed})
        unmade = left_open(self._journal)
        text, named = sourced(text, ledger, self._journal)
        reply = ReplyRecord(
            text=text,
            rebuilt=rebuilt,
            author=author,
            deliverables=(*handed, *named),
            handed=to_go_back_to(self._journal, handed),
            pending=waiting(self._record.plan, self._journal) or (unmade.pending if unmade else None),
            confirming=() if progress.is_handed_over(self._journal) else unconfirmed(self._journal),
            skills=skilling.loaded(self._record, self._journal)[-skilling.MOST_CARRIED :],
            handover=interlude.asked(self._record, self._journal),
            due=self._due,
            delivered=is_delivered(self._due, ledger),
            findings=tuple(dict.fromkeys(finding.kind for finding in self._rejected)),
            model_calls=len(self._asked),
            prompt_characters=sum(request.characters for request, _ in self._asked),
            prompt_tokens=sum(answer.prompt_tokens for _, answer in self._asked),
            completion_tokens=sum(answer.completion_tokens for _, answer in self._asked),
            milliseconds=sum(answer.milliseconds for _, answer in self._asked),
        )
        return with_note(reply, self._record, self._agent, self._journal)


def _handing_over(ledger: Ledger, language: str) -> str:
    """The agent's last sentence, behind what else the turn has brought."""
    others = tuple(fact for fact in ledger.results if fact.tool != hand_to_person.TOOL.name)
    before = found_so_far(ledger.model_copy(update={"results": others}), language)
    return "\n\n".join(part for part in (before, person_words.taking_over(language)) if part)
