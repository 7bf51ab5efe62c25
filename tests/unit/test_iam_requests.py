"""What a request needs the right to do is read from the request itself, every part of it."""

from typing import Any

import pytest

from local.deployment import Table
from local.iam.dynamodb import Tables
from local.iam.services import accesses
from local.iam.values import UnreadableRequest
from local.iam.wire import call_of

BUCKET = "arn:aws:s3:::things"
DISHES = Table(
    "Dishes",
    "dishes",
    {
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "GlobalSecondaryIndexes": [{"IndexName": "cook", "KeySchema": [{"AttributeName": "cook", "KeyType": "HASH"}]}],
    },
    None,
)


def needed(service: str, operation: str, **parameters: Any) -> list[tuple[str, str, tuple[str, ...]]]:
    """(action, end of the resource, partition keys)."""
    found = accesses(service, operation, parameters, Tables([DISHES]))
    return [(one.action, one.resource.rpartition(":")[2], one.context.get("dynamodb:leadingkeys", ())) for one in found]


KEY_A, KEY_B = ({"pk": {"S": name}, "sk": {"S": "x"}} for name in "ab")


def test_every_item_of_a_request_counts_with_its_partition() -> None:
    assert needed("dynamodb", "PutItem", TableName="dishes", Item=KEY_A) == [
        ("dynamodb:PutItem", "table/dishes", ("a",))
    ]
    assert needed("dynamodb", "BatchGetItem", RequestItems={"dishes": {"Keys": [KEY_A, KEY_B]}}) == [
        ("dynamodb:BatchGetItem", "table/dishes", ("a", "b"))
    ]
    writes = [{"PutRequest": {"Item": KEY_A}}, {"DeleteRequest": {"Key": KEY_B}}]
    assert needed("dynamodb", "BatchWriteItem", RequestItems={"dishes": writes}) == [
        ("dynamodb:BatchWriteItem", "table/dishes", ("a", "b"))
    ]


def test_each_part_of_a_transaction_needs_a_right_of_its_own() -> None:
    parts = [
        {"Put": {"TableName": "dishes", "Item": KEY_A}},
        {"Update": {"TableName": "dishes", "Key": KEY_B}},
        {"Delete": {"TableName": "dishes", "Key": KEY_A}},
        {"ConditionCheck": {"TableName": "dishes", "Key": KEY_B}},
    ]
    assert needed("dynamodb", "TransactWriteItems", TransactItems=parts) == [
        ("dynamodb:PutItem", "table/dishes", ("a",)),
        ("dynamodb:UpdateItem", "table/dishes", ("b",)),
        ("dynamodb:DeleteItem", "table/dishes", ("a",)),
        ("dynamodb:ConditionCheckItem", "table/dishes", ("b",)),
    ]
    gets = [{"Get": {"TableName": "dishes", "Key": KEY_B}}]
    assert needed("dynamodb", "TransactGetItems", TransactItems=gets) == [("dynamodb:GetItem", "table/dishes", ("b",))]


def test_a_query_names_its_partition_however_it_is_written() -> None:
    values = {":one": {"S": "a"}, ":two": {"S": "b"}}
    for expression, names in [
        ("pk = :one", {}),
        ("sk = :two AND pk = :one", {}),
        ("begins_with(sk, :two) AND pk=:one", {}),
        ("#p = :one AND #s = :two", {"#p": "pk", "#s": "sk"}),
    ]:
        found = needed(
            "dynamodb",
            "Query",
            TableName="dishes",
            KeyConditionExpression=expression,
            ExpressionAttributeNames=names,
            ExpressionAttributeValues=values,
        )
        assert found == [("dynamodb:Query", "table/dishes", ("a",))], expression
    by_index = needed(
        "dynamodb",
        "Query",
        TableName="arn:aws:dynamodb:us-east-1:123456789012:table/dishes",
        IndexName="cook",
        KeyConditionExpression="cook = :two",
        ExpressionAttributeValues=values,
    )
    assert by_index == [("dynamodb:Query", "table/dishes/index/cook", ("b",))]


@pytest.mark.parametrize(
    ("operation", "parameters"),
    [
        ("GetItem", {"TableName": "unknown", "Key": KEY_A}),
        ("GetItem", {"TableName": "dishes", "Key": {"sk": {"S": "x"}}}),
        ("Query", {"TableName": "dishes", "KeyConditionExpression": "sk = :x", "ExpressionAttributeValues": {}}),
        ("Query", {"TableName": "dishes", "KeyConditionExpression": "pk = :x", "ExpressionAttributeValues": {}}),
        ("Query", {"TableName": "dishes", "IndexName": "none", "KeyConditionExpression": "pk = :x"}),
        ("TransactWriteItems", {"TransactItems": [{"Explode": {"TableName": "dishes"}}]}),
    ],
)
def test_a_request_that_does_not_say_what_it_touches_is_refused(operation: str, parameters: dict[str, Any]) -> None:
    with pytest.raises(UnreadableRequest):
        needed("dynamodb", operation, **parameters)


def test_what_is_not_known_needs_a_right_to_everything() -> None:
    assert needed("dynamodb", "ExecuteStatement", Statement="SELECT * FROM dishes") == [
        ("dynamodb:ExecuteStatement", "*", ())
    ]
    assert needed("kms", "Decrypt") == [("kms:Decrypt", "*", ())]


