"""What the model sees of a tool's result: whole where it fits, else cut along the result's own structure.

A view that is partial says so, how much of how much it shows, and not to invent the rest.
"""

from turnkey.loop.views.notice import View
from turnkey.loop.views.viewing import MINIMUM_TOKENS, placeholder, view

__all__ = ["MINIMUM_TOKENS", "View", "placeholder", "view"]
