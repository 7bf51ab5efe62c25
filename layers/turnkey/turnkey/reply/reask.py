"""The one more ask after a reply that may not be sent: what was skipped, how to do it, and the honest way out."""

from collections.abc import Sequence

from turnkey.reading.facts import Kind
from turnkey.reply.finding import Finding, FindingKind

_FAULTS: dict[FindingKind, str] = {
    "missing": "what was asked for did not come back from any call",
    "typed_list": "it types out a list that only a tool may hand over",
    "empty_block": "it holds a placeholder or a heading with nothing behind it: {evidence}",
    "unmade_reference": "it points at something that was never made: {evidence}",
    "tool_input": "it shows code or a call's input, which no customer may see",
    "promise": "it promises to do something, but nothing happens after the reply: {evidence}",
    "claimed_action": "it says that something was done, but no call did it: {evidence}",
    "ungrounded": "it names what no result and no message holds: {evidence}",
    "untold": "it does not tell what was found",
    "language": "it is written in another language than the customer's",
}
_STEPS: dict[Kind, str] = {
    "items": "{call} now: what it returns is shown to the customer as cards.",
    "chart": "{call} now: the chart it draws is shown to the customer.",
    "action": "{call} now, if everything it needs is known; only its result counts as done.",
    "lookup": "{call} now, and answer from its result.",
    "answer": "Answer again, from what is known.",
}
_WAYS_OUT: dict[Kind, str] = {
    "items": "Do not write the list yourself. If nothing fits, say so.",
    "chart": "Do not draw or describe a chart yourself. If there is no data for it, say so.",
    "action": "Do not say that it is done before it is. If something is missing, ask for it; if it cannot be, say so.",
    "lookup": "Do not guess the value. If it cannot be found, say so.",
    "answer": "Leave out what you do not know, or say that you do not know it.",
}
_AFRESH = "Write the reply again, using only the facts given."
# With one of these the step itself was left out; the others are faults of the wording alone.
_SKIPPED: frozenset[FindingKind] = frozenset({"missing", "typed_list", "promise", "claimed_action"})
_EVIDENCE = 80


def again(findings: Sequence[Finding], due: Kind, tool_title: str, language_instruction: str) -> str:
    """The text of the ask, in English, as instructions are. `tool_title` names the tool that was meant, if one was;
    `language_instruction` is the sentence that states the reply's language, or empty."""
    faults = "; ".join(dict.fromkeys(_fault(finding) for finding in findings))
    skipped = any(finding.kind in _SKIPPED for finding in findings)
    step = _STEPS[due].format(call=f"Call “{tool_title}”" if tool_title else "Make the call") if skipped else _AFRESH
    parts = (f"Your reply was not sent: {faults}.", step, _WAYS_OUT[due], language_instruction)
    return " ".join(part for part in parts if part)


def _fault(finding: Finding) -> str:
    shown = finding.evidence if len(finding.evidence) <= _EVIDENCE else f"{finding.evidence[:_EVIDENCE]}…"
    return _FAULTS[finding.kind].format(evidence=f"“{shown}”")
