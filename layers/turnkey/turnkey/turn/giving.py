"""The documents that a reply hands over. Plain."""

from collections.abc import Iterable, Iterator

from turnkey.channels import GivenDocument
from turnkey.deliverables import Deliverable, Document
from turnkey.documents import naming


def given(handed: Iterable[Deliverable]) -> Iterator[GivenDocument]:
    """As channels send them."""
    for one in handed:
        if isinstance(one, Document):
            yield GivenDocument.model_validate(one.model_dump(exclude={"kind", "base"}))


def last_states(handed: Iterable[Deliverable]) -> tuple[Deliverable, ...]:
    """With each document once, as the turn left it: its newest state has all that the turn has changed."""
    found = tuple(handed)
    newest = {naming.key(one.name): place for place, one in enumerate(found) if isinstance(one, Document)}
    return tuple(
        one for place, one in enumerate(found) if not isinstance(one, Document) or newest[naming.key(one.name)] == place
    )
