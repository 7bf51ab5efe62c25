"""`turnkey demo`: the bookshop is onboarded, a customer writes, and what happened inside each turn is printed.

Ends with 0 only if the tools really ran, by the count of the bookshop's own server, and every reply really arrived.
"""

import argparse
import time

from local import trace
from local.cli import OK, REFUSED, CommandError
from local.demo_tenant import CONVERSATION, DemoTenant, TenantFailed
from local.stack import Stack
from local.target import Target
from turnkey import ids

MESSAGES = (
    "Do you have any books about whales?",
    "Any others like that?",
)
LOOK_UPS = {"search_books": 2}
"""What the bookshop's server must have run by then."""
REPLY_SECONDS = 90


def run(options: argparse.Namespace) -> int:
    """Returns 0 when everything really happened, 1 with the reason otherwise."""
    started = time.monotonic()
    try:
        with Stack(announced=False) as stack, DemoTenant("bookshop", stack.api_url) as shop:
            _onboard(stack, shop)
            _say(f"up after {time.monotonic() - started:.1f} s; model {stack.model}")
            for text in MESSAGES:
                _turn(stack, shop, text)
            calls = shop.calls()
    except TenantFailed as error:
        raise CommandError(str(error), REFUSED) from error
    missing = [name for name, least in LOOK_UPS.items() if calls.get(name, 0) < least]
    if missing:
        raise CommandError(f"the bookshop's server was never asked for {', '.join(missing)}", REFUSED)
    _say(f"done after {time.monotonic() - started:.1f} s; the bookshop's server counted {calls}")
    return OK


def _onboard(stack: Stack, shop: DemoTenant) -> None:
    report = shop.onboard(Target(stack.client("lambda"), stack.function_name("Provision"), "on this machine"))
    for server in report["servers"]:
        tools = ", ".join(tool["name"] for tool in server["tools"])
        _say(f"onboarded {report['tenant']}: MCP {server['protocol']}, {server['milliseconds']} ms, tools {tools}")


def _turn(stack: Stack, shop: DemoTenant, text: str) -> None:
    _say(f"\ncustomer > {text}")
    started = time.monotonic()
    reply = shop.reply_to(shop.say(text), REPLY_SECONDS)
    took = time.monotonic() - started
    key = ids.conversation_key("bookshop", "web", CONVERSATION)
    table = stack.deployment.outputs["ConversationsTableName"]
    found = _ended(stack, table, key)
    for line in found.lines():
        _say(f"    {line}")
    _say(f"    in all     {took:.1f} s")
    _say(f"bookshop > {reply.text}")
    if found.ended != "delivered":
        causes = [line for line in stack.logs("Apologise") if '"turn failed"' in line]
        raise TenantFailed("\n".join([f"the turn ended as {found.ended}, not as delivered", *causes[-1:]]))


def _ended(stack: Stack, table: str, key: str) -> trace.Trace:
    """The turn, once it is over: the reply arrives a moment before that is written."""
    deadline = time.monotonic() + 10
    while True:
        found = trace.newest(stack.client("dynamodb"), table, key)
        if found.ended or time.monotonic() > deadline:
            return found
        time.sleep(0.05)


def _say(line: str) -> None:
    print(line, flush=True)
