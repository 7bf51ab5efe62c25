"""OAuth tokens: kept in Secrets Manager, cached in warm memory, fetched by one run at a time.

Rows (partition TENANT#…#LOCKS):
  TOKEN#<secret>   holder, held_until (milliseconds), newest (id of the token kept last): never the token
"""

import secrets as secrets_module
import time
from collections.abc import Callable

from botocore.exceptions import ClientError
from pydantic import ValidationError

from turnkey import ids
from turnkey.mcp.tokens import Claim, Grant, Token
from turnkey.store.secrets import SecretStore
from turnkey.store.table import ConditionFailed, Key, Table

HOLD_SECONDS = 5.0
"""Longer than fetching a token takes, shorter than connecting may: who waits can still take over."""
KEPT_FOR_SECONDS = 900
"""A token with a shorter life stays in warm memory: Secrets Manager takes about one new value in ten minutes, and keeps
a hundred of them for a day."""
ROW_DAYS = 400


class TokenStore:
    """See turnkey.mcp.tokens.Tokens."""

    def __init__(self, table: str, secrets: SecretStore, clock: Callable[[], float] = time.time) -> None:
        self._table = Table(table)
        self._secrets = secrets
        self._clock = clock
        self._cache: dict[Grant, Token] = {}

    def find(self, grant: Grant, *, past_cache: bool = False) -> Token | None:
        now = self._clock()
        token = None if past_cache else self._cache.get(grant)
        if token is None or not token.good_at(now):
            token = self._read(grant)
        if token is None or not token.good_at(now):
            return None
        self._cache[grant] = token
        return token

    def claim(self, grant: Grant) -> Claim:
        now, holder = self._clock(), secrets_module.token_hex(8)
        try:
            row = self._table.update(
                _key(grant),
                "SET holder = :holder, held_until = :until, expires_at = :expires",
                condition="attribute_not_exists(held_until) OR held_until < :now",
                values={
                    ":holder": holder,
                    ":now": _milliseconds(now),
                    ":until": _milliseconds(now + HOLD_SECONDS),
                    ":expires": int(now) + ROW_DAYS * 24 * 3600,
                },
            )
        except ConditionFailed as error:
            return Claim(newest=(error.item or {}).get("newest", ""))
        return Claim(holder=holder, newest=row.get("newest", ""))

    def keep(self, claim: Claim, token: Token) -> None:
        self._cache[token.grant] = token
        kept = self._write(token)
        self._give_back(claim, token.grant, token.id if kept else "")

    def release(self, claim: Claim, grant: Grant) -> None:
        self._give_back(claim, grant, "")

    def _read(self, grant: Grant) -> Token | None:
        text = self._secrets.find(grant.secret)
        try:
            token = Token.model_validate_json(text) if text else None
        except ValidationError:
            return None
        return token if token and token.grant == grant else None

    def _write(self, token: Token) -> bool:
        """Whether other runs can find it."""
        if token.expires_at is not None and token.expires_at - token.obtained_at < KEPT_FOR_SECONDS:
            return False
        try:
            self._secrets.put(token.grant.secret, token.model_dump_json())
        except ClientError as error:
            # Too many values in a day: every run fetches its own then, which works.
            if error.response.get("Error", {}).get("Code") != "LimitExceededException":
                raise
            return False
        return True

    def _give_back(self, claim: Claim, grant: Grant, newest: str) -> None:
        values = {":holder": claim.holder, ":free": 0, **({":newest": newest} if newest else {})}
        try:
            self._table.update(
                _key(grant),
                f"SET held_until = :free{', newest = :newest' if newest else ''}",
                condition="holder = :holder",
                values=values,
            )
        except ConditionFailed:
            # It took too long, and another run has the right now.
            return


def _key(grant: Grant) -> Key:
    return ids.partition(grant.tenant, ids.LOCKS), f"TOKEN#{grant.secret}"


def _milliseconds(moment: float) -> int:
    return int(moment * 1000)
