"""How each of twelve languages says when: its words and phrases (data/<language>.json), compiled when first needed.

Everything in the data goes through the same folding as the customers' words do. In a phrase, a space is at least one
space, "_" any or none, and `{name}` one of the PLACES. Phrases find; what was found is understood in one way for all
languages (days.py, clocks.py).
"""

import json
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from turnkey.moments.numerals import Numerals
from turnkey.reading.script import fold

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "tr", "ru", "ar", "zh", "ja", "ko")
SPACELESS = frozenset({"zh", "ja", "ko"})
_PLACES = {
    "n": r"(?P<n>\d+(?:[.,]\d+)?)",
    "h": r"(?P<h>2[0-4]|[01]?\d)",
    "m": r"(?P<m>[0-5]?\d)",
    "mm": r"(?P<m>[0-5]\d)",
    "d": r"(?P<d>3[01]|[12]\d|0?[1-9])",
    "y": r"(?P<y>20\d\d)",
}
_NAME = re.compile(r"\?P<\w+>")
_WITHIN_DIGITS = r"(?!(?<=\d)\d)"
_EVERYWHERE = {
    "clock": ["{h}:{mm}(?::[0-5][0-9])?", "{h}[.:]{mm}_{ap}", "{h}_{ap}"],
    "iso": [r"(?P<y>20\d\d)[-/.](?P<mo>1[0-2]|0?[1-9])[-/.]{d}"],
    "numeric": [
        r"(?P<a>3[01]|[12]\d|0?[1-9])(?P<sep>[-/.])(?P<b>3[01]|[12]\d|0?[1-9])(?P=sep)(?P<y>(?:20)?\d\d)",
        r"(?P<a>3[01]|[12]\d|0?[1-9])(?P<sep>[/.])(?P<b>3[01]|[12]\d|0?[1-9])\.?",
    ],
    "weekday": ["{weekday}"],
    "day": ["{day}"],
    "part": ["{part}"],
}
_PLAIN = str.maketrans({"½": ".5", "º": "#", "°": "#"})
_ISO_TIME = re.compile(r"(\d{4}-\d\d-\d\d)t(\d\d:\d\d)")
_HALVES = {"am": "am", "a.m.": "am", "a.m": "am", "a. m.": "am", "pm": "pm", "p.m.": "pm", "p.m": "pm", "p. m.": "pm"}


class Found(NamedTuple):
    """One phrase: its kind, what stood in its places, and where it stands."""

    kind: str
    said: dict[str, str]
    start: int
    end: int


class Grammar(NamedTuple):
    """One language. `words` gives the meaning of each word by its place: {"weekday": {"monday": 0}, …}."""

    language: str
    rewrites: tuple[tuple[re.Pattern[str], str], ...]
    late: tuple[tuple[re.Pattern[str], str], ...]
    numerals: Numerals
    words: dict[str, dict[str, Any]]
    phrases: tuple[tuple[str, re.Pattern[str]], ...]
    length: re.Pattern[str]
    either: re.Pattern[str]
    order: str
    digits_are_24h: bool
    week_starts: tuple[int, ...]

    def prepared(self, text: str) -> str:
        """The text as the phrases expect it: folded, odd forms rewritten, numbers in digits."""
        text = re.sub(r"\s+", " ", fold(text.translate(_PLAIN)))
        text = _ISO_TIME.sub(r"\1 \2", text)
        for pattern, new in self.rewrites:
            text = pattern.sub(new, text)
        text = self.numerals.in_digits(text)
        for pattern, new in self.late:
            text = pattern.sub(new, text)
        return text

    def scan(self, text: str) -> list[Found]:
        """The phrases in prepared text, in its order; of two that overlap, the longer one."""
        hits = [
            Found(kind, {place: said for place, said in match.groupdict().items() if said}, *match.span())
            for kind, pattern in self.phrases
            for match in pattern.finditer(text)
            if match.end() > match.start()
        ]
        kept: list[Found] = []
        for hit in sorted(hits, key=lambda hit: hit.start - hit.end):
            if all(hit.end <= other.start or other.end <= hit.start for other in kept):
                kept.append(hit)
        return sorted(kept, key=lambda hit: hit.start)

    def meaning(self, place: str, said: str) -> Any:
        """What a word means in its place."""
        return self.words[place][re.sub(r"\s+", " ", said)]


