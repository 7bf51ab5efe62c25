"""`turnkey eval --cases FILE --model-url URL --mode bare|turnkey`: runs the cases on the real stack and prints a table.

`bare` is the plain loop with the same model, tools and limits: no reading of facts, no clean reply, no checks.
"""

import argparse
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from queue import SimpleQueue
from typing import Any
from urllib.request import urlopen

from local.cli import OK, CommandError
from local.evals.case import TODAY, Case, read
from local.evals.judge import Verdict, judge
from local.evals.lane import Lane
from local.evals.report import table
from local.model import MODEL_NAME, LocalModel
from local.stack import Stack

NOON = 10
"""The hour, UTC, at which every case begins."""


def run(options: argparse.Namespace) -> int:
    """Returns 0 when every case ran, whatever came of it."""
    cases = [case for case in _cases(options.cases) if not options.language or case.language in options.language]
    cases = [case for case in cases if options.match in case.id]
    if not cases:
        raise CommandError(f"{options.cases} has no cases of that kind")
    with ExitStack() as exits:
        base_url = options.model_url or _embedded(exits)
        model = options.model or _served(base_url)
        call_format = options.call_format or ("text" if MODEL_NAME in model else "native")
        offset = (datetime(TODAY.year, TODAY.month, TODAY.day, NOON, tzinfo=UTC) - datetime.now(UTC)).total_seconds()
        parameters = {"ModelBaseUrl": base_url, "ModelName": model, "ModelCallFormat": call_format}
        stack = exits.enter_context(Stack(parameters=parameters, announced=False, clock_offset=offset))
        verdicts = _run_all(stack, cases, options, offset)
    if options.out:
        options.out.write_text("".join(f"{one.model_dump_json()}\n" for one in verdicts), encoding="utf-8")
    print(f"\n{options.mode}, {model}, {len(cases)} cases\n\n{table(verdicts)}")
    return OK


def _run_all(stack: Stack, cases: list[Case], options: argparse.Namespace, offset: float) -> list[Verdict]:
    """Cases in as many lanes as asked for; each lane has a tenant of each kind."""
    bare = options.mode == "bare"
    with ExitStack() as exits:
        lanes: SimpleQueue[dict[str, Lane]] = SimpleQueue()
        names = sorted({case.tenant for case in cases})
        for number in range(1, options.parallel + 1):
            lanes.put({name: exits.enter_context(Lane(name, number, stack, offset, plain=bare)) for name in names})

        def one(case: Case) -> Verdict:
            lane = lanes.get()
            try:
                verdict = judge(lane[case.tenant].run(case), bare=bare)
            finally:
                lanes.put(lane)
            print(_line(verdict), flush=True)
            return verdict

        with ThreadPoolExecutor(options.parallel) as pool:
            return list(pool.map(one, cases))


def _line(verdict: Verdict) -> str:
    marks = [
        "ok" if verdict.met else "--",
        "triggered" if verdict.triggered else "",
        f"invented {'; '.join(verdict.invented)}" if verdict.invented else "",
        "" if verdict.right_language else "language",
        verdict.missing,
    ]
    said = " ".join(verdict.reply.split())[:120]
    return f"{verdict.id:<28} {verdict.seconds:5.1f} s  {', '.join(filter(None, marks))}  «{said}»"


def _cases(path: Path) -> Iterator[Case]:
    """Of a file, or of every file of a folder. Raises CommandError with the file and the line that is wrong."""
    if not path.exists():
        raise CommandError(f"{path} does not exist: give a JSONL file, or a folder of them")
    for file in sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]:
        yield from read(file)


def _embedded(exits: ExitStack) -> str:
    model = exits.enter_context(LocalModel())
    model.wait_until_ready()
    return model.base_url


def _served(base_url: str) -> str:
    """The name of the first model that the endpoint serves. Raises CommandError."""
    if os.environ.get("TURNKEY_MODEL"):
        return os.environ["TURNKEY_MODEL"]
    try:
        with urlopen(f"{base_url}/models", timeout=10) as response:
            models: list[dict[str, Any]] = json.load(response)["data"]
            return str(models[0]["id"])
    except (OSError, ValueError, KeyError, IndexError) as error:
        raise CommandError(f"{base_url} does not tell its models ({error}): give --model") from error
