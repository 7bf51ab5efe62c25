"""Provisioning as the function has it, over moto's tables, with servers that answer at once or not at all."""

from collections.abc import Callable
from datetime import UTC, datetime
from itertools import count
from typing import Any

import anyio
import boto3
import pytest

from turnkey.mcp.failures import Failure, ServerFailed
from turnkey.mcp.registration import Registration, ToolDefinition
from turnkey.mcp.snapshot import Snapshot
from turnkey.mcp.vault import Vault
from turnkey.tenancy import asking
from turnkey.tenancy.assembly import service
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tools import Hints

_numbers = count(1)


def tool(name: str, description: str = "", **fields: Any) -> ToolDefinition:
    """One that reads."""
    schema = {"type": "object", "properties": {}}
    words = {"description": description or f"Does {name}.", "input_schema": schema, "hints": Hints(read_only=True)}
    return ToolDefinition.model_validate({"name": name, "kind": "lookup", **words, **fields})


class Provisioning:
    """`offers` is what the server at an address lists, or how it fails; any other lists one tool, search. `told` has
    the secrets that each was asked with."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        bucket = f"objects-{next(_numbers)}"
        s3: Any = boto3.client("s3")
        s3.create_bucket(Bucket=bucket, CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
        monkeypatch.setenv("TURNKEY_OBJECTS_BUCKET", bucket)
        monkeypatch.setenv("TURNKEY_SCHEDULE_GROUP", "wakes")
        monkeypatch.setattr(asking, "take", self._take)
        self.bucket = bucket
        self.offers: dict[str, tuple[ToolDefinition, ...] | Failure] = {}
        self.told: dict[str, str] = {}
        self.asking = 0
        self.most_at_once = 0
        self._service = service()

    def ask(self, action: str, *, looks: int | None = None, **fields: Any) -> dict[str, Any]:
        """The function's answer. With `looks` its time is over when it has looked at the clock so often."""
        return self.send({"action": action, **fields}, looks=looks)

    def send(self, event: Any, *, looks: int | None = None) -> dict[str, Any]:
        """The same for an event as it is."""
        left = count(looks, -1) if looks is not None else None
        circumstances = Circumstances(
            f"request-{next(_numbers)}", datetime.now(UTC), lambda: 120 if left is None or next(left) > 0 else 0
        )
        return self._service.answer(event, circumstances).model_dump(mode="json")

    def apply(self, manifest: Any, **fields: Any) -> dict[str, Any]:
        return self.ask("apply", manifest=manifest, **fields)

    def applied(self, manifest: Any) -> dict[str, Any]:
        """The report of a manifest that was not refused."""
        report = self.apply(manifest)
        assert not report["errors"], report["errors"]
        return report

    def refused(self, action: str, **fields: Any) -> dict[str, str]:
        """Problems by path."""
        answer = self.ask(action, **fields)
        assert answer.get("errors"), answer
        return {error["path"]: error["problem"] for error in answer["errors"]}

    async def _take(self, registration: Registration, vault: Vault, *, allow_private: bool) -> Snapshot:
        self.asking += 1
        self.most_at_once = max(self.most_at_once, self.asking)
        await anyio.sleep(0.01)
        self.asking -= 1
        for name in _secret_names(registration):
            self.told[name] = vault.secrets.get(name)
        offered = self.offers.get(registration.url, (tool("search"),))
        if isinstance(offered, Failure):
            raise ServerFailed(offered)
        found = registration.model_copy(update={"tools": offered, "mode": "legacy", "protocol": "2025-06-18"})
        return Snapshot(registration=found, milliseconds=10)


def _secret_names(registration: Registration) -> list[str]:
    from turnkey.tenancy.references import secret_names

    return [name for name in secret_names((registration,)) if not name.endswith("oauth-token")]


Breaking = Callable[..., Any]


def breaking_after(real: Breaking, calls: int) -> Breaking:
    """The real function, which dies at a later call: as a process does that is killed."""
    left = count(calls, -1)

    def call(*arguments: Any, **named: Any) -> Any:
        if next(left) <= 0:
            raise KeyboardInterrupt
        return real(*arguments, **named)

    return call
