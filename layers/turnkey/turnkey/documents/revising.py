"""What a request to change a document makes of its text."""

from turnkey.documents import editing
from turnkey.documents.asking import Edit
from turnkey.documents.outcome import Edited, Refused


def revise(text: str, edit: Edit) -> Edited | Refused:
    if edit.action == "replace":
        return editing.replace(text, edit.passage, edit.text)
    if edit.action == "append":
        return editing.append(text, edit.text)
    if edit.heading:
        return editing.insert_in_section(text, edit.heading, edit.text)
    if edit.line:
        return editing.insert_at_line(text, edit.line, edit.text)
    return editing.insert_beside(text, edit.passage, edit.text, before=edit.before)
