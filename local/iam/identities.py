"""The access keys that this machine gives out, and whom each stands for."""

import secrets
import string
import time
from dataclasses import dataclass
from threading import Lock

from local.deployment import Function
from local.iam.values import Principal


@dataclass(frozen=True)
class Session:
    """`until` is in seconds since the epoch; infinite for a function's own, which Lambda renews."""

    principal: Principal
    token: str
    until: float = float("inf")

    @property
    def is_over(self) -> bool:
        return time.time() >= self.until


class Identities:
    """Safe from many threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._sessions: dict[str, Session] = {}
        self._functions: dict[str, dict[str, str]] = {}

    def of_function(self, function: Function) -> dict[str, str]:
        """The variables by which a function's processes get the credentials of its role, the same each time."""
        with self._lock:
            if function.name not in self._functions:
                key, token = _new_key(), secrets.token_urlsafe(32)
                self._sessions[key] = Session(Principal(function.role), token)
                self._functions[function.name] = {
                    "AWS_ACCESS_KEY_ID": key,
                    "AWS_SECRET_ACCESS_KEY": secrets.token_urlsafe(30),
                    "AWS_SESSION_TOKEN": token,
                }
            return self._functions[function.name]

    def add(self, key: str, session: Session) -> None:
        """A session that was assumed. Forgets those that are over."""
        with self._lock:
            self._sessions = {known: one for known, one in self._sessions.items() if not one.is_over}
            self._sessions[key] = session

    def find(self, key: str, token: str) -> Session | None:
        """None for a key that was never given out, or whose token is another."""
        session = self._sessions.get(key)
        return session if session and secrets.compare_digest(session.token, token) else None


def _new_key() -> str:
    """moto reads keys by their form."""
    return "ASIA" + "".join(secrets.choice(string.ascii_uppercase + string.digits) for _ in range(16))
