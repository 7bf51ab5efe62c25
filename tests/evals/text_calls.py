"""Runs a file of cases for `recover`: python -m tests.evals.text_calls FILE.

A case is one line of JSON: `id`, `tools` (name and parameters), `content`, `expect` (calls and text), and where it
matters `finish_reason` and `quoted`. Prints passed/total, then each failure.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from turnkey.loop.text_calls import recover
from turnkey.tools import JsonObject


class Shown(NamedTuple):
    """A tool as a case states it. Its name may be any string."""

    name: str
    parameters: JsonObject


def cases(path: Path) -> list[JsonObject]:
    """The cases of a file, one a line."""
    return [json.loads(line) for line in path.read_text().splitlines() if line.strip()]


def got(case: JsonObject) -> JsonObject:
    """What `recover` makes of a case, in the form of its `expect`."""
    recovered = recover(
        case["content"],
        [Shown(tool["name"], tool.get("parameters") or {}) for tool in case["tools"]],
        case.get("finish_reason") or "",
        quoted=case.get("quoted", ()),
    )
    calls = [{"name": call.name, "arguments": call.arguments} for call in recovered.calls]
    return {"calls": calls, "text": recovered.text, "refused": list(recovered.refused)}


def failure(case: JsonObject) -> str:
    """How a case fails, or nothing. Only what `expect` names is compared."""
    actual = got(case)
    expected = case["expect"]
    if all(canonical(actual.get(key)) == canonical(value) for key, value in expected.items()):
        return ""
    return f"{case['id']}: {case.get('why', '')}\n  expected {_line(expected)}\n  got      {_line(actual)}"


def canonical(value: Any) -> Any:
    """A value in a form that tells true from 1, but not 1 from 1.0, which JSON does not either."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, dict):
        return {key: canonical(one) for key, one in value.items()}
    return [canonical(one) for one in value] if isinstance(value, list) else value


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def failures(found: list[JsonObject]) -> Iterator[str]:
    return (text for text in map(failure, found) if text)


def main() -> int:
    """0 if all cases pass."""
    parser = argparse.ArgumentParser(prog="python -m tests.evals.text_calls", description=__doc__)
    parser.add_argument("file", type=Path)
    found = cases(parser.parse_args().file)
    failed = list(failures(found))
    sys.stdout.write(f"{len(found) - len(failed)}/{len(found)}\n" + "".join(f"{text}\n" for text in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
