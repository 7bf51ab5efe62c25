"""How deep plain data is nested. Not by recursion, which has limits itself."""

from typing import Any, cast


def is_deeper(value: Any, levels: int) -> bool:
    """Whether lists and objects lie in each other more than so many levels deep."""
    layer = [value]
    for _ in range(levels + 1):
        layer = [inner for outer in layer for inner in _containers(outer)]
        if not layer:
            return False
    return True


def _containers(value: Any) -> list[Any]:
    if isinstance(value, dict):
        inside = list(cast(dict[Any, Any], value).values())
    else:
        inside = cast(list[Any], value) if isinstance(value, list) else []
    return [inner for inner in inside if isinstance(inner, (dict, list))]
