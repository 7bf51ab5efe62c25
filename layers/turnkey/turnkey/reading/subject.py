"""What a request is about, in the customer's own words: without the words that only ask, or only name the tool.

`language` is the pinned one (BCP 47); where it is none of the twelve, only the words are looked at.
"""

import re
from functools import cache

from turnkey.detection import everyday_words
from turnkey.reading import lexicon
from turnkey.reading.asked import Asked
from turnkey.reading.drawn import undrawn
from turnkey.reading.script import ID, fold, is_character, tokens
from turnkey.reading.words import concepts, stem, words
from turnkey.tools import Tool

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
# Cues that hold what is asked about, not only how it is asked.
_TELLING = frozenset(["world", "define", "report", "policy", "facility"])
_LEANING = frozenset(["more", "refer", "vague", "smalltalk", "courtesy"])
_LONGEST_LEANING = 4
_PARTICLES = frozenset(
    "的了吗呢吧啊呀是有在和与我你您他她它们这那个些本要想请还也都再"
    "はがをにでともへのかねよさんいうすますたてなれらりるっしせきくけここそあ은는이가을를에의도로요까지"
)
LANGUAGES = lexicon.group("languages")
CONDITIONS = LANGUAGES | lexicon.group("days") | {"cheap", "expensive", "time", "date", "language"}
_OF_ANYTHING = frozenset(["title", "copy"])
"""Concepts that any list of things may be asked by: they narrow no search."""
_IN = r"(?:in|auf|en|em|na|на|in der|dans|dilinde|по)"
_TYPED = (
    *("im", "id", "ill", "ive", "dont", "whats", "thats", "pls"),
    *(
        "all",
        "many",
        "total",
        "altogether",
        "either",
        "both",
        "well",
        "else",
        "one",
        "ones",
        "those",
        "wow",
        "original",
    ),
    "work",
    "works",
)
"""How "I'm" and its like are typed, and small words that count or point."""
_ECHO = 0.75
"""A subject with this share of the message's words is the message again."""


def content(message: str, language: str, tool: Tool | None = None) -> tuple[str, ...]:
    """The message's folded words that are about something: no asking words, numbers, ids, names of the tool, or
    conditions such as a day or a language. Empty for "any others like that?"."""
    language = _primary(language)
    if language in lexicon.CHARACTERS:
        return tuple(token for token, is_telling in _characters(message, language) if is_telling)
    idle = _idle(language) | _told_by(tool, language)
    cut = tokens(message, language)
    leaning = _leaning(cut, language)
    found = [
        token
        for place, token in enumerate(cut)
        if place not in leaning
        and token not in idle
        and stem(token, language) not in idle
        and not token.isdigit()
        and token != ID
    ]
    return tuple(token for token in found if not concepts(token) & CONDITIONS)


def _leaning(cut: tuple[str, ...], language: str) -> frozenset[int]:
    """Places of words that lean on what was said before: more, others, the second one."""
    if language not in lexicon.LANGUAGES:
        return frozenset()
    return frozenset(
        place
        for hit in lexicon.cues(language).find(cut)
        if hit.label in _LEANING and hit.end - hit.start <= _LONGEST_LEANING
        for place in range(hit.start, hit.end)
    )


def covers(subject: str, message: str, language: str) -> bool:
    """Whether the subject has something of what the message itself is about; true where that is nothing."""
    own = content(message, language)
    return not own or bool(set(tokens(subject, _primary(language))) & set(own))


def echoes(subject: str, message: str, language: str) -> bool:
    """Whether the subject is hardly more than the message itself."""
    said, found = tokens(message, _primary(language)), tokens(subject, _primary(language))
    return len(said) > 2 and len(set(said) & set(found)) >= _ECHO * len(set(said))


def own_part(message: str, language: str) -> str:
    """The message's words that are about something, as they are written."""
    language = _primary(language)
    if language in lexicon.CHARACTERS:
        return _own_characters(message, language)
    own = set(content(message, language))
    return " ".join(word for word in _WORD.findall(message) if set(tokens(word, language)) & own)


def search_words(asked: Asked, tool: Tool, *, has_before: bool) -> str:
    """What a search is to look for; empty where the last search's words still hold."""
    if has_before and not content(_said(asked), asked.language, tool):
        return ""
    return own_words(asked, tool)


def own_words(asked: Asked, tool: Tool) -> str:
    """The subject without words that the tool's own name says, such as the "books about" of "books about whales", and
    without a language that is a condition of its own."""
    subject = asked.facts.subject
    if _primary(asked.language) in lexicon.CHARACTERS:
        said = concepts(f"{spaced(tool.name)} {tool.title}") - CONDITIONS
        return _own_characters(subject, _primary(asked.language), said) or subject
    plain = " ".join(_in_a_language().sub(_kept, subject).split()) or subject
    said = own_part(_said(asked), asked.language)
    return without(plain, tool, asked.language) or without(said, tool, asked.language) or plain


