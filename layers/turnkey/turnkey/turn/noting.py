"""The platform's own words behind a reply on what was kept of the customer: never left to the model."""

from turnkey.tenancy.settings import Agent
from turnkey.turn.journal import Journal, results
from turnkey.turn.record import ReplyRecord, TurnRecord


def with_note(reply: ReplyRecord, record: TurnRecord, agent: Agent, steps: Journal) -> ReplyRecord:
    """The reply as it is where nothing was kept, else with what has to be told of it."""
    notes = [result.contact for result in results(steps) if result.contact]
    if not notes:
        return reply
    # Its sentences are read where something was kept, which is seldom.
    from turnkey.contacts.notes import told

    text = told(notes, record.language, agent.contacts.consent)
    return reply.model_copy(
        update={
            "text": "\n\n".join(part for part in (reply.text, text) if part),
            "noted": next((note.contact for note in notes if note.contact), ""),
        }
    )
