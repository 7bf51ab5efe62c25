"""Running a stdio MCP server inside a function of its own: one process for one invocation, and nothing left of it
afterwards (docs/decisions/0011-a-stdio-server-in-a-function-of-its-own.md). Knows nothing of MCP but its lines."""

from turnkey.stdio.command import Command
from turnkey.stdio.processes import prepare
from turnkey.stdio.request import THE_TASK, StdioAnswer, StdioRequest
from turnkey.stdio.running import run

__all__ = ["THE_TASK", "Command", "StdioAnswer", "StdioRequest", "prepare", "run"]
