"""`turnkey documents TENANT [NAME]`: which documents there are, the history of one, or what it said at a version."""

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from local.cli import OK
from local.target import ask, find


def run(options: argparse.Namespace) -> int:
    """Returns 0."""
    request = {
        "action": "documents",
        "tenant": options.tenant,
        "name": options.name or "",
        "scope": options.scope,
        "version": options.version,
    }
    report = ask(find(options.stack, options.function), request)
    for line in _lines(report["documents"], versions=bool(options.name), texts=bool(options.version)):
        print(line)
    return OK


def _lines(documents: list[Mapping[str, Any]], *, versions: bool, texts: bool) -> Iterator[str]:
    for document in documents:
        if texts:
            yield str(document["text"])
            continue
        yield f"{document['name']}: version {document['version']}, {document['media_type']}, {document['scope']}"
        if versions:
            yield from (_version(one) for one in document["history"])
    if not documents:
        yield "There are none."


def _version(one: Mapping[str, Any]) -> str:
    who = one["by"] or "manifest"
    return f"  {one['version']:>4}  {one['at'][:16]}Z  {one['action']:<10}{one['characters']:>9,} characters  {who}"
