"""Asks tenants' servers again what their tools are; what is new or changed waits for the tenant's approval."""

from typing import Any

from turnkey.environment import flag, required
from turnkey.store.due import DueStore
from turnkey.store.servers import ServerStore
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.tenancy.refresh_request import REFRESH_REQUEST, ServerRequest
from turnkey.tenancy.refreshing import Refresher
from turnkey.tenancy.rounds import Round

stores = Stores.from_environment()
table = required("TURNKEY_TENANTS_TABLE")
refresher = Refresher(
    stores.tenants,
    ServerStore(table),
    stores.secrets,
    stores.tokens,
    allow_private=flag("TURNKEY_ALLOW_PRIVATE_ADDRESSES"),
)
everyone = Round(DueStore(table), refresher)


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    request = REFRESH_REQUEST.validate_python(event)
    if isinstance(request, ServerRequest):
        return {"outcome": refresher.refresh(request.tenant, request.server, patient=True, gone=True)}
    report = everyone.run(lambda: context.get_remaining_time_in_millis() / 1000)
    logger.info("round", **report.model_dump())
    return report.model_dump()
