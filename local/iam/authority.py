"""Decides as IAM does within one account: a Deny wins; else one Allow is enough, of the role's own policies or of the
resource's; a role is assumed only by whom its trust policy lets.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
"""

from collections.abc import Iterable, Mapping
from typing import Any

from local.deployment import Role
from local.iam.policy import Named, Policy, Statement
from local.iam.values import Access, Context, Decision, Principal, UnsupportedPolicy


class Authority:
    """The policies of one deployment."""

    def __init__(self, roles: Iterable[Role], resource_policies: Mapping[str, Mapping[str, Any]]) -> None:
        """`resource_policies` are documents by the ARN of what they belong to. Raises UnsupportedPolicy."""
        known = tuple(roles)
        self._own = {role.arn: tuple(Policy(document) for document in role.policies) for role in known}
        self._trust = {role.arn: Policy(role.trust) for role in known}
        self._of_resources = {arn: Policy(document) for arn, document in resource_policies.items()}

    def decide(self, principal: Principal, accesses: Iterable[Access]) -> Decision:
        """Whether all of them are allowed. What cannot be decided is not."""
        for access in accesses:
            try:
                refusal = self._refusal(principal, access)
            except UnsupportedPolicy as error:
                refusal = str(error)
            if refusal:
                what = f"{principal} is not authorized to perform: {access.action} on resource: {access.resource}"
                return Decision(False, f"{what} because {refusal}")
        return Decision(True)

    def _refusal(self, principal: Principal, access: Access) -> str:
        """Why not; empty where it is allowed."""
        context = {**access.context, **principal.context}
        own = [one for policy in self._own.get(principal.role, ()) for one in policy.speaking_of(access, context)]
        theirs = self._of_resource(access, context, principal)
        if any(one.effect == "Deny" for one in own) or any(one.effect == "Deny" for one, _ in theirs):
            return "a policy denies it"
        if any(named in ("itself", "everyone") for _, named in theirs):
            return ""
        if access.action.startswith("sts:") and not theirs:
            return "the role's trust policy does not let it"
        return "" if own else "no policy allows it"

    def _of_resource(self, access: Access, context: Context, principal: Principal) -> list[tuple[Statement, Named]]:
        """Statements of the resource's own policy that speak of the access and name who asks, with how they do."""
        policies = self._trust if access.action.startswith("sts:") else self._of_resources
        policy = policies.get(_owner(access.resource))
        found = policy.speaking_of(access, context) if policy else ()
        return [(one, named) for one in found if (named := one.names(principal.role)) != "nobody"]


def _owner(resource: str) -> str:
    """Whose policy speaks of it: an object's bucket's, else its own."""
    return resource.partition("/")[0] if resource.startswith("arn:aws:s3:::") else resource
