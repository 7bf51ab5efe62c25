"""What a call of edit_document asks for: its arguments as one of a closed set of requests."""

from typing import Any, Literal

from turnkey.documents import naming
from turnkey.documents.outcome import Refused
from turnkey.tools.tool import JsonObject
from turnkey.values import Value

Change = Literal["replace", "insert", "append"]


class _Named(Value):
    name: str


class Read(_Named):
    """Lines `start` to `end`, counted from 1; 0: as far as there are. `version` 0 is the newest."""

    action: Literal["read"] = "read"
    version: int = 0
    start: int = 0
    end: int = 0


class Create(_Named):
    """From a text, or from another document with its placeholders filled."""

    action: Literal["create"] = "create"
    title: str = ""
    text: str = ""
    template: str = ""
    values: dict[str, str] = {}


class Edit(_Named):
    """`version` is the one that the change is meant for; 0: whichever is the newest."""

    action: Change
    text: str
    passage: str = ""
    heading: str = ""
    line: int = 0
    before: bool = False
    version: int = 0


class Restore(_Named):
    action: Literal["restore"] = "restore"
    version: int


class History(_Named):
    action: Literal["history"] = "history"


class Send(_Named):
    action: Literal["send"] = "send"


Request = Read | Create | Edit | Restore | History | Send


def read(arguments: JsonObject) -> Request | Refused:
    """The request, or what is missing from it."""
    name = naming.written(_text(arguments, "name"))
    if wrong := naming.problem(name):
        return Refused(why=f"The argument name {wrong}.")
    match arguments.get("action"):
        case "read":
            start, end = _number(arguments, "from"), _number(arguments, "to")
            return Read(name=name, version=_number(arguments, "version"), start=start, end=end)
        case "create":
            return _create(name, arguments)
        case "replace" | "insert" | "append" as action:
            return _edit(name, action, arguments)
        case "restore":
            version = _number(arguments, "version")
            return Restore(name=name, version=version) if version else _missing("version", "the one to go back to")
        case "history":
            return History(name=name)
        case "send":
            return Send(name=name)
        case other:
            return Refused(
                why=f"There is no action {str(other)[:40]!r}: use read, create, replace, insert, append, restore, "
                "history or send."
            )


def _create(name: str, arguments: JsonObject) -> Create | Refused:
    text, template = _text(arguments, "text"), naming.written(_text(arguments, "template"))
    if not text and not template:
        return _missing("text", "what the document says, or template: the document to start from")
    if text and template:
        return Refused(why="Give text or template, not both: append to the document once it is created.")
    title = naming.written(_text(arguments, "title"))[: naming.MOST]
    given: Any = arguments.get("values")
    values = {str(key): _plain(value) for key, value in given.items()} if isinstance(given, dict) else {}  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return Create(name=name, title=title, text=text, template=template, values=values)


def _edit(name: str, action: Change, arguments: JsonObject) -> Edit | Refused:
    if not isinstance(arguments.get("text"), str):
        return _missing("text", "the new text")
    edit = Edit(
        name=name,
        action=action,
        text=_text(arguments, "text"),
        passage=_text(arguments, "passage"),
        heading=_text(arguments, "heading").strip(),
        line=_number(arguments, "line"),
        before=arguments.get("place") == "before",
        version=_number(arguments, "version"),
    )
    places = sum(map(bool, (edit.passage, edit.heading, edit.line)))
    if action == "replace" and not edit.passage:
        return _missing("passage", "the exact text that is to be replaced")
    if action != "replace" and not edit.text.strip():
        return _missing("text", "the new text")
    if action == "insert" and places != 1:
        return Refused(why="Say where the text goes by one of passage, heading and line. To put it at the end, append.")
    return edit


def _missing(name: str, what: str) -> Refused:
    return Refused(why=f"The argument {name} is missing: {what}. Nothing was done.")


def _text(arguments: JsonObject, name: str) -> str:
    """Without halves of characters, which no file can hold."""
    return _plain(arguments.get(name))


def _plain(value: Any) -> str:
    if value is None or isinstance(value, dict | list):
        return ""
    return str(value).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _number(arguments: JsonObject, name: str) -> int:
    value: Any = arguments.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else 0
