"""A policy document, read once: which of its statements speak of an access.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_grammar.html
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from local.iam.conditions import Condition, conditions
from local.iam.patterns import Pattern, Unresolved
from local.iam.values import Access, Context, UnsupportedPolicy

Effect = Literal["Allow", "Deny"]
Named = Literal["itself", "everyone", "account", "nobody"]
"""How a policy that belongs to a resource names who asks: its role, everyone, the role's account, or not at all."""

_FIELDS = {"Sid", "Effect", "Action", "NotAction", "Resource", "NotResource", "Condition", "Principal"}


@dataclass(frozen=True)
class Statement:
    """`actions` and `resources` come with whether they are those that are meant, or all others are."""

    effect: Effect
    actions: tuple[tuple[Pattern, ...], bool]
    resources: tuple[tuple[Pattern, ...], bool]
    conditions: tuple[Condition, ...]
    principals: tuple[str, ...]

    def speaks_of(self, access: Access, context: Context) -> bool:
        """Raises UnsupportedPolicy. A variable that stands for nothing makes an Allow silent, and a Deny heard."""
        try:
            return (
                _among(access.action, self.actions, context)
                and _among(access.resource, self.resources, context)
                and all(condition.holds(context) for condition in self.conditions)
            )
        except Unresolved:
            return self.effect == "Deny"

    def names(self, role: str) -> Named:
        """How `role`, an ARN, is named as the principal."""
        account = role.split(":")[4]
        if role in self.principals:
            return "itself"
        if "*" in self.principals:
            return "everyone"
        return "account" if {account, f"arn:aws:iam::{account}:root"} & set(self.principals) else "nobody"


def _among(value: str, meant: tuple[tuple[Pattern, ...], bool], context: Context) -> bool:
    patterns, these = meant
    return any(pattern.matches(value, context) for pattern in patterns) == these


class Policy:
    """The statements of one document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        """Raises UnsupportedPolicy for anything that is not understood, so that nothing is silently left out."""
        # SAM gives the role of a schedule's event none.
        if document.get("Version") != "2012-10-17" and "${" in str(document):
            raise UnsupportedPolicy(f"version {document.get('Version')}: variables need 2012-10-17")
        self.statements = tuple(_statement(entry) for entry in _list(document["Statement"]))

    def speaking_of(self, access: Access, context: Context) -> Iterable[Statement]:
        """Raises UnsupportedPolicy."""
        return (one for one in self.statements if one.speaks_of(access, context))


def _statement(entry: Mapping[str, Any]) -> Statement:
    unknown = entry.keys() - _FIELDS
    if unknown or entry["Effect"] not in ("Allow", "Deny"):
        raise UnsupportedPolicy(f"a statement has {', '.join(sorted(unknown)) or entry['Effect']}: not understood here")
    return Statement(
        effect=entry["Effect"],
        actions=_meant(entry, "Action", ignore_case=True),
        # A trust policy names no resource: it belongs to one.
        resources=_meant(entry, "Resource") if {"Resource", "NotResource"} & entry.keys() else ((), False),
        conditions=tuple(conditions(entry.get("Condition", {}))),
        principals=_principals(entry.get("Principal", {})),
    )


def _meant(entry: Mapping[str, Any], field: str, *, ignore_case: bool = False) -> tuple[tuple[Pattern, ...], bool]:
    these = field in entry
    texts = _list(entry[field if these else f"Not{field}"])
    return tuple(Pattern(text, wild=True, ignore_case=ignore_case) for text in texts), these


def _principals(given: Any) -> tuple[str, ...]:
    if isinstance(given, str):
        return (given,)
    unknown = given.keys() - {"AWS", "Service"}
    if unknown:
        raise UnsupportedPolicy(f"principal {', '.join(unknown)} is not understood here")
    return tuple(str(one) for one in _list(given.get("AWS", [])))


def _list(value: Any) -> list[Any]:
    return cast(list[Any], value) if isinstance(value, list) else [value]
