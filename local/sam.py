"""`turnkey sam`: the product in SAM's containers, with the other AWS services emulated beside them.

    POST -> sam local start-api -> webhook's container -> state machine in moto -> sam local start-lambda -> ...

It runs what `sam build` made: the layers as they are deployed, on Lambda's Python, each function in a container.
SAM gives all containers the same credentials, so no policy is enforced here; `turnkey up` enforces them (local.iam).
"""

import argparse
import json
import os
import signal
import threading
from collections.abc import Mapping
from contextlib import AbstractContextManager, ExitStack, suppress
from typing import IO, Any

import yaml

from local.announcement import Announcement, announce, withdraw
from local.aws import AwsServer
from local.cli import OK, REFUSED, CommandError
from local.model import LocalModel
from local.model_choice import ModelChoice, from_environment, on_this_machine
from local.resources import create_resources
from local.sam_process import ROOT, SamFunctions, SamProcess, SamUnavailable, remove_containers, sam_port
from local.scheduler import Scheduler, clock
from local.template import load
from local.transform import InvalidTemplate

HOST = "host.docker.internal"
"""This machine, as containers see it."""

_STACK_NAME = "turnkey"
_BUILT = ROOT / ".aws-sam" / "build" / "template.yaml"
# Beside the built template, whose paths are relative to it.
LOCAL_TEMPLATE = _BUILT.with_name("local.json")
LOCAL_ENVIRONMENT = _BUILT.with_name("local-environment.json")
_ARGUMENTS = (
    *("--template", str(LOCAL_TEMPLATE), "--env-vars", str(LOCAL_ENVIRONMENT)),
    *("--add-host", f"{HOST}:host-gateway", "--skip-pull-image", "--no-watch"),
)


class SamStack(AbstractContextManager["SamStack"]):
    """Runs the built template in containers from entering it to leaving it."""

    def __init__(
        self,
        *,
        parameters: Mapping[str, str] | None = None,
        secrets: Mapping[str, str] | None = None,
        port: int = 0,
        log: IO[bytes] | None = None,
        announced: bool = True,
    ) -> None:
        """`parameters` are the template's; in addresses this machine is `HOST`. `secrets` are stored by name. `port`
        is the API's, 0 takes a free one. `log` gets what SAM and the functions write, this process's output when None.
        `announced` lets `turnkey apply` find the stack.

        Raises `SamUnavailable` when nothing is built or the port is taken, `InvalidTemplate` for parameters that the
        template does not take.
        """
        if not _BUILT.is_file():
            raise SamUnavailable("Nothing is built. Run `make build` first.")
        # The Makefile of the dependency layers goes by the same variable.
        architecture = os.environ.get("TURNKEY_ARCHITECTURE") or "x86_64"
        given = {"AllowPrivateAddresses": "true", "Architecture": architecture, **(parameters or {})}
        self.deployment = load(_BUILT, given, _STACK_NAME)
        self._secrets = dict(secrets or {})
        self._log = log
        self._announced = announced
        self._api_port = sam_port(port)
        self._lambda_port = sam_port()
        self._functions = SamFunctions(self.deployment, f"http://127.0.0.1:{self._lambda_port}")
        # Containers come in over the engine's bridge, whose address differs from engine to engine.
        self._aws = AwsServer(self._functions, host="0.0.0.0")
        self._exit = ExitStack()

    def __enter__(self) -> "SamStack":
        """Starts everything. Raises `SamUnavailable` when SAM does not start; nothing is left running then."""
        with ExitStack() as starting:
            self._start(starting)
            self._exit = starting.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._exit.close()

    @property
    def api_url(self) -> str:
        """Where channels post to, followed by `/hooks/{tenant}/{connection}`."""
        return f"http://127.0.0.1:{self._api_port}"

    @property
    def aws_endpoint(self) -> str:
        """The address of the emulated AWS services."""
        return self._aws.endpoint

    def client(self, service: str) -> Any:
        """A boto3 client of an emulated service."""
        return self._aws.client(service)

    def at_rest(self) -> AbstractContextManager[object]:
        """For its duration no request to tables, secrets or executions is half done."""
        return self._aws.requests.lock

    def function_name(self, logical_id: str) -> str:
        """The name of a function by its logical id, such as `Provision` or `ProvisionFunction`."""
        return self.deployment.function(logical_id).name

    def _start(self, exits: ExitStack) -> None:
        exits.enter_context(self._aws)
        create_resources(self.deployment, self._aws.client)
        for name, value in self._secrets.items():
            self.client("secretsmanager").create_secret(Name=name, SecretString=value)
        endpoint = self.aws_endpoint.replace("127.0.0.1", HOST)
        self._write_files(endpoint)
        exits.callback(remove_containers, f"AWS_ENDPOINT_URL={endpoint}")
        start_lambda = ("start-lambda", *_ARGUMENTS, "--warm-containers", "EAGER")
        exits.enter_context(SamProcess(start_lambda, self._lambda_port, self._log))
        # Only the webhook is called through the API: LAZY leaves it at that one container.
        start_api = ("start-api", *_ARGUMENTS, "--warm-containers", "LAZY")
        exits.enter_context(SamProcess(start_api, self._api_port, self._log))
        # SAM fires no schedule itself.
        exits.enter_context(Scheduler(lambda: self.deployment.schedules, self._functions, clock=clock()))
        if self._announced:
            announce(Announcement(self.api_url, self.aws_endpoint, self.function_name("Provision"), os.getpid()))
            exits.callback(withdraw)

    def _write_files(self, endpoint: str) -> None:
        """The built template once more, with these parameters and the one variable that is none of a deployment's,
        because SAM sets only what a template declares; and every variable's value."""
        template: dict[str, Any] = yaml.safe_load(_BUILT.read_text(encoding="utf-8"))
        for name, value in self.deployment.parameters.items():
            template["Parameters"][name]["Default"] = value
        template["Globals"]["Function"]["Environment"]["Variables"]["AWS_ENDPOINT_URL"] = endpoint
        LOCAL_TEMPLATE.write_text(json.dumps(template, indent=2), encoding="utf-8")
        ours = {"AWS_ENDPOINT_URL": endpoint, "TURNKEY_API_URL": self.api_url}
        variables = {
            function.logical_id: {**function.environment, **ours} for function in self.deployment.functions.values()
        }
        LOCAL_ENVIRONMENT.write_text(json.dumps(variables, indent=2), encoding="utf-8")


