"""The emulated services hold what the real ones promise, and a stack on one machine is found, kept and ended whole."""

import json
import subprocess
import sys
from collections.abc import Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from local import announcement, cli
from local.announcement import Announcement, announce, running_stack
from local.invocation import Outcome
from local.stack import Stack, StackRunning
from tests.support.shop import Shop
from tests.workflow.test_local_workers import running, wait_for

ROOT = Path(__file__).parents[2]


@pytest.fixture
def announced(stack: Stack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stack:
    """The stack, announced in the working directory."""
    monkeypatch.chdir(tmp_path)
    announce(Announcement(stack.api_url, stack.aws_endpoint, stack.function_name("Provision"), 1))
    return stack


def test_of_many_conditional_writes_at_once_one_succeeds(stack: Stack, quick_switching: None) -> None:
    dynamodb, table = stack.client("dynamodb"), stack.deployment.outputs["ConversationsTableName"]
    together = Barrier(8)
    # Once, before the threads: boto3 makes its error classes when they are first asked for, and two threads get two.
    refused = dynamodb.exceptions.ConditionalCheckFailedException

    def take(conversation: str) -> bool:
        together.wait()
        try:
            dynamodb.update_item(
                TableName=table,
                Key={"pk": {"S": conversation}, "sk": {"S": "LEASE"}},
                UpdateExpression="SET holder = :me",
                ConditionExpression="attribute_not_exists(holder)",
                ExpressionAttributeValues={":me": {"S": "me"}},
            )
        except refused:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        winners = [sum(pool.map(take, [f"lease-{round}"] * 8)) for round in range(30)]
    assert winners == [1] * 30


@pytest.fixture
def quick_switching() -> Iterator[None]:
    """Threads change places in the middle of everything."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def test_lambda_is_invoked_by_name_by_arn_and_in_the_background(stack: Stack, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[str, bytes]] = []

    def note(function_name: str, event: bytes) -> Outcome:
        calls.append((function_name, event))
        return Outcome(b'"done"')

    client, function = stack.client("lambda"), stack.deployment.function("Route")
    monkeypatch.setattr(stack, "workers", note)
    for name in (function.name, function.arn):
        assert client.invoke(FunctionName=name, Payload=b'{"a":1}')["Payload"].read() == b'"done"'
    assert client.invoke(FunctionName=function.name, InvocationType="Event", Payload=b"{}")["StatusCode"] == 202
    wait_for(lambda: len(calls) == 3)
    assert calls == [(function.name, b'{"a":1}')] * 2 + [(function.name, b"{}")]


def test_a_function_that_is_not_deployed_is_not_found(stack: Stack) -> None:
    client = stack.client("lambda")
    with pytest.raises(client.exceptions.ResourceNotFoundException):
        client.invoke(FunctionName="turnkey-nobody")


def test_apply_finds_the_stack_that_runs_here(
    announced: Stack, shop: Shop, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = tmp_path / "tenant.json"
    manifest.write_text(json.dumps(shop.manifest))
    assert cli.main(["apply", str(manifest)]) == cli.OK
    assert f"Tenant {shop.tenant}: already so on this machine." in capsys.readouterr().out


def test_a_refused_manifest_is_exit_status_1(
    announced: Stack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    manifest = tmp_path / "tenant.yaml"
    manifest.write_text("tenant: {}")
    assert cli.main(["apply", str(manifest)]) == cli.REFUSED
    assert "refused on this machine, nothing changed" in capsys.readouterr().out


def test_without_a_stack_here_apply_turns_to_aws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    announce(Announcement("", "http://127.0.0.1:9", "provision", 1))  # one that was killed
    for name in ("AWS_DEFAULT_REGION", "AWS_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("AWS_CONFIG_FILE", "none")
    (tmp_path / "tenant.yaml").write_text("tenant: {}")
    assert cli.main(["apply", "tenant.yaml"]) == cli.USAGE
    assert "region" in capsys.readouterr().err


def test_two_stacks_do_not_share_a_directory(announced: Stack) -> None:
    with pytest.raises(StackRunning, match=announced.api_url), Stack():
        pass


TEMPLATE = """
Transform: AWS::Serverless-2016-10-31
Parameters:
  AllowPrivateAddresses: {Type: String}
  ModelBaseUrl: {Type: String}
  ModelName: {Type: String, Default: none}
Resources:
  ProvisionFunction:
    Type: AWS::Serverless::Function
    Properties:
      Runtime: python3.13
      Handler: app.handler
      CodeUri: code
      Events: {Any: {Type: HttpApi, Properties: {Method: POST, Path: /}}}
  Table:
    Type: AWS::DynamoDB::Table
    Properties:
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}, {AttributeName: sk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}, {AttributeName: sk, KeyType: RANGE}]
"""
PROCESS = """
import sys
from pathlib import Path
from local.stack import Stack
resumed = []
resume = lambda stack, table, item: resumed.append(f"{table} {item['pk']['S']}")
parameters = {"ModelBaseUrl": "http://127.0.0.1:9/v1"}
with Stack(template=Path("template.yaml"), parameters=parameters, data=Path("data"), resume=resume) as stack:
    print("up", *stack.workers.pids("turnkey-ProvisionFunction"), *resumed, sep="|", flush=True)
    sys.stdin.read()
