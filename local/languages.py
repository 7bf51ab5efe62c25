"""Languages as people name them, each in the twelve languages of the demo."""

import csv
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from local.words import fold


@cache
def words(code: str) -> str:
    """Every name of the language with this ISO 639-1 code, parted by |, the English one first."""
    return _languages()[code]


def code_for(text: str, among: Iterable[str]) -> str | None:
    """The one of the codes `among` that `text` means, a code with or without region or a name in any language."""
    wanted = fold(text.strip())
    for code in among:
        if wanted.replace("_", "-").split("-")[0] == code or wanted in fold(words(code)).split("|"):
            return code
    return None


@cache
def _languages() -> dict[str, str]:
    with Path(__file__).with_name("languages.csv").open(encoding="utf-8", newline="") as file:
        return {row["code"]: f"{row['name']}|{row['words']}" for row in csv.DictReader(file)}
