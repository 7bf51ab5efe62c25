"""The `turnkey` command."""

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

# Exit statuses. Refused: the tenant's manifest, or the stack that was to be started.
OK, REFUSED, USAGE = 0, 1, 2


class CommandError(Exception):
    """Ends the command with `status` after its message, which says what to do."""

    def __init__(self, message: str, status: int = USAGE) -> None:
        super().__init__(message)
        self.status = status


@dataclass(frozen=True)
class Command:
    """A subcommand. `module` has a function `run(options) -> exit status`, imported only when it is asked for."""

    name: str
    help: str
    module: str
    arguments: Callable[[argparse.ArgumentParser], None]


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the subcommand in `arguments` (the process's own when left out) and returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        return importlib.import_module(options.module).run(options)
    except CommandError as error:
        print(f"turnkey {options.command}: {error}", file=sys.stderr)
        return error.status
    except KeyboardInterrupt:
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="turnkey", description="Agents for a platform's tenants, on Step Functions.")
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in COMMANDS:
        subparser = subparsers.add_parser(command.name, help=command.help, description=command.help)
        subparser.set_defaults(module=command.module)
        command.arguments(subparser)
    return parser


def _up_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=8080, help="of the HTTP API; 0 takes a free one (8080)")
    parser.add_argument("--data", type=Path, metavar="DIR", help="keep tables and secrets here between runs")
    parser.add_argument("--demo", action="store_true", help="onboard the demo bookshop and write to it from here")
    parser.add_argument("--logs", action="store_true", help="print what the functions write")


def _target_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--stack", metavar="NAME", help="the deployed stack (turnkey, if none runs on this machine)")
    parser.add_argument("--function", metavar="NAME", help="the deployed provision function, instead of looking it up")


def _sam_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", type=int, default=3000, help="of the HTTP API; 0 takes a free one (3000)")
    parser.add_argument(
        "--parameter",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="of the template, such as ModelBaseUrl=http://host.docker.internal:8902/v1 for a model on this machine",
    )


def _apply_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, metavar="FILE", help="the manifest, YAML or JSON; ${NAME} is filled in")
    _target_arguments(parser)


def _tenant_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tenant", metavar="TENANT")
    _target_arguments(parser)


def _reason_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reason", default="", metavar="TEXT", help="for the audit log")
    _tenant_arguments(parser)


def _rotate_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tenant", metavar="TENANT")
    parser.add_argument("name", metavar="NAME", help="its place in the manifest, such as connections.web.secret")
    parser.add_argument("--from-env", metavar="VARIABLE", help="take the value from there, not from standard input")
    parser.add_argument("--at-once", action="store_true", help="do not accept the old value for another day")
    _target_arguments(parser)


def _delete_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes-delete", metavar="TENANT", required=True, help="the tenant's id once more")
    parser.add_argument(
        "--quiet-seconds",
        type=float,
        default=20,
        metavar="N",
        help="erase nothing before its webhooks have been refused for so long (20)",
    )
    _tenant_arguments(parser)


def _audit_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--limit", type=int, default=100, metavar="N", help="entries, the newest first (100)")
    _tenant_arguments(parser)


def _usage_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--days", type=int, default=7, metavar="N", help="today and those before it (7)")
    _tenant_arguments(parser)


def _tools_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tenant", metavar="TENANT", nargs="?", help="left out: every tenant")
    parser.add_argument("--overflow", action="store_true", help="only tools that regularly return too much, with sizes")
    _target_arguments(parser)


def _servers_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tenant", metavar="TENANT", nargs="?", help="left out: every tenant")
    parser.add_argument("--check", action="store_true", help="ask the tenant's servers now")
    parser.add_argument("--held", action="store_true", help="only tools that wait for approval, with what changed")
    _target_arguments(parser)


def _approve_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tenant", metavar="TENANT")
    parser.add_argument("server", metavar="SERVER")
    parser.add_argument("tools", metavar="TOOL", nargs="*", help="its name; TOOL@DIGEST: only if it is still that one")
    parser.add_argument("--all", action="store_true", help="every tool of the server that waits")
    _target_arguments(parser)


def _contacts_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tenant", metavar="TENANT")
    parser.add_argument("what", choices=("list", "export", "erase"))
    parser.add_argument("id", metavar="ID", nargs="?", help="whom to erase: an id as list gives it")
    parser.add_argument("--phone", metavar="NUMBER", help="erase all who have, or had, that number")
    parser.add_argument("--email", metavar="ADDRESS", help="erase all who have, or had, that address")
    parser.add_argument("--format", choices=("csv", "json"), default="csv", help="of the export (csv)")
    _target_arguments(parser)


