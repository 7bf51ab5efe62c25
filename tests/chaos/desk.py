"""A small booking desk as an MCP server, in a process of its own: `python -m tests.chaos.desk`.

It says on stdout where it listens. Two tools only read, one books and is not idempotent. GET /bookings?customer=NAME
has the customer's bookings. The price list is larger than a row of DynamoDB holds, so it goes to S3.
"""

import asyncio
import base64
import random
import socket
import threading
from functools import cache
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer
from mcp_types import ToolAnnotations
from starlette.requests import Request
from starlette.responses import JSONResponse

_READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
PRICES = 3_500
READ_SECONDS = 0.03
"""How long a read takes, so that two at the same time are on their way together."""

bookings: dict[str, list[str]] = {}
_lock = threading.Lock()


async def find_slots(day: str) -> dict[str, Any]:
    """The free slots of a day."""
    await asyncio.sleep(READ_SECONDS)
    return {"day": day, "free": ["10:00", "11:00"]}


async def get_prices(service: str) -> dict[str, Any]:
    """The price list of a service."""
    await asyncio.sleep(READ_SECONDS)
    return {"service": service, "prices": _prices()}


async def book_slot(customer: str, slot: str) -> dict[str, Any]:
    """Books a slot. Every call makes a new booking."""
    with _lock:
        numbers = bookings.setdefault(customer, [])
        numbers.append(f"{customer}-{len(numbers) + 1}")
        return {"booked": numbers[-1], "slot": slot}


async def find_booking(customer: str) -> dict[str, Any]:
    """The customer's bookings."""
    await asyncio.sleep(READ_SECONDS)
    return {"customer": customer, "bookings": bookings.get(customer, [])}


@cache
def _prices() -> list[str]:
    """Hard to compress, and the same every time."""
    numbers = random.Random(1)
    return [f"{base64.b64encode(numbers.randbytes(96)).decode()}: {place}" for place in range(PRICES)]


def main() -> None:
    server = MCPServer("desk", version="1.0.0", log_level="WARNING", subscriptions=False)
    for tool in (find_slots, get_prices, find_booking):
        server.add_tool(tool, annotations=_READS)
    server.add_tool(book_slot, annotations=_ADDS)

    @server.custom_route("/bookings", methods=["GET"])
    async def booked(request: Request) -> JSONResponse:
        return JSONResponse(bookings.get(request.query_params["customer"], []))

    with socket.create_server(("127.0.0.1", 0)) as listener:
        app = server.streamable_http_app(json_response=True, stateless_http=True)
        print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning", access_log=False)).run(sockets=[listener])


if __name__ == "__main__":
    main()
