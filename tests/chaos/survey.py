"""Plays a scenario once to count its points, and then once for each of them."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from tests.chaos.bench import Bench, Played
from tests.chaos.checks import faults
from tests.chaos.points import WHEN, Operation, Point
from tests.chaos.scenarios import Scenario

AT_ONCE = 2
"""Runs under way at the same time. With more, the services, which are one process, are what is waited for."""


@dataclass(frozen=True)
class Survey:
    """`operations` are all of the killed functions', in order; `points` those that were tried."""

    unhurt: Played
    operations: list[Operation]
    points: list[Point]
    played: list[Played]
    faults: list[str]
    seconds: float


def survey(bench: Bench, scenario: Scenario, *, every: int = 1, tell: Callable[[str], None] = lambda _: None) -> Survey:
    """Tries every n-th point, from the first. `tell` hears of each fault at once."""
    began = time.monotonic()
    unhurt = bench.play(scenario)
    operations = _operations(unhurt)
    points = [Point(operation, when) for operation in operations for when in WHEN][::every]
    found = faults(unhurt, unhurt)
    played: list[Played] = []

    def try_point(point: Point) -> None:
        try:
            run = bench.play(scenario, point)
        except TimeoutError as error:
            wrong = [f"{point}: never ended: {error}"]
        else:
            played.append(run)
            wrong = faults(run, unhurt)
        for fault in wrong:
            tell(fault)
        found.extend(wrong)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(try_point, points))
    return Survey(unhurt, operations, points, played, found, time.monotonic() - began)


def _operations(unhurt: Played) -> list[Operation]:
    """Those of the scenario's functions; of a scenario with a second message, from the one during which it came."""
    begun = [line.operation for line in unhurt.log if line.event == "begun"]
    webhook = [place for place, operation in enumerate(begun) if operation.function == "Webhook"]
    came = next((place - 1 for place, before in zip(webhook[1:], webhook, strict=False) if place > before + 1), 0)
    return [operation for operation in begun[came:] if operation.function in unhurt.scenario.functions]
