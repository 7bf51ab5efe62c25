"""`turnkey contacts TENANT list|export|erase`: what is kept of a tenant's customers."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from local.cli import OK, CommandError
from local.contacts_csv import table
from local.target import Target, ask, find
from turnkey.mcp.differences import visible


def run(options: argparse.Namespace) -> int:
    """Returns 0. Raises `CommandError`, also where nobody is meant by what is to be erased."""
    whom = {name: getattr(options, name) for name in ("id", "phone", "email") if getattr(options, name)}
    if options.what == "erase":
        return _erase(options, whom)
    if whom:
        raise CommandError(f"{options.what} is of all customers: leave out {', '.join(whom)}.")
    contacts = list(_all(find(options.stack, options.function), options.tenant))
    if options.what == "export":
        _export(contacts, options.format)
        return OK
    for line in _lines(contacts, options.tenant):
        print(line)
    return OK


def _erase(options: argparse.Namespace, whom: Mapping[str, str]) -> int:
    if len(whom) != 1:
        raise CommandError("say whom to erase by one of ID, --phone and --email.")
    target = find(options.stack, options.function)
    answer = ask(target, {"action": "erase_contact", "tenant": options.tenant, **whom})
    for contact in answer["erased"]:
        print(f"{options.tenant}: erased all that was kept of {contact} {target.place}.")
    return OK


def _all(target: Target, tenant: str) -> Iterator[dict[str, Any]]:
    """Every contact, asked for page by page."""
    after = ""
    while True:
        answer = ask(target, {"action": "contacts", "tenant": tenant, "after": after})
        yield from answer["contacts"]
        after = answer["following"]
        if not after:
            return


def _export(contacts: list[dict[str, Any]], form: str) -> None:
    """A file gets what is kept as it is; a terminal sees what would hide in it."""
    to_terminal = sys.stdout.isatty()
    if form == "json":
        print(json.dumps(contacts, indent=2, ensure_ascii=to_terminal))
    else:
        print(table(contacts, visible if to_terminal else str), end="")


def _lines(contacts: list[dict[str, Any]], tenant: str) -> Iterator[str]:
    if not contacts:
        yield f"Nothing is kept of {tenant}'s customers."
    for contact in sorted(contacts, key=lambda one: max((kept["at"] for kept in one["values"].values()), default="")):
        told = "told" if contact["told_at"] else "not told yet"
        customer = contact["customer"]
        who = visible(customer["sender"] or customer["conversation"])
        yield f"{contact['id']}  {customer['connection']}  {who}  ({told})"
        for field, kept in contact["values"].items():
            written = f"  (as written: {visible(kept['written'])})" if kept["written"] else ""
            yield f"    {field}: {visible(kept['value'])}{written}  {kept['at'][:19].replace('T', ' ')}"
