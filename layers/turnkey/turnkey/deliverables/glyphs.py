"""Which font shows which characters of a picture. The renderer draws a text in the first font that is named for it, and
its own choice of another for what that lacks fails as soon as scripts mix; so each run of a script names its font."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

_TEXT = re.compile(r"(<text\b[^>]*?)\sfont-family=\"[^\"]*\"([^>]*>)(.*?)(?=</text>)", re.DOTALL)
_CONTENT = re.compile(r"(?<![^>])[^<>]+")
_ROOT = re.compile(r"<svg\b")
_ENTITY = re.compile(r"&(?:#\d+|#x[0-9a-fA-F]+|\w+);|.", re.DOTALL)

_LATIN, _EAST, _ARABIC, _EMOJI = "Noto Sans", "Noto Sans CJK", "Cairo", "Noto Emoji"
_ANY = ""
"""Stands in every font, or nowhere: spaces, figures, signs. It goes with what stands before it."""
_RANGES: tuple[tuple[int, str], ...] = (
    (0x0000, _ANY),
    (0x0041, _LATIN),
    (0x005B, _ANY),
    (0x0061, _LATIN),
    (0x007B, _ANY),
    (0x00C0, _LATIN),
    (0x0300, _ANY),
    (0x0370, _LATIN),
    (0x0530, "Noto Sans Armenian"),
    (0x0590, "Noto Sans Hebrew"),
    (0x0600, _ARABIC),
    (0x0700, _ANY),
    (0x0750, _ARABIC),
    (0x0780, _ANY),
    (0x08A0, _ARABIC),
    (0x0900, "Noto Sans Devanagari"),
    (0x0980, "Noto Sans Bengali"),
    (0x0A00, "Noto Sans Gurmukhi"),
    (0x0A80, "Noto Sans Gujarati"),
    (0x0B00, "Noto Sans Oriya"),
    (0x0B80, "Noto Sans Tamil"),
    (0x0C00, "Noto Sans Telugu"),
    (0x0C80, "Noto Sans Kannada"),
    (0x0D00, "Noto Sans Malayalam"),
    (0x0D80, "Noto Sans Sinhala"),
    (0x0E00, "Noto Sans Thai"),
    (0x0E80, "Noto Sans Lao"),
    (0x0F00, _ANY),
    (0x1000, "Noto Sans Myanmar"),
    (0x10A0, "Noto Sans Georgian"),
    (0x1100, _EAST),
    (0x1200, "Noto Sans Ethiopic"),
    (0x13A0, _ANY),
    (0x1780, "Noto Sans Khmer"),
    (0x1800, _ANY),
    (0x1C80, _LATIN),
    (0x1C90, "Noto Sans Georgian"),
    (0x1CC0, _ANY),
    (0x1D00, _LATIN),
    (0x2000, _ANY),
    (0x20A0, _LATIN),
    (0x20D0, _ANY),
    (0x2190, _EAST),
    (0x2C60, _LATIN),
    (0x2C80, _ANY),
    (0x2DE0, _LATIN),
    (0x2E00, _ANY),
    (0x2E80, _EAST),
    (0xA640, _LATIN),
    (0xA6A0, _ANY),
    (0xA720, _LATIN),
    (0xA800, _ANY),
    (0xA960, _EAST),
    (0xA980, _ANY),
    (0xAC00, _EAST),
    (0xD800, _ANY),
    (0xF900, _EAST),
    (0xFB00, _LATIN),
    (0xFB1D, "Noto Sans Hebrew"),
    (0xFB50, _ARABIC),
    (0xFE00, _ANY),
    (0xFE30, _EAST),
    (0xFE70, _ARABIC),
    (0xFEFF, _ANY),
    (0xFF00, _EAST),
    (0xFFF0, _ANY),
    (0x1F000, _EMOJI),
    (0x20000, _EAST),
    (0x323B0, _ANY),
)
_STARTS = [start for start, _ in _RANGES]
_RIGHT_TO_LEFT = frozenset({_ARABIC, "Noto Sans Hebrew"})
_WITH_SIGNS = frozenset({_LATIN, _EAST, _ARABIC})
_WESTERN = 0x180
"""Latin letters before it stand in the Arabic font too."""
_EMOJI_PRESENTED = frozenset("☀☁☂☎☕☘☠☢☮☯☹☺♀♂♠♣♥♦♨♻♿⚓⚔⚖⚙⚠⚡⚽⚾⛄⛅⛔⛪⛵✂✅✈✉✊✋✌✏✨❄❌❓❗❤➕➖➡⭐⭕⌚⌛⏰⏳")
_REGIONS = {"zh": "SC", "ja": "JP", "ko": "KR"}
_TRADITIONAL = {"tw": "TC", "hant": "TC", "hk": "HK", "mo": "HK"}
_KANA, _HANGUL = re.compile("[\u3040-\u30ff]"), re.compile("[\u1100-\u11ff\uac00-\ud7af]")


class _Run(NamedTuple):
    font: str
    text: str


def with_fonts(svg: str, language: str) -> str:
    """The picture with a font named for each run of text, and its language, by which browsers choose the forms of
    Chinese characters; `language` is a BCP 47 tag, or empty."""
    east = f"{_EAST} {_region(language, svg)}"
    marked = _TEXT.sub(lambda found: _text(found, east), svg)
    return _ROOT.sub(f'<svg xml:lang="{language}"', marked, count=1) if re.fullmatch(r"[\w-]+", language) else marked


def _text(found: re.Match[str], east: str) -> str:
    before, after, content = found.groups()
    home = _home(_CONTENT.findall(content))
    content = _CONTENT.sub(lambda piece: _piece(piece[0], home, east), content)
    return f'{before} font-family="{_family(home, east)}"{after}{content}'


def _region(language: str, text: str) -> str:
    """Whose forms of Chinese characters are drawn: the language's, else those of the writing around them."""
    base, *rest = language.lower().split("-")
    if base == "zh":
        return next((_TRADITIONAL[part] for part in rest if part in _TRADITIONAL), "SC")
    if base in _REGIONS:
        return _REGIONS[base]
    return "JP" if _KANA.search(text) else "KR" if _HANGUL.search(text) else "SC"