@cache
def grammar(language: str) -> Grammar:
    """The grammar of one of LANGUAGES."""
    data = json.loads((Path(__file__).parent / "data" / f"{language}.json").read_text(encoding="utf-8"))
    words = _words(data)
    places = {**_PLACES, **{place: _one_of(place, forms) for place, forms in words.items()}}
    bare = {name: _NAME.sub("?:", place) for name, place in places.items()}
    amount = rf"{bare['n']}\s*{bare['unit']}"
    between = rf"(?:-|–|~|,(?=\s)|、|/|{fold(data['or'])})"
    places["span"] = (
        rf"(?:(?P<low>\d+)\s*{between}\s*)?(?P<span>{amount}(?:\s*(?:(?:{fold(data['and'])})\s*)?{amount}){{0,3}})"
    )
    spaced = language not in SPACELESS
    phrases = [*data["phrases"].items(), *_EVERYWHERE.items()]
    return Grammar(
        language=language,
        rewrites=_rewrites(data.get("rewrites", ())),
        late=_rewrites(data.get("late", ())),
        numerals=Numerals.of(data, spaced),
        words=words,
        phrases=tuple((kind, _compiled(one, places, spaced)) for kind, many in phrases for one in many),
        length=re.compile(rf"{_PLACES['n']}\s*{places['unit']}"),
        either=re.compile(rf"\s*(?:{fold(data['or'])}|-|–|/)\s*{_PLACES['h']}(?![\d:.]\d|\d)"),
        order=data["order"],
        digits_are_24h=data["digits_are_24h"],
        week_starts=tuple(data["week_starts"]),
    )


def _words(data: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The language's words by place, folded."""
    listed = {"weekday": enumerate(data["weekdays"]), "month": enumerate(data["months"], start=1)}
    named = {place: data[f"{place}s"].items() for place in ("unit", "day", "part")}
    words = {
        place: {fold(form): _number(key) for key, forms in meanings for form in forms.split("|")}
        for place, meanings in {**listed, **named}.items()
    }
    return {**words, "ap": dict(_HALVES)}


def _number(key: Any) -> Any:
    return int(key) if re.fullmatch(r"-?\d+", str(key)) else key


def _one_of(place: str, forms: dict[str, Any]) -> str:
    longest_first = sorted(forms, key=len, reverse=True)
    return f"(?P<{place}>{'|'.join(re.escape(form).replace(chr(92) + ' ', ' +') for form in longest_first)})"


def _compiled(phrase: str, places: dict[str, str], spaced: bool) -> re.Pattern[str]:
    folded = fold(phrase).replace("(?p", "(?P").replace(" ?", "_").replace(" ", r"\s+").replace("_", r"\s*")
    names: set[str] = set()
    body = re.sub(r"\{([a-z]+)\}", lambda place: _first_named(places[place[1]], names), folded)
    before, after = (r"(?<!\w)", r"(?!\w)") if spaced else (_WITHIN_DIGITS, _WITHIN_DIGITS)
    return re.compile(rf"{before}(?<!\d[.,:/-])(?:{body}){after}(?![.,:/-]\d)")


def _first_named(place: str, names: set[str]) -> str:
    """Of the same place in several of a phrase's alternatives, the first has the name."""
    fresh = not set(_NAME.findall(place)) & names
    names.update(_NAME.findall(place))
    return place if fresh else _NAME.sub("?:", place)


def _rewrites(pairs: Any) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(fold(old)), re.sub(r"\$(\d)", r"\\g<\1>", fold(new))) for old, new in pairs)