def test_a_secret_is_the_same_by_name_and_by_arn() -> None:
    arn = "arn:aws:secretsmanager:us-east-1:123456789012:secret:s/tenants/a/x"
    suffixed = f"{arn}-AbCdEf"
    for name in ("s/tenants/a/x", arn, suffixed):
        [found] = accesses("secretsmanager", "GetSecretValue", {"SecretId": name}, Tables([]))
        assert found.resource == suffixed
    both = accesses("secretsmanager", "BatchGetSecretValue", {"SecretIdList": ["a", "b"]}, Tables([]))
    assert [(one.action, one.resource[-8:]) for one in both] == [
        ("secretsmanager:GetSecretValue", "a-AbCdEf"),
        ("secretsmanager:GetSecretValue", "b-AbCdEf"),
        ("secretsmanager:BatchGetSecretValue", "*"),
    ]


def test_an_object_is_told_by_its_key_and_a_list_by_its_prefix() -> None:
    copied = accesses("s3", "CopyObject", {"Bucket": "b", "Key": "k", "CopySource": "/c/l"}, Tables([]))
    assert [(one.action, one.resource) for one in copied] == [
        ("s3:GetObject", "arn:aws:s3:::c/l"),
        ("s3:PutObject", "arn:aws:s3:::b/k"),
    ]
    [listed] = accesses("s3", "ListObjectsV2", {"Bucket": "b", "Prefix": "p/"}, Tables([]))
    assert (listed.action, listed.resource, listed.context) == (
        "s3:ListBucket",
        "arn:aws:s3:::b",
        {"s3:prefix": ("p/",)},
    )


@pytest.mark.parametrize(
    ("method", "path", "query", "operation", "parameters"),
    [
        ("GET", "/b/tenants/a/../b/%C3%BC", "", "GetObject", {"Bucket": "b", "Key": "tenants/a/../b/%C3%BC"}),
        ("HEAD", "/b/k", "", "HeadObject", {"Bucket": "b", "Key": "k"}),
        ("GET", "/b", "list-type=2&prefix=p%2F", "ListObjects", {"Bucket": "b", "Prefix": "p/"}),
        ("GET", "/b", "versions=", "GET?versions", {"Bucket": "b"}),
        ("GET", "/b/k", "tagging=", "GET?tagging", {"Bucket": "b", "Key": "k"}),
        ("PUT", "/b/k", "acl=", "PUT?acl", {"Bucket": "b", "Key": "k"}),
        ("DELETE", "/b/k", "versionId=1", "DELETE?versionId", {"Bucket": "b", "Key": "k"}),
    ],
)
def test_a_request_to_s3_is_what_its_path_and_query_say(
    method: str, path: str, query: str, operation: str, parameters: dict[str, str]
) -> None:
    environ = {"REQUEST_METHOD": method, "PATH_INFO": path, "QUERY_STRING": query}
    call = call_of("s3", environ, b"")
    assert (call.operation, call.parameters) == (operation, parameters)


def test_a_batch_of_deletions_names_each_object() -> None:
    body = b'<Delete xmlns="x"><Object><Key>a</Key></Object><Object><Key>b</Key></Object></Delete>'
    environ = {"REQUEST_METHOD": "POST", "PATH_INFO": "/things", "QUERY_STRING": "delete="}
    call = call_of("s3", environ, body)
    found = accesses("s3", call.operation, call.parameters, Tables([]))
    assert [one.resource for one in found] == [f"{BUCKET}/a", f"{BUCKET}/b"]


@pytest.mark.parametrize(("signed_for", "target"), [("sts", "DynamoDB_20120810.Scan"), ("dynamodb", "Nothing.Scan")])
def test_a_request_signed_for_one_service_and_sent_to_another_is_refused(signed_for: str, target: str) -> None:
    with pytest.raises(UnreadableRequest, match="signed for"):
        call_of(signed_for, {"HTTP_X_AMZ_TARGET": target}, b"{}")


def test_a_schedule_needs_its_name_and_the_role_that_it_hands_over() -> None:
    body = b'{"GroupName": "g", "Target": {"RoleArn": "arn:aws:iam::123456789012:role/r"}}'
    call = call_of("scheduler", {"REQUEST_METHOD": "POST", "PATH_INFO": "/schedules/n"}, body)
    found = accesses("scheduler", call.operation, call.parameters, Tables([]))
    assert [(one.action, one.resource.rpartition(":")[2]) for one in found] == [
        ("scheduler:CreateSchedule", "schedule/g/n"),
        ("iam:PassRole", "role/r"),
    ]


def test_tags_of_a_session_are_a_right_of_their_own() -> None:
    body = b"Action=AssumeRole&RoleArn=arn&RoleSessionName=tenant-a&Tags.member.1.Key=tenant&Tags.member.1.Value=a"
    call = call_of("sts", {"REQUEST_METHOD": "POST", "PATH_INFO": "/"}, body)
    found = accesses("sts", call.operation, call.parameters, Tables([]))
    tags = {"aws:requesttag/tenant": ("a",), "aws:tagkeys": ("tenant",)}
    assert [(one.action, one.context) for one in found] == [
        ("sts:AssumeRole", {**tags, "sts:rolesessionname": ("tenant-a",)}),
        ("sts:TagSession", tags),
    ]
