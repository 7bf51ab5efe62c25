"""Any OpenAI-compatible endpoint, through `openai`. Import this module only on the path that asks a model."""

import asyncio
import time
from typing import Any

import openai
from openai.types.chat import ChatCompletionChunk

from turnkey.errors import ModelAnswerInvalid, ModelUnavailable, TenantMisconfigured
from turnkey.models.chat import ChatAnswer, ChatRequest, Endpoint
from turnkey.models.streaming import Gathered, gather_completion
from turnkey.network.bearer import ReadAgain
from turnkey.network.client import client as guarded_client
from turnkey.store.acting import tenant_acted_for

_without_schemas: set[tuple[str, str, str]] = set()
"""Tenant, endpoint and model that have refused response_format. What one tenant's requests are refused for, perhaps on
purpose, changes nothing for another at the same endpoint."""


class OpenAIEndpoint:
    """One endpoint for the life of one event loop; use as an async context manager."""

    def __init__(self, endpoint: Endpoint, *, allow_private: bool = False) -> None:
        self._endpoint = endpoint
        # The operator's own endpoint may be anywhere; the bounds are the same.
        http = guarded_client(allow_private=allow_private or not endpoint.guarded, seconds=60)
        if endpoint.read_key_again:
            http.auth = ReadAgain(endpoint.read_key_again)
        self._client = openai.AsyncOpenAI(
            base_url=endpoint.base_url,
            # The library insists on a key; endpoints without one ignore it.
            api_key=endpoint.api_key or "none",
            # A failure is retried by the state machine, with the journal kept: never underneath it.
            max_retries=0,
            http_client=http,
        )

    async def __aenter__(self) -> "OpenAIEndpoint":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def ask(self, request: ChatRequest, *, small: bool = False) -> ChatAnswer:
        """One completion, read as it is written; reading stops as soon as it repeats itself.

        Raises ModelUnavailable (down, slow, overloaded), ModelAnswerInvalid (not a completion) or TenantMisconfigured
        (key, model name or address refused by the endpoint).
        """
        model = self._endpoint.small if small else self._endpoint.main
        started = time.monotonic()
        try:
            async with asyncio.timeout(request.seconds):
                gathered = await self._with_or_without_schema(model, request)
        except TimeoutError as error:
            raise ModelUnavailable(f"model {model!r} did not finish within {request.seconds:g} s") from error
        except (openai.APITimeoutError, openai.APIConnectionError) as error:
            # Without what was sent or said, here and below: it may hold the key, and causes are logged.
            raise ModelUnavailable(f"model {model!r} did not answer: {_cause(error)}") from None
        except (openai.RateLimitError, openai.InternalServerError, openai.ConflictError) as error:
            raise ModelUnavailable(f"model {model!r} answered with status {error.status_code}") from None
        except openai.APIStatusError as error:
            raise TenantMisconfigured(
                f"model {model!r} refused the request with status {error.status_code}: check key, name and address"
            ) from None
        except (openai.APIError, ValueError, TypeError, AttributeError) as error:
            what = f"model {model!r} answered with something that is no completion: {type(error).__name__}"
            raise ModelAnswerInvalid(what) from None
        return gathered.answer(int((time.monotonic() - started) * 1000))

    async def _with_or_without_schema(self, model: str, request: ChatRequest) -> Gathered:
        """Endpoints that know no response_format are asked without it from then on; answers are read leniently."""
        here = (tenant_acted_for(), self._endpoint.base_url, model)
        if request.answer_schema is None or here in _without_schemas:
            return await self._complete(model, request.model_copy(update={"answer_schema": None}))
        try:
            return await self._complete(model, request)
        except (openai.BadRequestError, openai.UnprocessableEntityError):
            _without_schemas.add(here)
            return await self._complete(model, request.model_copy(update={"answer_schema": None}))

    async def _complete(self, model: str, request: ChatRequest) -> Gathered:
        """The answer, streamed; endpoints that do not stream send it whole, which is read as well."""
        create: Any = self._client.chat.completions.with_raw_response.create
        response: Any = await create(
            model=model,
            messages=list(request.messages),
            tools=list(request.tools) or openai.omit,
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            response_format=_response_format(request.answer_schema) or openai.omit,
            timeout=request.seconds,
            stream=True,
            stream_options={"include_usage": True},
        )
        if "text/event-stream" not in response.headers.get("content-type", ""):
            return gather_completion(await response.http_response.aread())
        gathered = Gathered()
        stream: openai.AsyncStream[ChatCompletionChunk] = response.parse()
        async with stream:
            async for chunk in stream:
                if not gathered.add(chunk):
                    break
        return gathered


def _response_format(schema: dict[str, Any] | None) -> dict[str, Any] | None:
    return (
        {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}} if schema else None
    )


def _cause(error: Exception) -> str:
    return type(error.__cause__ or error).__name__
