"""The table of an evaluation."""

from collections.abc import Callable, Iterable, Sequence

from local.evals.judge import Verdict

KINDS = ("followup", "items", "count", "chart", "booking", "lookup", "ordinary", "impossible")
_HEAD = ("kind", "cases", "handed over", "wrongly triggered", "invented", "language", "calls", "prompt", "seconds")


def table(verdicts: Sequence[Verdict]) -> str:
    """Markdown: a row a kind, one of those in which something was to be handed over, and all together. Of calls,
    prompt (characters) and seconds the mean a turn."""
    groups = [(kind, [one for one in verdicts if one.kind == kind]) for kind in KINDS]
    rows = [_row(kind, group) for kind, group in groups if group]
    rows.append(_row("**to hand over**", [one for one in verdicts if one.due not in ("none", "honest")]))
    rows.append(_row("**all**", verdicts))
    lines = [_HEAD, tuple("---" for _ in _HEAD), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _row(name: str, group: Sequence[Verdict]) -> tuple[str, ...]:
    return (
        name,
        str(len(group)),
        _share(group, lambda one: one.met),
        _share(group, lambda one: one.triggered),
        _share(group, lambda one: bool(one.invented)),
        _share(group, lambda one: one.right_language),
        _mean(one.model_calls for one in group),
        _mean((one.prompt_characters for one in group), places=0),
        _mean(one.seconds for one in group),
    )


def _share(group: Sequence[Verdict], holds: Callable[[Verdict], bool]) -> str:
    if not group:
        return "–"
    count = sum(map(holds, group))
    return f"{count} ({100 * count / len(group):.0f} %)"


def _mean(values: Iterable[float], places: int = 1) -> str:
    numbers = list(values)
    return f"{sum(numbers) / len(numbers):,.{places}f}" if numbers else "–"
