"""What the provision function is asked."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from turnkey import ids
from turnkey.values import Value


class ApplyRequest(Value):
    """`manifest` is the document, or its text in YAML or JSON."""

    action: Literal["apply"]
    manifest: dict[str, Any] | str


class ToolsRequest(Value):
    """Without a tenant: of all."""

    action: Literal["tools"]
    tenant: ids.Name | None = None


REQUEST: TypeAdapter[ApplyRequest | ToolsRequest] = TypeAdapter(
    Annotated[ApplyRequest | ToolsRequest, Field(discriminator="action")]
)
