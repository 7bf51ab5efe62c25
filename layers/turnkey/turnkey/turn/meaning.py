"""What a turn's messages are taken to ask for: first what rules read from the words alone, then what the small model is
asked about. Whatever fails or is in doubt here leaves the turn as if the step were not there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from turnkey.models.resolve import resolve
from turnkey.store.secrets import SecretStore
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Agent
from turnkey.tools import Toolset
from turnkey.tools.builtins.situation import Known
from turnkey.turn import carrying, clear
from turnkey.turn.record import Exchange
from turnkey.turn.understanding import Reader, Understood


@dataclass(frozen=True)
class Asking:
    """`texts` are the customer's own; `question` is what is to be answered, a due task included. `today` is the
    tenant's."""

    agent: Agent
    texts: Sequence[str]
    question: str
    history: tuple[Exchange, ...]
    tools: Toolset
    language: str
    now: datetime
    today: date

    @property
    def text(self) -> str:
        return "\n".join(self.texts)


def begun(asking: Asking, known: Known) -> carrying.Begun:
    """With the skills that the turn begins with. Raises nothing."""
    try:
        return carrying.begin(known, asking.agent, asking.history, asking.text, asking.language)
    except Exception:
        logger.exception("reading which skill is meant failed")
        return carrying.Begun(known=known.model_copy(update={"loaded": (), "skills": ()}))


def understood(asking: Asking, begun: carrying.Begun, secrets: SecretStore, *, allow_private: bool) -> Understood:
    """The plan or the skill that is meant, where one clearly is. Raises TenantMisconfigured for a model without its
    key."""
    found = _clear(asking, begun.known) or _by_skill(begun)
    if found:
        return found

    def reader() -> Reader:
        return Reader(resolve(asking.agent.model, secrets), allow_private=allow_private)

    chosen = reader().skill(asking.question, asking.history, begun.between) if begun.between else None
    if chosen:
        return chosen
    if asking.agent.plain or not len(asking.tools):
        return Understood()
    return reader().understand(asking.question, asking.history, asking.tools, asking.language, asking.today)


def _clear(asking: Asking, known: Known) -> Understood | None:
    """The plan that needs no model to be read."""
    if asking.agent.plain or not asking.texts:
        return None
    try:
        made = clear.plan(asking.text, asking.history, asking.tools, known, asking.language, asking.now)
    except Exception:
        # A help that fails must not cost the turn; the operator sees it.
        logger.exception("reading a plain request failed")
        return None
    return Understood(plan=made) if made else None


def _by_skill(begun: carrying.Begun) -> Understood | None:
    """Where a skill leads the turn, its instructions say which tools are called, and when."""
    return Understood(skill=begun.opened) if begun.opened or begun.known.loaded else None
