"""Is a tool clearly implied? Which one, and the sentence it responds to."""
