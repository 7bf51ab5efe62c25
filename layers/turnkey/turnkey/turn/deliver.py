"""Deliver: sends the reply, once, and gives the conversation back."""

from datetime import datetime
from typing import Protocol

from turnkey import channels
from turnkey.channels import Outgoing, Reply
from turnkey.errors import ModelAnswerInvalid
from turnkey.store.stores import Stores
from turnkey.turn.reference import TurnReference


class Sender(Protocol):
    """The way out to a channel."""

    def send(self, outgoing: Outgoing) -> None:
        """Raises SendFailed where trying again may help, ReplyRefused where it will not."""
        ...


class Deliverer:
    def __init__(self, stores: Stores, sender: Sender) -> None:
        self._stores = stores
        self._sender = sender

    def deliver(self, reference: TurnReference, now: datetime) -> TurnReference:
        """Sends the turn's reply and ends the turn; the next stage is "route" when messages came meanwhile.

        A run that died between sending and recording sends again under the same id, by which receivers drop it.
        """
        turn = self._stores.turns.get(reference)
        if not turn.ended:
            if turn.reply is None:
                raise ModelAnswerInvalid(f"turn {reference.turn} reached Deliver without a reply")
            if not turn.sent:
                self.send(reference, turn.reply.text, turn.whole.address, now)
                self._stores.turns.mark_sent(reference, now)
        return self.finish(reference, "delivered", now)

    def send(self, reference: TurnReference, text: str, address: dict[str, str], now: datetime) -> None:
        """Renders for the connection's channel and sends."""
        connection = self._stores.tenants.connection(reference.tenant, reference.connection)
        secrets = tuple(self._stores.secrets.get(name) for name in connection.secrets)
        reply = Reply(id=reference.reply_id, text=text, address=address)
        for outgoing in channels.find(connection.channel).render(reply, connection, secrets, now):
            self._sender.send(outgoing)

    def finish(self, reference: TurnReference, status: str, now: datetime) -> TurnReference:
        """Gives the conversation back, or goes on with the messages that came meanwhile."""
        following = self._stores.conversations.finish(reference, status, now)
        return reference.then("route", following) if following else reference.then("end")
