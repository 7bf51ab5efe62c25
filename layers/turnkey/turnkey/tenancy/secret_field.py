"""A secret in a manifest: a value that is written and never read back, or `{kept: true}` for the one that is stored."""

import re
from typing import Annotated, Any, Literal

from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler, SecretStr
from pydantic_core import PydanticCustomError, core_schema

from turnkey.values import Value

LONGEST = 8192


class Kept(Value):
    """The value that is stored stays."""

    kept: Literal[True] = True


class _Rule:
    """Reads a secret without a union's tags in the paths of errors, and writes every one as kept."""

    def __init__(self, pattern: str = "", problem: str = "") -> None:
        self._pattern = pattern
        self._problem = problem

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> core_schema.CoreSchema:
        return core_schema.no_info_plain_validator_function(
            self._read, serialization=core_schema.plain_serializer_function_ser_schema(_written)
        )

    def __get_pydantic_json_schema__(self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler) -> Any:
        text = {"type": "string", "minLength": 1, "maxLength": LONGEST}
        kept = {
            "type": "object",
            "properties": {"kept": {"const": True, "description": "The value that is stored stays."}},
            "required": ["kept"],
            "additionalProperties": False,
        }
        return {"anyOf": [{**text, "pattern": f"^(?:{self._pattern})$"} if self._pattern else text, kept]}

    def _read(self, value: Any) -> SecretStr | Kept:
        if isinstance(value, Kept) or _says_kept(value):
            return Kept()
        text = value.get_secret_value() if isinstance(value, SecretStr) else value
        if not isinstance(text, str):
            raise PydanticCustomError(
                "secret", "is no text: give it in quotes, or {kept: true} for the value that is stored"
            )
        if not 1 <= len(text) <= LONGEST:
            raise PydanticCustomError("secret", "has {found} characters: give 1 to {most}", _lengths(text))
        if self._pattern and not re.fullmatch(self._pattern, text):
            raise PydanticCustomError("secret", "{problem}", {"problem": self._problem})
        return SecretStr(text)


def _says_kept(value: Any) -> bool:
    # 1 equals True, and is something else.
    return isinstance(value, dict) and value == {"kept": True} and value["kept"] is True


def _lengths(text: str) -> dict[str, int]:
    return {"found": len(text), "most": LONGEST}


def _written(_: SecretStr | Kept) -> dict[str, bool]:
    return {"kept": True}


def given(secret: SecretStr | Kept | None) -> str | None:
    """The value that a manifest gives; None where it gives none, or the stored one stays."""
    return secret.get_secret_value() if isinstance(secret, SecretStr) else None


Secret = Annotated[SecretStr | Kept, _Rule()]
"""A value that goes to Secrets Manager and nowhere else."""

Token = Annotated[SecretStr | Kept, _Rule(r"[!-~]+", "has white space or a line break in it: was it pasted whole?")]
"""One that is sent as one word."""

HeaderText = Annotated[
    SecretStr | Kept,
    _Rule(r"[!-~](?:[ -~]*[!-~])?", "has a line break in it, or white space around it: was it pasted whole?"),
]
"""One that is sent as a header's value."""
