"""Times in a call's words: read in the customer's zone, told in their language, asked back where they are none."""

from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from turnkey import moments
from turnkey.moments import Moment, Unclear
from turnkey.schedules import wording
from turnkey.store.stores import Stores
from turnkey.turn.knowing import zone_said
from turnkey.turn.station import Task

MOST_CHARACTERS = 200
"""Of the words for a time."""

_UNKNOWN = "unknown"
"""Is no zone, so that the one that was assumed is told."""


@dataclass(frozen=True)
class AskBack:
    """No time that can be used: `hint` is for the model, `question` for the customer; `kept` are the words that an
    answer may complete."""

    hint: str
    question: str
    kept: str = ""


@dataclass(frozen=True)
class Clock:
    """`now` is when the turn opened, the same at every attempt. `assumed`: the customer never said the zone."""

    now: datetime
    zone: str
    home: str
    language: str
    assumed: bool

    def read(self, words: str, near: datetime | None = None) -> Moment | AskBack:
        """The moment that the words name. `near`: the time that it is to replace, whose day counts where they name
        none."""
        words = words.strip()
        if len(words) > MOST_CHARACTERS:
            return AskBack(
                f"when has {len(words)} characters: give the words for the time alone.", self._ask("no_time")
            )
        found = moments.read(words, self.now, self.zone, self.language)
        if isinstance(found, Unclear):
            kept = "" if found.why in ("past", "too_far", "recurring") else words
            return AskBack(found.hint, self._question(found, words), kept)
        return self._on_the_day_of(near, found) if near and "day" in found.assumed else found

    def _on_the_day_of(self, near: datetime, found: Moment) -> Moment:
        zone = ZoneInfo(self.zone)
        moved = datetime.combine(near.astimezone(zone).date(), found.at.astimezone(zone).time(), zone)
        return found.model_copy(update={"at": moved}) if moved > self.now else found

    def _question(self, unclear: Unclear, words: str) -> str:
        if unclear.why == "ambiguous" and unclear.options:
            told = [self.told(one) for one in unclear.options]
            return wording.say(self.language, "ask_which", options=wording.options(self.language, told))
        return self._ask(unclear.why, words)

    def _ask(self, why: str, words: str = "") -> str:
        match why:
            case "past":
                return wording.say(self.language, "ask_past", when=words)
            case "too_far":
                return wording.say(self.language, "ask_sooner")
            case "recurring":
                return wording.say(self.language, "ask_once")
            case _:
                return wording.say(self.language, "ask_time")

    def told(self, at: datetime) -> str:
        """In words that mean one time; with the zone where it was assumed."""
        home = _UNKNOWN if self.assumed else self.home
        return moments.told(at, self.zone, self.language, self.now, home)


def clock_of(stores: Stores, task: Task) -> Clock:
    """The customer's."""
    record = task.record
    said = zone_said([one.text for one in record.messages if one.origin == "customer"], record.language)
    home = stores.tenants.tenant(task.reference.tenant).time_zone
    wished = said or record.known.standing.time_zone
    last = record.messages[-1]
    zone = moments.zone_of(
        wished=wished, sender=last.sender, conversation=task.reference.conversation, tenant_zone=home
    )
    return Clock(
        now=record.opened_at,
        zone=zone,
        home=home,
        language=record.language,
        assumed=not wished,
    )