def _eval_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cases", type=Path, required=True, metavar="FILE", help="JSONL, or a folder of such files")
    parser.add_argument(
        "--model-url", metavar="URL", help="an OpenAI-compatible endpoint; left out: the embedded model"
    )
    parser.add_argument("--mode", choices=("turnkey", "bare"), default="turnkey", help="bare: the plain loop (turnkey)")
    parser.add_argument("--model", metavar="NAME", help="left out: the first one that the endpoint serves")
    parser.add_argument("--call-format", choices=("native", "text"), help="how the endpoint is shown tools")
    parser.add_argument("--parallel", type=int, default=2, metavar="N", help="cases at the same time (2)")
    parser.add_argument("--language", action="append", metavar="CODE", help="only cases in this language")
    parser.add_argument("--match", default="", metavar="TEXT", help="only cases with this in their id")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write every verdict there, with its reply, as JSONL")


def _people_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--returned", action="store_true", help="also those given back in the last month")
    _tenant_arguments(parser)


def _schedules_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--held", action="store_true", help="only those whose time came and that were not said")
    parser.add_argument("--all", action="store_true", help="also those that are over, for a month")
    _tenant_arguments(parser)


def _give_back_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tenant", metavar="TENANT")
    parser.add_argument("handover", metavar="HANDOVER", help="its id, as `turnkey people` tells it")
    parser.add_argument("--note", default="", metavar="TEXT", help="what was agreed, for the agent to know")
    _target_arguments(parser)


_STATES = ("open", "approved", "corrected", "all")


def _review_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", choices=("list", "approve", "correct"))
    parser.add_argument("tenant", metavar="TENANT")
    parser.add_argument("id", metavar="ID", nargs="?", help="of the reply, as list tells it")
    parser.add_argument("--text", metavar="TEXT", help="what is right instead; left out: standard input")
    parser.add_argument("--state", choices=_STATES, default="open", help="of list (open)")
    parser.add_argument("--limit", type=int, default=50, metavar="N", help="of list, the newest first (50)")
    _target_arguments(parser)


def _documents_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("tenant", metavar="TENANT")
    parser.add_argument("name", metavar="NAME", nargs="?", help="its history; left out: all documents")
    parser.add_argument("--version", type=int, default=0, metavar="N", help="what it said at that version")
    parser.add_argument("--scope", default="", metavar="SCOPE", help="shared, or a conversation's, as the list says")
    _target_arguments(parser)


def _no_arguments(_: argparse.ArgumentParser) -> None:
    pass


COMMANDS = (
    Command("demo", "Onboard a bookshop, send it a short conversation, show each turn.", "local.demo", _no_arguments),
    Command("up", "Run the whole product on this machine.", "local.up", _up_arguments),
    Command("tools", "What a tenant's servers offer, and what is too large to show.", "local.tools", _tools_arguments),
    Command(
        "servers", "How tenants' servers are, and which tools wait for approval.", "local.servers", _servers_arguments
    ),
    Command("approve", "Let turns show tools that a server added or changed.", "local.approve", _approve_arguments),
    Command("eval", "Measure what is handed over, on cases.", "local.evals.command", _eval_arguments),
    Command("sam", "Run the built product in SAM's containers.", "local.sam", _sam_arguments),
    Command("apply", "Set a tenant up, or change it, from its manifest.", "local.apply", _apply_arguments),
    Command("plan", "What applying a manifest would do; changes nothing.", "local.apply", _apply_arguments),
    Command("export", "A tenant's manifest as it was applied, without secrets.", "local.export", _tenant_arguments),
    Command("list", "Every tenant there is.", "local.tenants", _target_arguments),
    Command("rotate-secret", "Give one secret of a tenant a new value.", "local.rotate", _rotate_arguments),
    Command("suspend", "Have a tenant's webhooks refused.", "local.suspend", _reason_arguments),
    Command("resume", "Have a tenant's webhooks taken again.", "local.suspend", _reason_arguments),
    Command("delete", "Remove everything that a tenant has.", "local.delete", _delete_arguments),
    Command("schedules", "Reminders and follow-ups to come or held.", "local.schedules", _schedules_arguments),
    Command("people", "Conversations that people have taken over.", "local.people", _people_arguments),
    Command("give-back", "Have the agent answer a conversation again.", "local.give_back", _give_back_arguments),
    Command("audit", "Who changed what of a tenant, and when.", "local.audit", _audit_arguments),
    Command("review", "Replies from public pages: list, approve, correct.", "local.review", _review_arguments),
    Command("usage", "What a tenant used, day by day, beside its quotas.", "local.usage", _usage_arguments),
    Command(
        "contacts", "What is kept of a tenant's customers: list, export, erase.", "local.contacts", _contacts_arguments
    ),
    Command(
        "documents", "A tenant's documents, their history and texts.", "local.read_documents", _documents_arguments
    ),
    Command("schema", "The manifest's JSON Schema, for editors.", "local.schema", _no_arguments),
)
