"""The public conformance suite for MCP clients, run against ours. `python -m tests.conformance` writes its table."""
