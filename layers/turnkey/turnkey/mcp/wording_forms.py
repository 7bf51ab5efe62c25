"""The forms in which a text may hide what it says: letters that look the same, spacing, escapes, encodings. Plain."""

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

from turnkey import hidden
from turnkey.reading.script import fold

_LOOKALIKES = str.maketrans(
    "авсԁеһіјкӏмнорԛѕтухѵѡьαβεηικνορτυχγ" + "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ",
    "abcdehijklmhopqstyxvwbabenikvoptuxy" + "abcdefghijklmnoprstuvwyz",
)
_MIXED = re.compile(r"(?<!\w)(?=\w*[a-z])(?=\w*[\u0370-\u04ff\u0500-\u052f])\w+")
_SMALL_CAPITALS = re.compile("[ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ]{2,}[a-zᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ]*")
_LEET = str.maketrans("013457@$!", "oieastasi")
_LEETED = re.compile(r"(?<![\w@$])(?=[\w@$!]*[a-z])(?=[\w@$!]*[013457@$!])[a-z013457@$!]{3,}(?![\w@$])")
_SPACED = re.compile(r"(?<![^\W_])[^\W\d_](?:([ .\-_*|·•])[^\W\d_])(?:\1[^\W\d_]){2,}(?![^\W_])")
_ESCAPE = re.compile(r"\\u\{?([0-9a-fA-F]{4,6})\}?|\\x([0-9a-fA-F]{2})")
_SEPARATORS = re.compile(r"[\s\-_*|·•/\\~]+")
_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/=-])")
_HEX = re.compile(r"(?<![\w])(?:[0-9a-fA-F]{2}[ :]?){12,}(?![\w])")
_SHORTEST_MIXED = 4
_MOST_BLOBS = 5
_LONGEST_BLOB = 8_000
_READABLE = 0.9


def readings(text: str) -> tuple[str, ...]:
    """The text in each form that rules should read it in, folded (turnkey.reading.script.fold); the plain one first."""
    shown = _unescaped(hidden.clean(text))
    plain = _plain(shown)
    spaced = _SEPARATORS.sub(" ", plain)
    forms = [plain, spaced, _joined_up(plain), _LEETED.sub(lambda found: found[0].translate(_LEET), spaced)]
    return tuple(dict.fromkeys(form for form in forms if form))


def rotated(text: str) -> str:
    """The text by ROT13."""
    return _plain(codecs.encode(text, "rot13"))


def squeezed(text: str) -> str:
    """Its letters alone."""
    return re.sub(r"[\W\d_]+", "", _plain(_unescaped(hidden.clean(text))).translate(_LEET))


def decoded(text: str) -> Iterator[tuple[str, str]]:
    """What is encoded in the text, as (the blob, what it says); only what reads as words."""
    for found in [*_BASE64.finditer(text), *_HEX.finditer(text)][:_MOST_BLOBS]:
        for read in (_from_base64, _from_hex):
            words = read(found[0][:_LONGEST_BLOB])
            if words:
                yield found[0], words
                break


def is_lookalike(word: str) -> bool:
    """Whether a word mixes letters of Latin script with those of another that look the same. A single Greek letter
    stands for itself: Δt, μm."""
    if len(word) < _SHORTEST_MIXED:
        return False
    latin = sum(character.isascii() and character.isalpha() for character in word)
    greek = sum("\u0370" <= character <= "\u03ff" for character in word)
    cyrillic = sum("\u0400" <= character <= "\u052f" for character in word)
    return bool(latin and (cyrillic or greek > 1)) or bool(_SMALL_CAPITALS.search(word))


def _plain(text: str) -> str:
    folded = fold(unicodedata.normalize("NFKC", text))
    folded = _MIXED.sub(lambda found: found[0].translate(_LOOKALIKES), folded)
    folded = _SMALL_CAPITALS.sub(lambda found: found[0].translate(_LOOKALIKES), folded)
    return re.sub(r"['`´]", " ", re.sub(r"n['`´]t\b", "nt", folded))


def _unescaped(text: str) -> str:
    text = html.unescape(text) if "&" in text else text
    text = unquote(text) if re.search("%[0-9A-Fa-f]{2}", text) else text
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    number = int(found[1] or found[2], 16)
    return chr(number) if number < 0x110000 else found[0]


def _joined_up(text: str) -> str:
    """I g n o r e as one word."""
    return _SPACED.sub(lambda found: found[0].replace(found[1], ""), text)


def _from_base64(blob: str) -> str:
    try:
        raw = base64.b64decode(
            blob.rstrip("=").replace("-", "+").replace("_", "/") + "=" * (-len(blob.rstrip("=")) % 4)
        )
    except (binascii.Error, ValueError):
        return ""
    return _words(raw)


def _from_hex(blob: str) -> str:
    try:
        return _words(bytes.fromhex(re.sub("[ :]", "", blob)))
    except ValueError:
        return ""


def _words(raw: bytes) -> str:
    """The bytes as text where they are one: letters for the most part, in more than one word."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return ""
    fit = sum(character.isalnum() or character in " .,;:!?'\"-_/\n@()。，、！？" for character in text)
    return text if text and fit >= _READABLE * len(text) else ""
