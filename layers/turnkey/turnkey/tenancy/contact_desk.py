"""What the tenant does with its customers' contact details: reading and erasing them. Both are in the audit log, which
names customers by ids that tell nothing of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field

from turnkey.contacts.contact import Contact
from turnkey.contacts.fields import EMAIL, PHONE
from turnkey.store.acting import acting_for
from turnkey.store.audit import AuditStore, Entry
from turnkey.store.contacts import ContactStore
from turnkey.store.reviews import ReviewStore
from turnkey.tenancy.changing import Changing
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.desk import Desk
from turnkey.tenancy.problems import Problem, Refused
from turnkey.tenancy.request import ContactsRequest, EraseContactRequest
from turnkey.values import Value

_PAGE = 200


class ContactList(Value):
    """Some of a tenant's contacts. `following` is what to ask for next; empty where these were the last."""

    tenant: str
    contacts: tuple[Contact, ...]
    following: str = ""


class Erased(Value):
    tenant: str
    erased: tuple[str, ...] = Field(description="ids of the contacts of which nothing is kept any more")


@dataclass(frozen=True)
class ContactDesk:
    contacts: ContactStore
    audit_log: AuditStore
    changing: Changing
    desk: Desk
    reviews: ReviewStore

    def read(self, request: ContactsRequest, circumstances: Circumstances) -> ContactList:
        """One page. Raises Refused for a tenant that there is not."""
        tenant = request.tenant
        with acting_for(tenant):
            self.desk.check(tenant)
            if not request.after:
                self.audit_log.end(tenant, _entry(request, circumstances))
            found = self.contacts.page(tenant, request.after, request.limit)
        is_full = len(found) == request.limit
        # Which calls were made is nothing of the customer's.
        shown = tuple(one.model_copy(update={"done": ()}) for one in found)
        return ContactList(tenant=tenant, contacts=shown, following=found[-1].id if is_full else "")

    def erase(self, request: EraseContactRequest, circumstances: Circumstances) -> Erased:
        """All that is kept of whoever is meant, also what it was before. Raises Refused, and Busy."""
        tenant = request.tenant
        with self.changing.open(tenant, "erase_contact", request.actor, circumstances) as change:
            self.desk.check(tenant)
            meant = [request.id] if request.id else [one.id for one in self._all(tenant) if _is_meant(one, request)]
            if not meant:
                raise Refused(Problem(path=request.by, problem="nobody of whom something is kept has it: see `list`"))
            change.begin(f"contact {one}" for one in meant)
            erased = tuple(one for one in meant if self._erased(tenant, one, circumstances))
            change.became(f"contact {one}" for one in erased)
        if not erased:
            raise Refused(Problem(path="id", problem=f"nothing is kept under {request.id!r}: see `list`"))
        return Erased(tenant=tenant, erased=erased)

    def _erased(self, tenant: str, contact: str, circumstances: Circumstances) -> bool:
        """Whether there was anything: contact details, or questions that were answered from public pages."""
        asked = self.reviews.erase(tenant, contact)
        return self.contacts.erase(tenant, contact, circumstances.now) or asked

    def _all(self, tenant: str) -> Iterator[Contact]:
        after = ""
        while page := self.contacts.page(tenant, after, _PAGE):
            yield from page
            after = page[-1].id


def _is_meant(contact: Contact, request: EraseContactRequest) -> bool:
    return contact.has(PHONE, request.phone) if request.phone else contact.has(EMAIL, request.email)


def _entry(request: ContactsRequest, circumstances: Circumstances) -> Entry:
    now, number = circumstances.now, circumstances.request_id
    return Entry(at=now, request=number, action=request.action, actor=request.actor, changes=("contacts were read",))
