"""The Condition block of a policy's statement.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from local.iam.patterns import Pattern
from local.iam.values import Context, UnsupportedPolicy

Quantifier = Literal["", "ForAllValues", "ForAnyValue"]
_Match = Callable[[str, str, Context], bool]
"""(policy's value, request's value, context) -> whether they fit. Raises Unresolved."""


def _equals(wanted: str, value: str, context: Context) -> bool:
    return Pattern(wanted, wild=False).matches(value, context)


def _like(wanted: str, value: str, context: Context) -> bool:
    return Pattern(wanted, wild=True).matches(value, context)


def _arn_like(wanted: str, value: str, context: Context) -> bool:
    """Field by field, so that no wildcard reaches over a colon but in the last."""
    wanted_fields, fields = wanted.split(":", 5), value.split(":", 5)
    return len(wanted_fields) == len(fields) and all(
        Pattern(one, wild=True).matches(other, context) for one, other in zip(wanted_fields, fields, strict=True)
    )


def _bool(wanted: str, value: str, context: Context) -> bool:
    return wanted.lower() == value.lower()


_OPERATORS: dict[str, tuple[_Match, bool]] = {
    "StringEquals": (_equals, True),
    "StringNotEquals": (_equals, False),
    "StringLike": (_like, True),
    "StringNotLike": (_like, False),
    "ArnEquals": (_arn_like, True),
    "ArnLike": (_arn_like, True),
    "ArnNotEquals": (_arn_like, False),
    "ArnNotLike": (_arn_like, False),
    "Bool": (_bool, True),
}
"""How to compare, and whether the condition holds where it fits (or, for the Not ones, where it does not)."""


@dataclass(frozen=True)
class Condition:
    """One operator on one key. `key` is in lower case; `wanted` are alternatives."""

    key: str
    operator: str
    quantifier: Quantifier
    if_exists: bool
    wanted: tuple[str, ...]

    def holds(self, context: Context) -> bool:
        """Raises Unresolved, and UnsupportedPolicy for several values of a key without a quantifier."""
        values: tuple[str, ...] = context.get(self.key, ())
        if self.operator == "Null":
            return (not values) == ("true" in self.wanted)
        if self.quantifier == "ForAllValues":
            return all(self._fits(value, context) for value in values)
        if self.quantifier == "ForAnyValue":
            return any(self._fits(value, context) for value in values)
        if not values:
            return self.if_exists or not _OPERATORS[self.operator][1]
        [value, *more] = values
        if more:
            raise UnsupportedPolicy(f"{self.operator} on {self.key}, which has several values: use ForAllValues")
        return self._fits(value, context)

    def _fits(self, value: str, context: Context) -> bool:
        match, positive = _OPERATORS[self.operator]
        return any(match(wanted, value, context) for wanted in self.wanted) == positive


def conditions(block: Mapping[str, Mapping[str, Any]]) -> Iterator[Condition]:
    """All of them must hold. Raises UnsupportedPolicy for an operator that is not understood here."""
    for name, keys in block.items():
        quantifier, operator, if_exists = _split(name)
        if operator not in (*_OPERATORS, "Null") or (operator == "Null" and (quantifier or if_exists)):
            raise UnsupportedPolicy(f"condition operator {name} is not understood: use one of {', '.join(_OPERATORS)}")
        for key, wanted in keys.items():
            values = cast(list[Any], wanted) if isinstance(wanted, list) else [wanted]
            yield Condition(key.lower(), operator, quantifier, if_exists, tuple(_text(value) for value in values))


def _split(name: str) -> tuple[Quantifier, str, bool]:
    quantifier, colon, operator = name.rpartition(":")
    if colon and quantifier not in ("ForAllValues", "ForAnyValue"):
        raise UnsupportedPolicy(f"condition operator {name} is not understood")
    plain = operator.removesuffix("IfExists")
    return quantifier, plain, plain != operator  # type: ignore[return-value]


def _text(value: Any) -> str:
    """Booleans are written either way in YAML."""
    return str(value).lower() if isinstance(value, bool) else str(value)
