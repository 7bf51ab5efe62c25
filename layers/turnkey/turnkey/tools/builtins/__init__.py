"""Built-in tools: one module each, with TOOL, a rule for when a turn has a reason to show it, and what it does."""

NAMES = ("read_more",)
"""Names that no tenant's tool gets."""
