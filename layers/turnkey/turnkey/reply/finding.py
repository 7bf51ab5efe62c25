"""What the delivery check finds wrong with a reply."""

from typing import Literal

from turnkey.values import Value

FindingKind = Literal[
    "missing",
    "typed_list",
    "empty_block",
    "unmade_reference",
    "tool_input",
    "promise",
    "claimed_action",
    "ungrounded",
    "language",
    "untold",
]
_LONGEST = 120


class Finding(Value):
    """`evidence` is where the reply shows it, cut short; for `missing` it names what was due."""

    kind: FindingKind
    evidence: str


def finding(kind: FindingKind, evidence: str) -> Finding:
    one_line = " ".join(evidence.split())
    return Finding(kind=kind, evidence=one_line if len(one_line) <= _LONGEST else f"{one_line[: _LONGEST - 1]}…")
