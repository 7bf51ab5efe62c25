"""Turns a SAM template into CloudFormation with the translator that SAM itself uses; the one place that touches it."""

from pathlib import Path
from typing import Any, cast

import boto3
from samtranslator import yaml_helper
from samtranslator.model.exceptions import InvalidDocumentException
from samtranslator.parser.parser import Parser
from samtranslator.translator.translator import Translator

# The translator takes S3 addresses only, because `sam package` uploads local paths before the service sees them.
# This bucket stands for the template's own directory.
TEMPLATE_DIRECTORY_BUCKET = "template-directory"
_PATH_PROPERTIES = ("CodeUri", "ContentUri", "DefinitionUri")


class InvalidTemplate(ValueError):
    """The template cannot be read or deployed; the message says where and why."""


def to_cloudformation(path: Path, parameters: dict[str, str], region: str) -> dict[str, Any]:
    """Reads the SAM template at `path` and returns it as CloudFormation, intrinsic functions unresolved.

    Local paths come out as S3 addresses in `TEMPLATE_DIRECTORY_BUCKET`, relative to the template.

    Raises `InvalidTemplate` with everything the translator objects to.
    """
    template = _parse(path)
    _mark_local_paths(template)
    translator = Translator({}, Parser(), boto_session=boto3.Session(region_name=region))
    try:
        return translator.translate(template, dict(parameters))
    except InvalidDocumentException as error:
        problems = "; ".join(str(cause.message) for cause in error.causes)
        raise InvalidTemplate(f"{path}: {problems}") from error


def _parse(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InvalidTemplate(f"{path}: no such file. Give the path of a SAM template.")
    untyped: Any = yaml_helper
    template: Any = untyped.yaml_parse(path.read_text(encoding="utf-8"))
    if not isinstance(template, dict) or "Resources" not in template:
        raise InvalidTemplate(f"{path}: not a SAM template, it has no Resources.")
    return cast(dict[str, Any], template)


def _mark_local_paths(template: dict[str, Any]) -> None:
    sections: list[dict[str, Any]] = [
        dict(resource).get("Properties", {}) for resource in template["Resources"].values()
    ]
    sections += list(template.get("Globals", {}).values())
    for properties in sections:
        for name in _PATH_PROPERTIES:
            value = properties.get(name)
            if isinstance(value, str) and not value.startswith("s3://"):
                properties[name] = f"s3://{TEMPLATE_DIRECTORY_BUCKET}/{value}"
