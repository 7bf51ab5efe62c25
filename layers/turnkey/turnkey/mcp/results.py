"""What a call brought back, as text for the model. Plain: the SDK's objects come in as plain data."""

import json
from typing import Any, cast


def to_text(content: list[dict[str, Any]], structured: Any) -> str:
    """The structured result where there is one, else the text parts; never both. Binary parts are named, not shown."""
    if structured is not None:
        return json.dumps(structured, ensure_ascii=False, separators=(",", ":"))
    return "\n".join(_part(part) for part in content)


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