def run(options: argparse.Namespace) -> int:
    """Returns once the process gets SIGINT or SIGTERM, which also end it while it starts."""
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell's background process ignores the first
        signal.signal(number, signal.default_int_handler)
    given = dict(_pair(text) for text in options.parameter)
    try:
        with suppress(KeyboardInterrupt), ExitStack() as exits:
            choice = from_environment(os.environ, _STACK_NAME) or _own_model(exits, given)
            parameters = {name: _as_containers_see(value) for name, value in choice.parameters.items()} | given
            stack = exits.enter_context(SamStack(parameters=parameters, secrets=choice.secrets, port=options.port))
            print(_welcome(stack), flush=True)
            threading.Event().wait()
    except (SamUnavailable, InvalidTemplate) as error:
        raise CommandError(str(error), REFUSED) from error
    return OK


def _own_model(exits: ExitStack, given: Mapping[str, str]) -> ModelChoice:
    """The embedded model, unless a parameter names another."""
    if "ModelBaseUrl" in given:
        return ModelChoice({})
    model = exits.enter_context(LocalModel(host="0.0.0.0"))
    model.wait_until_ready()
    return on_this_machine(model.base_url)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise CommandError(f"--parameter {text}: give NAME=VALUE.")
    return name, value


def _as_containers_see(value: str) -> str:
    return value.replace("//localhost", f"//{HOST}").replace("//127.0.0.1", f"//{HOST}")


def _welcome(stack: SamStack) -> str:
    model = stack.deployment.parameters
    files = f"--template {LOCAL_TEMPLATE.relative_to(ROOT)} --env-vars {LOCAL_ENVIRONMENT.relative_to(ROOT)}"
    return (
        f"Turnkey is up in containers; Ctrl-C ends it and removes them.\n"
        f"  HTTP API       {stack.api_url}/hooks/{{tenant}}/{{connection}}\n"
        f"  AWS services   {stack.aws_endpoint}\n"
        f"  model          {model['ModelName']} at {model['ModelBaseUrl']}\n"
        f"Set a tenant up with: turnkey apply FILE; in its addresses this machine is {HOST}.\n"
        f"One function with an event: sam local invoke RouteFunction -e events/route.json {files}\n"
        f"  --add-host {HOST}:host-gateway --skip-pull-image"
    )
