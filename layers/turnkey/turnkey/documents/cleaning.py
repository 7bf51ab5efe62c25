"""A document's text as it is kept: what people can see of it, with its own line ends."""

import re

from turnkey import chat_tokens, hidden

_LINE = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
_BROKEN = re.compile(r"(<<?|\[|\]|✿) (\S(?:[^<>\[\]✿\n]*\S)?) (>>?|\]|\[|✿)")


def kept(text: str) -> str:
    """The text without characters that no reader sees. What a script or an emoji needs stays."""
    return "".join(hidden.clean(line) + end for line, end in _LINE.findall(text))


def shown(text: str) -> str:
    """The text as a model is shown it: line ends as newlines, and nothing in it speaks as the platform."""
    return chat_tokens.broken(unified(text))


def unbroken(passage: str) -> str:
    """A passage that a model copied from `shown`, as it stands in the document."""
    return _BROKEN.sub(r"\1\2\3", passage)


def unified(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def line_end(text: str) -> str:
    """The document's own: what most of its lines end with."""
    returns, alone = text.count("\r\n"), text.count("\r") - text.count("\r\n")
    newlines = text.count("\n") - returns
    if returns and returns >= newlines:
        return "\r\n"
    return "\r" if alone > newlines else "\n"
