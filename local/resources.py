"""Creates what a `Deployment` describes in the emulated services."""

import io
import zipfile

from local.aws import ClientFactory
from local.deployment import Deployment, Function, StateMachine, Table


def create_resources(deployment: Deployment, client_factory: ClientFactory) -> None:
    """Creates the tables, buckets, schedule groups, functions and state machines of `deployment`.

    The functions exist by name and ARN only: their code runs wherever the server's dispatch sends it.
    """
    for table in deployment.tables:
        _create_table(table, client_factory)
    for bucket in deployment.buckets:
        client_factory("s3").create_bucket(Bucket=bucket)
    for group in deployment.schedule_groups:
        client_factory("scheduler").create_schedule_group(Name=group)
    role = _create_role(deployment.stack_name, client_factory)
    for function in deployment.functions.values():
        _create_function(function, role, client_factory)
    for machine in deployment.state_machines:
        _create_state_machine(machine, role, client_factory)


def _create_table(table: Table, client_factory: ClientFactory) -> None:
    dynamodb = client_factory("dynamodb")
    dynamodb.create_table(TableName=table.name, **table.schema)
    if table.ttl_attribute:
        dynamodb.update_time_to_live(
            TableName=table.name,
            TimeToLiveSpecification={"AttributeName": table.ttl_attribute, "Enabled": True},
        )


def _create_role(stack_name: str, client_factory: ClientFactory) -> str:
    # moto grants everything, but wants a role that exists.
    role = client_factory("iam").create_role(RoleName=f"{stack_name}-local", AssumeRolePolicyDocument="{}")
    return role["Role"]["Arn"]


def _create_function(function: Function, role: str, client_factory: ClientFactory) -> None:
    client_factory("lambda").create_function(
        FunctionName=function.name,
        Runtime="python3.13",
        Role=role,
        Handler=function.handler,
        Code={"ZipFile": _EMPTY_ZIP},
        Timeout=function.timeout_seconds,
        MemorySize=function.memory_mb,
        Environment={"Variables": dict(function.environment)},
    )


def _create_state_machine(machine: StateMachine, role: str, client_factory: ClientFactory) -> None:
    client_factory("stepfunctions").create_state_machine(
        name=machine.name, definition=machine.definition, roleArn=role, type=machine.kind
    )


def _empty_zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("app.py", "")
    return buffer.getvalue()


_EMPTY_ZIP = _empty_zip()
