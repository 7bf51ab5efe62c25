"""The honest ways out: there is none, it could not be done, something is needed first."""

from turnkey.reply.checks.reading import Reading
from turnkey.reply.checks.sentences import Sentence


def is_honest(reading: Reading) -> bool:
    """Whether some sentence says that there is nothing, that it cannot be done, or asks for what is needed."""
    return any(_is_exit(reading, sentence) for sentence in reading.sentences)


def denies(reading: Reading, sentence: Sentence) -> bool:
    """Whether the sentence says that there is nothing or that it cannot be done."""
    return reading.says("none", sentence.folded)


def _is_exit(reading: Reading, sentence: Sentence) -> bool:
    if denies(reading, sentence) or reading.says("need", sentence.folded):
        return True
    return sentence.is_question and reading.says("asks", sentence.folded)
