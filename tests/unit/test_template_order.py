"""CloudFormation can bring the template up: nothing in it waits for itself. cfn-lint does not look behind SAM."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from local.account import REGION
from local.transform import to_cloudformation

_NAME = re.compile(r"\$\{([^!.}]+)[^}]*\}")


def test_no_resource_of_the_template_waits_for_itself() -> None:
    resources: dict[str, Any] = to_cloudformation(Path("template.yaml"), {}, REGION)["Resources"]
    waits = {name: {other for other in _named(resource) if other in resources} for name, resource in resources.items()}
    # Whatever waits for nothing that is left is done; what remains waits in a circle.
    while done := [name for name, others in waits.items() if not others & waits.keys()]:
        waits = {name: others for name, others in waits.items() if name not in done}
    assert waits == {}


def test_a_circle_is_found() -> None:
    circle: dict[str, Any] = {
        "a": {"Fn::GetAtt": ["b", "Arn"]},
        "b": {"Fn::Sub": ["${x}-${c.Arn}", {"x": {"Ref": "d"}}]},
    }
    assert [set(_named(resource)) for resource in circle.values()] == [{"b"}, {"x", "c", "d"}]
    assert set(_named({"Fn::Sub": "${!aws:PrincipalTag/tenant}-${c}"})) == {"c"}


def _named(value: Any) -> Iterator[str]:
    """Every resource, parameter or variable that a value refers to."""
    if isinstance(value, list):
        for entry in cast(list[Any], value):
            yield from _named(entry)
    if not isinstance(value, dict):
        return
    for function, argument in cast(dict[str, Any], value).items():
        if function == "Ref" or function == "DependsOn":
            yield from [argument] if isinstance(argument, str) else argument
        elif function == "Fn::GetAtt":
            yield (argument if isinstance(argument, str) else argument[0]).split(".")[0]
        elif function == "Fn::Sub":
            yield from _NAME.findall(argument if isinstance(argument, str) else argument[0])
            yield from _named(argument[1:] if isinstance(argument, list) else [])
        else:
            yield from _named(argument)
