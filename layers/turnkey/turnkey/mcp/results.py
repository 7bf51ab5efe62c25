"""What a call brought back, as text for the model. Plain: the SDK's objects come in as plain data."""

import json
import re
from typing import Any, cast

from turnkey import chat_tokens, hidden

_HALVES = re.compile("[\ud800-\udfff]")


def to_text(content: list[dict[str, Any]], structured: Any) -> str:
    """The structured result where there is one, else the text parts; never both. Binary parts are named, not shown."""
    value = _unwrapped(structured)
    if isinstance(value, str):
        text = value
    elif value is not None:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    else:
        text = "\n".join(_part(part) for part in content)
    # Half a surrogate pair is no text: nothing that it is sent or kept in would take it. Looked for first, since a
    # result may have 20 MB and copies cost memory.
    whole = _HALVES.sub("?", text) if _HALVES.search(text) else text
    # A result is data: what hides in it, and what a chat template would take for its own, never reaches a model.
    return chat_tokens.broken(hidden.clean(whole))


def _unwrapped(structured: Any) -> Any:
    """The value itself where a server's library put it into {"result": …}, since a result must be an object."""
    fields = cast(dict[str, Any], structured) if isinstance(structured, dict) else {}
    return fields["result"] if list(fields) == ["result"] else cast(Any, structured)


def _part(part: dict[str, Any]) -> str:
    kind = str(part.get("type", "content"))
    if kind == "text":
        return str(part.get("text", ""))
    if kind == "resource":
        resource = cast(dict[str, Any], part.get("resource") or {})
        if isinstance(resource.get("text"), str):
            return str(resource["text"])
        return f"[{kind} {resource.get('uri', '')}: not shown]"
    if kind == "resource_link":
        return f"[link {part.get('name', '')} {part.get('uri', '')}]"
    return f"[{kind} {part.get('mimeType', '')}, {len(str(part.get('data', ''))) * 3 // 4:,} bytes: not shown]"
