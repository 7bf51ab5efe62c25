"""Registered MCP servers. Rules: `naming`, `schemas`, `catalogue`, `results`, `registration`. Adapters: `connection`
(calls in a turn), `snapshot` (registration); only these import `mcp`, so import them only where a server is reached."""
