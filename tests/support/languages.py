"""The languages that a test runs in."""

from collections.abc import Iterable
from typing import Any

import pytest


def in_languages(languages: Iterable[str]) -> list[Any]:
    """English with every run, the others with `make test-more`."""
    return [pytest.param(one, marks=[] if one == "en" else pytest.mark.long) for one in languages]
