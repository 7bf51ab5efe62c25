"""The way out to addresses that a tenant can influence. Nothing else opens such a connection."""

from turnkey.network.addresses import check_url, is_public

__all__ = ["check_url", "is_public"]
