"""Personal details that are not to go to strangers, nor to be kept longer than a conversation."""

import re

_MAIL = re.compile(r"[^\s@<>()，。、；]+@[^\s@<>()，。、；]+\.[^\W\d_]{2,}")
_PHONE = re.compile(
    r"(?<![A-Za-z0-9.])(?:\+|00)\d[\d ().\-/]{6,}\d"
    r"|(?<![A-Za-z0-9.-])\(?0\d{1,5}\)?[ /.-]?\d[\d -]{4,}\d(?![A-Za-z0-9])"
    # China, Russia, North America: as they are written at home.
    r"|(?<![A-Za-z0-9])1[3-9]\d{9}(?!\d)"
    r"|(?<![A-Za-z0-9])8 ?\(?\d{3}\)? ?\d{3}[- ]?\d{2}[- ]?\d{2}(?!\d)"
    r"|(?<![A-Za-z0-9])(?:\(\d{3}\) ?|\d{3}[-.])\d{3}[-.]\d{4}(?!\d)"
)
_CARD = re.compile(
    r"(?<!\d)(?:\d{4}[ -]){3}\d{1,4}(?!\d)|(?<![A-Za-z])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}(?: ?[A-Z0-9]{1,3})?(?!\w)"
)
_GONE = "[…]"


def masked(text: str) -> str:
    """Without e-mail addresses, telephone numbers, and numbers of cards and accounts."""
    for pattern in (_MAIL, _CARD, _PHONE):
        text = pattern.sub(_GONE, text)
    return text


def query(text: str, most: int) -> str:
    """A search query that may leave the platform."""
    words = masked(" ".join(text.split())).replace(_GONE, " ")
    return " ".join(words.split())[:most].strip()
