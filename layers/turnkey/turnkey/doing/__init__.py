"""What the built-in tools do: one module an idea, for the functions assist and browse (turnkey.turn.station)."""
