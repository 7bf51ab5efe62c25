"""Tools: built-in, a skill's, or a registered server's, all of one shape."""

from turnkey.tools.tool import Hints, JsonObject, Tool
from turnkey.tools.toolset import Toolset

__all__ = ["Hints", "JsonObject", "Tool", "Toolset"]
