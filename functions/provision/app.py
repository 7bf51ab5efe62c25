"""Sets tenants up, changes them, removes them, and tells of them: see turnkey.tenancy.request."""

from datetime import UTC, datetime
from typing import Any

from turnkey.telemetry import logger
from turnkey.tenancy.assembly import service
from turnkey.tenancy.circumstances import Circumstances

provisioning = service()


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    circumstances = Circumstances(
        request_id=context.aws_request_id,
        now=datetime.now(UTC),
        remaining=lambda: context.get_remaining_time_in_millis() / 1000,
    )
    return provisioning.answer(event, circumstances).model_dump(mode="json")
