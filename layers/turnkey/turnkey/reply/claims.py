"""Claims of actions in any language: the small model reads what a reply claims, software compares it with the ledger.

The rules of `delivery` know the words of twelve languages; a claim that is worded unlike them, or in a thirteenth
language, is seen here. What a small model reads is evidence besides, never proof: it can add a doubt, not settle one.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, cast

from turnkey.models.chat import ChatRequest, Message
from turnkey.reply.checks.actions import done_otherwise
from turnkey.reply.checks.guess import guess, wordings
from turnkey.reply.checks.sentences import Sentence, sentences
from turnkey.reply.checks.wording import LANGUAGES, Wording
from turnkey.reply.finding import Finding, finding
from turnkey.reply.ledger import Ledger
from turnkey.values import Value

_TASK = (
    "Read what an assistant wrote to a customer. List each action it speaks of, such as booking, cancelling, sending, "
    'ordering. "done" is true only if the text says that it has been done. Offers, questions and plans are not done. '
    "Answer with JSON, the action in English: "
    '[{"action": "...", "done": true}]. Answer [] if there is none.'
)
# The last example weighs most with a small model: with one that is not done there, it found nothing done at all.
_EXAMPLES: tuple[tuple[str, list[tuple[str, bool]]], ...] = (
    ("I could not change the address.", [("change the address", False)]),
    ("Wir haben von 9 bis 18 Uhr geöffnet.", []),
    ("Shall I cancel the parcel for you?", [("cancel the parcel", False)]),
    ("J'ai envoyé le contrat par e-mail.", [("send the contract", True)]),
    ("Your taxi for 8 am is booked.", [("book a taxi", True)]),
)
_MOST_TOKENS = 160
_LONGEST = 2_000
_MOST_CLAIMS = 10
_ENTRY = re.compile(
    r"[\"']action[\"']\s*:\s*[\"'](?P<action>[^\"'\n]{1,200})[\"']\s*,\s*[\"']done[\"']\s*:\s*[\"']?(?P<done>true|false|yes|no|1|0)",
    re.IGNORECASE,
)
_TRUE = {"true", "yes", "1"}
_SHORTEST = 2


class Claim(Value):
    """One action a reply speaks of, named in English; `done` if it is said to have been done."""

    action: str
    done: bool


def claims_request(reply: str, language: str) -> ChatRequest:
    """The request that has the small model read the claims; its answer goes to `read_claims`. `language` is told to
    the model where it is known."""
    messages: list[Message] = [{"role": "system", "content": _TASK}]
    for text, found in _EXAMPLES:
        answer = [{"action": action, "done": done} for action, done in found]
        messages += [{"role": "user", "content": text}, {"role": "assistant", "content": json.dumps(answer)}]
    note = f" (language: {language})" if language and language not in LANGUAGES else ""
    messages.append({"role": "user", "content": f"{reply[:_LONGEST]}{note}"})
    return ChatRequest(messages=tuple(messages), max_tokens=_MOST_TOKENS)


def read_claims(answer_text: str) -> tuple[Claim, ...]:
    """The claims in an answer, however it is wrapped or cut off; empty where none can be read. Never raises."""
    found = [*_from_json(answer_text)] or [
        Claim(action=entry["action"].strip(), done=entry["done"].lower() in _TRUE)
        for entry in _ENTRY.finditer(answer_text)
    ]
    return tuple(dict.fromkeys(found))[:_MOST_CLAIMS]


def unfounded(claims: tuple[Claim, ...], ledger: Ledger) -> tuple[Finding, ...]:
    """The claims of things done that no call of this turn did, or that are plainly other than what was done."""
    return tuple(
        finding("claimed_action", claim.action)
        for claim in claims
        if claim.done and (not ledger.has_acted() or done_otherwise(claim.action, ledger))
    )


def needs_reading(text: str, language: str, tools_can_act: bool) -> bool:
    """Whether a reply is worth the small model's call: only where the agent could act at all, and the text has what a
    claim would need. In the twelve languages that is a word for something done, in a form that tells; the rules judge
    it by its sentence, this by the word alone. In any other language it is a sentence that asks nothing."""
    if not tools_can_act:
        return False
    telling = [sentence for sentence in sentences(text) if not sentence.is_question]
    if (language.split("-")[0].lower() or guess(text)) not in LANGUAGES:
        return any(map(_is_long_enough, telling))
    known = wordings(text, language)
    return any(_has_deed(wording, sentence.folded) for wording in known for sentence in telling)


def _is_long_enough(sentence: Sentence) -> bool:
    """More than a greeting; scripts without blanks are counted by letters."""
    return len(sentence.folded.split()) + len(sentence.folded) // 8 >= _SHORTEST


def _has_deed(wording: Wording, folded: str) -> bool:
    deeds = wording.concepts("done", folded) | wording.concepts("did", folded)
    return bool(deeds - {"seek"}) or wording.says("bare", folded.strip("!.… "))


def _from_json(answer_text: str) -> Iterator[Claim]:
    start, end = answer_text.find("["), answer_text.rfind("]")
    if start < 0 or end < start:
        return
    try:
        entries: Any = json.loads(answer_text[start : end + 1])
    except (ValueError, RecursionError):
        return
    for entry in cast(list[Any], entries):
        if isinstance(entry, dict) and (claim := _claim(cast(dict[str, Any], entry))):
            yield claim


def _claim(entry: dict[str, Any]) -> Claim | None:
    action, done = entry.get("action"), entry.get("done")
    if not isinstance(action, str) or not action.strip():
        return None
    return Claim(action=action.strip()[:200], done=str(done).lower() in _TRUE)
