"""Which model the one-machine stack talks to: the endpoint that the environment names, else one on this machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from local.model import MODEL_NAME

_OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True)
class ModelChoice:
    """The template parameters that stand for a choice, and the secret, if any, to be stored for it."""

    parameters: Mapping[str, str]
    secrets: Mapping[str, str] = field(default_factory=dict[str, str])


def from_environment(environ: Mapping[str, str], stack_name: str) -> ModelChoice | None:
    """The endpoint of OPENAI_BASE_URL, OPENAI_API_KEY and TURNKEY_MODEL; none when neither of the first two is set."""
    base_url, key = environ.get("OPENAI_BASE_URL", ""), environ.get("OPENAI_API_KEY", "")
    if not base_url and not key:
        return None
    parameters, secrets = {"ModelBaseUrl": base_url or _OPENAI}, dict[str, str]()
    if environ.get("TURNKEY_MODEL"):
        parameters["ModelName"] = environ["TURNKEY_MODEL"]
    if key:
        parameters["ModelApiKeySecret"] = f"{stack_name}/model-api-key"
        secrets[parameters["ModelApiKeySecret"]] = key
    return ModelChoice(parameters, secrets)


def on_this_machine(base_url: str) -> ModelChoice:
    """The embedded model, whose chat template has no place for tools."""
    return ModelChoice({"ModelBaseUrl": base_url, "ModelName": MODEL_NAME, "ModelCallFormat": "text"})
