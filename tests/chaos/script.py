"""The model, as a function of the request: whoever asks the same thing again gets the same answer.

Round 1 reads slots and prices at once, round 2 books, round 3 looks the booking up, then it answers. A booking whose
outcome is unknown is looked up, and made again only if there is none: what such a result asks for.

Of a chart, it makes the calls that it is told to make.
"""

import json
import re
from typing import Any

from tests.support.model_server import Answer, Call, calls

Json = dict[str, Any]

DOWN = "The model is down today."
"""In a question: the model fails at it every time."""

CHART = "Draw a chart of the novels by language."
CHART_REPLY = "Here is the chart of our novels."


def facts(body: Json) -> str:
    """The small model's answer: what a chart is of; of anything else nothing."""
    return '{"subject": "novels", "constraints": ["by language"]}' if CHART in json.dumps(body) else "nothing"


def question(number: int, customer: str, more: str = "") -> str:
    """What a customer writes: the first message of a conversation asks for a booking, the second for nothing."""
    wish = "Please book the first free slot for me" if number == 1 else "Many thanks already"
    return f"I am {customer}, question {number}. {wish}. {more}".strip()


def customer_of(body: Json) -> str:
    """Who asks: the conversation's name."""
    found = re.search(r"I am ([\w-]+), question", json.dumps(body))
    assert found, body
    return found[1]


def chart_answer(body: Json) -> Answer | str:
    """The answer to a request in the turn of a chart."""
    told = re.search(r"Call (\w+) with (\{.*\})$", str(body["messages"][-1]["content"]))
    return calls(Call(told[1], json.loads(told[2]))) if "tools" in body and told else CHART_REPLY


def answer(body: Json) -> Answer | str:
    """The answer to a request of the loop, or of the reply, which shows no tools."""
    if DOWN in json.dumps(body):
        return Answer("out of order", status=500)
    if "tools" not in body:
        return reply(body["messages"])
    unanswered = _unanswered(body["messages"])
    asked = " ".join(str(message["content"]) for message in unanswered if message["role"] == "user")
    if "Please book" not in asked:
        return reply(unanswered)
    return _next_call(customer_of(body), _results(unanswered)) or reply(unanswered)


def reply(messages: list[Json]) -> str:
    """Names the questions that it answers and the bookings that it saw."""
    text = " ".join(str(message["content"]) for message in messages)
    numbers = sorted(set(re.findall(r"question (\d)", text)))
    booked = sorted(set(re.findall(r"\brun-\d+-\d+\b", text)))
    return f"Answers {' '.join(numbers)}. Booked: {' '.join(booked)}."


def _unanswered(messages: list[Json]) -> list[Json]:
    """What came after the last reply."""
    replies = [at for at, said in enumerate(messages) if said["role"] == "assistant" and not said.get("tool_calls")]
    return messages[replies[-1] + 1 :] if replies else messages


def _results(messages: list[Json]) -> list[tuple[str, str]]:
    """Tool and result, in order."""
    made = [call for message in messages for call in message.get("tool_calls") or ()]
    names = {call["id"]: str(call["function"]["name"]) for call in made}
    return [(names[said["tool_call_id"]], str(said["content"])) for said in messages if said["role"] == "tool"]


def _next_call(customer: str, results: list[tuple[str, str]]) -> Answer | None:
    last, content = results[-1] if results else ("", "")
    book = calls(Call("book_slot", {"customer": customer, "slot": "10:00"}))
    look_up = calls(Call("find_booking", {"customer": customer}))
    match last:
        case "":
            return calls(Call("find_slots", {"day": "Monday"}), Call("get_prices", {"service": "massage"}))
        case "book_slot":
            return look_up
        case "find_booking":
            return book if '"bookings":[]' in content.replace(" ", "") else None
        case _:
            return book
