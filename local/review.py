"""`turnkey review list|approve|correct TENANT [ID]`: the replies that were written from public pages."""

import argparse
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from local.cli import OK, CommandError
from local.target import Target, ask, find
from turnkey.mcp.differences import visible


def run(options: argparse.Namespace) -> int:
    """Returns 0; `CommandError` where an id or a text is missing, or the function refuses."""
    target = find(options.stack, options.function)
    if options.what == "list":
        return _list(target, options)
    if not options.id:
        raise CommandError(f"name the reply: its id, as `turnkey review list {options.tenant}` tells it.")
    text = _text(options) if options.what == "correct" else ""
    request = {"action": "review", "tenant": options.tenant, "id": options.id, "verdict": options.what, "text": text}
    review = ask(target, {**request, "actor": target.actor})["review"]
    print(f"{options.tenant}: {review['id']} is {review['state']} {target.place}; later turns go by it.")
    return OK


def _list(target: Target, options: argparse.Namespace) -> int:
    request = {"action": "reviews", "tenant": options.tenant, "state": options.state, "limit": options.limit}
    reviews = ask(target, request)["reviews"]
    if not reviews:
        print(f"No reply of {options.tenant} waits." if options.state == "open" else "There is none.")
    for review in reviews:
        for line in _lines(review):
            print(line)
    return OK


def _text(options: argparse.Namespace) -> str:
    text = options.text if options.text is not None else sys.stdin.read()
    if not text.strip():
        raise CommandError("say what is right instead: --text TEXT, or on standard input.")
    return text


def _lines(review: Mapping[str, Any]) -> Iterator[str]:
    yield f"{review['at'][:19].replace('T', ' ')}  {review['state']:<9}  {review['agent']}  {review['id']}"
    yield f"    asked: {visible(review['question'])}"
    yield f"    told:  {visible(review['reply'])}"
    for source in review["sources"]:
        yield f"    from:  {visible(source['title'])} {visible(source['url'])}"
    if review["state"] == "corrected":
        yield f"    right: {visible(review['answer'])}"
