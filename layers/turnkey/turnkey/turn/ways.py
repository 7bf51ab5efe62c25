"""How a tenant's people are told: by a signed POST, or by e-mail."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from turnkey.channels import InboundMessage
from turnkey.errors import Permanent, PersonNotTold, PersonUnreachable, SendFailed
from turnkey.people import events, mail
from turnkey.people.handover import Handover
from turnkey.people.mail import Mail
from turnkey.people.senders import sender_of
from turnkey.store.secrets import SecretStore
from turnkey.tenancy.settings import Person, PersonHook, PersonMail

if TYPE_CHECKING:
    from turnkey.turn.deliver import Sender


class Mailer(Protocol):
    def send(self, mail: Mail) -> None:
        """Raises SendFailed where trying again may help, ReplyRefused where it will not."""
        ...


class Way(Protocol):
    """Both raise PersonNotTold where trying again may help, PersonUnreachable where it will not."""

    def handed_over(self, handover: Handover, tenant: str, now: datetime) -> None:
        """That a conversation is theirs now."""
        ...

    def messages(
        self, handover: Handover, tenant: str, said: tuple[InboundMessage, ...], now: datetime
    ) -> Iterator[int]:
        """What the customer has written since. Gives after each sending how many were told of."""
        ...


@dataclass(frozen=True)
class Ways:
    """Everything that they are told with."""

    secrets: SecretStore
    sender: "Sender"
    mailer: Mailer
    mail_domain: str

    def of(self, person: Person | None) -> Way:
        """Raises PersonUnreachable where the agent has nobody any more."""
        if person and person.hook:
            return ByHook(person.hook, self.secrets, self.sender)
        if person and person.mail:
            return ByMail(person.mail, self.mailer, self.mail_domain)
        raise PersonUnreachable("the agent has nobody to hand over to any more: apply its manifest with a person")


@dataclass(frozen=True)
class ByHook:
    hook: PersonHook
    secrets: SecretStore
    sender: "Sender"

    def handed_over(self, handover: Handover, tenant: str, now: datetime) -> None:
        with _telling("the people's hook"):
            self.sender.send(events.handed_over(handover, tenant, self.hook.url, self._signing(), now))

    def messages(
        self, handover: Handover, tenant: str, said: tuple[InboundMessage, ...], now: datetime
    ) -> Iterator[int]:
        for number, message in enumerate(said, 1):
            with _telling("the people's hook"):
                self.sender.send(events.message(handover, message, self.hook.url, self._signing(), now))
            yield number

    def _signing(self) -> tuple[str, ...]:
        return self.secrets.accepted(*self.hook.secrets)


@dataclass(frozen=True)
class ByMail:
    mail: PersonMail
    mailer: Mailer
    domain: str

    def handed_over(self, handover: Handover, tenant: str, now: datetime) -> None:
        self._send(mail.handed_over(handover, tenant, self._sender(tenant), self.mail.to))

    def messages(
        self, handover: Handover, tenant: str, said: tuple[InboundMessage, ...], now: datetime
    ) -> Iterator[int]:
        if said:
            self._send(mail.messages(handover, tenant, said, self._sender(tenant), self.mail.to))
            yield len(said)

    def _send(self, written: Mail) -> None:
        with _telling("the people's mail"):
            self.mailer.send(written)

    def _sender(self, tenant: str) -> str:
        if found := sender_of(self.mail.sender, tenant, self.domain):
            return found
        raise PersonUnreachable(f"tenant {tenant!r} cannot send as {self.mail.sender!r}: apply its manifest again")


@contextmanager
def _telling(what: str) -> Generator[None]:
    try:
        yield
    except SendFailed as error:
        raise PersonNotTold(f"{what} was not reached: {error}") from error
    except Permanent as error:
        raise PersonUnreachable(f"{what} cannot be told: {error}") from error
