"""Which of its agent's skills a turn begins with, and which of those it may load it tells of. Plain.

A skill that an earlier turn loaded stays while the conversation needs it: until something else is asked for, another
skill is plainly meant, or it was carried for MOST_TURNS turns that said nothing of what it is for.
"""

from collections.abc import Sequence
from itertools import takewhile

from turnkey.reading import skills as reading
from turnkey.skills.head import SkillHead
from turnkey.tenancy.settings import Agent
from turnkey.tools.builtins.situation import Known
from turnkey.turn.record import Exchange
from turnkey.values import Value

MOST_TURNS = 5
TOLD = 12
"""Skills whose description a turn may tell; of others there are the names."""
DESCRIPTION_CHARACTERS = 240


class Begun(Value):
    """`known`: with what the turn tells and carries. `opened`: the skill that the message is plainly for, to be loaded
    before the model is asked; `between`: those of which it seems to be for one."""

    known: Known
    opened: str = ""
    between: tuple[SkillHead, ...] = ()


def begin(known: Known, agent: Agent, history: Sequence[Exchange], message: str, language: str) -> Begun:
    """`message` is all that the customer has to be answered; empty where nobody wrote it."""
    if not agent.skills:
        return Begun(known=known.model_copy(update={"loaded": (), "skills": ()}))
    fit = reading.fit(message, agent.skills, language)
    loaded = _still_needed(agent, history, message, language, fit.clear)
    # To load it takes one of the turn's answers.
    opened = "" if fit.clear in loaded or agent.plain or agent.limits.iterations == 1 else fit.clear
    ranked = dict.fromkeys((*(head.name for head in fit.likely), *(head.name for head in agent.skills)))
    heads = {head.name: head for head in agent.skills}
    told = tuple(_told(heads[name], place) for place, name in enumerate(ranked))
    between = () if loaded or agent.plain else fit.between
    return Begun(known=known.model_copy(update={"loaded": loaded, "skills": told}), opened=opened, between=between)


def _still_needed(
    agent: Agent, history: Sequence[Exchange], message: str, language: str, meant: str
) -> tuple[str, ...]:
    last = history[-1] if history else None
    if last is None or not message:
        return ()
    heads = {head.name: head for head in agent.skills}
    kept = [name for name in last.skills if name in heads]
    if meant and meant not in kept:
        return ()
    return tuple(name for name in kept if _goes_on(heads[name], history, message, language))


def _goes_on(head: SkillHead, history: Sequence[Exchange], message: str, language: str) -> bool:
    last = history[-1]
    if not reading.goes_on(message, head, last.question, last.told, language):
        return False
    carried = sum(1 for _ in takewhile(lambda exchange: head.name in exchange.skills, reversed(history)))
    return carried < MOST_TURNS or reading.score(message, head, language) >= reading.LIKELY


def _told(head: SkillHead, place: int) -> SkillHead:
    """As a turn's record keeps it, which has room for so much."""
    text = head.description if place < TOLD else ""
    if len(text) > DESCRIPTION_CHARACTERS:
        text = f"{text[: DESCRIPTION_CHARACTERS - 1].rsplit(maxsplit=1)[0]}…"
    return SkillHead(name=head.name, description=text, has_files=head.has_files)
