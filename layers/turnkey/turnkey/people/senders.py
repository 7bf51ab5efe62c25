"""From which address a tenant's mail is sent."""

import re


def sender_of(sender: str, tenant: str, domain: str) -> str:
    """The address, or nothing where `sender` (empty: the tenant's plain one) is not the tenant's own, or the operator
    has no mail `domain`. With a free choice, one tenant's mail could pass for another's; IAM knows the same rule
    (template.yaml)."""
    if not domain:
        return ""
    name, _, place = (sender or f"{tenant}@{domain}").partition("@")
    own = name == tenant or re.fullmatch(rf"{re.escape(tenant)}\+[a-z0-9._-]{{1,40}}", name)
    return f"{name}@{place}" if own and place == domain else ""
