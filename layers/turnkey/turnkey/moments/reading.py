"""A moment ahead in a customer's words: which language they are, and what its phrases come to."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from turnkey.moments.composing import Option, Said, options, said
from turnkey.moments.grammar import LANGUAGES, SPACELESS, Found, Grammar, grammar
from turnkey.moments.hints import HINTS
from turnkey.moments.named import named_zone
from turnkey.moments.values import Moment, Unclear, Why
from turnkey.reading.language import languages

FURTHEST_YEARS = 5
"""A moment further ahead than this many years is taken for a slip."""
_MOST = 600
"""Characters that are read: a time stands in a sentence or two."""
_LATIN = tuple(language for language in LANGUAGES if language not in SPACELESS | {"ru", "ar"})


def read(words: str, now: datetime, zone: str, language: str) -> Moment | Unclear:
    """The one moment ahead that the words name (a whole message, or the part about the time).

    `now` is aware; `zone` an IANA name, the customer's: what has no zone in the words is meant there; `language` the
    conversation's ("en"), tried first. "In two hours" is exact; days and clock times are those on the customer's wall.
    A day without a time is nine o'clock, or the usual hour of a part of the day. Never raises on any words.
    """
    named = named_zone(words[:_MOST], zone)
    text, zone = (named.rest, named.zone) if named else (words[:_MOST], zone)
    here = ZoneInfo(zone)
    local = now.astimezone(here).replace(microsecond=0)
    try:
        return _outcome(options(_best(text, language, local), local), local, zone)
    except (OverflowError, ValueError):  # a number of days or years that no calendar has
        return _unclear("too_far")


def _outcome(found: tuple[Option, ...] | Why, now: datetime, zone: str) -> Moment | Unclear:
    if isinstance(found, str):
        return _unclear(found)
    ahead = {one.at: one for one in sorted(found) if one.at.astimezone(UTC) > now.astimezone(UTC)}
    near = [one for one in ahead.values() if one.at.year - now.year <= FURTHEST_YEARS]
    if not near:
        return _unclear("too_far" if ahead else "past")
    if len(near) > 1:
        return _unclear("ambiguous", tuple(one.at for one in near))
    return Moment(at=near[0].at, zone=zone, assumed=near[0].assumed)


def _unclear(why: Why, meant: tuple[datetime, ...] = ()) -> Unclear:
    listed = " or ".join(f"{at:%A %d %B %Y %H:%M}" for at in meant)
    return Unclear(why=why, options=meant, hint=HINTS[why].format(options=listed, years=FURTHEST_YEARS))


def _best(text: str, language: str, now: datetime) -> Said:
    """What the words say in the language in which they say most; the conversation's own where several say as much."""
    likely = _likely(text, language)
    scanned = [_scanned(text, grammar(code)) for code in likely]
    if not any(found for _, _, found in scanned):
        rest = [code for code in _LATIN if code not in likely] if text.isascii() or _latin(text) else []
        scanned += [_scanned(text, grammar(code)) for code in rest]
    best = max(scanned, key=lambda one: sum(hit.end - hit.start for hit in one[2]))
    return said(*best, now)


def _scanned(text: str, rules: Grammar) -> tuple[Grammar, str, list[Found]]:
    prepared = rules.prepared(text)
    return rules, prepared, rules.scan(prepared)


def _likely(text: str, language: str) -> list[str]:
    code = language.split("-")[0].lower()
    guessed = languages(text, default=(code,))
    known = [one for one in (code, *guessed, "en") if one in LANGUAGES]
    return list(dict.fromkeys(known))


def _latin(text: str) -> bool:
    return any(letter.isalpha() and letter < "ɐ" for letter in text)
