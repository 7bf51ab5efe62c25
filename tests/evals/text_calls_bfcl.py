"""The round trip: every gold call of the Berkeley Function Calling Leaderboard, written in every family with prose,
reasoning and noise around it, must come back exactly. python -m tests.evals.text_calls_bfcl [SHARE]

SHARE (default 1) takes that part of the questions, evenly spread. The data is read out of the wheel `bfcl-eval`; the
package itself is never imported.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator

from tests.evals.families import FAMILIES, Calls
from tests.evals.text_calls import Shown, canonical
from turnkey.loop.text_calls import recover
from turnkey.loop.text_calls.literals import NOTHING, strict
from turnkey.tools import JsonObject

SETS = (
    "simple_python", "simple_java", "simple_javascript", "multiple", "parallel", "parallel_multiple",
    "live_simple", "live_multiple", "live_parallel", "live_parallel_multiple",
)  # fmt: skip
_TYPES = {
    "dict": "object", "Dict": "object", "HashMap": "object", "Hashmap": "object", "tuple": "array", "list": "array",
    "ArrayList": "array", "Array": "array", "Set": "array", "Queue": "array", "Stack": "array",
    "float": "number", "double": "number", "Bigint": "integer", "long": "integer", "short": "integer", "byte": "integer",
    "String": "string", "char": "string", "Boolean": "boolean", "bool": "boolean",
}  # fmt: skip
_JSON_TYPES = ("object", "array", "number", "integer", "string", "boolean", "null")
RAW = (3, 15, 17, 18, 19, 33)
"""Families that write values as plain text."""
AROUND = (
    ("", ""),
    ("Let me look that up.\n\n", ""),
    ("<think>\nThe user wants this: {draft}\nBut first things first.\n</think>\n\n", ""),
    ("稍等，我来查一下。\n", "<|im_end|>"),
    ('Use `{"name": "x"}`? No.\n', "<|eot_id|><|endoftext|>"),
)


class Question(NamedTuple):
    id: str
    tools: list[Shown]
    calls: Calls


def questions(share: float = 1.0) -> Iterator[Question]:
    """The questions that have a gold answer. Raises FileNotFoundError where the wheel is not installed."""
    step = max(1, round(1 / share))
    for number, (question, answer) in enumerate(_pairs()):
        if number % step == 0:
            tools = [Shown(one["name"], _schema(one["parameters"])) for one in question["function"]]
            asked = Question(question["id"], tools, [_gold(call) for call in answer["ground_truth"]])
            if _sound(asked):
                yield asked


def _sound(question: Question) -> bool:
    """Whether the gold calls fit their own schemas. Some 50 of 2,500 do not: a string where an integer is declared."""
    schemas = {tool.name: tool.parameters for tool in question.tools}
    return all(
        Draft202012Validator(schemas[name]).is_valid(given) and set(given) <= set(schemas[name].get("properties", {}))
        for name, given in question.calls
    )


def _told_apart(question: Question, family: int) -> bool:
    """Whether the family can say what is meant: between tags, without a type, "42" and 42 are written alike."""
    schemas = {tool.name: tool.parameters["properties"] for tool in question.tools}
    return family not in RAW or all(
        "type" in schemas[name][key] or not isinstance(value, str) or strict(value) is NOTHING
        for name, given in question.calls
        for key, value in given.items()
    )


def data() -> Path:
    spec = find_spec("bfcl_eval")
    if spec is None or not spec.submodule_search_locations:
        raise FileNotFoundError("bfcl-eval is not installed, so there are no gold calls to check: run `uv sync`")
    return Path(spec.submodule_search_locations[0]) / "data"


def _pairs() -> Iterator[tuple[JsonObject, JsonObject]]:
    for name in SETS:
        asked = _lines(data() / f"BFCL_v4_{name}.json")
        gold = {one["id"]: one for one in _lines(data() / "possible_answer" / f"BFCL_v4_{name}.json")}
        yield from ((one, gold[one["id"]]) for one in asked if one["id"] in gold)


def _lines(path: Path) -> list[JsonObject]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _schema(schema: Any) -> Any:
    """The data's own type names as JSON schema's."""
    if isinstance(schema, list):
        return [_schema(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    out = {key: _schema(value) for key, value in schema.items()}
    if isinstance(schema.get("type"), str):
        named = _TYPES.get(schema["type"], schema["type"])
        out["type"] = named
        if named not in _JSON_TYPES:
            del out["type"]
    return out


def _gold(call: JsonObject) -> tuple[str, JsonObject]:
    """The first of the accepted values of each argument; "" stands for leaving it out."""
    ((name, options),) = call.items()
    return name, {key: _first(given) for key, given in options.items() if given and given[0] != ""}


def _first(options: list[Any]) -> Any:
    return _plain(options[0])


def _plain(value: Any) -> Any:
    """Inside of objects, every value is a list of accepted ones again."""
    if isinstance(value, dict):
        return {
            key: _first(one) if isinstance(one, list) else _plain(one)
            for key, one in value.items()
            if one not in ([], [""])
        }
    return [_plain(one) for one in value] if isinstance(value, list) else value


def failure(question: Question, family: int, around: int) -> str:
    """How the round trip fails, or nothing."""
    before, after = AROUND[around]
    written = FAMILIES[family](question.calls)
    text = before.replace("{draft}", written)
    recovered = recover(text + written + after, question.tools, "stop")
    got = [(call.name, call.arguments) for call in recovered.calls]
    if canonical([list(one) for one in got]) == canonical([list(one) for one in question.calls]):
        return ""
    return (
        f"{question.id} in family {family}, surroundings {around}\n  wrote {text + written + after!r}\n  got   {got!r}"
    )


def run(share: float) -> tuple[int, list[str]]:
    """How many round trips were made, and those that failed. Each family meets all surroundings in turn."""
    count, failed = 0, list[str]()
    for number, question in enumerate(questions(share)):
        for family in FAMILIES:
            if not _told_apart(question, family):
                continue
            count += 1
            if text := failure(question, family, (number + family) % len(AROUND)):
                failed.append(text)
    return count, failed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.evals.text_calls_bfcl", description=__doc__)
    parser.add_argument("share", type=float, nargs="?", default=1.0)
    count, failed = run(parser.parse_args().share)
    sys.stdout.write(f"{count - len(failed)}/{count}\n" + "".join(f"{text}\n" for text in failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
