"""What happened inside a turn, in words, from the rows that the turn itself wrote."""

import gzip
import json
from collections.abc import Iterator
from typing import Any

from boto3.dynamodb.types import TypeDeserializer

from turnkey import ids
from turnkey.deliverables import Cards, Chart, Deliverable, Document, Sources
from turnkey.mcp.registration import Registration
from turnkey.store.conversations import turn_key
from turnkey.store.turns import OpenTurn
from turnkey.turn.journal import STEP, Again, Joined, ModelAnswer, Step, ToolResult
from turnkey.turn.record import Reading, ReplyRecord, TurnRecord

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
        if record.reading:
            doubt = f"; {record.reading.doubt}" if record.reading.doubt else ""
            yield f"facts      read by the small model, {_request(record.reading)}{doubt}"
        if record.plan:
            yield f"decided    one tool is meant: {record.plan.directive.sentence}"
        else:
            yield f"decided    nothing to say for the model; tools shown: {', '.join(record.tools) or 'none'}"
        for step in self.steps:
            yield _line(step)
        if self.reply:
            how = _how(self.reply)
            for one in self.reply.deliverables:
                yield f"handed     {_deliverable(one)}"
            cost = f", {_request(self.reply)}" if self.reply.rebuilt else ""
            yield f"reply      written {how}{cost}"
        yield f"turn       {self.ended or 'still open'}"


def _how(reply: ReplyRecord) -> str:
    if reply.author == "platform":
        return f"by the platform ({', '.join(reply.findings) or 'no answer of the model'})"
    return "from a clean request" if reply.rebuilt else "as the loop gave it"


def _deliverable(one: Deliverable) -> str:
    match one:
        case Cards():
            return f"{len(one.cards)} of {one.total} as cards: {'; '.join(card.title for card in one.cards)}"
        case Chart():
            return f"a chart: {one.title} ({one.alt})"
        case Document():
            return f"a document: {one.title}, version {one.version}"
        case Sources():
            return f"public sources: {'; '.join(source.url for source in one.sources)}"


def _line(step: Step) -> str:
    match step:
        case ModelAnswer():
            return _answer(step)
        case ToolResult():
            return _result(step)
        case Joined():
            return f"joined     {step.text}"
        case Again():
            return f"again      {step.text}"


def _answer(answer: ModelAnswer) -> str:
    calls = ", ".join(call.name for call in answer.calls)
    if answer.author == "platform":
        return f"platform   calls {calls} itself"
    return f"model      {'calls ' + calls if calls else 'answers in words'}, {_request(answer)}"


def _request(answer: ModelAnswer | ReplyRecord | Reading) -> str:
    tokens = f"{answer.prompt_tokens} + {answer.completion_tokens} tokens"
    return f"{answer.prompt_characters:,} characters sent, {tokens}, {answer.milliseconds} ms"


def _result(result: ToolResult) -> str:
    arguments = json.dumps(result.call.arguments, ensure_ascii=False)
    size = f"{result.characters:,} characters" + (f", {len(result.text):,} shown" if result.partial else "")
    shown = arguments if len(arguments) <= WIDTH else arguments[: WIDTH - 1] + "…"
    return f"tool       {result.call.name} {shown}: {result.status}, {size}, {result.milliseconds} ms"


def find(dynamodb: Any, table: str, key: str, turn: int) -> Trace | None:
    """One turn of a conversation, or None where there is no such."""
    found = _query(dynamodb, table, key, turn_key(turn))
    steps = _query(dynamodb, table, key, turn_key(turn).replace("TURN#", "STEP#") + "#")
    return Trace(OpenTurn(found[0]), [STEP.validate_json(step["json"]) for step in steps]) if found else None


def registrations(dynamodb: Any, table: str, tenant: str) -> list[Registration]:
    """A tenant's servers, as provisioning wrote them."""
    items = _query(dynamodb, table, ids.tenant_key(tenant), "SERVER#")
    return [Registration.model_validate_json(gzip.decompress(bytes(item["gzip"]))) for item in items]


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
