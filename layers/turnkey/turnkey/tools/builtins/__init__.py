"""Built-in tools: one module each, with TOOL, a rule for when a turn has a reason to show it, and what it does."""

from turnkey.tools.builtins import draw_chart, find_tools, read_more, show_items

TOOLS = (read_more.TOOL, show_items.TOOL, draw_chart.TOOL, find_tools.TOOL)
NAMES = tuple(tool.name for tool in TOOLS)
"""Names that no tenant's tool gets."""
