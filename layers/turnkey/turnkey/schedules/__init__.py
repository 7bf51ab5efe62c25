"""What is to be said or done later: reminders and follow-ups, as plain values, words and rules."""

from turnkey.schedules.schedule import KINDS, Kind, Schedule, State, conversation_hash

__all__ = ["KINDS", "Kind", "Schedule", "State", "conversation_hash"]
