"""The review queue: replies from public pages go in when they are sent; what the tenant made of them comes back when a
question is like one of theirs."""

from collections.abc import Sequence
from datetime import datetime

from turnkey.contacts.contact import Customer
from turnkey.public.masking import masked
from turnkey.public.review import QUESTION_CHARACTERS, REPLY_CHARACTERS, Answered, Review
from turnkey.store.reviews import ReviewStore
from turnkey.store.turns import OpenTurn
from turnkey.telemetry import logger
from turnkey.tenancy.settings import Agent
from turnkey.turn.reference import TurnReference


def enter(reviews: ReviewStore, reference: TurnReference, turn: OpenTurn, now: datetime) -> None:
    """Enters the turn's reply, if it was written from public pages; once, however often it is called."""
    reply = turn.reply
    if reply is None or not reply.sources:
        return
    review = Review(
        id=reference.reply_id,
        at=now,
        agent=turn.record.agent,
        conversation=reference.key,
        customers=_customers(reference, turn),
        language=turn.record.language,
        question=masked(turn.whole.question)[:QUESTION_CHARACTERS],
        reply=masked(reply.text)[:REPLY_CHARACTERS],
        sources=reply.sources,
    )
    if reviews.enter(reference.tenant, review):
        logger.info("reply waits for review", sources=len(reply.sources))


def _customers(reference: TurnReference, turn: OpenTurn) -> tuple[str, ...]:
    wrote = (message for message in turn.whole.messages if message.origin == "customer")
    people = (
        Customer(connection=reference.connection, conversation=reference.conversation, sender=message.sender)
        for message in wrote
    )
    return tuple(dict.fromkeys(one.id for one in people))


def kept(reviews: ReviewStore, tenant: str, agent: Agent, texts: Sequence[str]) -> tuple[Answered, ...]:
    """What the tenant has itself answered to such a question. Read only where the agent has public sources. Raises
    nothing: a help that fails must not cost the turn."""
    if agent.public is None or not texts:
        return ()
    # A cold start should not pay for it where there are no public sources.
    from turnkey.public.alike import best

    try:
        return best(masked("\n".join(texts)), reviews.answers(tenant, agent.name))
    except Exception:
        logger.exception("reading kept answers failed")
        return ()
