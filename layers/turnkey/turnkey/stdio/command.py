"""The operator's word on what runs: the command, and where a tenant's settings go in it."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from turnkey.environment import optional, required
from turnkey.errors import Permanent
from turnkey.values import Value

COMMAND = "TURNKEY_STDIO_COMMAND"
SETTINGS = "TURNKEY_STDIO_SETTINGS"
PYTHON = "python3"
"""As a command's first word: the function's own interpreter, with the function's own packages."""
_PASSED_ON = ("PATH", "LD_LIBRARY_PATH")
"""Of the function's environment; nothing that names it or proves it."""


class SettingRefused(Exception):
    """A setting that the command does not take, or not so."""


class Setting(Value):
    """Goes into a variable of the server's environment, or behind a flag on its command line."""

    environment: str = ""
    argument: str = ""
    required: bool = False

    @model_validator(mode="after")
    def _one_place(self) -> "Setting":
        if bool(self.environment) == bool(self.argument):
            raise ValueError("give either environment or argument")
        return self


_WORDS: TypeAdapter[tuple[str, ...]] = TypeAdapter(tuple[str, ...])
_SETTINGS: TypeAdapter[dict[str, Setting]] = TypeAdapter(dict[str, Setting])


class Command(Value):
    words: tuple[str, ...] = Field(min_length=1)
    settings: dict[str, Setting] = {}

    @classmethod
    def from_environment(cls) -> "Command":
        """Raises Permanent when the template's variables cannot be read."""
        try:
            words = _WORDS.validate_json(required(COMMAND))
            return cls(words=words, settings=_SETTINGS.validate_json(optional(SETTINGS) or "{}"))
        except ValidationError as error:
            raise Permanent(f"{COMMAND} is no JSON list of words, or {SETTINGS} no settings: {error}") from error

    def line(self, given: Mapping[str, str]) -> list[str]:
        """The words to run. Raises SettingRefused."""
        self._check(given)
        first, *rest = self.words
        words = [sys.executable if first == PYTHON else first, *rest]
        for name, value in given.items():
            if flag := self.settings[name].argument:
                words += [flag, value]
        return words

    def environment(self, given: Mapping[str, str], home: Path) -> dict[str, str]:
        """All of the server's environment. Raises SettingRefused."""
        self._check(given)
        passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        own = {"HOME": str(home), "TMPDIR": str(home), "LANG": "C.UTF-8", "PYTHONPATH": _search_path()}
        named = {self.settings[name].environment: value for name, value in given.items()}
        return passed | {name: value for name, value in named.items() if name} | own

    def _check(self, given: Mapping[str, str]) -> None:
        for name, value in given.items():
            if name not in self.settings:
                raise SettingRefused(f"there is no setting {name!r}: use one of {', '.join(self.settings) or 'none'}")
            if "\0" in value or not value.strip():
                raise SettingRefused(f"setting {name!r} is empty or has a zero byte: correct it")
            if self.settings[name].argument and value.startswith("-"):
                # It would be read as another flag.
                raise SettingRefused(f"setting {name!r} begins with a hyphen: correct it")
        missing = [name for name, setting in self.settings.items() if setting.required and name not in given]
        if missing:
            raise SettingRefused(f"setting {', '.join(missing)} is missing: add it")


def _search_path() -> str:
    return os.pathsep.join(place for place in sys.path if place and os.path.exists(place))
