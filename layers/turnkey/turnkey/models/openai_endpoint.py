"""Any OpenAI-compatible endpoint, through `openai`. Import this module only on the path that asks a model."""

import time
from typing import Any

import openai
from openai.types.chat import ChatCompletion

from turnkey.errors import ModelAnswerInvalid, ModelUnavailable, TenantMisconfigured
from turnkey.models.chat import ChatAnswer, ChatRequest, Endpoint, WireCall
from turnkey.network.client import client as guarded_client


class OpenAIEndpoint:
    """One endpoint for the life of one event loop; use as an async context manager."""

    def __init__(self, endpoint: Endpoint, *, allow_private: bool = False) -> None:
        self._endpoint = endpoint
        self._client = openai.AsyncOpenAI(
            base_url=endpoint.base_url,
            # The library insists on a key; endpoints without one ignore it.
            api_key=endpoint.api_key or "none",
            # A wrong answer is retried by the state machine, with the journal kept: never underneath it.
            max_retries=0,
            http_client=guarded_client(allow_private=allow_private, seconds=60) if endpoint.guarded else None,
        )

    async def __aenter__(self) -> "OpenAIEndpoint":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._client.close()

    async def ask(self, request: ChatRequest, *, small: bool = False) -> ChatAnswer:
        """One completion.

        Raises ModelUnavailable (down, slow, overloaded), ModelAnswerInvalid (not a completion) or TenantMisconfigured
        (key, model name or address refused by the endpoint).
        """
        model = self._endpoint.small if small else self._endpoint.main
        started = time.monotonic()
        completion = await self._complete(model, request)
        return _read(completion, int((time.monotonic() - started) * 1000))

    async def _complete(self, model: str, request: ChatRequest) -> Any:
        try:
            return await self._client.chat.completions.create(  # pyright: ignore[reportCallIssue, reportUnknownVariableType]
                model=model,
                messages=list(request.messages),  # pyright: ignore[reportArgumentType]
                tools=list(request.tools) or openai.omit,  # pyright: ignore[reportArgumentType]
                max_tokens=request.max_tokens,
                temperature=request.temperature,
                timeout=request.seconds,
            )
        except (openai.APITimeoutError, openai.APIConnectionError) as error:
            raise ModelUnavailable(f"model {model!r} did not answer: {_cause(error)}") from error
        except (openai.RateLimitError, openai.InternalServerError, openai.ConflictError) as error:
            raise ModelUnavailable(f"model {model!r} answered with status {error.status_code}") from error
        except openai.APIStatusError as error:
            raise TenantMisconfigured(
                f"model {model!r} refused the request with status {error.status_code}: check key, name and address"
            ) from error
        except (openai.APIError, ValueError) as error:
            raise ModelAnswerInvalid(f"model {model!r} answered with something that is no completion") from error


def _cause(error: Exception) -> str:
    return type(error.__cause__ or error).__name__


def _read(completion: Any, milliseconds: int) -> ChatAnswer:
    """The parts we use. The library does not validate answers, so every part is checked here."""
    choices = completion.choices if isinstance(completion, ChatCompletion) else None
    if not choices or not choices[0].message:  # pyright: ignore[reportUnnecessaryComparison]
        raise ModelAnswerInvalid("the model endpoint answered without a message: is the address the right one?")
    message = choices[0].message
    calls = [call.function for call in message.tool_calls or [] if call.type == "function"]
    usage = completion.usage
    return ChatAnswer(
        text=message.content if isinstance(message.content, str) else "",  # pyright: ignore[reportUnnecessaryIsInstance]
        calls=tuple(WireCall(name=str(call.name or ""), arguments=_text(call.arguments)) for call in calls),
        finish_reason=str(choices[0].finish_reason or ""),
        prompt_tokens=usage.prompt_tokens if usage else 0,
        completion_tokens=usage.completion_tokens if usage else 0,
        milliseconds=milliseconds,
    )


def _text(arguments: object) -> str:
    """Some endpoints send the arguments as an object instead of its text."""
    if isinstance(arguments, str):
        return arguments
    import json

    return json.dumps(arguments)
