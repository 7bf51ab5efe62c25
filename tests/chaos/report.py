"""What is printed: every point there is, and how the runs went."""

from collections import Counter
from collections.abc import Iterable

from tests.chaos.checks import raw_posts
from tests.chaos.points import WHEN, Operation
from tests.chaos.scenarios import Scenario
from tests.chaos.survey import Survey


def operations_of(operations: Iterable[Operation]) -> str:
    """All operations, by function."""
    lines: list[str] = []
    by_function: dict[str, list[str]] = {}
    for operation in operations:
        again = f" ({operation.occurrence})" if operation.occurrence > 1 else ""
        by_function.setdefault(operation.function, []).append(operation.name + again)
    for function, names in by_function.items():
        lines += [f"  {function}", *(f"    {number:2} {name}" for number, name in enumerate(names, 1))]
    return "\n".join(lines)


def table(survey: Survey) -> str:
    """A line a function: operations, those that write, points, runs."""
    scenario: Scenario = survey.unhurt.scenario
    operations = Counter(operation.function for operation in survey.operations)
    writes = Counter(operation.function for operation in survey.operations if operation.writes)
    runs = Counter(point.operation.function for point in survey.points)
    lines = [f"{scenario.name}", "  function    operations  writes  points  runs"]
    for name, many in operations.items():
        lines.append(f"  {name:<10}  {many:10}  {writes[name]:6}  {many * len(WHEN):6}  {runs[name]:4}")
    total = len(survey.operations)
    lines.append(
        f"  {'all':<10}  {total:10}  {writes.total():6}  {total * len(WHEN):6}  {runs.total():4}   "
        f"{survey.seconds:.0f} s, {len(survey.faults)} faults"
    )
    posts = sum(raw_posts(played) for played in survey.played)
    ids = sum(len({post.id for post in played.posts}) for played in survey.played)
    bookings = sum(len(played.bookings) for played in survey.played)
    lines.append(f"  {ids} replies by id in {posts} posts, {bookings} bookings in {len(survey.played)} runs")
    return "\n".join(lines)
