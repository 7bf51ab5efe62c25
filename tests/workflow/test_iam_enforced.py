"""On the one-machine stack each function has the rights that the template gives it, and a refusal looks like IAM's."""

from collections.abc import Callable
from functools import cache
from typing import Any

import boto3
import httpx2
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from local.iam.identities import Session
from local.stack import Stack
from tests.support.shop import Shop
from tests.workflow.conftest import Denials, OpenShop
from turnkey import ids

Client = Callable[..., Any]


@cache
def _session() -> Any:
    """One for all: it reads each service's description once."""
    return boto3.Session()


def client(stack: Stack, service: str, environment: dict[str, str]) -> Any:
    """A client of the stack with the credentials in these variables."""
    return _session().client(
        service,
        endpoint_url=stack.aws_endpoint,
        region_name="us-east-1",
        aws_access_key_id=environment["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=environment["AWS_SECRET_ACCESS_KEY"],
        aws_session_token=environment.get("AWS_SESSION_TOKEN"),
        config=Config(retries={"max_attempts": 0}, s3={"addressing_style": "path"}),
    )


@pytest.fixture
def as_function(stack: Stack, denials: Denials) -> Client:
    """A client of a service with a function's own credentials."""
    return lambda service, function="Route": client(stack, service, stack.credentials(function))


def role_of(stack: Stack, logical_id: str) -> str:
    return next(role.arn for role in stack.deployment.roles if role.logical_id == logical_id)


def session_for(stack: Stack, tenant: str, function: str = "Route", **changes: Any) -> dict[str, str]:
    """What the function would get for the tenant, as environment variables."""
    request = {
        "RoleArn": role_of(stack, "TurnTenantRole"),
        "RoleSessionName": f"tenant-{tenant}",
        "Tags": [{"Key": "tenant", "Value": tenant}],
        **changes,
    }
    given = client(stack, "sts", stack.credentials(function)).assume_role(**request)["Credentials"]
    return {
        "AWS_ACCESS_KEY_ID": given["AccessKeyId"],
        "AWS_SECRET_ACCESS_KEY": given["SecretAccessKey"],
        "AWS_SESSION_TOKEN": given["SessionToken"],
    }


def code_of(error: pytest.ExceptionInfo[ClientError]) -> str:
    response: Any = error.value.response
    return f"{response['Error']['Code']} {response['ResponseMetadata']['HTTPStatusCode']}"


TABLE = "turnkey-ConversationsTable"
REFUSED: dict[str, tuple[str, Callable[[Any], Any], str]] = {
    "dynamodb": (
        "dynamodb",
        lambda it: it.get_item(TableName=TABLE, Key={"pk": {"S": "TENANT#a"}, "sk": {"S": "x"}}),
        "AccessDeniedException 400",
    ),
    "secrets": (
        "secretsmanager",
        lambda it: it.get_secret_value(SecretId="turnkey/tenants/a/x"),
        "AccessDeniedException 400",
    ),
    "states": (
        "stepfunctions",
        lambda it: it.describe_state_machine(stateMachineArn="arn:aws:states:us-east-1:123456789012:stateMachine:x"),
        "AccessDeniedException 400",
    ),
    "s3": ("s3", lambda it: it.get_object(Bucket="turnkey-objectsbucket", Key="tenants/a/x"), "AccessDenied 403"),
    "s3 list": ("s3", lambda it: it.list_objects_v2(Bucket="turnkey-objectsbucket"), "AccessDenied 403"),
    "lambda": ("lambda", lambda it: it.invoke(FunctionName="turnkey-provision"), "AccessDeniedException 403"),
    "scheduler": ("scheduler", lambda it: it.get_schedule(Name="x"), "AccessDeniedException 403"),
    "sts": (
        "sts",
        lambda it: it.assume_role(
            RoleArn="arn:aws:iam::123456789012:role/turnkey-ProvisionTenantRole", RoleSessionName="tenant-a"
        ),
        "AccessDenied 403",
    ),
    "iam": ("iam", lambda it: it.list_roles(), "AccessDenied 403"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_refusal_has_the_services_own_shape_and_is_counted(as_function: Client, denials: Denials, case: str) -> None:
    service, request, expected = REFUSED[case]
    with pytest.raises(ClientError, match="RouteFunctionRole is not authorized to perform") as error:
        request(as_function(service))
    assert code_of(error) == expected
    assert [denial.who for denial in denials()] == ["turnkey-RouteFunctionRole"]


def test_a_session_reaches_its_tenants_rows_and_no_other(stack: Stack, shops: OpenShop, denials: Denials) -> None:
    own, other = shops([]), shops([])
    dynamodb = client(stack, "dynamodb", session_for(stack, own.tenant))
    table = stack.deployment.outputs["TenantsTableName"]

    def read(shop: Shop) -> Any:
        key = {"pk": {"S": ids.tenant_key(shop.tenant)}, "sk": {"S": f"TENANT#{shop.tenant}"}}
        return dynamodb.get_item(TableName=table, Key=key)["Item"]

    assert read(own)
    with pytest.raises(ClientError, match=f"tenant={own.tenant}"):
        read(other)
    assert len(denials()) == 1


@pytest.mark.parametrize("tenant", ["*", "a#b", "a*", "a\n", "${aws:username}"])
def test_what_cannot_be_a_tag_stands_for_no_session(stack: Stack, denials: Denials, tenant: str) -> None:
    with pytest.raises(ClientError) as error:
        session_for(stack, tenant, RoleSessionName="tenant-a")
    assert code_of(error) == "ValidationError 400"


def test_a_session_of_another_role_lasts_an_hour_at_most(stack: Stack, denials: Denials) -> None:
    with pytest.raises(ClientError, match="an hour at most"):
        session_for(stack, "a", DurationSeconds=7200)


def test_a_key_counts_together_with_its_token(stack: Stack, denials: Denials) -> None:
    mine, theirs = session_for(stack, "a"), session_for(stack, "b")
    for wrong in (
        {**mine, "AWS_SESSION_TOKEN": theirs["AWS_SESSION_TOKEN"]},
        {**mine, "AWS_ACCESS_KEY_ID": "ASIAAAAAAAAAAAAAAAAA"},
        {name: value for name, value in mine.items() if name != "AWS_SESSION_TOKEN"},
    ):
        with pytest.raises(ClientError, match="token included in the request is invalid"):
            client(stack, "dynamodb", wrong).list_tables()


def test_a_session_ends(stack: Stack, denials: Denials, monkeypatch: pytest.MonkeyPatch) -> None:
    sts = client(stack, "s3", session_for(stack, "a"))
    monkeypatch.setattr(Session, "is_over", True)
    with pytest.raises(ClientError, match="session is over"):
        sts.get_object(Bucket="turnkey-objectsbucket", Key="tenants/a/x")


def test_a_request_without_a_signature_is_refused(stack: Stack, denials: Denials) -> None:
    answer = httpx2.post(
        stack.aws_endpoint,
        headers={"x-amz-target": "DynamoDB_20120810.Scan", "content-type": "application/x-amz-json-1.0"},
        content=f'{{"TableName": "{TABLE}"}}',
    )
    assert answer.status_code == 400
    assert "MissingAuthenticationToken" in answer.text


def test_a_signature_for_one_service_opens_no_other(stack: Stack, denials: Denials) -> None:
    """As if a client signed for STS and sent the request to DynamoDB."""
    session = session_for(stack, "a")
    answer = httpx2.post(
        stack.aws_endpoint,
        headers={
            "authorization": f"AWS4-HMAC-SHA256 Credential={session['AWS_ACCESS_KEY_ID']}/20260101/us-east-1/sts/"
            "aws4_request, SignedHeaders=host, Signature=0",
            "x-amz-security-token": session["AWS_SESSION_TOKEN"],
            "x-amz-target": "DynamoDB_20120810.Scan",
        },
        content=f'{{"TableName": "{TABLE}"}}',
    )
    assert answer.status_code == 400
    assert "signed for sts" in answer.text


def test_the_operator_is_not_held_back(stack: Stack) -> None:
    assert TABLE in stack.client("dynamodb").list_tables()["TableNames"]
    assert stack.client("iam").list_roles()["Roles"]


def test_each_function_has_a_key_of_its_own(stack: Stack) -> None:
    functions = stack.deployment.functions.values()
    keys = {stack.credentials(function.logical_id)["AWS_ACCESS_KEY_ID"] for function in functions}
    assert len(keys) == len(functions) > 8
