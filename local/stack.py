"""The whole product on this machine: what template.yaml deploys, its handlers, its HTTP API and a model."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any

from local import one_time
from local.announcement import Announcement, announce, running_stack, withdraw
from local.aws import AwsServer
from local.data import Data
from local.front import Front
from local.iam.gate import Denial, Gate
from local.invocation import Outcome
from local.logs import LineSink, Logs
from local.model import LocalModel
from local.model_choice import ModelChoice, from_environment, on_this_machine
from local.ports import free_port
from local.resources import create_resources
from local.scheduler import Scheduler, clock
from local.stores import Item
from local.template import load
from local.workers import Workers

_ORDINARY = ("Provision", "Webhook", "Route", "ToolLoop", "Compose", "Deliver")
"""Functions of nearly every turn: the others start when they are first needed."""
TEMPLATE = Path(__file__).parents[1] / "template.yaml"

# Called for each conversation whose turn was under way when the stack last ended: the stack, the table, the item.
Resume = Callable[["Stack", str, Item], None]


class StackRunning(RuntimeError):
    """Another stack runs in this working directory."""


class Stack(AbstractContextManager["Stack"]):
    """Runs everything from entering it to leaving it."""

    def __init__(
        self,
        *,
        template: Path = TEMPLATE,
        name: str = "turnkey",
        parameters: Mapping[str, str] | None = None,
        port: int = 0,
        data: Path | None = None,
        on_line: LineSink | None = None,
        resume: Resume | None = None,
        announced: bool = True,
        retry_pace: float = 1.0,
        clock_offset: float = 0.0,
    ) -> None:
        """`parameters` go before those that the stack sets itself; with a ModelBaseUrl among them it neither starts a
        model nor reads OPENAI_BASE_URL.

        `port` is the HTTP API's, 0 takes a free one. `data` is a directory that keeps tables and secrets between runs.
        `on_line` gets the functions' output. `announced` writes `.turnkey/stack.json` while the stack runs.
        `clock_offset`, in seconds, shifts the functions' clock; for measurements that are about one day.
        `retry_pace` multiplies the state machine's waits between retries; only tests should change it.
        """
        self._template = template
        self._name = name
        self._parameters = dict(parameters or {})
        self._port = port
        self._data = data
        self._resume = resume
        self._announced = announced
        self._retry_pace = retry_pace
        self._clock_offset = clock_offset
        self._logs = Logs(on_line)
        self._exit = ExitStack()

    def __enter__(self) -> "Stack":
        """Starts everything; handlers are still being imported when it returns.

        Raises `InvalidTemplate`, `StackRunning`, `UnusableData`, `ModelUnavailable`, and `OSError` for a port that is
        taken; nothing is left running then.
        """
        with ExitStack() as starting:
            self._start(starting)
            self._exit = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._exit.close()

    @property
    def api_url(self) -> str:
        """Where channels post to, followed by `/hooks/{tenant}/{connection}`."""
        return self._front.url

    @property
    def aws_endpoint(self) -> str:
        """The address of the emulated AWS services."""
        return self._aws.endpoint

    @property
    def model(self) -> str:
        """The model that runs the turns, in words."""
        parameters = self.deployment.parameters
        return f"{parameters['ModelName']} at {parameters['ModelBaseUrl']}"

    def client(self, service: str) -> Any:
        """A boto3 client of an emulated service."""
        return self._aws.client(service)

    def function_name(self, logical_id: str) -> str:
        """The name of a function by its logical id, such as `Provision` or `ProvisionFunction`."""
        return self.deployment.function(logical_id).name

    @property
    def denials(self) -> list[Denial]:
        """The last requests of functions that the template's policies do not allow, oldest first."""
        return list(self._gate.denials)

    def credentials(self, logical_id: str) -> dict[str, str]:
        """The variables with which a function signs its requests; for tests that ask in its name."""
        return self._gate.credentials(self.deployment.function(logical_id))

    def at_rest(self) -> AbstractContextManager[object]:
        """For its duration no request to tables, secrets or executions is half done."""
        return self._aws.requests.lock

    def logs(self, logical_id: str) -> list[str]:
        """The last lines that a function wrote, oldest first."""
        return self._logs.lines(self.function_name(logical_id))

    def _start(self, exits: ExitStack) -> None:
        if self._announced and (other := running_stack()):
            raise StackRunning(f"A stack runs here already, at {other.api_url} (process {other.pid}).")
        model = self._start_model(exits)
        choice = self._model_choice(model)
        parameters = {"AllowPrivateAddresses": "true", **choice.parameters, **self._parameters}
        self.deployment = load(self._template, parameters, self._name)
        # Functions that make links know the API's address before it is there.
        self._port = free_port(self._port)
        data = self._start_services(exits)
        for name, key in choice.secrets.items():
            self._store_secret(name, key)
        self._front = exits.enter_context(Front(self.deployment.routes, self._dispatch, port=self._port))
        if model:
            model.wait_until_ready()
        if data and self._resume:
            for table, item in data.open_turns():
                self._resume(self, table, item)
        self.scheduler = exits.enter_context(
            Scheduler(
                lambda: (*self.deployment.schedules, *one_time.schedules()),
                self._dispatch,
                clock=clock(self._clock_offset),
                take=one_time.take,
                retry_pace=self._retry_pace,
            )
        )
        if self._announced:
            self._announce(exits)

    def _start_model(self, exits: ExitStack) -> LocalModel | None:
        if "ModelBaseUrl" in self._parameters or from_environment(os.environ, self._name):
            return None
        return exits.enter_context(LocalModel())

    def _model_choice(self, model: LocalModel | None) -> ModelChoice:
        if model:
            return on_this_machine(model.base_url)
        given = None if "ModelBaseUrl" in self._parameters else from_environment(os.environ, self._name)
        return given or ModelChoice({})

    def _start_services(self, exits: ExitStack) -> Data | None:
        self._gate = Gate(self.deployment)
        self._aws = exits.enter_context(
            AwsServer(self._dispatch, retry_pace=self._retry_pace, around=self._gate.around)
        )
        services = {"AWS_ENDPOINT_URL": self._aws.endpoint, "TURNKEY_API_URL": f"http://127.0.0.1:{self._port}"}
        if self._clock_offset:
            services["LOCAL_CLOCK_OFFSET_SECONDS"] = str(self._clock_offset)
        self.workers = Workers(self.deployment.functions, services, self._logs, credentials=self._gate.credentials)
        exits.callback(self.workers.close)
        self.workers.prewarm(self._ordinary())
        create_resources(self.deployment, self._aws.client)
        if self._data is None:
            return None
        data = exits.enter_context(Data(self._data, self._aws.requests))
        # Once more, before the last snapshot: it is to be of a stack at rest.
        exits.callback(self.workers.close)
        return data

    def _ordinary(self) -> Iterator[str]:
        """Names of those functions of nearly every turn that the template has."""
        wanted = {f"{name}Function" for name in _ORDINARY}
        return (one.name for one in self.deployment.functions.values() if one.logical_id in wanted)

    def _dispatch(self, function_name: str, event: bytes) -> Outcome:
        return self.workers(function_name, event)

    def _store_secret(self, name: str, value: str) -> None:
        secrets = self.client("secretsmanager")
        try:
            secrets.create_secret(Name=name, SecretString=value)
        except secrets.exceptions.ResourceExistsException:
            secrets.put_secret_value(SecretId=name, SecretString=value)

    def _announce(self, exits: ExitStack) -> None:
        provision = self.function_name("Provision")
        announce(Announcement(self.api_url, self.aws_endpoint, provision, os.getpid()))
        exits.callback(withdraw)
