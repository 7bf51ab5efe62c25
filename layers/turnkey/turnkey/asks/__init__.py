"""What a message asks the platform itself for, in any language: a reminder, a person, a document …"""

from turnkey.asks.topics import TOPICS, Topic, wants

__all__ = ["TOPICS", "Topic", "wants"]
