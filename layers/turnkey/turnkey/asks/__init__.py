"""What a message asks the platform itself for, in any of twelve languages: a reminder, a person, a document …"""

from turnkey.asks.speaking import Topic, topics, wants
from turnkey.asks.ways import gives_way, has_link

__all__ = ["Topic", "gives_way", "has_link", "topics", "wants"]
