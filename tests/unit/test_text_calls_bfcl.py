"""A sample of the round trip over the Berkeley Function Calling Leaderboard; `tests.evals.text_calls_bfcl` runs all."""

from pathlib import Path

from tests.evals import text_calls_bfcl
from tests.evals.families import FAMILIES

SHARE = 0.05


def test_gold_calls_come_back_exactly_from_every_family() -> None:
    count, failed = text_calls_bfcl.run(SHARE)
    assert failed == []
    assert count > 100 * len(FAMILIES)


def test_the_table_of_families_names_every_one_and_only_parts_that_exist() -> None:
    package = Path("layers/turnkey/turnkey/loop/text_calls")
    rows = [line.split("|") for line in (package / "families.md").read_text().splitlines() if line.startswith("| ")]
    numbered = [row for row in rows if row[1].strip().isdigit()]
    assert [int(row[1]) for row in numbered] == list(FAMILIES) == list(range(1, 37))
    for row in numbered:
        for part in row[4].split(","):
            assert (package / f"{part.strip()}.py").exists(), part
