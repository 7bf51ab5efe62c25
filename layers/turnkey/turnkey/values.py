"""The base of every value that crosses a function boundary or is kept in a table."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """Frozen, and refuses fields it does not know: a misspelt one is an error, not a silence. Errors do not repeat what
    they were given: it may be a secret, and errors are logged."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
