"""What SAM's Lambda service answers is read as Lambda's own answers are."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import EndpointConnectionError

from local import sam_process
from local.invocation import UnknownFunction
from local.sam_process import SamFunctions
from local.template import load

DEPLOYMENT = load(Path(__file__).parents[2] / "template.yaml")
Invoke = Callable[..., dict[str, Any]]


def functions(monkeypatch: pytest.MonkeyPatch, invoke: Invoke) -> SamFunctions:
    class Client:
        def invoke(self, **arguments: Any) -> dict[str, Any]:
            return invoke(**arguments)

    monkeypatch.setattr(sam_process, "client", lambda *_: Client())
    return SamFunctions(DEPLOYMENT, "http://127.0.0.1:3001")


def answer(payload: Any, **more: Any) -> dict[str, Any]:
    return {"Payload": io.BytesIO(json.dumps(payload).encode()), **more}


def test_a_function_is_called_by_its_logical_id(monkeypatch: pytest.MonkeyPatch) -> None:
    called: list[str] = []

    def invoke(FunctionName: str, Payload: bytes) -> dict[str, Any]:
        called.append(FunctionName)
        return answer(json.loads(Payload))

    outcome = functions(monkeypatch, invoke)("turnkey-route", b'{"turn":1}')
    assert (called, outcome.failed, json.loads(outcome.payload)) == (["RouteFunction"], False, {"turn": 1})


@pytest.mark.parametrize("marked", [{}, {"FunctionError": "Unhandled"}])
def test_an_error_that_sam_takes_for_a_result_is_a_failure(
    monkeypatch: pytest.MonkeyPatch, marked: dict[str, str]
) -> None:
    error = {"errorMessage": "no", "errorType": "LeaseLost", "requestId": "r", "stackTrace": []}
    outcome = functions(monkeypatch, lambda **_: answer(error, **marked))("turnkey-route", b"{}")
    assert outcome.failed
    assert json.loads(outcome.payload)["errorType"] == "LeaseLost"


def test_a_container_that_cannot_be_reached_is_a_failure_of_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    def invoke(**_: Any) -> dict[str, Any]:
        raise EndpointConnectionError(endpoint_url="http://127.0.0.1:3001")

    outcome = functions(monkeypatch, invoke)("turnkey-route", b"{}")
    assert outcome.failed
    assert "turnkey-route" in json.loads(outcome.payload)["errorMessage"]


def test_a_function_that_is_not_deployed_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownFunction):
        functions(monkeypatch, lambda **_: answer({}))("turnkey-nothing", b"{}")
