"""What people are told by e-mail: plain text, the customer's words quoted."""

from collections.abc import Iterator, Sequence

from turnkey.channels import InboundMessage
from turnkey.people.handover import Handover
from turnkey.values import Value

_SUBJECT_CHARACTERS = 120


class Mail(Value):
    """One e-mail."""

    sender: str
    to: str
    subject: str
    text: str


def handed_over(handover: Handover, tenant: str, sender: str, to: str) -> Mail:
    """That a conversation is theirs now."""
    return Mail(
        sender=sender,
        to=to,
        subject=_subject("A customer waits for a person", tenant, handover),
        text="\n".join(_first(handover, tenant)),
    )


def messages(handover: Handover, tenant: str, said: Sequence[InboundMessage], sender: str, to: str) -> Mail:
    """What the customer has written since."""
    quoted = (_quoted(message.said) for message in said)
    return Mail(
        sender=sender,
        to=to,
        subject=_subject("A customer has written", tenant, handover),
        text="\n".join([*_place(handover), "", *quoted, "", _back(handover, tenant)]),
    )


def _first(handover: Handover, tenant: str) -> Iterator[str]:
    yield "The agent has handed a conversation over to you and stays silent until you give it back."
    yield ""
    yield from _place(handover)
    yield f"Asked for by: the {handover.by}"
    yield f"Language: {handover.language or 'not known'}"
    yield ""
    yield handover.summary
    yield ""
    for line in handover.lines:
        yield f"{line.who}:"
        yield _quoted(line.text)
    yield ""
    yield _back(handover, tenant)


def _place(handover: Handover) -> list[str]:
    return [f"Connection: {handover.connection}", f"Conversation: {handover.conversation}"]


def _back(handover: Handover, tenant: str) -> str:
    return f"To give it back: turnkey give-back {tenant} {handover.id} --note 'what was agreed'"


def _quoted(text: str) -> str:
    return "\n".join(f"> {line}" for line in text.splitlines())


def _subject(what: str, tenant: str, handover: Handover) -> str:
    # Of the customer's nothing: a subject is one line, and ends up on lock screens.
    return f"[{tenant}] {what} ({handover.id})"[:_SUBJECT_CHARACTERS]
