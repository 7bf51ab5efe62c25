"""The cases in this folder, in two halves: prompts are tuned with the first in view, nobody looks at the second."""

from pathlib import Path

from mcp.server.mcpserver import MCPServer

from local.bookshop import server as bookshop
from local.bookshop.catalogue import load_catalogue
from local.clinic import server as clinic
from local.clinic.clinic import load_clinic
from local.evals.case import TODAY, Case, Tenant, read

CASES = Path(__file__).with_name("cases")
HALVES = ("tuning", "held")


def load(half: str) -> tuple[Case, ...]:
    """The cases of one half, by file and line."""
    return tuple(case for path in sorted((CASES / half).glob("*.jsonl")) for case in read(path))


def fresh_server(tenant: Tenant) -> MCPServer:
    """The tenant's own MCP server as a case finds it; nothing listens."""
    if tenant == "bookshop":
        return bookshop.create_server(bookshop.Desk(load_catalogue()))
    return clinic.create_server(clinic.Desk(load_clinic(TODAY)))
