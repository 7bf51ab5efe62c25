"""Deliver: sends the reply, once, and gives the conversation back."""

from datetime import datetime
from typing import Protocol

from turnkey import channels
from turnkey.channels import Outgoing, Picture, Reply
from turnkey.deliverables import Cards, Chart
from turnkey.errors import ModelAnswerInvalid
from turnkey.reply.source_words import with_sources
from turnkey.store.stores import Stores
from turnkey.turn import proactive, reviewing
from turnkey.turn.closing import close
from turnkey.turn.giving import given
from turnkey.turn.interlude import WITH_PERSON
from turnkey.turn.opening import HELD
from turnkey.turn.people import People
from turnkey.turn.record import ReplyRecord
from turnkey.turn.reference import TurnReference


class Sender(Protocol):
    """The way out to a channel."""

    def send(self, outgoing: Outgoing) -> None:
        """Raises SendFailed where trying again may help, ReplyRefused where it will not."""
        ...


class Objects(Protocol):
    """Where pictures are kept."""

    def find(self, key: str) -> bytes | None: ...


class Deliverer:
    def __init__(self, stores: Stores, sender: Sender, objects: Objects, people: People) -> None:
        self._stores = stores
        self._sender = sender
        self._objects = objects
        self.people = people

    def deliver(self, reference: TurnReference, now: datetime) -> TurnReference:
        """Sends the turn's reply and ends the turn; the next stage is "route" when messages came meanwhile.

        A run that died between sending and recording sends again under the same id, by which receivers drop it.
        """
        turn = self._stores.turns.get(reference)
        if not turn.ended:
            if turn.record.not_served == "person":
                return self.finish(reference, self.people.forward(reference, turn, now), now)
            if turn.reply is None:
                raise ModelAnswerInvalid(f"turn {reference.turn} reached Deliver without a reply")
            if not turn.sent:
                if turn.record.woken and not proactive.due(self._stores, reference, turn.record.messages, now):
                    return self.finish(reference, HELD, now)
                if self.people.holds(reference, turn, now):
                    return self.finish(reference, WITH_PERSON, now)
                self.send(reference, turn.reply, turn.whole.address, now, turn.record.language)
                self._stores.turns.mark_sent(reference, now)
            reviewing.enter(self._stores.reviews, reference, turn, now)
            proactive.done(self._stores, reference, turn.record.messages, now)
        return self.finish(reference, "delivered", now)

    def send(
        self, reference: TurnReference, reply: ReplyRecord, address: dict[str, str], now: datetime, language: str = ""
    ) -> None:
        """Renders for the connection's channel and sends."""
        connection = self._stores.tenants.connection(reference.tenant, reference.connection)
        secrets = self._stores.secrets.accepted(*connection.secrets)
        whole = self._whole(reference.reply_id, reply, address, language)
        for outgoing in channels.find(connection.channel).render(whole, connection, secrets, now):
            self._sender.send(outgoing)
        if reply.noted:
            self._stores.contacts.tell(reference.tenant, reply.noted, now)

    def _whole(self, reply_id: str, reply: ReplyRecord, address: dict[str, str], language: str) -> Reply:
        listed = [one for one in reply.deliverables if isinstance(one, Cards)]
        charts = [one for one in reply.deliverables if isinstance(one, Chart)]
        pictures = (
            Picture(title=chart.title, alt=chart.alt, content=content)
            for chart in charts
            if (content := self._objects.find(chart.png))
        )
        return Reply(
            id=reply_id,
            text=with_sources(reply.text, language, reply.sources),
            address=address,
            cards=tuple(card for cards in listed for card in cards.cards),
            total=sum(cards.total for cards in listed),
            pictures=tuple(pictures),
            documents=tuple(given(reply.deliverables)),
            sources=reply.sources,
        )

    def finish(self, reference: TurnReference, status: str, now: datetime) -> TurnReference:
        """Gives the conversation back, or goes on with the messages that came meanwhile."""
        return close(self._stores, reference, status, now)
