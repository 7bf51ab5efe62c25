"""Applies a tenant's manifest, and tells what its tools are."""

from typing import Any

from aws_lambda_powertools.logging import Logger

from turnkey.environment import flag, required
from turnkey.store.secrets import SecretStore
from turnkey.store.tallies import TallyStore
from turnkey.store.tenants import TenantStore
from turnkey.tenancy import inspection
from turnkey.tenancy.apply import Provisioner
from turnkey.tenancy.document import read
from turnkey.tenancy.request import REQUEST, ApplyRequest

logger = Logger(service="turnkey")
tenants = TenantStore(required("TURNKEY_TENANTS_TABLE"))
tallies = TallyStore(required("TURNKEY_CONVERSATIONS_TABLE"))
provisioner = Provisioner(tenants, SecretStore(), allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"))


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    request = REQUEST.validate_python(event)
    if isinstance(request, ApplyRequest):
        report = provisioner.apply(read(request.manifest))
        logger.info("manifest applied", tenant=report.tenant, changed=report.changed, errors=len(report.errors))
        return report.model_dump(mode="json")
    wanted = (request.tenant,) if request.tenant else tenants.tenant_ids()
    found = [tool for tenant in wanted for tool in inspection.tools(tenants, tallies, tenant)]
    return {"tools": [tool.model_dump() | {"overflows": tool.overflows} for tool in found]}
