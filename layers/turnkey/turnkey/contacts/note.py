"""What a call that keeps contact details leaves to be told beside the model's words."""

from turnkey.values import Value


class Note(Value):
    """What one call has to be told of. `contact`: id of the customer whom it tells, for the first time, that something
    is kept of them; empty where they know already. `kept` and `refused` are names of fields."""

    contact: str = ""
    kept: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
