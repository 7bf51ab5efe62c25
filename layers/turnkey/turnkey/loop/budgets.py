"""Two budgets for what the model sees of tools' results, in estimated tokens: for one result, and for all of a turn.

Figures and defaults: docs/budgets.md.
"""

from turnkey.loop.views import MINIMUM_TOKENS, View, placeholder, view

RESULT_TOKENS = 2_000
"""Default for one result: some 20 records, or a page and a half of text."""
TURN_TOKENS = 8_000
"""Default for all results of a turn: with instructions and tools it fits a context of 16,000."""

SPENT = "No room is left for results in this turn"


def allot(used_tokens: int, result: str, per_result: int, per_turn: int, handle: str, *, start: int = 0) -> View:
    """What the model sees of `result` when the turn's earlier views have cost `used_tokens`, the sum of their `tokens`.

    At most `per_result` tokens and at most what is left of `per_turn`. Once too little is left for a view with its
    notice, a placeholder of about 70 tokens gives the size and the handle; a result that costs no more than that is
    shown all the same. `start` goes on where an earlier view ended.
    """
    left = per_turn - used_tokens
    if left >= MINIMUM_TOKENS:
        return view(result, min(per_result, left), start=start, handle=handle)
    instead = placeholder(result, handle, SPENT)
    whole = view(result, max(left, instead.tokens))
    return instead if whole.partial else whole
