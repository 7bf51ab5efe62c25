"""What happened inside a turn, in words, from the rows that the turn itself wrote."""

import json
from collections.abc import Iterator
from typing import Any

from boto3.dynamodb.types import TypeDeserializer

from turnkey.store.turns import OpenTurn
from turnkey.turn.journal import STEP, Joined, ModelAnswer, Step, ToolResult
from turnkey.turn.record import ReplyRecord, TurnRecord

WIDTH = 88
_deserialise: Any = TypeDeserializer().deserialize


class Trace:
    """One turn: its record, its journal, its reply."""

    def __init__(self, turn: OpenTurn, steps: list[Step]) -> None:
        self.record: TurnRecord = turn.record
        self.reply: ReplyRecord | None = turn.reply
        self.ended = turn.ended
        self.steps = steps

    @property
    def results(self) -> list[ToolResult]:
        return [step for step in self.steps if isinstance(step, ToolResult)]

    def lines(self) -> Iterator[str]:
        """Decision, model answers, tool calls, reply: a line each, with sizes and times."""
        record = self.record
        if record.directive:
            yield f"decided    one tool is meant: {record.directive.sentence}"
        else:
            yield f"decided    nothing to say for the model; tools shown: {', '.join(record.tools) or 'none'}"
        for step in self.steps:
            yield _line(step)
        if self.reply:
            how = "from a clean request" if self.reply.rebuilt else "as the loop gave it"
            cost = f", {_request(self.reply)}" if self.reply.rebuilt else ""
            yield f"reply      written {how}{cost}"
        yield f"turn       {self.ended or 'still open'}"


def _line(step: Step) -> str:
    match step:
        case ModelAnswer():
            return _answer(step)
        case ToolResult():
            return _result(step)
        case Joined():
            return f"joined     {step.text}"


def _answer(answer: ModelAnswer) -> str:
    calls = ", ".join(call.name for call in answer.calls)
    return f"model      {'calls ' + calls if calls else 'answers in words'}, {_request(answer)}"


def _request(answer: ModelAnswer | ReplyRecord) -> str:
    tokens = f"{answer.prompt_tokens} + {answer.completion_tokens} tokens"
    return f"{answer.prompt_characters:,} characters sent, {tokens}, {answer.milliseconds} ms"


def _result(result: ToolResult) -> str:
    arguments = json.dumps(result.call.arguments, ensure_ascii=False)
    size = f"{result.characters:,} characters" + (f", {len(result.text):,} shown" if result.partial else "")
    shown = arguments if len(arguments) <= WIDTH else arguments[: WIDTH - 1] + "…"
    return f"tool       {result.call.name} {shown}: {result.status}, {size}, {result.milliseconds} ms"


def newest(dynamodb: Any, table: str, key: str) -> Trace:
    """The newest turn of the conversation with that partition key."""
    turn = _query(dynamodb, table, key, "TURN#")[-1]
    steps = _query(dynamodb, table, key, turn["sk"].replace("TURN#", "STEP#") + "#")
    return Trace(OpenTurn(turn), [STEP.validate_json(step["json"]) for step in steps])


def _query(dynamodb: Any, table: str, key: str, prefix: str) -> list[dict[str, Any]]:
    answer = dynamodb.query(
        TableName=table,
        KeyConditionExpression="pk = :pk AND begins_with(sk, :sk)",
        ExpressionAttributeValues={":pk": {"S": key}, ":sk": {"S": prefix}},
    )
    return [{name: _deserialise(value) for name, value in item.items()} for item in answer["Items"]]
