"""Resolves CloudFormation's intrinsic functions to the names and ARNs that resources have on this machine."""

import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from local.account import ACCOUNT_ID, REGION
from local.transform import InvalidTemplate

_NO_VALUE = object()
_PLACEHOLDER = re.compile(r"\$\{([^!}][^}]*)\}")


class Resolver:
    """Gives values to `Ref`, `Fn::GetAtt`, `Fn::Sub` and `Fn::Join` in one transformed template."""

    def __init__(self, resources: Mapping[str, Any], parameters: Mapping[str, str], stack_name: str) -> None:
        self._resources = resources
        self._stack_name = stack_name
        self._values: dict[str, Any] = {
            **parameters,
            "AWS::AccountId": ACCOUNT_ID,
            "AWS::NoValue": _NO_VALUE,
            "AWS::Partition": "aws",
            "AWS::Region": REGION,
            "AWS::StackName": stack_name,
            "AWS::URLSuffix": "amazonaws.com",
        }
        self._functions: dict[str, Callable[[Any, str], Any]] = {
            "Ref": self._ref,
            "Fn::GetAtt": self._get_att,
            "Fn::Sub": self._sub,
            "Fn::Join": self._join,
        }

    def resolve(self, value: Any, where: str) -> Any:
        """Returns `value` with every intrinsic function in it replaced, and what is `AWS::NoValue` left out.

        `where` names the place for messages, such as `WebhookFunction.Environment`.

        Raises `InvalidTemplate` for a function this resolver does not know, or a name that does not exist.
        """
        if isinstance(value, list):
            items = [self.resolve(item, where) for item in cast(list[Any], value)]
            return [item for item in items if item is not _NO_VALUE]
        if not isinstance(value, dict):
            return value
        mapping = cast(dict[str, Any], value)
        if len(mapping) == 1:
            [(name, argument)] = mapping.items()
            if name in self._functions:
                return self._functions[name](argument, where)
            if name.startswith("Fn::") or name == "Condition":
                supported = ", ".join(self._functions)
                raise InvalidTemplate(f"{where}: {name} does not work on one machine. Use one of {supported}.")
        fields = {name: self.resolve(item, f"{where}.{name}") for name, item in mapping.items()}
        return {name: item for name, item in fields.items() if item is not _NO_VALUE}

    def physical_name(self, logical_id: str) -> str:
        """The name a resource goes by: the one its template gives it, else made of the stack's and its logical id."""
        resource = self._resource(logical_id, logical_id)
        given = resource.get("Properties", {}).get(_NAME_PROPERTIES.get(resource["Type"], ""))
        if given is not None:
            return str(self.resolve(given, logical_id))
        name = f"{self._stack_name}-{logical_id}"
        # Buckets have no upper case.
        return name.lower() if resource["Type"] == "AWS::S3::Bucket" else name

    def arn(self, logical_id: str) -> str:
        """The ARN of a resource of a kind listed in `_ARNS`."""
        return self._get_att([logical_id, "Arn"], logical_id)

    def _resource(self, logical_id: str, where: str) -> dict[str, Any]:
        if logical_id not in self._resources:
            raise InvalidTemplate(f"{where}: {logical_id} is neither a parameter nor a resource of the template.")
        return self._resources[logical_id]

    def _ref(self, name: Any, where: str) -> Any:
        if name in self._values:
            return self._values[name]
        kind = self._resource(str(name), where)["Type"]
        return self.arn(name) if kind in _REF_IS_ARN else self.physical_name(name)

    def _get_att(self, argument: Any, where: str) -> str:
        logical_id, attribute = argument.split(".", 1) if isinstance(argument, str) else argument
        kind = self._resource(logical_id, where)["Type"]
        if attribute == "Name" and kind in _NAME_PROPERTIES:
            return self.physical_name(logical_id)
        if attribute != "Arn" or kind not in _ARNS:
            raise InvalidTemplate(f"{where}: {logical_id}.{attribute} of a {kind} is not known on one machine.")
        return _ARNS[kind].format(region=REGION, account=ACCOUNT_ID, name=self.physical_name(logical_id))

    def _sub(self, argument: Any, where: str) -> str:
        text: str = argument if isinstance(argument, str) else argument[0]
        extra: dict[str, Any] = {} if isinstance(argument, str) else argument[1]
        names = {name: self.resolve(value, where) for name, value in extra.items()}

        def value_of(match: re.Match[str]) -> str:
            name = match[1].strip()
            if name in names:
                return str(names[name])
            return str(self._get_att(name, where) if "." in name else self._ref(name, where))

        return _PLACEHOLDER.sub(value_of, text).replace("${!", "${")

    def _join(self, argument: Any, where: str) -> str:
        separator, items = argument
        return separator.join(str(item) for item in self.resolve(items, where))


_NAME_PROPERTIES = {
    "AWS::DynamoDB::Table": "TableName",
    "AWS::IAM::Role": "RoleName",
    "AWS::Lambda::Function": "FunctionName",
    "AWS::Lambda::LayerVersion": "LayerName",
    "AWS::Logs::LogGroup": "LogGroupName",
    "AWS::S3::Bucket": "BucketName",
    "AWS::Scheduler::ScheduleGroup": "Name",
    "AWS::StepFunctions::StateMachine": "StateMachineName",
}
_ARNS = {
    "AWS::DynamoDB::Table": "arn:aws:dynamodb:{region}:{account}:table/{name}",
    "AWS::IAM::Role": "arn:aws:iam::{account}:role/{name}",
    "AWS::Lambda::Function": "arn:aws:lambda:{region}:{account}:function:{name}",
    "AWS::Lambda::LayerVersion": "arn:aws:lambda:{region}:{account}:layer:{name}:1",
    "AWS::Logs::LogGroup": "arn:aws:logs:{region}:{account}:log-group:{name}:*",
    "AWS::S3::Bucket": "arn:aws:s3:::{name}",
    "AWS::StepFunctions::StateMachine": "arn:aws:states:{region}:{account}:stateMachine:{name}",
}
_REF_IS_ARN = ("AWS::StepFunctions::StateMachine", "AWS::Lambda::LayerVersion")
