"""Reads template.yaml into a `Deployment`: the functions, tables, state machines and routes that it describes."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from local.account import REGION
from local.definition import definition_json
from local.deployment import Deployment, Function, Route, StateMachine, Table
from local.intrinsics import Resolver
from local.invocation import plain_name
from local.parameters import parameter_values
from local.template_roles import BUCKET_POLICY, ROLE, bucket_policies, roles
from local.template_schedules import KIND as SCHEDULE
from local.template_schedules import schedules
from local.transform import TEMPLATE_DIRECTORY_BUCKET, InvalidTemplate, to_cloudformation

_GROUP = "AWS::Scheduler::ScheduleGroup"
# What needs nothing on one machine: rights, logs, and what the routes and the layers' folders stand for already.
_NOT_CREATED = (
    "AWS::ApiGatewayV2::Api",
    "AWS::ApiGatewayV2::Stage",
    ROLE,
    "AWS::Lambda::EventInvokeConfig",
    "AWS::Lambda::LayerVersion",
    "AWS::Lambda::Permission",
    "AWS::Logs::LogGroup",
    BUCKET_POLICY,
)
_CREATED = (
    "AWS::DynamoDB::Table",
    "AWS::Lambda::Function",
    "AWS::S3::Bucket",
    "AWS::StepFunctions::StateMachine",
    SCHEDULE,
    _GROUP,
)
_TABLE_SCHEMA = (
    "AttributeDefinitions",
    "BillingMode",
    "GlobalSecondaryIndexes",
    "KeySchema",
    "LocalSecondaryIndexes",
    "ProvisionedThroughput",
)


def load(path: Path, parameters: Mapping[str, str] | None = None, stack_name: str = "turnkey") -> Deployment:
    """Reads the SAM template at `path` as it would be deployed under `stack_name` with `parameters`.

    Paths in the template are relative to it. Parameters that are not given take their defaults.

    Raises `InvalidTemplate` when the template cannot be read, or asks for something that the one-machine stack does
    not have; the message names the place.
    """
    cloudformation = to_cloudformation(path, dict(parameters or {}), REGION)
    values = parameter_values(cloudformation.get("Parameters", {}), parameters or {})
    return _Reader(path.resolve().parent, cloudformation, values, stack_name).deployment()


class _Reader:
    def __init__(
        self, directory: Path, cloudformation: Mapping[str, Any], parameters: Mapping[str, str], stack_name: str
    ) -> None:
        self._directory = directory
        self._resources: dict[str, Any] = cloudformation["Resources"]
        self._outputs: Mapping[str, Any] = cloudformation.get("Outputs", {})
        self._stack_name = stack_name
        self._parameters = parameters
        self._resolver = Resolver(self._resources, parameters, stack_name)

    def deployment(self) -> Deployment:
        self._check_kinds()
        functions = [self._function(name, properties) for name, properties in self._of("AWS::Lambda::Function")]
        return Deployment(
            stack_name=self._stack_name,
            parameters=self._parameters,
            functions={function.name: function for function in functions},
            tables=tuple(self._table(name, properties) for name, properties in self._of("AWS::DynamoDB::Table")),
            buckets=tuple(self._resolver.physical_name(name) for name, _ in self._of("AWS::S3::Bucket")),
            state_machines=tuple(
                self._state_machine(name, properties)
                for name, properties in self._of("AWS::StepFunctions::StateMachine")
            ),
            routes=tuple(route for api in self._of("AWS::ApiGatewayV2::Api") for route in self._routes(*api)),
            schedules=tuple(schedules(self._of(SCHEDULE), self._resolver)),
            schedule_groups=tuple(self._resolver.physical_name(name) for name, _ in self._of(_GROUP)),
            roles=tuple(roles(self._of(ROLE), self._resolver)),
            resource_policies=dict(bucket_policies(self._of(BUCKET_POLICY), self._resolver)),
            outputs={
                name: str(self._resolver.resolve(output["Value"], f"Outputs.{name}"))
                for name, output in self._outputs.items()
            },
        )

    def _check_kinds(self) -> None:
        for logical_id, resource in self._resources.items():
            if "Condition" in resource:
                raise InvalidTemplate(f"{logical_id}: Condition does not work on one machine. Use a parameter.")
            if resource["Type"] not in (*_CREATED, *_NOT_CREATED):
                raise InvalidTemplate(f"{logical_id}: the one-machine stack has no {resource['Type']}.")

    def _of(self, kind: str) -> Iterator[tuple[str, dict[str, Any]]]:
        for logical_id, resource in self._resources.items():
            if resource["Type"] == kind:
                yield logical_id, resource.get("Properties", {})

    def _function(self, logical_id: str, properties: Mapping[str, Any]) -> Function:
        environment = properties.get("Environment", {}).get("Variables", {})
        resolved: dict[str, Any] = self._resolver.resolve(environment, f"{logical_id}.Environment")
        return Function(
            logical_id=logical_id,
            name=self._resolver.physical_name(logical_id),
            arn=self._resolver.arn(logical_id),
            code_dir=self._path(properties.get("Code"), f"{logical_id}.CodeUri"),
            # The dependency layers share one folder.
            layer_dirs=tuple(
                dict.fromkeys(self._layer_dir(layer, logical_id) for layer in properties.get("Layers", []))
            ),
            handler=properties["Handler"],
            timeout_seconds=int(self._resolver.resolve(properties.get("Timeout", 3), f"{logical_id}.Timeout")),
            memory_mb=int(self._resolver.resolve(properties.get("MemorySize", 128), f"{logical_id}.MemorySize")),
            environment={name: str(value) for name, value in resolved.items()},
            role=str(self._resolver.resolve(properties.get("Role", ""), f"{logical_id}.Role")),
        )

    def _layer_dir(self, layer: Any, function: str) -> Path:
        if not isinstance(layer, dict) or "Ref" not in layer:
            raise InvalidTemplate(f"{function}.Layers: on one machine a layer must be one of the template's own.")
        return self._path(self._resources[layer["Ref"]]["Properties"].get("Content"), f"{layer['Ref']}.ContentUri")

    def _table(self, logical_id: str, properties: Mapping[str, Any]) -> Table:
        schema = {name: properties[name] for name in _TABLE_SCHEMA if name in properties}
        ttl = properties.get("TimeToLiveSpecification", {})
        return Table(
            logical_id=logical_id,
            name=self._resolver.physical_name(logical_id),
            schema=self._resolver.resolve(schema, logical_id),
            ttl_attribute=ttl.get("AttributeName") if ttl.get("Enabled") else None,
        )

    def _state_machine(self, logical_id: str, properties: Mapping[str, Any]) -> StateMachine:
        substitutions: dict[str, Any] = self._resolver.resolve(
            properties.get("DefinitionSubstitutions", {}), f"{logical_id}.DefinitionSubstitutions"
        )
        path = self._path(properties.get("DefinitionS3Location"), f"{logical_id}.DefinitionUri")
        return StateMachine(
            logical_id=logical_id,
            name=self._resolver.physical_name(logical_id),
            arn=self._resolver.arn(logical_id),
            kind=properties.get("StateMachineType", "STANDARD"),
            definition=definition_json(path, {name: str(value) for name, value in substitutions.items()}),
        )

    def _routes(self, logical_id: str, properties: Mapping[str, Any]) -> Iterator[Route]:
        for path, methods in properties.get("Body", {}).get("paths", {}).items():
            for method, operation in methods.items():
                integration = operation["x-amazon-apigateway-integration"]
                uri = str(self._resolver.resolve(integration["uri"], f"{logical_id} {path}"))
                verb = "ANY" if method == "x-amazon-apigateway-any-method" else method.upper()
                yield Route(verb, path, plain_name(uri.removesuffix("/invocations")))

    def _path(self, location: Any, where: str) -> Path:
        address: dict[str, Any] = location or {}
        bucket = address.get("S3Bucket", address.get("Bucket"))
        key = address.get("S3Key", address.get("Key"))
        if bucket != TEMPLATE_DIRECTORY_BUCKET:
            raise InvalidTemplate(f"{where}: on one machine this must be a path relative to the template.")
        path = (self._directory / str(key)).resolve()
        if not path.exists():
            raise InvalidTemplate(f"{where}: there is nothing at {path}.")
        return path
