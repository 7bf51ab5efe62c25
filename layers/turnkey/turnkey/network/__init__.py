"""The way out to addresses that a tenant can influence. Nothing else opens such a connection."""

from turnkey.network.addresses import is_public
from turnkey.network.urls import check_url

__all__ = ["check_url", "is_public"]