def _said(asked: Asked) -> str:
    """The message; of one that asks for a chart, what the chart is of."""
    return undrawn(asked.message) if asked.facts.kind == "chart" else asked.message


def without(subject: str, tool: Tool, language: str) -> str:
    """The subject without the tool's words, and without what then stands idle at its ends."""
    language = _primary(language)
    said = concepts(f"{spaced(tool.name)} {tool.title}") - CONDITIONS | _OF_ANYTHING
    own = _told_by(tool, language)
    kept = [word for word in _WORD.findall(subject) if not _names(word, said, own, language)]
    idle = _idle(language)
    while kept and set(tokens(kept[0], language)) <= idle:
        kept.pop(0)
    while kept and set(tokens(kept[-1], language)) <= idle:
        kept.pop()
    return " ".join(kept)


def _names(word: str, said: frozenset[str], own: frozenset[str], language: str) -> bool:
    """Whether a word only says what the tool's name says."""
    folded = set(tokens(word, language))
    return bool(concepts(word) & said) or (bool(folded) and folded <= own)


def named_as_condition(message: str) -> frozenset[str]:
    """Languages that are named as what something is to be in: "in German", not "German novels"."""
    if any(is_character(character) for character in message):
        return concepts(message) & LANGUAGES
    return frozenset(
        language for match in _in_a_language().finditer(message) for language in concepts(match[1]) & LANGUAGES
    )


def spaced(name: str) -> str:
    """A tool's or a field's name as words."""
    return re.sub(r"[_-]+|(?<=[a-z0-9])(?=[A-Z])", " ", name)


@cache
def _in_a_language() -> re.Pattern[str]:
    return re.compile(rf"(?i)(?<!\w){_IN}[\s-]+(?:the\s+)?([^\W\d_]+)")


def _kept(match: re.Match[str]) -> str:
    return "" if concepts(match[1]) & LANGUAGES else match[0]


def _primary(language: str) -> str:
    return language.split("-")[0] or "en"


def _told_by(tool: Tool | None, language: str) -> frozenset[str]:
    if tool is None:
        return frozenset()
    name = f"{spaced(tool.name)} {tool.title}"
    return frozenset((*tokens(name, language), *words(name)))


@cache
def _idle(language: str) -> frozenset[str]:
    """Words that ask, point, count or join in this language."""
    asking = (token for word in everyday_words(language) for token in tokens(word, language))
    numbers = lexicon.data(language)["numbers"].values() if language in lexicon.LANGUAGES else ()
    counting = (token for forms in numbers for form in forms for token in tokens(form, language))
    return frozenset(token for token in (*asking, *counting, *_TYPED) if not is_character(token))


def _characters(message: str, language: str, aside: frozenset[str] = frozenset()) -> list[tuple[str, bool]]:
    """Each token, and whether it is about something: covered by no asking phrase, and not alone unless it is Han."""
    cut = tokens(message, language)
    asking = [hit for hit in lexicon.cues(language).find(cut) if hit.label not in _TELLING]
    conditions = [hit for hit in lexicon.concepts(language).find(cut) if hit.label in CONDITIONS | aside]
    counting = lexicon.numbers(language).find(cut)
    covered = {place for hit in (*asking, *conditions, *counting) for place in range(hit.start, hit.end)}
    left = {place for place, token in enumerate(cut) if place not in covered and _tells(token)}
    return [
        (token, place in left and (_is_han(token) or bool({place - 1, place + 1} & left)))
        for place, token in enumerate(cut)
    ]


def _tells(token: str) -> bool:
    return token not in _PARTICLES and not token.isdigit() and token != ID


def _is_han(token: str) -> bool:
    return "\u4e00" <= token <= "\u9fff"


def _own_characters(message: str, language: str, aside: frozenset[str] = frozenset()) -> str:
    """The telling characters, as they are written, words apart."""
    if language == "ko":
        return _own_korean(message)
    telling = [token for token, is_telling in _characters(message, language, aside) if is_telling]
    pieces: list[str] = []
    for character in message:
        folded = fold(character)
        if telling and folded and folded == telling[0]:
            pieces.append(character)
            telling.pop(0)
        elif pieces and pieces[-1] != " ":
            pieces.append(" ")
    return "".join(pieces).strip()


_KOREAN_ENDING = re.compile(r"(?<=..)(?:으로|에서|까지|부터|은|는|이|가|을|를|에|의|도|로|만|과|와)$")


def _own_korean(message: str) -> str:
    """Korean writes words apart: those of which something is telling, without their particles."""
    found: list[str] = []
    for word in _WORD.findall(message):
        if any(is_telling for _, is_telling in _characters(word, "ko")):
            found.append(_KOREAN_ENDING.sub("", word))
    return " ".join(found)
