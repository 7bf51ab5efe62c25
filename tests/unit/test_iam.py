"""The evaluator says what IAM says, and never yes to what it does not understand."""

from typing import Any

import pytest

from local.deployment import Role
from local.iam.authority import Authority
from local.iam.policy import Policy
from local.iam.values import Access, Principal, UnsupportedPolicy

ROLE = "arn:aws:iam::123456789012:role/clerk"
OTHER = "arn:aws:iam::123456789012:role/other"
NOBODY = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole", "Principal": {}}]}
BUCKET = "arn:aws:s3:::things"


def allows(
    statements: Any,
    action: str = "s3:GetObject",
    resource: str = f"{BUCKET}/a",
    *,
    tags: dict[str, str] | None = None,
    bucket: Any = None,
    context: dict[str, tuple[str, ...]] | None = None,
) -> bool:
    """Whether one access is allowed by these statements of the role's own policy, or by the bucket's."""
    listed = statements if isinstance(statements, list) else [statements]
    document = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Resource": "*", **one} for one in listed]}
    resources = {BUCKET: {"Version": "2012-10-17", "Statement": bucket}} if bucket else {}
    authority = Authority([Role("Clerk", ROLE, NOBODY, (document,) if listed else ())], resources)
    return authority.decide(Principal(ROLE, tags or {}), [Access(action, resource, context or {})]).allowed


def test_nothing_is_allowed_that_no_policy_allows() -> None:
    assert not allows([])
    assert not allows({"Action": "s3:PutObject"})


@pytest.mark.parametrize("action", ["s3:GetObject", "S3:getobject", "s3:Get*", "s3:*", "*", ["sqs:*", "s3:Get?bject"]])
def test_actions_match_in_any_case_and_by_wildcards(action: Any) -> None:
    assert allows({"Action": action})


@pytest.mark.parametrize(
    ("resource", "allowed"),
    [
        (f"{BUCKET}/a", True),
        (f"{BUCKET}/*", True),
        (f"{BUCKET}/?", True),
        (["arn:aws:s3:::else", f"{BUCKET}/a"], True),
        (f"{BUCKET}/A", False),
        (BUCKET, False),
        (f"{BUCKET}/a/", False),
        (f"{BUCKET}/${{*}}", False),
    ],
)
def test_resources_match_in_their_own_case_and_whole(resource: Any, allowed: bool) -> None:
    assert allows({"Action": "*", "Resource": resource}) is allowed


def test_a_denial_wins_over_any_permission() -> None:
    assert not allows([{"Action": "*"}, {"Action": "s3:Get*", "Effect": "Deny"}])
    assert allows([{"Action": "*"}, {"Action": "s3:Put*", "Effect": "Deny"}])


def test_what_is_excepted_is_not_meant() -> None:
    assert not allows({"NotAction": "s3:Get*"})
    assert allows({"NotAction": "s3:Put*"})
    document: Any = {"Action": "*", "NotResource": f"{BUCKET}/a", "Effect": "Allow"}
    policy = Policy({"Version": "2012-10-17", "Statement": document})
    assert [list(policy.speaking_of(Access("s3:GetObject", f"{BUCKET}/{key}"), {})) != [] for key in "ab"] == [
        False,
        True,
    ]


def test_a_variable_stands_for_the_sessions_tag_and_for_nothing_more() -> None:
    own = {"Action": "*", "Resource": f"{BUCKET}/${{aws:PrincipalTag/tenant}}/*"}
    assert allows(own, resource=f"{BUCKET}/a/x", tags={"tenant": "a"})
    assert not allows(own, resource=f"{BUCKET}/ab/x", tags={"tenant": "a"})
    assert not allows(own, resource=f"{BUCKET}/b/x", tags={"tenant": "*"})
    assert not allows(own, resource=f"{BUCKET}/.*/x", tags={"tenant": "a"})


def test_without_the_tag_a_permission_is_silent_and_a_denial_is_heard() -> None:
    own = {"Action": "*", "Resource": f"{BUCKET}/${{aws:PrincipalTag/tenant}}*"}
    assert not allows(own, resource=f"{BUCKET}/a")
    assert not allows([{"Action": "*"}, {**own, "Effect": "Deny"}], resource=f"{BUCKET}/a")


