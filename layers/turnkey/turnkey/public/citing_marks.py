"""The marks by which a reply's sentences name their sources: [1]. Plain."""

import re

_MARKS = re.compile(r" ?\[\d{1,2}\](?!\()")


def without_marks(text: str) -> str:
    return _MARKS.sub("", text)
