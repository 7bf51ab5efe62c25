"""Each function starts, and does its work, with the packages of its own layers and no others."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
# What a function imports only when it is needed.
LATER = {
    "route": ("turnkey.models.openai_endpoint", "dateparser.search", "fasttext"),
    "tool_loop": ("turnkey.models.openai_endpoint", "turnkey.mcp.connection", "turnkey.reading.completing"),
    "compose": ("turnkey.models.openai_endpoint", "fasttext"),
    "draw": ("turnkey.deliverables.charts.drawing", "turnkey.deliverables.rendering", "vl_convert"),
    "deliver": ("turnkey.channels.standard_webhooks",),
    "refresh": ("turnkey.mcp.snapshot",),
    # What its command runs, in a process of its own.
    "stdio_server": ("mcp_server_time",),
    "provision": ("turnkey.tenancy.asking", "turnkey.tenancy.server_reporting", "turnkey.tenancy.document"),
}
# Lambda's Python runtime brings boto3 and what that needs.
RUNTIME = ("boto3", "botocore", "s3transfer", "urllib3", "jmespath", "dateutil", "six")
BLOCKED = """
import importlib, importlib.metadata, importlib.util, json, os, sys
app, allowed, later = json.loads(sys.stdin.read())
owners = {top: {name.lower().replace("_", "-") for name in names}
          for top, names in importlib.metadata.packages_distributions().items()}
class Blocked:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top in owners and top != "turnkey" and top not in allowed["tops"] and not owners[top] & set(allowed["packages"]):
            raise ModuleNotFoundError(f"no layer of this function has {name}")
sys.meta_path.insert(0, Blocked())
spec = importlib.util.spec_from_file_location("app", app)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
for name in later:
    importlib.import_module(name)
"""


class _Template(yaml.SafeLoader):
    """Reads CloudFormation's short tags as plain values."""


_Template.add_multi_constructor("!", lambda loader, _, node: getattr(node, "value", None))  # pyright: ignore
RESOURCES: dict[str, Any] = yaml.load((ROOT / "template.yaml").read_text(), _Template)["Resources"]
FUNCTIONS: dict[str, dict[str, Any]] = {
    resource["Properties"]["CodeUri"].split("/")[-1]: resource["Properties"]
    for resource in RESOURCES.values()
    if resource["Type"] == "AWS::Serverless::Function"
}


def packages(function: str) -> list[str]:
    layers = [name.removesuffix("DependenciesLayer").lower() for name in FUNCTIONS[function]["Layers"]]
    files = (ROOT / "layers/dependencies" / f"{name}.txt" for name in layers if name != "turnkeylayer")
    pins = (pin for file in files for pin in re.findall(r"^([\w.-]+)==", file.read_text(), re.MULTILINE))
    return [pin.lower().replace("_", "-") for pin in pins]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_function_needs_no_package_that_its_layers_do_not_carry(function: str) -> None:
    variables: dict[str, Any] = FUNCTIONS[function].get("Environment", {}).get("Variables", {})
    environment = dict.fromkeys(map(str, (*variables, "TURNKEY_TENANTS_TABLE", "TURNKEY_SECRETS_PREFIX")), "x")
    environment |= {name: value for name, value in variables.items() if str(value).startswith(("[", "{"))}
    environment |= {"AWS_DEFAULT_REGION": "eu-central-1", "AWS_ACCESS_KEY_ID": "x", "AWS_SECRET_ACCESS_KEY": "x"}
    environment |= {"PYTHONPATH": str(ROOT / "layers/turnkey"), "TURNKEY_ALLOW_PRIVATE_ADDRESSES": "false"}
    allowed = {"packages": packages(function), "tops": list(RUNTIME)}
    given = json.dumps([str(ROOT / "functions" / function / "app.py"), allowed, LATER.get(function, ())])
    ended = subprocess.run(
        [sys.executable, "-c", BLOCKED], input=given, env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr[-2000:]
