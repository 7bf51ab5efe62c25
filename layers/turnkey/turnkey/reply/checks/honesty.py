"""The honest ways out: there is none, it could not be done, something is needed first."""

from turnkey.reply.checks.folding import fold
from turnkey.reply.checks.names import digits_of, names, stands_in
from turnkey.reply.checks.reading import Reading
from turnkey.reply.checks.sentences import Sentence
from turnkey.reply.checks.vocabulary import vocabulary


def is_honest(reading: Reading) -> bool:
    """Whether some sentence says that there is nothing, that it cannot be done, asks for what is needed, or refers
    elsewhere; or the whole is a question back."""
    return (
        any(_is_exit(reading, sentence) for sentence in reading.sentences)
        or (bool(reading.sentences) and all(sentence.is_question for sentence in reading.sentences))
        or _gives_contact(reading)
    )


def denies(reading: Reading, sentence: Sentence) -> bool:
    """Whether the sentence says that there is nothing or that it cannot be done."""
    return reading.says("none", sentence.folded)


def _gives_contact(reading: Reading) -> bool:
    """Whether the reply repeats a phone number or an address that it was told: the customer is sent there."""
    words = vocabulary(tuple(wording.language for wording in reading.wordings))
    said = fold(reading.ledger.said)
    contacts = [name for name in names(reading.folded, words) if name.kind in ("phone", "email", "link")]
    return bool(said) and any(stands_in(name, said, digits_of(said)) for name in contacts)


def _is_exit(reading: Reading, sentence: Sentence) -> bool:
    if denies(reading, sentence) or reading.says("need", sentence.folded) or reading.says("refer", sentence.folded):
        return True
    return sentence.is_question and reading.says("asks", sentence.folded)
