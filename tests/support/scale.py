"""Routes in two worlds in turn, and tells what each took: python -m tests.support.scale

A small world: 10 tenants, one of them with 5 tools. A large one: 10,000 tenants, one of them with 500. The real Router,
over moto in this process. Prints one JSON object: by question, and by world, items read, and seconds as the clock and as
the processor has them, the median of many runs; and the same of the first run, when nothing was warm yet.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from itertools import count
from statistics import median
from typing import Any

from moto import mock_aws

from tests.support.many_tools import definitions
from tests.support.model_server import SMALL, ModelServer
from turnkey import ids
from turnkey.channels.protocol import InboundMessage
from turnkey.mcp.registration import Registration, approved_as_found
from turnkey.store import clients
from turnkey.store.stores import Stores
from turnkey.tenancy.settings import Agent, Connection, ModelSettings, Tenant
from turnkey.turn.reference import TurnReference
from turnkey.turn.route import Router

WORLDS = {"small": (10, 5), "large": (10_000, 500)}
"""How many tenants there are, and how many tools the one has that is measured."""
QUESTIONS = {"ordinary": "What a rainy day it is over here", "suspected": "Show me shoes under 50 euros"}
PLANNED = {QUESTIONS["suspected"]: "search_products"}
FIRST = ("search_products", "get_product", "check_inventory", "reserve_stock", "createOrder")
"""In both worlds and in no second form, so that both tenants' tools are meant alike."""
RUNS = 15
TENANT = "measured"
_numbers = count(1)


class World:
    """Its own tables, in one process with the other's."""

    def __init__(self, name: str, tenants: int, tools: int, model_url: str) -> None:
        self.items = 0
        self._stores = _stores(name)
        self._settle(tools, model_url)
        _fill(f"{name}-tenants", tenants - 1)
        self._conversations = _backend().tables[f"{name}-conversations"]
        self._router = Router(self._stores, allow_private=True)
        clients.dynamodb().meta.events.register("after-call.dynamodb", self._count)

    def _settle(self, tools: int, model_url: str) -> None:
        every = definitions(2 * tools + 150)
        first = [tool for tool in every if tool.name in FIRST]
        others = [tool for tool in every if not tool.name.startswith(FIRST)]
        server = Registration(name="s", url="https://s.example.com/mcp", tools=(*first, *others)[:tools])
        model = ModelSettings(base_url=model_url, main="main", small=SMALL)
        for row in (
            Tenant(id=TENANT, name="A shop"),
            approved_as_found(server),
            Agent(name="clerk", instructions="You are a clerk.", servers=("s",), model=model),
            Connection(name="web", channel="standard_webhooks", agent="clerk"),
        ):
            self._stores.tenants.put(TENANT, row)

    def _count(self, parsed: dict[str, Any], **_: object) -> None:
        batches = parsed.get("Responses", {})
        many = sum(len(items) for items in batches.values()) if isinstance(batches, dict) else 0
        self.items += len(parsed.get("Items", ())) + ("Item" in parsed) + many

    def route(self, text: str) -> dict[str, float]:
        """One turn's routing: what it read and took."""
        number, now = next(_numbers), datetime.now(UTC)
        key = ids.conversation_key(TENANT, "web", f"c-{number}")
        message = InboundMessage(id=f"m-{number}", conversation=f"c-{number}", sender="u", text=text, sent_at=now)
        self._stores.conversations.accept(key, message, now)
        self._stores.conversations.take_lease(key, now)
        reference = TurnReference(tenant=TENANT, connection="web", conversation=f"c-{number}", turn=1)
        before, clock, processor = self.items, time.perf_counter(), time.thread_time()
        following = self._router.route(reference, now)
        taken = {"seconds": time.perf_counter() - clock, "processor": time.thread_time() - processor}
        assert following.next == "tool_loop"
        read = self.items - before
        plan = self._stores.turns.get(reference).record.plan
        assert (plan.goal if plan else "") == PLANNED.get(text, "")
        # moto looks at every item of a table for each query.
        self._conversations.items.clear()
        return {**taken, "items": read}


def _stores(name: str) -> Stores:
    for kind in ("tenants", "conversations"):
        os.environ[f"TURNKEY_{kind.upper()}_TABLE"] = f"{name}-{kind}"
        clients.dynamodb().create_table(
            TableName=f"{name}-{kind}",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": key, "AttributeType": "S"} for key in ("pk", "sk")],
        )
    return Stores.from_environment()


def _backend() -> Any:
    from moto.dynamodb.models import dynamodb_backends

    return dynamodb_backends["123456789012"]["eu-central-1"]


def _fill(table_name: str, tenants: int) -> None:
    """So many others, with the rows of the one that is measured: past the endpoint, which would take minutes."""
    table = _backend().tables[table_name]
    rows = [item.to_json()["Attributes"] for item in table.all_items()]
    for number in range(tenants):
        tenant = f"t{number}"
        for row in rows:
            key = row["sk"]["S"].replace(TENANT, tenant)
            table.put_item({**row, "pk": {"S": ids.tenant_key(tenant)}, "sk": {"S": key}})


def measure() -> dict[str, Any]:
    with ModelServer() as model, mock_aws():
        model.small(lambda _: '{"subject": "shoes", "quantity": null, "constraints": []}')
        worlds = {name: World(name, *size, model.base_url) for name, size in WORLDS.items()}
        found: dict[str, Any] = {"first": {name: world.route(QUESTIONS["ordinary"]) for name, world in worlds.items()}}
        for question, text in QUESTIONS.items():
            found[question] = _in_turn({name: partial(world.route, text) for name, world in worlds.items()})
        found["small calls"] = len(model.small_requests)
    return found


def _in_turn(routes: dict[str, Callable[[], dict[str, float]]]) -> dict[str, dict[str, float]]:
    """The medians of many runs, one world's beside the other's, so that whatever slows the machine slows both."""
    for route in routes.values():
        route()
    taken = [{name: route() for name, route in routes.items()} for _ in range(RUNS)]
    return {
        name: {measured: median(one[name][measured] for one in taken) for measured in taken[0][name]} for name in routes
    }


def main() -> None:
    # Not those of any account: moto answers.
    os.environ |= {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "eu-central-1"}
    os.environ |= {"TURNKEY_SECRETS_PREFIX": "turnkey", "TURNKEY_MODEL": "main"}
    os.environ |= {"TURNKEY_MODEL_BASE_URL": "http://127.0.0.1:9/v1", "POWERTOOLS_LOG_LEVEL": "CRITICAL"}
    json.dump(measure(), sys.stdout)


if __name__ == "__main__":
    main()
