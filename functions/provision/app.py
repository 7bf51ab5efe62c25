"""Applies a tenant's manifest."""

from typing import Any, Literal

from aws_lambda_powertools.logging import Logger
from pydantic import BaseModel

from turnkey.environment import flag, required
from turnkey.store.secrets import SecretStore
from turnkey.store.tenants import TenantStore
from turnkey.tenancy.apply import Provisioner
from turnkey.tenancy.document import read

logger = Logger(service="turnkey")
provisioner = Provisioner(
    TenantStore(required("TURNKEY_TENANTS_TABLE")),
    SecretStore(),
    allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"),
)


class Request(BaseModel):
    """`manifest` is the document, or its text in YAML or JSON."""

    action: Literal["apply"] = "apply"
    manifest: dict[str, Any] | str


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    report = provisioner.apply(read(Request.model_validate(event).manifest))
    logger.info("manifest applied", tenant=report.tenant, changed=report.changed, errors=len(report.errors))
    return report.model_dump(mode="json")
