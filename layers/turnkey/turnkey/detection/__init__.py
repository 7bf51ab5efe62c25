"""Which language a text is written in: its script, the words that carry a conversation, and a small model's scores."""

from turnkey.detection.guessing import Guess, detect
from turnkey.detection.lexicon import everyday_words
from turnkey.detection.prose import Prose

__all__ = ["Guess", "Prose", "detect", "everyday_words"]
