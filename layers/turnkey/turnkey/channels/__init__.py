"""Channels: one file each. A new one is a new module with a class `Channel` (see protocol)."""

from functools import cache
from importlib import import_module
from pathlib import Path

from turnkey.channels.protocol import Channel, GivenDocument, InboundMessage, Outgoing, Picture, Progress, Reply, noted
from turnkey.channels.request import WebhookRequest, from_event
from turnkey.errors import TenantMisconfigured

__all__ = [
    "Channel",
    "GivenDocument",
    "InboundMessage",
    "Outgoing",
    "Picture",
    "Progress",
    "Reply",
    "WebhookRequest",
    "find",
    "from_event",
    "kinds",
    "noted",
]

_NOT_CHANNELS = {"__init__", "protocol", "request", "sending"}


@cache
def kinds() -> tuple[str, ...]:
    """Names of the channels there are: the modules of this folder."""
    return tuple(sorted({path.stem for path in Path(__file__).parent.glob("*.py")} - _NOT_CHANNELS))


@cache
def find(kind: str) -> Channel:
    """The channel of that name; only its own module is imported. Raises TenantMisconfigured for an unknown one."""
    if kind not in kinds():
        raise TenantMisconfigured(f"there is no channel {kind!r}: use one of {', '.join(kinds())}")
    channel: Channel = import_module(f"turnkey.channels.{kind}").Channel()
    return channel
