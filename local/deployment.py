"""What a template deploys, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Function:
    """A Lambda function. `layer_dirs` are the unbuilt layers' folders, in the template's order."""

    logical_id: str
    name: str
    arn: str
    code_dir: Path
    layer_dirs: tuple[Path, ...]
    handler: str
    timeout_seconds: int
    memory_mb: int
    environment: Mapping[str, str]
    role: str = ""
    """Its role's ARN."""


@dataclass(frozen=True)
class Table:
    """A DynamoDB table. `schema` holds the arguments of CreateTable beside the name."""

    logical_id: str
    name: str
    schema: Mapping[str, Any]
    ttl_attribute: str | None


@dataclass(frozen=True)
class StateMachine:
    """A state machine. `definition` is JSON with the template's substitutions made."""

    logical_id: str
    name: str
    arn: str
    kind: str
    definition: str


@dataclass(frozen=True)
class Role:
    """Whom `trust` lets assume the role, and what the role may do then: policy documents, with no name left open."""

    logical_id: str
    arn: str
    trust: Mapping[str, Any]
    policies: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Schedule:
    """A schedule that invokes a function: `expression` is checked already, `input` is JSON."""

    name: str
    expression: str
    time_zone: str
    function_name: str
    input: str
    once: bool = False
    """Made at run time, for one moment; gone once it has fired."""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes it this schedule and no other: with a new expression it begins anew."""
        return self.name, self.expression, self.time_zone


@dataclass(frozen=True)
class Route:
    """A route of an HTTP API: `method` is a verb or ANY, `path` a template such as `/hooks/{tenant}` or `$default`."""

    method: str
    path: str
    function_name: str

    @property
    def key(self) -> str:
        """The route's key as API Gateway writes it."""
        return self.path if self.path == "$default" else f"{self.method} {self.path}"


@dataclass(frozen=True)
class Deployment:
    """Everything that one template deploys under one stack name. `functions` are by name; `parameters` are complete."""

    stack_name: str
    parameters: Mapping[str, str]
    functions: Mapping[str, Function]
    tables: tuple[Table, ...]
    buckets: tuple[str, ...]
    state_machines: tuple[StateMachine, ...]
    routes: tuple[Route, ...]
    schedules: tuple[Schedule, ...]
    schedule_groups: tuple[str, ...]
    outputs: Mapping[str, str]
    roles: tuple[Role, ...] = ()
    resource_policies: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    """Policy documents by the ARN of the resource they belong to."""

    def function(self, logical_id: str) -> Function:
        """The function with this logical id, with or without the suffix `Function`.

        Raises `KeyError` that lists the ids there are.
        """
        for function in self.functions.values():
            if function.logical_id in (logical_id, f"{logical_id}Function"):
                return function
        known = ", ".join(function.logical_id for function in self.functions.values())
        raise KeyError(f"{logical_id} is not a function of the template. There are {known}.")
