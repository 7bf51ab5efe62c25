"""Every error raised on purpose. The state machine matches them by class name (functions/turn.asl.yaml)."""


class TurnkeyError(Exception):
    """Base of all. The message says what was wrong, with which value, and what to do."""


class Transient(TurnkeyError):
    """May work when tried again: the state machine retries, then apologises."""


class ModelUnavailable(Transient):
    """The model endpoint did not answer: down, slow, overloaded."""


class SendFailed(Transient):
    """The channel did not take the reply this time."""


class Permanent(TurnkeyError):
    """Will not work when tried again: the state machine apologises at once."""


class TenantMisconfigured(Permanent):
    """A tenant's own settings are at fault: a missing secret, a refused address, an unknown agent."""


class AddressRefused(TenantMisconfigured):
    """The network guard refuses a tenant's address."""


class ResponseTooLarge(TenantMisconfigured):
    """A tenant's server sent more than the platform reads."""


class ModelAnswerInvalid(Permanent):
    """The model endpoint answered with something that is not a chat completion, or with nothing at all."""


class TurnOverdue(Permanent):
    """The turn's time, and the time to reply, are over: what is left is to say so."""


class ReplyRefused(Permanent):
    """The channel refuses the reply for good."""


class DrawingFailed(Permanent):
    """A chart cannot be drawn: its specification is at fault, or the renderer's packages are not there."""


class LeaseLost(TurnkeyError):
    """Another turn holds the conversation: this run ends without a word."""


class RequestRefused(TurnkeyError):
    """A webhook that must not be taken. Carries the HTTP status and a short code for the JSON answer."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
