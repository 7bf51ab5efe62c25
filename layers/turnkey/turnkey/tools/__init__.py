"""Tools: built-in, a skill's, or a registered server's, all of one shape."""

from turnkey.tools.outcome import CallOutcome
from turnkey.tools.tool import CardFields, Hints, JsonObject, Tool, ToolKind
from turnkey.tools.toolset import Toolset

__all__ = ["CallOutcome", "CardFields", "Hints", "JsonObject", "Tool", "ToolKind", "Toolset"]
