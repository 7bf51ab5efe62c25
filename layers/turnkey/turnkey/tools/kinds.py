"""What a tool is for, inferred when its server is registered: from annotations, output schema and wording.

The tenant can correct it in the manifest (`servers[].tools`).
"""

import re

from turnkey.tools.output_schema import items_shape
from turnkey.tools.tool import JsonObject, ToolKind

_LISTS = frozenset(["search", "find", "list", "browse", "query", "all", "suggest", "recommend", "match", "filter"])
_READS = frozenset(
    ["get", "show", "lookup", "look", "read", "fetch", "check", "describe", "count", "view", "retrieve", "is", "has"]
)
_DRAWS = frozenset(["draw", "plot", "chart", "graph", "visualize", "visualise"])
MANY_BESIDE = 4
"""Fields beside a list from which on the result is one thing that has a list, such as an order with its lines."""


def infer(
    name: str, title: str, output_schema: JsonObject | None, *, read_only: bool, annotated: bool = True
) -> ToolKind:
    """The kind. Without annotations, wording alone can make it a reading tool for show; it still counts as one that
    acts when a call is to be repeated or made by the platform itself."""
    verb = _verb(name) or _verb(title)
    if verb in _DRAWS and read_only:
        return "chart"
    if not read_only and (annotated or verb not in _LISTS | _READS):
        return "action"
    shape = items_shape(output_schema)
    if verb in _LISTS:
        return "items" if shape or not output_schema else "lookup"
    return "items" if shape and shape.beside < MANY_BESIDE else "lookup"


def _verb(name: str) -> str:
    """The first word of a name, in whatever style it is written."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]+", " ", name).lower().split()
    return next((word for word in words if word in _LISTS | _READS | _DRAWS), words[0] if words else "")
