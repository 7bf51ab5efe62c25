"""Plays a scenario on the real template, state machine and handlers, with a process that dies on the way."""

import json
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any

import httpx2
from boto3.dynamodb.types import TypeDeserializer

from local.aws import AwsServer
from local.gateway import Request, event_of
from local.iam.gate import Denial, Gate
from local.resources import create_resources
from local.routing import Routes
from local.stack import TEMPLATE
from local.template import load
from tests.chaos import script
from tests.chaos.dispatch import Forks, Run
from tests.chaos.fuse import Line, read_log
from tests.chaos.points import Point
from tests.chaos.scenarios import Scenario
from tests.support.model_server import SMALL, Answer, ModelServer
from tests.support.receiver import Post, ReplyReceiver
from tests.support.signing import new_secret, signed_headers
from turnkey import ids

TENANT = "chaos"
APOLOGY = "Sorry, not today."
RETRY_PACE = 0.02
"""The state machine's waits between retries, scaled: one second becomes 20 ms."""
POSTS = 6
"""How often a sender posts a message that gets no 2xx."""
RUN_SECONDS = 60
_MODEL_KEY = "turnkey/model-api-key"

_numbers = count(1)


@dataclass(frozen=True)
class Played:
    """What a run left behind. `posts` are the raw ones, in order; `executions` their states, by turn."""

    scenario: Scenario
    run: Run
    statuses: list[int]
    log: list[Line]
    rows: list[dict[str, Any]]
    posts: list[Post]
    bookings: list[str]
    executions: dict[int, str]
    failures: list[str]
    """Error types of the invocations that failed, in order."""


