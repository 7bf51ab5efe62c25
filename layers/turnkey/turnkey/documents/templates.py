"""Templates: {{placeholders}} and what stands in their place."""

import re
import unicodedata
from collections.abc import Mapping

from turnkey.documents.outcome import Edited, Refused

_PLACE = re.compile(r"\{\{[ \t]*([^{}\r\n]{1,80}?)[ \t]*\}\}")


def placeholders(text: str) -> tuple[str, ...]:
    """Names of the template's placeholders, each once, in order."""
    found: dict[str, str] = {}
    for name in _PLACE.findall(text):
        found.setdefault(_plain(name), name)
    return tuple(found.values())


def fill(template: str, values: Mapping[str, str]) -> Edited | Refused:
    """The template with every placeholder filled, once: what stands in a value is never filled again. Refused with the
    names of those that have no value."""
    given = {_plain(name): value for name, value in values.items()}
    missing = [name for name in placeholders(template) if _plain(name) not in given]
    if missing:
        return Refused(
            why=f"The template needs values for: {'; '.join(missing)}. Ask the customer for what you do not know; "
            "nothing was created. Give them in values, by these names."
        )
    return Edited(text=_PLACE.sub(lambda found: given[_plain(found[1])], template))


def _plain(name: str) -> str:
    """Case, width and the kind of blank do not matter."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(re.sub(r"[\s_-]+", " ", folded).split())
