"""Reading a function's settings from its environment, once, at init."""

import os

from turnkey.errors import Permanent


def required(name: str) -> str:
    """The variable's value. Raises Permanent when it is not set: the template and the code disagree."""
    value = os.environ.get(name, "")
    if not value:
        raise Permanent(f"environment variable {name} is not set: the function's template entry must give it")
    return value


def optional(name: str, default: str = "") -> str:
    return os.environ.get(name, default)


def flag(name: str) -> bool:
    """True for "true" in any case."""
    return optional(name).lower() == "true"
