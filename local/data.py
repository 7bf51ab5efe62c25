"""Keeps the tables, secrets, schedules and lasting objects of the one-machine stack in a directory between runs.

A snapshot is written every two seconds in which something was written, and at the end. It replaces the one before in
one step, so a directory always holds one whole snapshot. A hard kill (SIGKILL, power) loses what was written since the
last one: at most about two seconds, plus the time a snapshot takes. In those seconds a message may have got its 2xx,
a reply may have been sent or a tool called, and the next run knows nothing of it. In the cloud each write is durable
before it is answered; this is for one machine.

Executions are not kept. A turn that was under way when the stack ended is found by its lease and started again.
"""

import base64
import fcntl
import json
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from threading import Event, Thread
from typing import Any, cast

from local import one_time
from local.aws import SerialApplication
from local.objects import put_objects, read_objects
from local.stores import Item, put_items, put_secret, read_items, read_secrets

_FORMAT = 1
_SECONDS_BETWEEN = 2.0


class UnusableData(RuntimeError):
    """The directory cannot be used; the message says why and what to do."""


class Data(AbstractContextManager["Data"]):
    """One stack's directory. Entered once the tables exist: loads the snapshot and writes new ones until the exit.

    The secrets are in it in plain text: the directory and its files are for the owner alone.
    """

    def __init__(self, directory: Path, requests: SerialApplication) -> None:
        """Raises `UnusableData` when another stack uses the directory."""
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = directory / "snapshot.json"
        self._requests = requests
        self._saved_writes = -1
        self._stopping = Event()
        self._lock_file = _locked(directory / "lock")
        self._thread = Thread(target=self._save_now_and_then, name="data", daemon=True)

    def __enter__(self) -> "Data":
        self._load()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()
        self.save()
        os.close(self._lock_file)

    def save(self) -> None:
        """Writes a snapshot, if anything was written since the last one."""
        with self._requests.lock:
            writes = self._requests.writes
            if writes == self._saved_writes:
                return
            text = json.dumps(
                {
                    "format": _FORMAT,
                    "tables": read_items(),
                    "secrets": read_secrets(),
                    "schedules": one_time.read(),
                    "objects": read_objects(),
                },
                default=_bytes_to_json,
            )
        _replace(self._path, text)
        self._saved_writes = writes

    def open_turns(self) -> Iterator[tuple[str, Item]]:
        """The conversations whose lease a turn holds: table and item (`sk` is STATE and `lease_turn` is there)."""
        with self._requests.lock:
            tables = read_items()
        for table, items in tables.items():
            yield from ((table, item) for item in items if item["sk"] == {"S": "STATE"} and "lease_turn" in item)

    def _load(self) -> None:
        if not self._path.exists():
            return
        snapshot = _read(self._path)
        with self._requests.lock:
            known = read_items()
            for table, items in snapshot["tables"].items():
                if table in known:  # a table that the template no longer has
                    put_items(table, items)
            for name, secret in snapshot["secrets"].items():
                put_secret(name, secret)
            for made in snapshot.get("schedules", []):
                one_time.put(made)
            for bucket, objects in snapshot.get("objects", {}).items():
                put_objects(bucket, objects)
            self._saved_writes = self._requests.writes

    def _save_now_and_then(self) -> None:
        while not self._stopping.wait(_SECONDS_BETWEEN):
            try:
                self.save()
            except OSError as error:  # a full disk may have room again in two seconds
                print(f"data: cannot write {self._path}: {error}", file=sys.stderr)


def _locked(path: Path) -> int:
    """Takes the directory for this process, until it ends however it ends."""
    descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise UnusableData(
            f"{path.parent}: another stack uses this directory. End it, or give another --data."
        ) from None
    return descriptor


def _read(path: Path) -> dict[str, Any]:
    try:
        snapshot: Any = json.loads(path.read_text(encoding="utf-8"), object_hook=_bytes_from_json)
        if snapshot["format"] != _FORMAT:
            raise UnusableData(f"{path} is in format {snapshot['format']}; this version reads {_FORMAT}. Move it away.")
    except (KeyError, TypeError, ValueError) as error:
        raise UnusableData(f"{path} is not a snapshot ({error}). Move it away to start with empty tables.") from error
    return cast(dict[str, Any], snapshot)


def _replace(path: Path, text: str) -> None:
    new = path.with_suffix(".new")
    with open(os.open(new, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def _bytes_to_json(value: Any) -> dict[str, str]:
    if isinstance(value, bytes):
        return {"base64": base64.b64encode(value).decode()}
    raise TypeError(f"a table holds a {type(value).__name__}")


def _bytes_from_json(value: dict[str, Any]) -> Any:
    # In DynamoDB's JSON an attribute of that name would have a dict here.
    return (
        base64.b64decode(value["base64"]) if list(value) == ["base64"] and isinstance(value["base64"], str) else value
    )
