"""A template's parameters: what the caller gives, filled up with the template's defaults."""

from collections.abc import Mapping
from typing import Any

from local.transform import InvalidTemplate


def parameter_values(declared: Mapping[str, Any], given: Mapping[str, str]) -> dict[str, str]:
    """Returns a value for every declared parameter.

    Raises `InvalidTemplate` for a parameter the template does not declare, one without a value, and a value that is
    not among its AllowedValues.
    """
    unknown = sorted(set(given) - set(declared))
    if unknown:
        raise InvalidTemplate(f"The template has no parameter {', '.join(unknown)}. It has {', '.join(declared)}.")
    return {name: _value(name, declaration, given) for name, declaration in declared.items()}


def _value(name: str, declaration: Mapping[str, Any], given: Mapping[str, str]) -> str:
    value = given.get(name, declaration.get("Default"))
    if value is None:
        raise InvalidTemplate(f"Parameter {name} has no default: give it a value.")
    allowed = [str(choice) for choice in declaration.get("AllowedValues", [value])]
    if str(value) not in allowed:
        raise InvalidTemplate(f"Parameter {name} is {value!r}. It must be one of {', '.join(allowed)}.")
    return str(value)
