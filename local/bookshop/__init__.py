"""The demo tenant's own system: a bookshop that the platform reaches over MCP."""