CONDITIONS: list[tuple[dict[str, Any], tuple[str, ...], bool]] = [
    ({"StringEquals": {"k:e": "a"}}, ("a",), True),
    ({"StringEquals": {"K:E": ["b", "a"]}}, ("a",), True),
    ({"StringEquals": {"k:e": "A"}}, ("a",), False),
    ({"StringEquals": {"k:e": "*"}}, ("a",), False),
    ({"StringEquals": {"k:e": "a"}}, (), False),
    ({"StringEqualsIfExists": {"k:e": "a"}}, (), True),
    ({"StringEqualsIfExists": {"k:e": "a"}}, ("b",), False),
    ({"StringNotEquals": {"k:e": ["a", "b"]}}, ("c",), True),
    ({"StringNotEquals": {"k:e": ["a", "b"]}}, ("b",), False),
    ({"StringNotEquals": {"k:e": "a"}}, (), True),
    ({"StringLike": {"k:e": "a#*"}}, ("a#b\nc",), True),
    ({"StringLike": {"k:e": "a#*"}}, ("a",), False),
    ({"StringLike": {"k:e": "a?"}}, ("ab",), True),
    ({"StringLike": {"k:e": "a.b"}}, ("axb",), False),
    ({"StringNotLike": {"k:e": "a*"}}, ("ab",), False),
    ({"Bool": {"k:e": "true"}}, ("true",), True),
    ({"Bool": {"k:e": False}}, ("true",), False),
    ({"Bool": {"k:e": "false"}}, (), False),
    ({"Null": {"k:e": "true"}}, (), True),
    ({"Null": {"k:e": "true"}}, ("a",), False),
    ({"Null": {"k:e": "false"}}, ("a",), True),
    ({"Null": {"k:e": False}}, (), False),
    ({"ForAllValues:StringLike": {"k:e": ["a", "a#*"]}}, ("a", "a#b"), True),
    ({"ForAllValues:StringLike": {"k:e": ["a", "a#*"]}}, ("a", "ab"), False),
    ({"ForAllValues:StringLike": {"k:e": "a"}}, (), True),
    ({"ForAllValues:StringLike": {"k:e": "a"}, "Null": {"k:e": "false"}}, (), False),
    ({"ForAnyValue:StringEquals": {"k:e": "a"}}, ("b", "a"), True),
    ({"ForAnyValue:StringEquals": {"k:e": "a"}}, (), False),
    ({"StringEquals": {"k:e": "a"}}, ("a", "b"), False),
    ({"ArnLike": {"k:e": "arn:aws:iam::*:role/cl*"}}, (ROLE,), True),
    ({"ArnLike": {"k:e": "arn:*:role/cl*"}}, (ROLE,), False),
    ({"ArnNotEquals": {"k:e": OTHER}}, (ROLE,), True),
    ({"StringEquals": {"k:e": "a"}, "StringLike": {"k:f": "*"}}, ("a",), False),
    ({"StringEquals": {"k:e": "${aws:PrincipalTag/t}-x"}}, ("a-x",), True),
    ({"StringEquals": {"k:e": "${aws:PrincipalTag/u}"}}, ("",), False),
]


@pytest.mark.parametrize(("condition", "values", "holds"), CONDITIONS)
def test_a_condition_holds_as_in_iam(condition: dict[str, Any], values: tuple[str, ...], holds: bool) -> None:
    statement = {"Action": "*", "Condition": condition}
    assert allows(statement, tags={"t": "a"}, context={"k:e": values} if values else {}) is holds


@pytest.mark.parametrize(
    "entry",
    [
        {"Condition": {"IpAddress": {"aws:SourceIp": "10.0.0.0/8"}}},
        {"Condition": {"ForSomeValues:StringEquals": {"k:e": "a"}}},
        {"Condition": {"NullIfExists": {"k:e": "a"}}},
        {"Condition": {"StringEquals": {"k:e": "${aws:PrincipalTag/t, 'all'}"}}},
        {"NotPrincipal": {"AWS": ROLE}},
        {"Principal": {"Federated": "example.com"}},
        {"Effect": "Maybe"},
    ],
)
def test_what_is_not_understood_is_an_error_and_never_a_yes(entry: dict[str, Any]) -> None:
    statement = {"Effect": "Allow", "Action": "*", "Resource": "*", **entry}
    policy: Any = {"Version": "2012-10-17", "Statement": statement}
    with pytest.raises(UnsupportedPolicy):
        list(Policy(policy).speaking_of(Access("s3:GetObject", BUCKET), {"k:e": ("a",)}))


def test_a_policy_of_the_old_version_knows_no_variables_and_is_refused() -> None:
    with pytest.raises(UnsupportedPolicy, match="2012-10-17"):
        Policy({"Version": "2008-10-17", "Statement": {"Resource": "${aws:PrincipalTag/tenant}"}})


def test_a_buckets_policy_can_allow_and_deny_too() -> None:
    everyone = {"Effect": "Allow", "Principal": "*", "Action": "s3:Get*", "Resource": f"{BUCKET}/*"}
    by_name = {**everyone, "Principal": {"AWS": [OTHER, ROLE]}}
    assert allows([], bucket=everyone)
    assert allows([], bucket=by_name)
    assert not allows([], bucket={**everyone, "Principal": {"AWS": OTHER}})
    assert not allows([], bucket={**everyone, "Principal": {"AWS": "123456789012"}})
    assert not allows({"Action": "*"}, bucket=[{**everyone, "Effect": "Deny"}])
    plain = {"Bool": {"aws:SecureTransport": "false"}}
    assert allows({"Action": "*"}, bucket=[{**everyone, "Effect": "Deny", "Condition": plain}])


@pytest.mark.parametrize(
    ("trusted", "own", "allowed"),
    [
        (ROLE, False, True),
        (OTHER, True, False),
        ("arn:aws:iam::123456789012:root", False, False),
        ("arn:aws:iam::123456789012:root", True, True),
        ("123456789012", True, True),
    ],
)
def test_a_role_is_assumed_only_by_whom_it_trusts(trusted: str, own: bool, allowed: bool) -> None:
    trust = {"Effect": "Allow", "Principal": {"AWS": trusted}, "Action": "sts:AssumeRole"}
    policy = {"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Action": "sts:*", "Resource": "*"}}
    roles = [
        Role("Clerk", ROLE, NOBODY, (policy,) if own else ()),
        Role("Other", OTHER, {"Version": "2012-10-17", "Statement": trust}, ()),
    ]
    decision = Authority(roles, {}).decide(Principal(ROLE), [Access("sts:AssumeRole", OTHER)])
    assert decision.allowed is allowed


def test_a_refusal_says_who_what_and_why() -> None:
    decision = Authority([], {}).decide(Principal(ROLE, {"tenant": "a"}), [Access("s3:GetObject", BUCKET)])
    assert decision.reason == (
        "clerk (tenant=a) is not authorized to perform: s3:GetObject on resource: arn:aws:s3:::things "
        "because no policy allows it"
    )
