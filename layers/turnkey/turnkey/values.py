"""The base of every value that crosses a function boundary or is kept in a table."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """Frozen, and refuses fields it does not know: a misspelt one is an error, not a silence."""

    model_config = ConfigDict(frozen=True, extra="forbid")
