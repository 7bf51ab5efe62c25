"""What is only for a turn goes by itself; documents stay."""

from pathlib import Path
from typing import Any

from samtranslator.yaml_helper import yaml_parse

from tests.support.attempts import DRAFT, NOW
from tests.support.documents import Desk
from turnkey.store.conversations import MESSAGE_DAYS
from turnkey.store.objects import PASSING, ObjectStore, passing
from turnkey.store.results import ResultStore
from turnkey.store.stores import Stores

RULES: list[dict[str, Any]] = yaml_parse(Path("template.yaml").read_text())["Resources"]["ObjectsBucket"]["Properties"][
    "LifecycleConfiguration"
]["Rules"]


def test_only_what_passes_expires_and_not_before_its_rows() -> None:
    (rule,) = (rule for rule in RULES if "ExpirationInDays" in rule)
    assert rule["Prefix"] == PASSING
    assert rule["ExpirationInDays"] > MESSAGE_DAYS
    assert not any("Transitions" in rule or "ExpirationDate" in rule for rule in RULES)


def test_results_and_pictures_pass_and_documents_do_not(stores: Stores, monkeypatch: Any) -> None:
    desk = Desk(stores, monkeypatch)
    desk.store.write("shop", None, DRAFT, NOW)
    assert len(desk.keys()) == 1
    assert not desk.keys()[0].startswith(PASSING)
    results = ResultStore(desk.store._table.name, ObjectStore(desk.bucket))
    noise = "".join(chr(0x4E00 + (number * 7919) % 20000) for number in range(300_000))
    results.put(desk.task().reference, "r1", noise, NOW)
    assert len(desk.keys()) == 1
    assert len(desk.keys(prefix=passing("shop", "results/"))) == 1
    assert results.find(desk.task().reference, "r1") == noise
