"""Registered MCP servers.

Plain, among others: `registration`, `failures`, `catalogue`, `definitions`, `results`, `outcomes`, `stdio_catalogue`.
Adapters, which import `mcp` (about a second): `snapshot` (asking a server what it offers) and `connection` (calls in a
turn), with what they stand on: `transport` and `stdio_transport` open a `line`, `watching` sees what HTTP sees,
`diagnosis` makes one stated failure of it all. Import those only where a server is reached."""
