"""How boto3 clients are made: lazily, one a service and process, all from the same service descriptions."""

from functools import cache
from threading import Lock
from typing import Any

from botocore.config import Config
from botocore.credentials import CredentialProvider, CredentialResolver, Credentials
from botocore.loaders import Loader, create_loader
from botocore.session import Session

_CONFIG = Config(
    connect_timeout=5,
    read_timeout=10,
    retries={"mode": "standard", "total_max_attempts": 4},
    # Path style: an emulated service's host has no subdomains.
    s3={"addressing_style": "path"},
)
_lock = Lock()
"""What two sessions share must not be read by both at once."""


def client(service: str, credentials: Credentials | None = None, config: Config | None = None) -> Any:
    """A client whose requests are signed with `credentials`, which it asks anew for each; None: the function's own.
    `config` goes before what all clients have in common."""
    with _lock:
        session = Session()
        session.register_component("data_loader", loader())
        if credentials:
            session.register_component("credential_provider", CredentialResolver([_Given(credentials)]))
        return session.create_client(service, config=_CONFIG.merge(config) if config else _CONFIG)


@cache
def loader() -> Loader:
    """Reads the services' descriptions, and keeps what it has read."""
    return create_loader()


class _Given(CredentialProvider):
    """Provides the same credentials object to every client of a session."""

    METHOD = "given"

    def __init__(self, credentials: Credentials) -> None:
        super().__init__()
        self._credentials = credentials

    def load(self) -> Credentials:
        return self._credentials
