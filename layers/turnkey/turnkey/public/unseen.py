"""Which elements of an HTML page a visitor does not see: left out before its text is read, as far as that can be told
without laying the page out. Plain; works on a parsed tree."""

import re
from collections.abc import Iterator
from typing import Any

_NEVER = (
    *("script", "style", "template", "noscript", "iframe", "object", "embed", "svg", "canvas", "math", "input"),
    *("select", "option", "button", "textarea", "dialog", "audio", "video", "map", "datalist"),
)
_HIDING = re.compile(
    r"display:none|visibility:(?:hidden|collapse)|opacity:0*(?:\.0+)?(?:[;}!]|$)|font-size:0*(?:\.\d)?(?:px|em|rem|pt|%)?(?:[;}!]|$)"
    r"|(?:left|top|text-indent|right|margin-left):-\d{3,}|clip:rect\(0|clip-path:inset\((?:50|100)%"
    r"|transform:scale\(0|(?:^|;)(?:max-)?(?:height|width):0(?:px)?(?:[;}!]|$).*overflow:hidden"
    r"|overflow:hidden.*(?:^|;)(?:max-)?(?:height|width):0(?:px)?(?:[;}!]|$)"
)
_COLOUR = re.compile(r"(?:^|;)color:([^;!]+)")
_BACKGROUND = re.compile(r"(?:^|;)background(?:-color)?:([^;!]+)")
_WHITES = frozenset(["white", "#fff", "#ffffff", "#fffffe", "#fefefe", "rgb(255,255,255)", "rgba(255,255,255,1)"])
_CLEAR = re.compile(r"transparent|rgba\([^)]*,0*(?:\.0+)?\)|#[0-9a-f]{6}00|#[0-9a-f]{3}0(?![0-9a-f])")
_RULE = re.compile(r"([^{}]{1,300})\{([^{}]{0,500})\}")
_SIMPLE = re.compile(r"[a-z0-9]*([.#])([\w-]+)")
_MOST_CSS = 200_000
_LONGEST_STYLE = 500


def drop(tree: Any) -> None:
    """Takes them out of the tree, with all that is in them."""
    hidden = _hidden_by_style(tree)
    gone = [element for element in tree.iter() if isinstance(element.tag, str) and _is_unseen(element, hidden)]
    comments = [element for element in tree.iter() if not isinstance(element.tag, str)]
    for element in (*gone, *comments):
        _remove(element)


def _remove(element: Any) -> None:
    """What stands behind it stays."""
    parent = element.getparent()
    if parent is None:
        return
    behind = element.tail or ""
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + behind
    else:
        parent.text = (parent.text or "") + behind
    parent.remove(element)


def _is_unseen(element: Any, hidden: frozenset[str]) -> bool:
    if element.tag.lower() in _NEVER:
        return True
    get = element.get
    if get("hidden") is not None or (get("aria-hidden") or "").strip().lower() == "true":
        return element.tag.lower() not in ("html", "body")
    if any(name in hidden for name in _names(element)):
        return True
    return _hides(re.sub(r"\s+", "", (get("style") or "")[:_LONGEST_STYLE].lower()))


def _names(element: Any) -> Iterator[str]:
    yield from (f".{name}" for name in (element.get("class") or "").split())
    if element.get("id"):
        yield f"#{element.get('id')}"


def _hides(style: str) -> bool:
    if not style:
        return False
    return bool(_HIDING.search(style)) or _is_in_its_own_colour(style)


def _is_in_its_own_colour(style: str) -> bool:
    colour, ground = _COLOUR.search(style), _BACKGROUND.search(style)
    if colour is None:
        return False
    if ground is not None:
        return colour[1] == ground[1] or (colour[1] in _WHITES and ground[1] in _WHITES)
    # White without a ground of its own: on a page that is white for nearly all pages.
    return colour[1] in _WHITES or bool(_CLEAR.fullmatch(colour[1]))


def _hidden_by_style(tree: Any) -> frozenset[str]:
    """Classes and ids, such as .x, that the page's own style sheet hides."""
    found: set[str] = set()
    for sheet in tree.iter("style"):
        for selectors, rules in _RULE.findall((sheet.text or "")[:_MOST_CSS].lower()):
            if _hides(re.sub(r"\s+", "", rules)):
                found |= {f"{kind}{name}" for kind, name in map(_simple, selectors.split(",")) if name}
    return frozenset(found)


def _simple(selector: str) -> tuple[str, str]:
    match = _SIMPLE.fullmatch(selector.strip())
    return (match[1], match[2]) if match else ("", "")
