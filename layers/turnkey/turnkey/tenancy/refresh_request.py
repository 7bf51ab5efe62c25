"""What the refresh function is asked: by its schedule, and by a turn that was told that a tool is gone."""

from typing import Literal

from pydantic import TypeAdapter

from turnkey import ids
from turnkey.values import Value


class DueRequest(Value):
    """All servers that are due, as far as the time goes."""

    due: Literal[True]


class ServerRequest(Value):
    """One server, now; unless it was just asked."""

    tenant: ids.Name
    server: ids.Name


REFRESH_REQUEST: TypeAdapter[DueRequest | ServerRequest] = TypeAdapter(DueRequest | ServerRequest)
