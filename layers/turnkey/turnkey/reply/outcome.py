"""What a result's own text says of the call: that there is nothing, or that it failed after all."""

import json
from typing import Any, cast

_FAILURES = {"failed", "failure", "error", "rejected", "declined", "denied", "refused", "invalid", "not_found"}
_VERDICTS = {"ok", "success", "succeeded", "successful"}
_ERRORS = {"error", "errors", "exception"}
# Beside an empty list these say nothing of their own.
_AROUND = {
    "total",
    "count",
    "page",
    "pages",
    "limit",
    "offset",
    "size",
    "query",
    "q",
    "has_more",
    "next",
    "status",
    "ok",
}
_NOTHING = {"", "null", "none", "[]", "{}", "undefined"}
_LONGEST = 1 << 20


def hollow(text: str) -> bool:
    """Whether a result holds nothing: no text, an empty object, or only empty lists and what counts them."""
    if text.strip().lower() in _NOTHING:
        return True
    value = _json(text)
    if isinstance(value, list):
        return not any(cast(list[Any], value))
    return isinstance(value, dict) and _is_hollow(cast(dict[str, Any], value))


def _is_hollow(members: dict[str, Any]) -> bool:
    inner = {name: bool(cast(Any, member)) for name, member in members.items() if isinstance(member, list | dict)}
    told = [name for name, member in members.items() if name not in inner and member]
    return bool(inner) and not any(inner.values()) and all(name.lower() in _AROUND for name in told)


def failed(text: str) -> bool:
    """Whether the text of a call that succeeded says that nothing was done: {"success": false, "error": "full"}."""
    value = _json(text)
    if not isinstance(value, dict):
        return False
    members = {name.lower(): member for name, member in cast(dict[str, Any], value).items()}
    return (
        any(members.get(name) is False for name in _VERDICTS)
        or any(members.get(name) for name in _ERRORS)
        or str(members.get("status", "")).lower().replace(" ", "_") in _FAILURES
    )


def _json(text: str) -> Any:
    """The JSON value of the text, or None."""
    if text[:1].strip() not in ("{", "[", "") or len(text) > _LONGEST:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
