"""What charts say, and what fields are usually about, in twelve languages: two tables beside this file."""

from functools import cache
from pathlib import Path

from turnkey.deliverables.charts.words import words

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "ar", "tr")
_HERE = Path(__file__).parent


def known(language: str) -> str:
    """The language of the tables that serves a BCP 47 tag such as pt-BR; English where none does."""
    base = language.replace("_", "-").split("-")[0].lower()
    return base if base in LANGUAGES else "en"


def phrase(name: str, language: str, **parts: str) -> str:
    """A phrase by its name in phrases.tsv, its gaps filled."""
    return _table("phrases.tsv")[name][known(language)].format(**parts)


def title(concept: str, language: str) -> str:
    """How an axis names the concept."""
    return _table("concepts.tsv")[concept][known(language)].split("|")[0]


@cache
def names() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Every name of every concept in every language, as (concept, its words), those of most words first."""
    found = {
        (concept, words(name))
        for concept, cells in _table("concepts.tsv").items()
        for cell in cells.values()
        for name in cell.split("|")
    }
    return tuple(sorted(found, key=lambda pair: (-len(pair[1]), -len("".join(pair[1])), pair)))


@cache
def _table(file: str) -> dict[str, dict[str, str]]:
    # Split at line feeds alone: a cell may be a space of some kind.
    lines = (_HERE / file).read_text(encoding="utf-8").strip("\n").split("\n")
    header = lines[0].split("\t")[1:]
    return {cells[0]: dict(zip(header, cells[1:], strict=True)) for cells in (line.split("\t") for line in lines[1:])}
