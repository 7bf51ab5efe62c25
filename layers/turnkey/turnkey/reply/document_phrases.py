"""What the platform itself says of a document that it hands over, in twelve languages; English for any other."""

import json
from functools import cache
from pathlib import Path

from turnkey.deliverables import Document

_DATA = Path(__file__).parent / "data" / "documents.json"


def ready(language: str, document: Document) -> str:
    """Goes with the document."""
    words = _all().get(language.split("-")[0].lower()) or _all()["en"]
    return words["changed" if document.diff else "made"].format(title=document.title)


@cache
def _all() -> dict[str, dict[str, str]]:
    return json.loads(_DATA.read_text(encoding="utf-8"))
