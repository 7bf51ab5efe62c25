"""A person in the agent's place: they are told of the hand-over and of what the customer writes, and the agent is
silent.

Everything here is called again after a death at any point: a hand-over opens once, and each thing that a hook is told
goes under an id of its own, by which the receiver drops repeats. Mail knows no such id: it may come twice.
"""

from datetime import datetime

from turnkey.errors import PersonUnreachable
from turnkey.people.handover import Asked, Handover
from turnkey.store.stores import Stores
from turnkey.store.turns import OpenTurn
from turnkey.telemetry import logger
from turnkey.turn.interlude import WITH_PERSON, lines
from turnkey.turn.reference import TurnReference
from turnkey.turn.ways import Way, Ways

PUT_BACK = "put back"
"""How a turn ends whose messages wait again."""


class People:
    """Raises PersonNotTold where trying again may help, PersonUnreachable where it will not."""

    def __init__(self, stores: Stores, ways: Ways) -> None:
        self._stores = stores
        self._ways = ways

    def holds(self, reference: TurnReference, turn: OpenTurn, now: datetime) -> bool:
        """Whether a person answers in place of the turn's reply, which is then not sent. First hands the conversation
        over where the turn asked for that: its reply says that the person has been told, so they are told before."""
        asked = turn.reply.handover if turn.reply else None
        if asked:
            self._hand_over(reference, turn, asked, now)
        owner = self.owner(reference)
        if not owner or (asked and owner == asked.id):
            return False
        self._forward(reference, turn, owner, now)
        self._stores.turns.mark_held(reference, owner)
        logger.info("reply held back", handover=owner)
        return True

    def forward(self, reference: TurnReference, turn: OpenTurn, now: datetime) -> str:
        """Tells the person what the customer wrote; how the turn ends. One given back since it was routed leaves its
        messages to the next turn, which the agent answers."""
        owner = self.owner(reference)
        if not owner:
            self._stores.conversations.put_back(reference, [message.id for message in turn.whole.messages])
            return PUT_BACK
        self._forward(reference, turn, owner, now)
        return WITH_PERSON

    def owner(self, reference: TurnReference) -> str:
        """Id of the hand-over under which a person holds the conversation now; empty: the agent does."""
        return self._stores.conversations.standing(reference.key).person

    def was_told(self, reference: TurnReference, handover: str) -> bool:
        """Whether the person has really been told of it."""
        found = self._stores.people.find(reference.tenant, handover)
        return found is not None and found.told_at is not None

    def _hand_over(self, reference: TurnReference, turn: OpenTurn, asked: Asked, now: datetime) -> None:
        handover = Handover(
            id=asked.id,
            connection=reference.connection,
            conversation=reference.conversation,
            by=asked.by,
            since=now,
            summary=asked.summary,
            language=turn.record.language,
            lines=lines(turn.whole),
            address=turn.whole.address,
        )
        opened = self._stores.people.open(reference.tenant, handover)
        logger.info("hand-over", handover=asked.id, opened=opened)
        if opened in ("opened", "known"):
            self._tell(reference, self._found(reference, asked.id), now)

    def _forward(self, reference: TurnReference, turn: OpenTurn, owner: str, now: datetime) -> None:
        handover = self._found(reference, owner)
        self._tell(reference, handover, now)
        waiting = tuple(message for message in turn.whole.messages if message.origin == "customer")[turn.forwarded :]
        for number in self._way(reference).messages(handover, reference.tenant, waiting, now) if waiting else ():
            self._stores.turns.mark_forwarded(reference, turn.forwarded + number)

    def _tell(self, reference: TurnReference, handover: Handover, now: datetime) -> None:
        """Of the hand-over itself, unless they know."""
        if handover.told_at is None and handover.is_open:
            self._way(reference).handed_over(handover, reference.tenant, now)
            self._stores.people.told(reference.tenant, handover.id, now)
            logger.info("person told", handover=handover.id)

    def _way(self, reference: TurnReference) -> Way:
        connection = self._stores.tenants.connection(reference.tenant, reference.connection)
        return self._ways.of(self._stores.tenants.agent(reference.tenant, connection.agent).person)

    def _found(self, reference: TurnReference, handover: str) -> Handover:
        found = self._stores.people.find(reference.tenant, handover)
        if found is None:
            raise PersonUnreachable(f"there is no hand-over {handover!r} of tenant {reference.tenant!r}")
        return found
