"""Whether a text that is data speaks to the model: tells it to drop its rules, to keep something from the customer, to
call this tool before all others, to send the conversation away. In twelve languages, plain or in disguise. Plain.

The words are in `wording.json`, by language and by what they are for, as regular expressions over folded text in which
` .. ` is a gap of some words within one sentence. What any language shares is here.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from turnkey import chat_tokens
from turnkey.mcp.wording_forms import decoded, readings, rotated, squeezed
from turnkey.reading.script import fold

LONGEST = 4_000
"""Characters of one text that are read: more than a model is shown of it (turnkey.mcp.cleaning)."""
_WITHOUT_BREAKS = ("zh", "ja", "ko", "ar")
"""Written without blanks, or with what other languages write apart."""
_SCRIPTS = {
    "zh": "[\u4e00-\u9fff]",
    "ja": "[\u3040-\u30ff]",
    "ko": "[\u1100-\u11ff\uac00-\ud7af]",
    "ar": "[\u0600-\u06ff]",
    "ru": "[\u0400-\u04ff]",
}
_GAP = r"(?:[^.!?。！？؟\n]|[.!?](?=\S)){0,%s}?"
_SQUEEZED = re.compile(
    r"(?:ignore|disregard|forget)(?:all|any|the|your|my|of)*(?:previous|prior|above|earlier|system)(?:instructions|prompts?|rules)"
    r"|donottelltheuser|donottellthecustomer|revealthesystemprompt|ignorieredievorherigenanweisungen"
)
_TAGS = re.compile(
    r"(?i)</?\s*(?:important|secret|system|critical|admin|override|instructions?|hidden|urgent|user_query|assistant)\s*/?>"
    r"|\[/?\s*(?:system|admin|assistant|important|instructions?|override)\s*\]"
    r"|(?m:^|\n)\s{0,20}#{2,9}\s{0,9}(?:system|instructions?|human|assistant|user|response)\b\s*:?"
    r"|\bBEGIN (?:SYSTEM )?(?:PROMPT|INSTRUCTIONS?)\b"
)
_ROLES = re.compile(
    r"(?i)(?:^|\n)\s{0,20}(?:system|developer)\s*[:：]\s*(?:you|your|obey|always|never|ignore|from now|do not|new )"
    r"|(?:^|\n)\s{0,20}(?:assistant|ai|model)\s*[:：]\s*(?:sure|ok|okay|yes|certainly|of course|i(?: will|'ll))\b"
    r"|(?:^|\n)\s{0,20}(?:human|user)\s*[:：][^\n]{0,300}\n{1,9}\s{0,20}(?:assistant|ai)\s*[:：]"
)
_FILES = re.compile(
    r"~/\.ssh|\bid_(?:rsa|ed25519|ecdsa)\b|/etc/(?:passwd|shadow)\b|\.aws/credentials|\.(?:cursor|vscode|claude)/|\bmcp\.json\b"
    r"|\.netrc\b|\.kube/config|\.bash_history|claude_desktop_config|\b(?:read|open|cat|load)\b[^.\n]{0,20}[\s'\"`(/]\.env\b"
    r"|/proc/(?:self|\d+)/environ|169\.254\.169\.254",
    re.IGNORECASE,
)
_CARRIED = (
    r"conversation|chat|histor|messages?\b|prompt|user.?(?:data|info|input|message)|customer.?data|transcript|secret|"
    r"password|credential|context|dialog|对话|聊天|会话"
)
_EXFILTRATION = re.compile(
    rf"!\[[^\]\n]{{0,100}}\]\(\s{{0,3}}https?://[^)\s]{{0,200}}[{{\[<$%]|https?://\S{{0,200}}?(?:\{{+|\[|<|\$\{{|%7B)\s{{0,3}}[^}}\]>\s]{{0,40}}(?:{_CARRIED})"
    rf"|https?://\S{{0,200}}?=\s{{0,3}}(?:\{{+|\[|<)[^}}\]>\n]{{0,40}}(?:{_CARRIED})",
    re.IGNORECASE,
)
_JSON_CALL = re.compile(
    r"""\{\s*["'](?:name|tool|function)["']\s*:\s*["'][\w.-]+["']\s*,\s*["'](?:arguments|parameters|args|input)["']\s*:"""
    r"""|\{\s*["']role["']\s*:\s*["'](?:system|developer|assistant)["']\s*,\s*["']content["']\s*:"""
)
_CODE_CALL = re.compile(r"""\b(?P<name>[a-z]+(?:_[a-z0-9]+)+)\(\s*\w+\s*=\s*(?:["'\w])""")


def find(text: str, own_name: str = "") -> Iterator[tuple[str, str]]:
    """What in the text speaks to the model, as (what it is for, the words as they stand or read). `own_name` is the
    tool's that the text describes: an example of its call is none of another."""
    text = text[:LONGEST]
    yield from _by_form(text, own_name)
    for form in readings(text):
        yield from _by_words(form)
    if found := _SQUEEZED.search(squeezed(text)):
        yield "override", found[0]
    yield from ((kind, words) for kind, words in _by_words(rotated(text), ("en",)) if kind in ("override", "secrecy"))


def encoded(text: str) -> Iterator[str]:
    """Blobs in the text that decode to words which speak to the model, with what they say."""
    for _, words in decoded(text[:LONGEST]):
        if next(find(words), None):
            yield words


def _by_form(text: str, own_name: str) -> Iterator[tuple[str, str]]:
    """Marks that no language has for itself."""
    if chat_tokens.has_any(text):
        yield "token", text
    patterns = {"tag": _TAGS, "role": _ROLES, "file": _FILES, "url": _EXFILTRATION, "call": _JSON_CALL}
    for kind, pattern in patterns.items():
        if found := pattern.search(text):
            yield kind, text[max(0, found.start() - 20) : found.end() + 60]
    for found in _CODE_CALL.finditer(text):
        if found["name"] != own_name:
            yield "call", found[0]


def _by_words(form: str, languages: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    for language in languages or _likely(form):
        for kind, pattern in _patterns(language).items():
            if found := pattern.search(form):
                yield kind, found[0]


def _likely(form: str) -> tuple[str, ...]:
    """Languages whose letters the text has; those in Latin script all together."""
    found = tuple(language for language, signs in _SCRIPTS.items() if re.search(signs, form))
    latin = tuple(language for language in _words() if language not in _SCRIPTS)
    return (*found, *(latin if re.search("[a-z]{3}", form) else ()))


@cache
def _patterns(language: str) -> dict[str, re.Pattern[str]]:
    apart = "" if language in _WITHOUT_BREAKS else r"(?<!\w)"
    return {
        kind: re.compile("|".join(f"{apart}(?:{_spelled(pattern, apart)})" for pattern in patterns))
        for kind, patterns in _words()[language].items()
    }


def _spelled(pattern: str, apart: str) -> str:
    # A gap stands between whole words.
    gap = rf"(?!\w){_GAP % 70}{apart}" if apart else _GAP % 50
    return fold(pattern).replace(" .. ", gap)


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    return json.loads((Path(__file__).parent / "wording.json").read_text(encoding="utf-8"))
