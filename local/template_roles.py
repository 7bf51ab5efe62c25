"""The roles of a template and the policies of its resources, with every name filled in."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from local.deployment import Role
from local.intrinsics import Resolver
from local.transform import InvalidTemplate

ROLE, BUCKET_POLICY = "AWS::IAM::Role", "AWS::S3::BucketPolicy"

# Those of AWS's own that SAM gives to functions and state machines. They are about logs and traces alone.
_AWS_POLICIES = {
    "service-role/AWSLambdaBasicExecutionRole": ["logs:CreateLogGroup", "logs:CreateLogStream", "logs:PutLogEvents"],
    "AWSXrayWriteOnlyAccess": ["xray:PutTraceSegments", "xray:PutTelemetryRecords", "xray:GetSampling*"],
}


def roles(resources: Iterable[tuple[str, Mapping[str, Any]]], resolver: Resolver) -> Iterator[Role]:
    """From (logical id, properties). Raises `InvalidTemplate` for a policy of AWS's own that is not known here."""
    for logical_id, properties in resources:
        resolved: dict[str, Any] = resolver.resolve(dict(properties), logical_id)
        own = (policy["PolicyDocument"] for policy in resolved.get("Policies", []))
        of_aws = (_aws_policy(arn, logical_id) for arn in resolved.get("ManagedPolicyArns", []))
        trust = resolved["AssumeRolePolicyDocument"]
        yield Role(logical_id, resolver.arn(logical_id), trust, (*own, *of_aws))


def bucket_policies(
    resources: Iterable[tuple[str, Mapping[str, Any]]], resolver: Resolver
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(the bucket's ARN, document) from (logical id, properties)."""
    for logical_id, properties in resources:
        resolved: dict[str, Any] = resolver.resolve(dict(properties), logical_id)
        yield f"arn:aws:s3:::{resolved['Bucket']}", resolved["PolicyDocument"]


def _aws_policy(arn: str, role: str) -> Mapping[str, Any]:
    name = arn.partition(":policy/")[2]
    if name not in _AWS_POLICIES:
        known = ", ".join(_AWS_POLICIES)
        raise InvalidTemplate(f"{role}: what {arn} allows is not known on one machine. Use a policy, or: {known}.")
    statement = {"Effect": "Allow", "Action": _AWS_POLICIES[name], "Resource": "*"}
    return {"Version": "2012-10-17", "Statement": [statement]}
