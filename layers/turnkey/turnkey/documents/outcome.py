"""What an edit comes to."""

from typing import Literal

from turnkey.values import Value


class Edited(Value):
    """The document's new text."""

    kind: Literal["edited"] = "edited"
    text: str


class Refused(Value):
    """Nothing was changed. `why` is told to the model: what was wrong, with which value, and what to do."""

    kind: Literal["refused"] = "refused"
    why: str
