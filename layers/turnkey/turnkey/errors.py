"""Every error raised on purpose. The state machine matches them by class name (functions/turn.asl.yaml)."""

from typing import Literal


class TurnkeyError(Exception):
    """Base of all. The message says what was wrong, with which value, and what to do."""


class Transient(TurnkeyError):
    """May work when tried again: the state machine retries, then apologises."""


class ModelUnavailable(Transient):
    """The model endpoint did not answer: down, slow, overloaded."""


class SendFailed(Transient):
    """The channel did not take the reply this time."""


class InvocationFailed(Transient):
    """A function could not be invoked, or failed. `code` is Lambda's own name for it, such as Sandbox.Timedout."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class PersonNotTold(Transient):
    """The person who is to take a conversation over could not be told this time."""


class TooManyTurns(Transient):
    """As many turns of the tenant run as may at the same time: this one waits its turn, with retries of its own."""


class Permanent(TurnkeyError):
    """Will not work when tried again: the state machine apologises at once."""


class TenantMisconfigured(Permanent):
    """A tenant's own settings are at fault: a missing secret, a refused address, an unknown agent."""


class AddressRefused(TenantMisconfigured):
    """The network guard refuses a tenant's address."""


class RedirectRefused(AddressRefused):
    """A tenant's server sends us to an address that is not followed. The message names the one to register."""


class ResponseTooLarge(TenantMisconfigured):
    """A tenant's server sent more than the platform reads."""


class ModelAnswerInvalid(Permanent):
    """The model endpoint answered with something that is not a chat completion, or with nothing at all."""


class TurnOverdue(Permanent):
    """The turn's time, and the time to reply, are over: what is left is to say so."""


class ReplyRefused(Permanent):
    """The channel refuses the reply for good."""


class PersonUnreachable(Permanent):
    """The person who is to take a conversation over cannot be told: hook or mail refuses for good."""


class DrawingFailed(Permanent):
    """A chart cannot be drawn: its specification is at fault, or the renderer's packages are not there."""


Refusal = Literal["turns", "tokens", "calls", "suspended", "person"]
"""A quota of the day that is used up, a tenant that is suspended, or a person who answers in the agent's place."""


class NotServed(TurnkeyError):
    """The turn is answered without a model, by the platform itself or a person: `why`. It never leaves Route."""

    def __init__(self, why: Refusal) -> None:
        super().__init__(f"the tenant is not served today: {why}")
        self.why: Refusal = why


class TooManySchedules(TurnkeyError):
    """A tenant's customers have made as many reminders today as they may. It never leaves the call that asked."""


class LeaseLost(TurnkeyError):
    """Another turn holds the conversation: this run ends without a word."""


class RequestRefused(TurnkeyError):
    """A webhook that must not be taken. Carries the HTTP status and a short code for the JSON answer."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
