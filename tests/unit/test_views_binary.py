"""Binary data within results is named, and nothing else is taken for it."""

import base64
import json
import random

import pytest

from turnkey.loop.views import view
from turnkey.loop.views.binary import without_binary

BYTES = random.Random(1).randbytes(3000)
RUN = base64.b64encode(BYTES).decode()
WORDS = [
    "whale",
    "ship",
    "captain",
    "harbour",
    "literature",
    "order",
    "history",
    "customer",
    "entry",
    "list",
    "of",
    "the",
    "sea",
    "books",
    "about",
    "and",
]
NAMED = f"[base64 data, {len(RUN):,} characters: not shown]"


def test_a_run_within_json_is_named_and_json_stays_json() -> None:
    seen = view(json.dumps({"name": "cover.png", "data": RUN, "pages": 3}), 500)
    assert json.loads(seen.text.split("\n[PARTIAL")[0]) == {"name": "cover.png", "data": NAMED, "pages": 3}
    assert seen.partial


def test_a_run_within_text_is_named() -> None:
    assert without_binary(f"Here is the file: {RUN}. Enjoy!") == f"Here is the file: {NAMED}. Enjoy!"


def test_url_safe_hex_escaped_and_wrapped_runs_are_named() -> None:
    wrapped = base64.encodebytes(BYTES).decode()
    for run in (base64.urlsafe_b64encode(BYTES).decode(), BYTES.hex(), RUN.replace("/", "\\/"), wrapped):
        assert len(without_binary(f'"caption: {run.strip()}"')) < 80
    assert len(without_binary(json.dumps({"caption": "A cover\n" + wrapped}))) < 100


def test_the_payload_of_a_data_uri_is_named_even_when_short() -> None:
    uri = "data:image/png;base64," + base64.b64encode(BYTES[:150]).decode()
    assert without_binary(f"![cover]({uri})") == (
        "![cover](data:image/png;base64,[base64 data, 200 characters: not shown])"
    )


@pytest.mark.parametrize(
    "data", [b"\0" * 900, b"\xff" * 900, b"\0\0\1" * 300, bytes(range(256)) * 3, b"Moby Dick; " * 90]
)
def test_runs_that_repeat_themselves_are_named(data: bytes) -> None:
    assert len(without_binary(f"data: {base64.b64encode(data).decode()}")) < 60


def test_an_escape_before_a_run_keeps_both_its_halves() -> None:
    for before in ("\n", "\\", "é", '"', "\t\\"):
        text = json.dumps({"data": before + RUN})
        assert json.loads(without_binary(text))["data"].startswith(before)


@pytest.mark.parametrize(
    "text",
    [
        "ACGT" + "".join(random.Random(2).choices("ACGT", k=2000)),
        "".join(random.Random(3).choices("0123456789", k=2000)),
        "".join(random.Random(4).choices(WORDS, k=200)),
        "".join(word.title() for word in random.Random(5).choices(WORDS, k=200)),
        "https://example.com/" + "/".join(random.Random(6).choices(WORDS, k=200)),
        "鯨" * 2000,
        "кит" * 700,
        "\n".join(f"{random.Random(i).randbytes(20).hex()}" for i in range(40)),
        "word\n" * 500,
        "-" * 40,
    ],
)
def test_sequences_numbers_words_paths_and_lists_of_ids_stay(text: str) -> None:
    assert without_binary(text) is text


def test_hostile_text_takes_linear_time() -> None:
    for piece in ("A1b2" * 99 + " ", "a" * 199 + " ", "Ab1\\n", ";base64,", "Ab1" * 25 + "\n"):
        without_binary(piece * (300_000 // len(piece)))