class Bench(AbstractContextManager["Bench"]):
    """Everything there is, but for the customers. Runs may go on at the same time: each is a conversation."""

    def __enter__(self) -> "Bench":
        self._exit = ExitStack()
        self._folder = Path(self._exit.enter_context(TemporaryDirectory(prefix="chaos-")))
        self._secret = new_secret()
        self._scenarios: dict[str, Scenario] = {}
        self._written: set[str] = set()
        self._lock = Lock()
        self._desk = self._exit.enter_context(_server("tests.chaos.desk"))
        self._books = self._exit.enter_context(_server("local.bookshop.server", "--port", "0"))
        self._receiver = self._exit.enter_context(ReplyReceiver(self._secret))
        self._model = self._exit.enter_context(ModelServer(self._answer))
        self._model.small(script.facts)
        for server in (self._receiver, self._model):
            # That clients die in the middle is the play; by default each is printed as an error.
            server._http.handle_error = _ignore
        try:
            self._start_platform()
        except BaseException:
            self._exit.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._exit.close()

    def play(self, scenario: Scenario, point: Point | None = None) -> Played:
        """Runs the scenario to its end. Raises TimeoutError when it has none."""
        run = Run(f"run-{next(_numbers)}", self._folder, point)
        self._scenarios[run.conversation] = scenario
        self._forks.add(run)
        statuses = self._post(run.conversation, 1)
        executions = self._wait(run)
        posts = [post for post in self._receiver.posts if _conversation(post) == run.conversation]
        booked = httpx2.get(f"{self._desk}/bookings", params={"customer": run.conversation}).json()
        log, rows, failures = read_log(run.log), self._rows(run.conversation), self._forks.failures(run)
        return Played(scenario, run, statuses, log, rows, posts, booked, executions, failures)

    @property
    def denials(self) -> list[Denial]:
        """Requests of functions that the template's policies do not allow."""
        return list(self._gate.denials)

    def _start_platform(self) -> None:
        parameters = {
            "AllowPrivateAddresses": "true",
            "ModelBaseUrl": self._model.base_url,
            "ModelName": "scripted",
            "SmallModelName": SMALL,
            "ModelApiKeySecret": _MODEL_KEY,
        }
        self._deployment = load(TEMPLATE, parameters)
        self._routes = Routes(self._deployment.routes)
        self._gate = Gate(self._deployment)
        self._forks = self._exit.enter_context(Forks(self._deployment, self._folder, self._gate.credentials))
        self._aws = self._exit.enter_context(AwsServer(self._forks, retry_pace=RETRY_PACE, around=self._gate.around))
        self._forks.services = {"AWS_ENDPOINT_URL": self._aws.endpoint}
        create_resources(self._deployment, self._aws.client)
        self._aws.client("secretsmanager").create_secret(Name=_MODEL_KEY, SecretString="sk-model")
        outcome = self._forks(self._deployment.function("Provision").name, json.dumps(self._manifest()).encode())
        assert not outcome.failed, outcome
        assert not json.loads(outcome.payload)["errors"], outcome

    def _manifest(self) -> dict[str, Any]:
        desk = {"name": "desk", "url": f"{self._desk}/mcp", "auth": {"kind": "bearer", "token": "hunter2"}}
        clerk = {"name": "clerk", "instructions": "You are a clerk.", "servers": ["desk"], "apology": APOLOGY}
        manifest = {
            "tenant": {"id": TENANT, "name": "A desk"},
            "servers": [desk, {"name": "catalogue", "url": self._books}],
            "agents": [clerk, {**clerk, "name": "bookseller", "servers": ["catalogue"]}],
            "connections": [self._connection("web", "clerk"), self._connection("books", "bookseller")],
        }
        return {"action": "apply", "manifest": manifest}

    def _connection(self, name: str, agent: str) -> dict[str, Any]:
        return {
            "name": name,
            "channel": "standard_webhooks",
            "agent": agent,
            "secret": self._secret,
            "reply_url": self._receiver.url("/replies"),
            "settle_seconds": 0,
        }

    def _answer(self, body: dict[str, Any]) -> Answer | str:
        """The model. In some scenarios the customer writes again before it has answered."""
        if script.CHART in json.dumps(body):
            return script.chart_answer(body)
        answer = script.answer(body)
        conversation = script.customer_of(body)
        is_reply, is_last = "tools" not in body, isinstance(answer, str)
        second = self._scenarios[conversation].second
        if (second == "follows" and is_reply) or (second == "joins" and is_last):
            with self._lock:
                first_time = conversation not in self._written
                self._written.add(conversation)
            if first_time:
                self._post(conversation, 2)
        return answer

    def _post(self, conversation: str, number: int) -> list[int]:
        """A signed message, posted again under its id until it is taken; the statuses."""
        message_id = f"msg_{conversation}_{number}"
        scenario = self._scenarios[conversation]
        more = script.DOWN if scenario.model_is_down else ""
        text = script.CHART if scenario.charts else script.question(number, conversation, more)
        content = {
            "type": "message.created",
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "data": {
                "conversation_id": conversation,
                "sender": {"id": "u-1", "kind": "user"},
                "message": {"id": message_id, "text": text},
            },
        }
        body = json.dumps(content).encode()
        headers = signed_headers(self._secret, body, message_id=message_id)
        statuses: list[int] = []
        while not statuses or (statuses[-1] >= 300 and len(statuses) < POSTS):
            statuses.append(self._post_once(scenario.connection, body, headers))
        return statuses

    def _post_once(self, connection: str, body: bytes, headers: dict[str, str]) -> int:
        path = f"/hooks/{TENANT}/{connection}"
        match = self._routes.match("POST", path)
        assert match
        request = Request("POST", path, "", "HTTP/1.1", "127.0.0.1", list(headers.items()), body)
        outcome = self._forks(match.route.function_name, json.dumps(event_of(request, match)).encode())
        return 500 if outcome.failed else int(json.loads(outcome.payload)["statusCode"])

    def _wait(self, run: Run) -> dict[int, str]:
        """The executions of a conversation's first turns, where there are any, once the first has ended."""
        deadline = time.monotonic() + RUN_SECONDS
        while self._execution(run.conversation, 1) in ("", "RUNNING"):
            if time.monotonic() > deadline:
                raise TimeoutError(f"{run.conversation} has not ended after {RUN_SECONDS} s")
            time.sleep(0.1)
        states = {turn: self._execution(run.conversation, turn) for turn in (1, 2, 3)}
        return {turn: state for turn, state in states.items() if state}

    def _execution(self, conversation: str, turn: int) -> str:
        """Its status; empty where there is none of that name."""
        client, (machine,) = self._aws.client("stepfunctions"), self._deployment.state_machines
        name = ids.execution_name(TENANT, self._scenarios[conversation].connection, conversation, turn)
        arn = f"{machine.arn.replace(':stateMachine:', ':execution:')}:{name}"
        try:
            return str(client.describe_execution(executionArn=arn)["status"])
        except client.exceptions.ExecutionDoesNotExist:
            return ""

    def _rows(self, conversation: str) -> list[dict[str, Any]]:
        read: Any = TypeDeserializer().deserialize
        table = next(table.name for table in self._deployment.tables if "Conversations" in table.logical_id)
        key = ids.conversation_key(TENANT, self._scenarios[conversation].connection, conversation)
        answer = self._aws.client("dynamodb").query(
            TableName=table,
            KeyConditionExpression="pk = :pk",
            ExpressionAttributeValues={":pk": {"S": key}},
        )
        return [{name: read(value) for name, value in item.items()} for item in answer["Items"]]


@contextmanager
def _server(module: str, *options: str) -> Generator[str]:
    """An MCP server in a process of its own; gives its address."""
    command = [sys.executable, "-m", module, *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().split()[-1]
        process.terminate()


def _ignore(request: object, client_address: object) -> None:
    """For `socketserver.BaseServer.handle_error`."""


def _conversation(post: Post) -> str:
    return str(post.json()["data"]["conversation_id"])
