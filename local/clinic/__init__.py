"""A second demo tenant's own system: a clinic that the platform reaches over MCP."""
