"""The dependency layers carry what uv.lock says, each package once. Reads uv.lock itself, not through uv."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.markers import Marker
from packaging.requirements import Requirement

from layers.dependencies.lock import BROUGHT_WITH_IT, FROM_THE_RUNTIME, LAYERS, RUNTIME, Layer

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "layers" / "dependencies"
LOCK = {package["name"]: package for package in tomllib.loads((ROOT / "uv.lock").read_text())["package"]}
BY_NAME = {layer.name: layer for layer in LAYERS}
layers = pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)


def pins(layer: Layer) -> dict[str, tuple[str, set[str]]]:
    """name -> version and hashes, as the layer's file has them."""
    text = (FOLDER / f"{layer.name}.txt").read_text()
    blocks = [block for block in re.split(r"\n(?=\S)", text) if not block.startswith("#")]
    found = [(re.match(r"(\S+)==(\S+)", block), set(re.findall(r"sha256:\w+", block))) for block in blocks]
    return {match[1]: (match[2], hashes) for match, hashes in found if match}


def needed(names: tuple[str, ...]) -> set[str]:
    """Everything that `names` import at run time on Lambda, themselves included, from uv.lock."""
    found: set[str] = set()
    waiting = [(name, ()) for name in names]
    while waiting:
        name, extras = waiting.pop()
        found.add(name)
        waiting += [
            (entry["name"], tuple(entry.get("extra", ())))
            for entry in _dependencies(LOCK[name], extras)
            if entry["name"] not in found or entry.get("extra")
        ]
    return found


def _dependencies(package: dict[str, Any], extras: tuple[str, ...]) -> list[dict[str, Any]]:
    optional = package.get("optional-dependencies", {})
    entries = [*package.get("dependencies", []), *(entry for extra in extras for entry in optional[extra])]
    return [entry for entry in entries if "marker" not in entry or Marker(entry["marker"]).evaluate(dict(RUNTIME))]


@layers
def test_every_pin_is_uv_locks_own(layer: Layer) -> None:
    for name, (version, hashes) in pins(layer).items():
        locked = LOCK[name]
        assert version == locked["version"], f"{name}: run `make lock`"
        assert hashes == {file["hash"] for file in [*locked["wheels"], locked.get("sdist")] if file}


@layers
def test_a_layer_and_those_under_it_carry_all_that_is_needed_and_no_more(layer: Layer) -> None:
    under = {name for other in layer.on for name in pins(BY_NAME[other])}
    assert set(pins(layer)) == needed(layer.packages) - under - set(BROUGHT_WITH_IT)


def test_a_package_is_in_one_layer_only() -> None:
    everywhere = [name for layer in LAYERS for name in pins(layer) if name not in layer.keeps]
    assert sorted(everywhere) == sorted(set(everywhere))


def test_what_the_runtime_brings_is_in_no_layer() -> None:
    # jmespath is Powertools' too, dateutil and its six are dateparser's: botocore takes the locked versions.
    brought = needed(FROM_THE_RUNTIME) - {"jmespath", "python-dateutil", "six"}
    assert not brought & {name for layer in LAYERS for name in pins(layer)}


def test_every_dependency_of_the_project_is_in_a_layer_or_in_the_runtime() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]
    names = sorted(Requirement(text).name for text in declared)
    assert names == sorted([*FROM_THE_RUNTIME, *(name for layer in LAYERS for name in layer.packages)])


@layers
def test_the_files_name_no_host_and_no_path(layer: Layer) -> None:
    assert not re.search(r"://|--index|--find-links|^/| @ ", (FOLDER / f"{layer.name}.txt").read_text(), re.MULTILINE)


class _Template(yaml.SafeLoader):
    """Reads CloudFormation's short tags as plain values."""


_Template.add_multi_constructor("!", lambda loader, _, node: getattr(node, "value", None))  # pyright: ignore


def test_a_function_mounts_what_its_layers_stand_on() -> None:
    resources = yaml.load((ROOT / "template.yaml").read_text(), _Template)["Resources"]
    for name, resource in resources.items():
        mounted = resource["Properties"].get("Layers", []) if resource["Type"] == "AWS::Serverless::Function" else []
        kinds = {layer.removesuffix("DependenciesLayer").lower() for layer in mounted} & set(BY_NAME)
        assert all(set(BY_NAME[kind].on) <= kinds for kind in kinds), name
        assert len(mounted) <= 5, f"{name}: Lambda mounts five layers at most"