def _home(pieces: list[str]) -> str:
    """The font of a text as a whole, signs and spaces included. One that runs from right to left must be it: within
    other text the renderer takes such letters apart."""
    fonts = [font for piece in pieces for character in _ENTITY.findall(piece) if (font := _font(character))]
    letters = [font for font in fonts if font != _EMOJI]
    return next((font for font in letters if font in _RIGHT_TO_LEFT), next(iter(letters), _LATIN))


def _piece(piece: str, home: str, east: str) -> str:
    return "".join(
        run.text if run.font == home else f'<tspan font-family="{_family(run.font, east)}">{run.text}</tspan>'
        for run in _runs(piece, home)
    )


def _family(font: str, east: str) -> str:
    return f"{east if font == _EAST else font}, sans-serif"


def _runs(piece: str, home: str) -> Iterator[_Run]:
    """The piece's runs of one font each. Signs go with western and Chinese letters before them, else with `home`, if
    that has signs; western letters stay with a home that has them."""
    font = home
    signs = home if home in _WITH_SIGNS else _LATIN
    fonts: list[_Run] = []
    for character in _ENTITY.findall(piece):
        own = _font(character)
        if home == _ARABIC and own == _LATIN and ord(character) < _WESTERN:
            own = home
        font = own or (font if font in (_LATIN, _EAST) or _joins(character, font) else signs)
        fonts.append(_Run(font, character))
    for font, run in groupby(fonts, key=lambda one: one.font):
        yield _Run(font, "".join(one.text for one in run))


def _font(character: str) -> str:
    if len(character) > 1:
        return _ANY
    if character in _EMOJI_PRESENTED:
        return _EMOJI
    return _RANGES[bisect_right(_STARTS, ord(character)) - 1][1]


def _joins(character: str, font: str) -> bool:
    """Whether the character is drawn as one with that before it: an accent, a joiner, a variation. A space too, since
    the renderer drops one that begins a run, but not one of an emoji's width."""
    if character == " ":
        return font != _EMOJI
    return unicodedata.combining(character[0]) > 0 or character in "\u200c\u200d\ufe0e\ufe0f\u20e3"
