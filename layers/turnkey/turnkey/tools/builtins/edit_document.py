"""edit_document: reads, creates and changes documents, version by version."""

import re
import unicodedata
from pathlib import PurePath

from turnkey.asks import wants
from turnkey.tools.builtins.builtin import Builtin
from turnkey.tools.builtins.conversing import asks, spoken_of
from turnkey.tools.builtins.situation import Situation
from turnkey.tools.tool import Hints, Tool

TOOL = Tool(
    name="edit_document",
    server="",
    original_name="edit_document",
    title="Work on a document",
    description=(
        "Read, create, change or send a document. The customer gets the document with your reply, as a link, with what "
        "changed: never write a link yourself. Before you change a document, read it."
    ),
    parameters={
        "type": "object",
        "properties": {
            "action": {
                "type": "string",
                "enum": ["read", "create", "replace", "insert", "append", "restore", "history", "send"],
                "description": (
                    "create: a new document, from text or template. replace: passage becomes text. insert: text goes "
                    "beside passage, at the end of the section heading, or at line. append: text goes to the end. "
                    "restore: an old version becomes the newest. send: the customer gets it as it is"
                ),
            },
            "name": {"type": "string", "description": "The document's name"},
            "text": {"type": "string", "description": "create, replace, insert, append: the new text"},
            "passage": {
                "type": "string",
                "description": "replace, insert: the exact text in the document, which must stand there once",
            },
            "place": {"type": "string", "enum": ["before", "after"], "description": "insert: on which side of passage"},
            "heading": {"type": "string", "description": "insert: the heading of a section"},
            "line": {"type": "integer", "minimum": 1, "description": "insert: the line at which text is to begin"},
            "template": {"type": "string", "description": "create: name of the document to start from"},
            "values": {
                "type": "object",
                "additionalProperties": {"type": "string"},
                "description": "create: what stands in place of the template's {{placeholders}}, by their names",
            },
            "title": {"type": "string", "description": "create: its title, where that is not its name"},
            "version": {
                "type": "integer",
                "minimum": 1,
                "description": (
                    "read, restore: which version. replace, insert, append: the version that you have read, so that "
                    "nothing is changed that you have not seen"
                ),
            },
            "from": {"type": "integer", "minimum": 1, "description": "read: the first line"},
            "to": {"type": "integer", "minimum": 1, "description": "read: the last line"},
        },
        "required": ["action", "name"],
    },
    hints=Hints(read_only=False, destructive=False, idempotent=True),
    kind="action",
)
_MOST = 30
"""Documents named in the tool's description."""
_LATIN = "\u2fff"
"""What is written behind it is Chinese, Japanese or Korean."""
_WORD = re.compile(r"[^\W_]+")


def has_reason(situation: Situation) -> bool:
    """Whether a document is to be made or changed, one that there is is named, or, right after one was spoken of, the
    customer says "add a line to it"."""
    if asks(situation, "document") or any(wants("document", task) for task in situation.tasks):
        return True
    names = (*situation.known.standing.documents, *situation.known.documents)
    if not names:
        return False
    if asks(situation, "document_word") or any(_names(text, names) for text in situation.messages):
        return True
    before = spoken_of(situation, "document", "document_word") or _names(situation.asked, names)
    return before and asks(situation, "document_change")


def _names(text: str, documents: tuple[str, ...]) -> bool:
    """Whether the text names one of the documents, however its name is written."""
    spoken = f" {_words(text)} "
    names = (_words(PurePath(name).stem) for name in documents)
    # Chinese and Japanese put no spaces around a name, Korean none behind it.
    return any(f" {name} " in spoken or (len(name) > 1 and name > _LATIN and name in spoken) for name in names)


def _words(text: str) -> str:
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def named(tool: Tool, situation: Situation) -> Tool:
    """The tool with the names of the documents that there are."""
    names = dict.fromkeys((*situation.known.standing.documents, *situation.known.documents))
    if not names:
        return tool
    told = "; ".join(list(names)[:_MOST]) + ("; and others" if len(names) > _MOST else "")
    return tool.model_copy(update={"description": f"{tool.description} Documents there are: {told}."})


def told(action: str, title: str, version: int) -> str:
    """What the model is told of a document that was made, changed or is sent."""
    made = "is as it was, at" if action == "send" else "was created, as" if action == "create" else "is now at"
    return (
        f"The document “{title}” {made} version {version}. The customer gets it with your reply, as a "
        "link with what changed. Say in a sentence what was done; write no link and do not repeat the text."
    )


BUILTIN = Builtin(TOOL, has_reason, shown=named)
