"""Which of the things already shown is meant: by its id, its place in the list, its title, or because it is the only
one."""

import re
from collections.abc import Sequence

from turnkey.deliverables.handed import Handed, HandedItem
from turnkey.mcp import schemas
from turnkey.reading.asked import Asked
from turnkey.reading.words import ordinals, words
from turnkey.tools import JsonObject, Toolset

EXAMPLE = re.compile(r"\b(?:such as|like|e\.g\.|for example|wie|z\. ?B\.)[: ]+[\"'“]?([A-Za-z0-9][\w-]*)", re.I)


def identify(name: str, schema: JsonObject, asked: Asked, ids: Sequence[str]) -> str | None:
    """The value of an id argument: the one id of its shape in the message, or that of the shown item that is meant."""
    example = EXAMPLE.search(str(schema.get("description", "")))
    # Without an example of its own, an argument takes an id that no other argument's example is like.
    fitting = {one for one in ids if (shape(one) == shape(example[1]) if example else shape(one) not in asked.claimed)}
    if len(fitting) == 1:
        return fitting.pop()
    if fitting or asked.handed is None:
        return None
    item = meant(asked, asked.handed)
    return item.keys.get(name) if item else None


def meant(asked: Asked, handed: Handed) -> HandedItem | None:
    """The one shown item that the message means, or None where that is not clear."""
    places = ordinals(asked.message)
    if len(places) == 1 and handed.items:
        place = places[0] - 1 if places[0] > 0 else places[0]
        return handed.items[place] if -len(handed.items) <= place < len(handed.items) else None
    said = set(words(asked.message))
    titled = [item for item in handed.items if _is_named(item, said)]
    if len(titled) == 1:
        return titled[0]
    alone = len(handed.items) == 1 and asked.elliptical and not titled
    return handed.items[0] if alone else None


def claimed(tools: Toolset) -> frozenset[str]:
    """The shapes of ids that the tools' arguments give examples of."""
    return tools.derived(_claimed)


def _claimed(tools: Toolset) -> frozenset[str]:
    descriptions = (
        str(schema.get("description", "")) for tool in tools for schema in schemas.present(tool.parameters).values()
    )
    examples = (EXAMPLE.search(description) for description in descriptions)
    return frozenset(shape(example[1]) for example in examples if example and re.search(r"\d", example[1]))


def shape(one: str) -> str:
    """A for letters, 9 for digits: B002 and C117 are of one shape, 17 and A-17 are not."""
    return re.sub(r"[A-Za-z]+", "A", re.sub(r"\d+", "9", one.upper())).replace("-", "")


def _is_named(item: HandedItem, said: set[str]) -> bool:
    """Whether the message has the title's telling words."""
    title = [word for word in words(item.title) if len(word) > 2] or list(words(item.title))
    return bool(title) and set(title) <= said
