"""Checks a state machine for what no other tool checks: `python -m local.state_machine_check functions/turn.asl.yaml`.

Every Next, Default and StartAt names a state that exists; every state can be reached; every Task has Retry, Catch and
TimeoutSeconds; errors are caught for good (the last Catch matches States.ALL).
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import yaml

State = dict[str, Any]
NEEDED = ("Retry", "Catch", "TimeoutSeconds")


def problems(machine: dict[str, Any]) -> list[str]:
    """Everything that is wrong, in the order of the states."""
    states = cast(dict[str, State], machine["States"])
    start = str(machine["StartAt"])
    found = [f"StartAt names {start!r}, which is no state"] if start not in states else []
    for name, state in states.items():
        found += [
            f"{name} leads to {target!r}, which is no state" for target in _targets(state) if target not in states
        ]
        found += _task_problems(name, state)
    unreached = states.keys() - _reached(states, start)
    return found + [f"{name} cannot be reached" for name in states if name in unreached]


def _task_problems(name: str, state: State) -> list[str]:
    if state.get("Type") != "Task":
        return []
    missing = [f"{name} has no {field}" for field in NEEDED if not state.get(field)]
    catchers = cast(list[State], state.get("Catch") or [])
    if catchers and "States.ALL" not in catchers[-1]["ErrorEquals"]:
        missing.append(f"{name} does not catch every error: its last Catch must match States.ALL")
    return missing


def _targets(state: State) -> Iterator[str]:
    """Every state that this one can lead to."""
    for field in ("Next", "Default"):
        if field in state:
            yield str(state[field])
    for field in ("Choices", "Catch"):
        for entry in cast(list[State], state.get(field) or []):
            if "Next" in entry:
                yield str(entry["Next"])


def _reached(states: dict[str, State], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name in states and name not in reached:
            reached.add(name)
            waiting += _targets(states[name])
    return reached


def main(paths: list[str]) -> int:
    failed = False
    for path in paths:
        for problem in problems(yaml.safe_load(Path(path).read_text())):
            failed = True
            print(f"{path}: {problem}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