"""


@contextmanager
def stack_process(directory: Path) -> Generator[tuple[Any, list[str]]]:
    """A stack in a process of its own, until its input closes; with it, what it says once it is up."""
    process = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{PROCESS}"],
        cwd=directory,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout
    assert process.stdin
    try:
        yield process, process.stdout.readline().strip().split("|")
    finally:
        process.stdin.close()
        process.wait(timeout=20)


def test_what_was_written_outlives_a_killed_stack_and_its_open_turns_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "template.yaml").write_text(TEMPLATE)
    (tmp_path / "code").mkdir()
    (tmp_path / "code/app.py").write_text("def handler(event, context): return 1")
    items: list[dict[str, Any]] = [
        {"pk": {"S": "a"}, "sk": {"S": "STATE"}, "lease_turn": {"N": "3"}, "raw": {"B": b"\xff\x00"}},
        {"pk": {"S": "b"}, "sk": {"S": "STATE"}, "map": {"M": {"base64": {"L": [{"SS": ["x", "y"]}, {"NULL": True}]}}}},
        {"pk": {"S": "c"}, "sk": {"S": "TURN"}, "lease_turn": {"N": "1"}},
    ]
    with stack_process(tmp_path) as (process, [up, worker, *_]):
        assert up == "up"
        found = running_stack()
        assert found
        aws = _clients(found)
        for item in items:
            aws["dynamodb"].put_item(TableName="turnkey-Table", Item=item)
        aws["secretsmanager"].create_secret(Name="turnkey/a", SecretString="old")
        aws["secretsmanager"].put_secret_value(SecretId="turnkey/a", SecretString="new")
        wait_for(lambda: '"new"' in _text(tmp_path / "data/snapshot.json"))
        process.kill()
    wait_for(lambda: not running(worker))
    assert running_stack() is None
    with stack_process(tmp_path) as (_, [_, _, *resumed]):
        found = running_stack()
        assert found
        aws = _clients(found)
        assert resumed == ["turnkey-Table a"]
        stored = aws["dynamodb"].scan(TableName="turnkey-Table")["Items"]
        assert sorted(stored, key=lambda item: item["pk"]["S"]) == items
        assert aws["secretsmanager"].get_secret_value(SecretId="turnkey/a")["SecretString"] == "new"
    assert not announcement.FILE.exists()
    assert (tmp_path / "data/snapshot.json").stat().st_mode & 0o077 == 0


def _clients(found: Announcement) -> dict[str, Any]:
    from local.account import client

    return {service: client(found.aws_endpoint, service) for service in ("dynamodb", "secretsmanager")}


def _text(path: Path) -> str:
    return path.read_text() if path.exists() else ""
