"""Prints the unzipped size of each built layer and of all that each function mounts: python layers/sizes.py"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import yaml

BUILD = Path(__file__).parents[1] / ".aws-sam" / "build"
LIMIT = 250 * 2**20  # Lambda's, for a function's code and all its layers


def main() -> int:
    if not (BUILD / "template.yaml").is_file():
        sys.exit("Nothing is built. Run `make build` first.")
    resources = yaml.safe_load((BUILD / "template.yaml").read_text(encoding="utf-8"))["Resources"]
    sizes = {name: _size(BUILD / name) for name, it in resources.items() if it["Type"].endswith("LayerVersion")}
    functions = {name: _mounted(it, sizes) for name, it in resources.items() if it["Type"].endswith("::Function")}
    for name, size in [*sizes.items(), *functions.items()]:
        sys.stdout.write(f"{size / 2**20:8.1f} MB  {name}\n")
    return int(max(functions.values()) > LIMIT)


def _mounted(function: dict[str, Any], sizes: dict[str, int]) -> int:
    properties = function["Properties"]
    return _size(BUILD / properties["CodeUri"]) + sum(sizes[layer["Ref"]] for layer in properties["Layers"])


def _size(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


if __name__ == "__main__":
    sys.exit(main())
