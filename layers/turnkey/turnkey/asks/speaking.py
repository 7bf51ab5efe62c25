"""The topics that a text speaks of: phrases of twelve languages, looked up all at once.

A text is read by the words of every language in whose script it is, so that no language has to be guessed from a few
words. A language's phrases are in `words/`, by topic; words.md says what each topic is a sign of.
"""

from functools import lru_cache
from typing import Literal

Topic = Literal[
    "reminder",
    "reminders_kept",
    "reminding",
    "follow_up",
    "following",
    "change",
    "also",
    "when",
    "contact",
    "contact_asked",
    "forget",
    "yours",
    "reference",
    "document",
    "document_word",
    "document_change",
    "person",
    "person_offered",
    "complaint",
    "stuck",
    "public",
    "and_so",
]
LONGEST = 1600
"""Characters that are read: of a longer text its beginning and its end, half of it each."""
_NOTHING: frozenset[Topic] = frozenset()


def wants(topic: Topic, text: str) -> bool:
    """Whether the text speaks of the topic."""
    return topic in topics(text)


@lru_cache(maxsize=512)
def topics(text: str) -> frozenset[Topic]:
    """All that the text speaks of."""
    if not text.strip():
        return _NOTHING
    # A cold start should not pay for it: texts are read later.
    from turnkey.asks.books import found

    return found(shortened(text))


def shortened(text: str) -> str:
    """What is read of a text."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]}\n{text[-half:]}"
