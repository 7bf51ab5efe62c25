"""The template's policies allow what a function needs and nothing of another tenant's.

Each condition, each tag and each right is needed: with any one of them dropped, a case below fails, and so does the
build.
"""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from local.deployment import Deployment, Role
from local.iam.authority import Authority
from local.iam.dynamodb import Tables
from local.iam.values import Access
from local.intrinsics import Resolver
from local.template import load
from local.template_roles import roles
from local.transform import InvalidTemplate
from tests.support.policy_cases import TENANT_ROLES, cases

TAG = "${aws:PrincipalTag/tenant}"
PARAMETERS = {"ModelApiKeySecret": "turnkey/model-api-key", "MailDomain": "mail.example.com"}
CASES = list(cases())
# Rights that no case is about: logs and traces go to no tenant's place.
_ABOUT_LOGS = ("logs:", "xray:")


@pytest.fixture(scope="module")
def deployment() -> Deployment:
    return load(Path("template.yaml"), PARAMETERS)


@pytest.fixture(scope="module")
def needed(deployment: Deployment) -> dict[str, list[Access]]:
    tables = Tables(deployment.tables)
    return {case.name: case.ask(tables) for case in CASES}


Failing = Callable[[Authority], list[str]]


@pytest.fixture(scope="module")
def failing(needed: dict[str, list[Access]]) -> Failing:
    """Names of the cases that do not come out as they must."""
    return lambda authority: [
        case.name for case in CASES if authority.decide(case.who, needed[case.name]).allowed is not case.allowed
    ]


def test_every_case_has_a_name_of_its_own() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


def test_the_policies_allow_what_is_needed_and_nothing_else(deployment: Deployment, failing: Failing) -> None:
    assert failing(Authority(deployment.roles, deployment.resource_policies)) == []


def test_every_role_of_the_template_has_cases_both_ways(deployment: Deployment) -> None:
    asked = {(case.who.role, case.allowed) for case in CASES}
    # Those of functions that have no rights of their own are allowed one thing: a session.
    missing = [
        (role.logical_id, allowed)
        for role in deployment.roles
        for allowed in (True, False)
        if (role.arn, allowed) not in asked
    ]
    assert missing == [("TimeServerFunctionRole", True)]


Mutant = tuple[str, Role]


def test_no_condition_no_tag_and_no_right_can_be_dropped_unnoticed(deployment: Deployment, failing: Failing) -> None:
    assert failing(Authority(deployment.roles, deployment.resource_policies)) == []
    unnoticed: list[str] = []
    for role in deployment.roles:
        for what, changed in _mutants(role):
            others = [changed if one is role else one for one in deployment.roles]
            if not failing(Authority(others, deployment.resource_policies)):
                unnoticed.append(f"{role.logical_id}: {what}")
    assert not unnoticed, "\n".join(unnoticed)


def _mutants(role: Role) -> Iterator[Mutant]:
    """The role with one thing dropped or loosened, and what that is."""
    for document in range(len(role.policies)):
        for what, changed in _changes(role.policies[document]):
            yield what, replace(role, policies=(*role.policies[:document], changed, *role.policies[document + 1 :]))
    if role.logical_id in TENANT_ROLES:
        for what, changed in _changes(role.trust):
            yield f"trust: {what}", replace(role, trust=changed)
        anyone = deepcopy(role.trust)
        anyone["Statement"][0]["Principal"] = "*"
        yield "trust: anyone", replace(role, trust=anyone)


def _changes(document: Any) -> Iterator[tuple[str, Any]]:
    statements = document["Statement"]
    for place in range(len(statements)):
        for what, changed in _changed_statements(statements[place]):
            whole = deepcopy(document)
            whole["Statement"][place] = changed
            yield f"{what} of {statements[place].get('Action')}", whole


def _changed_statements(statement: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for operator in statement.get("Condition", {}):
        kept = {name: keys for name, keys in statement["Condition"].items() if name != operator}
        yield f"condition {operator}", {**statement, "Condition": kept}
    resources = statement.get("Resource", [])
    for resource in resources if isinstance(resources, list) else [resources]:
        if TAG in resource:
            yield "tag in the resource", {**statement, "Resource": resource.replace(TAG, "*")}
    if TAG in str(statement.get("Condition", "")):
        loose = _replaced(statement["Condition"], TAG, "*")
        # An equality with * would only be stricter.
        yield "tag in the condition", {**statement, "Condition": _replaced_keys(loose, "StringEquals", "StringLike")}
    actions = statement["Action"] if isinstance(statement["Action"], list) else [statement["Action"]]
    for action in actions:
        if len(actions) > 1 and not action.startswith(_ABOUT_LOGS):
            yield f"right {action}", {**statement, "Action": [one for one in actions if one != action]}
    if len(actions) == 1 and not actions[0].startswith(_ABOUT_LOGS):
        yield "the statement", {**statement, "Effect": "Deny", "Action": "none:None"}


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, dict):
        return {name: _replaced(entry, old, new) for name, entry in value.items()}
    if isinstance(value, list):
        return [_replaced(entry, old, new) for entry in value]
    return value.replace(old, new) if isinstance(value, str) else value


def _replaced_keys(condition: dict[str, Any], old: str, new: str) -> dict[str, Any]:
    return {name.replace(old, new): keys for name, keys in condition.items()}


def test_what_a_policy_of_awss_own_allows_is_known_or_refused() -> None:
    properties = {"AssumeRolePolicyDocument": {}, "ManagedPolicyArns": ["arn:aws:iam::aws:policy/AdministratorAccess"]}
    resolver = Resolver({"R": {"Type": "AWS::IAM::Role", "Properties": properties}}, {}, "turnkey")
    with pytest.raises(InvalidTemplate, match="AdministratorAccess"):
        list(roles([("R", properties)], resolver))
