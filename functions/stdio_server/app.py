"""Runs the one stdio server that this function is for, once for each invocation."""

from typing import Any

from aws_lambda_powertools.logging import Logger

from turnkey.stdio import Command, StdioRequest, prepare, run

MARGIN_SECONDS = 3.0
"""Kept free to end the process and to answer."""

logger = Logger(service="turnkey")
command = Command.from_environment()
prepare()


@logger.inject_lambda_context(clear_state=True)
def handler(event: dict[str, Any], context: Any) -> dict[str, Any]:
    request = StdioRequest.model_validate(event)
    logger.append_keys(tenant=request.tenant)
    within = context.get_remaining_time_in_millis() / 1000 - MARGIN_SECONDS
    answer = run(command, request, lambda tail: logger.warning("stdio server wrote", stderr=tail), within=within)
    if answer.failure:
        logger.warning("stdio server failed", kind=answer.failure.kind, problem=answer.failure.message)
    return answer.model_dump(mode="json")
