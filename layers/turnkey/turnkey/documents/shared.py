"""A document of the tenant's own, as its settings know it: every conversation can read it."""

from pydantic import Field

from turnkey.documents.document import MediaType
from turnkey.values import Value


class SharedDocument(Value):
    """`sha256` is of the manifest's text: only where that changes does a manifest make a new version."""

    name: str
    title: str
    media_type: MediaType = "text/markdown"
    template: bool = Field(default=False, description="to start others from; never changed itself")
    writable: bool = Field(default=False, description="customers' conversations may change it, for all to see")
    sha256: str
