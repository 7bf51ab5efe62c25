"""Which messages look as if a tool were meant, in twelve languages; and that an ordinary question never does.

`gate.jsonl` holds the cases that the rules were written by. Those of `gate_second.jsonl` were each run once before
anything was mended by them, in the rounds that they name; then kinds were mended, not cases.
"""

import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.tenants import BOOKSHOP, CLINIC, RENTAL, TENANTS, tool
from turnkey.reading.facts import Suspicion
from turnkey.reading.gate import suspect
from turnkey.reading.lexicon import LANGUAGES
from turnkey.tools import Toolset

LEAST_CASES = 25
LEAST_FOUND = 0.9
MOST_FALSE = 0.03


class Case(NamedTuple):
    """A message and the kind it wants; no kind for an ordinary one."""

    language: str
    tenant: str
    message: str
    kind: str
    handed_over: bool

    @property
    def suspicion(self) -> Suspicion | None:
        return suspect(self.message, TENANTS[self.tenant], handed_over=self.handed_over)


def cases(name: str) -> Iterator[Case]:
    for line in Path(f"tests/cases/{name}.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Case(row["language"], row["tenant"], row["message"], row["kind"], row.get("handed_over", False))


def by_language(name: str) -> dict[str, list[Case]]:
    sorted_out: dict[str, list[Case]] = defaultdict(list)
    for case in cases(name):
        sorted_out[case.language].append(case)
    return sorted_out


SETS = {name: by_language(name) for name in ("gate", "gate_second")}
EACH = [(name, language) for name in SETS for language in LANGUAGES]


@pytest.mark.parametrize(("name", "language"), EACH)
def test_every_language_has_cases_enough(name: str, language: str) -> None:
    of_language = SETS[name][language]
    assert sum(1 for case in of_language if case.kind) >= LEAST_CASES
    assert sum(1 for case in of_language if not case.kind) >= LEAST_CASES


@pytest.mark.parametrize(("name", "language"), EACH)
def test_what_wants_a_tool_is_noticed_and_with_its_kind(name: str, language: str) -> None:
    wanting = [case for case in SETS[name][language] if case.kind]
    found = [(case, suspicion) for case in wanting if (suspicion := case.suspicion)]
    right = [case for case, suspicion in found if case.kind in suspicion.kinds]
    missed = [case.message for case in wanting if case not in right]
    assert len(found) >= LEAST_FOUND * len(wanting), missed
    assert len(right) >= LEAST_FOUND * len(wanting), missed


@pytest.mark.parametrize(("name", "language"), EACH)
def test_an_ordinary_message_is_left_alone(name: str, language: str) -> None:
    ordinary = [case for case in SETS[name][language] if not case.kind]
    false = [case.message for case in ordinary if case.suspicion]
    assert len(false) <= MOST_FALSE * len(ordinary), false


@pytest.mark.parametrize("name", SETS)
def test_a_suspicion_names_few_kinds(name: str) -> None:
    """One where the words settle it, seldom more than two."""
    counts = [len(suspicion.kinds) for case in cases(name) if (suspicion := case.suspicion)]
    assert max(counts) <= 3
    assert sum(count == 1 for count in counts) >= 0.75 * len(counts)


@pytest.mark.parametrize(
    ("message", "tools", "expected"),
    [
        ("show me five books about gardening", BOOKSHOP, Suspicion(kinds=("items",), strong=True)),
        ("How much does B001 cost?", BOOKSHOP, Suspicion(kinds=("lookup",), strong=True)),
        ("draw a chart of your books by language", BOOKSHOP, Suspicion(kinds=("chart",), strong=True)),
        ("cancel my appointment A12", CLINIC, Suspicion(kinds=("action",), strong=True)),
        (
            "Any others like that?",
            BOOKSHOP,
            Suspicion(kinds=("items",), strong=True, elliptical=True, fresh=True),
        ),
        ("and Persuasion?", BOOKSHOP, Suspicion(kinds=("items", "lookup"), strong=False, elliptical=True)),
        ("the second one, please", BOOKSHOP, Suspicion(kinds=("lookup", "action"), strong=False, elliptical=True)),
        ("Do you have Moby Dick?", BOOKSHOP, Suspicion(kinds=("items", "lookup"), strong=False)),
    ],
)
def test_words_that_settle_it_are_strong_and_those_that_lean_say_so(
    message: str, tools: Toolset, expected: Suspicion
) -> None:
    assert suspect(message, tools, handed_over=False) == expected


@pytest.mark.parametrize(
    "message",
    ["in German?", "only in German", "yes, please", "which one is cheaper?", "my name is Ines Moreau", "Sunday?"],
)
def test_a_few_words_count_more_after_a_hand_over(message: str) -> None:
    assert suspect(message, BOOKSHOP, handed_over=False) is None
    after = suspect(message, BOOKSHOP, handed_over=True)
    assert after
    assert after.elliptical or message == "which one is cheaper?"


@pytest.mark.parametrize(
    "message", ["thanks!", "ok", "perfect, thank you", "wow", "why?", "really?", "and you?", "👍", ""]
)
def test_small_talk_after_a_hand_over_is_small_talk(message: str) -> None:
    assert suspect(message, BOOKSHOP, handed_over=True) is None


def test_a_kind_without_a_tool_is_left_out() -> None:
    only_lookups = BOOKSHOP.only(["get_book", "check_stock"])
    assert suspect("reserve two copies of Emma", only_lookups, handed_over=False) is None
    assert suspect("draw a chart of your books by language", only_lookups, handed_over=False) is None
    assert suspect("any others?", only_lookups, handed_over=True) is None
    about = suspect("what about Persuasion?", only_lookups, handed_over=True)
    assert about
    assert about.kinds == ("lookup",)


def test_without_tools_nothing_is_suspected() -> None:
    wanting = [case for case in cases("gate") if case.kind]
    assert [case.message for case in wanting if suspect(case.message, Toolset([]), handed_over=True)] == []


def test_what_no_tool_speaks_of_is_ordinary() -> None:
    """The bookshop's tools know no hours, the clinic's have no goods."""
    assert suspect("Are you open on Sunday?", BOOKSHOP, handed_over=False) is None
    assert suspect("Are you open on Sunday?", CLINIC, handed_over=False)
    assert suspect("Do you have any pizza?", CLINIC, handed_over=False) is None
    assert suspect("can you recommend a restaurant nearby?", BOOKSHOP, handed_over=False) is None


def test_tools_may_be_described_in_another_language_than_the_message() -> None:
    german = Toolset(
        [
            tool("fahrraeder_suchen", "Fahrräder suchen", "items", "Zeigt freie Fahrräder mit Größe und Preis am Tag."),
            tool("oeffnungszeiten", "Öffnungszeiten", "lookup", "Sagt, wann der Verleih geöffnet ist."),
        ]
    )
    for message, kind in (
        ("which e-bikes do you have for Saturday?", "items"),
        ("¿Qué bicis tienen para mañana?", "items"),
        ("日曜は何時から開いていますか", "lookup"),
    ):
        suspicion = suspect(message, german, handed_over=False)
        assert suspicion, message
        assert suspicion.kinds == (kind,), message


def test_the_tenants_own_words_make_a_thing_known() -> None:
    plain = tool("get_gear", "Gear", "items", "What can be taken along.")
    worded = tool("get_gear", "Gear", "items", "What can be taken along.", words=("Kajak", "boat"))
    assert suspect("which kayaks are free tomorrow?", Toolset([plain]), handed_over=False) is None
    assert suspect("which kayaks are free tomorrow?", Toolset([worded]), handed_over=False)


def test_of_several_sentences_the_strong_one_counts() -> None:
    message = "Hi! Hope you are well. I read Emma last year. Please cancel my reservation R-204. Thanks!"
    suspicion = suspect(message, RENTAL, handed_over=False)
    assert suspicion
    assert suspicion.kinds == ("action",)


def test_a_name_in_another_script_does_not_hide_the_language() -> None:
    suspicion = suspect("Do you have any books by 村上春樹?", BOOKSHOP, handed_over=False)
    assert suspicion
    assert suspicion.kinds == ("items",)
    assert suspect("Есть Moby-Dick?", BOOKSHOP, handed_over=False)


@settings(deadline=None, max_examples=150)
@given(st.text(max_size=120), st.booleans())
def test_no_text_breaks_the_gate(text: str, handed_over: bool) -> None:
    for tools in (BOOKSHOP, CLINIC):
        suspicion = suspect(text, tools, handed_over=handed_over)
        assert suspicion is None or suspicion.kinds


def test_a_huge_message_is_read_by_its_ends() -> None:
    padding = "And then we went on along the river for a while. " * 2000
    suspicion = suspect(f"{padding}Show me five books about gardening", BOOKSHOP, handed_over=False)
    assert suspicion
    assert suspicion.kinds == ("items",)


def test_importing_the_gate_reads_no_data() -> None:
    """A cold start pays for a language when a message comes in it."""
    code = (
        "import turnkey.reading.gate; from turnkey.reading import lexicon, script; "
        "assert lexicon.data.cache_info().currsize == 0; assert script.patterns.cache_info().currsize == 0"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": "layers/turnkey"})
