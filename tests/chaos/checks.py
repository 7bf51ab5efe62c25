"""What must hold after every run, wherever a process died."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.chaos.bench import APOLOGY, Played
from tests.chaos.fuse import Line
from tests.chaos.points import is_write
from tests.chaos.script import CHART_REPLY

Row = dict[str, Any]

_MAY_REPEAT = ("RESULT#", "s3.PutObject")
"""Writes of a call that died before its end was written, and is made again because it only reads: its result, which
is written again as it was."""


def faults(played: Played, unhurt: Played) -> list[str]:
    """What does not hold, in words; `unhurt` is the same scenario without a death."""
    found = [
        *_killed(played),
        *_taken(played),
        *_replied(played),
        *_pictured(played),
        *_booked(played),
        *_given_back(played),
        *_journalled(played),
        *_written_once(played, unhurt),
    ]
    return [f"{played.run.point}: {fault}" for fault in found]


def raw_posts(played: Played) -> int:
    """Posts at the receiver, repeats included."""
    return len(played.posts)


def _killed(played: Played) -> Iterator[str]:
    """One process died, where it was to, and no handler failed for it."""
    killed = [line.operation for line in played.log if line.event == "killed"]
    expected = [played.run.point.operation] if played.run.point else []
    if killed != expected:
        yield f"killed at {[str(operation) for operation in killed]}"
    failures = Counter(played.failures)
    model_failures = failures.pop("ModelUnavailable", 0)
    if failures != Counter({"Runtime.ExitError": len(expected)} if expected else {}):
        yield f"invocations failed with {played.failures}"
    if bool(model_failures) != played.scenario.model_is_down:
        yield f"the model failed {model_failures} times"


def _taken(played: Played) -> Iterator[str]:
    """Every message is in one turn, and that turn ended with a reply."""
    if played.statuses[-1] != 200:
        yield f"the sender was answered {played.statuses}"
    taken = Counter(message["id"] for turn in _turns(played) for message in _messages(turn))
    expected = {f"msg_{played.run.conversation}_{number}": 1 for number in range(1, played.scenario.messages + 1)}
    if taken != expected:
        yield f"messages in turns are {dict(taken)}"
    if played.executions != {1: "SUCCEEDED"}:
        yield f"executions are {played.executions}"
    how = "apologised" if played.scenario.model_is_down else "delivered"
    ended = [turn.get("ended") for turn in _turns(played)]
    if set(ended) != {how}:
        yield f"turns ended as {ended}"


def _replied(played: Played) -> Iterator[str]:
    """One reply a turn, told by its id, and together they answer the messages."""
    texts: dict[str, set[str]] = {}
    for post in played.posts:
        if not post.verified:
            yield f"a post without a good signature: {post}"
        texts.setdefault(post.id, set()).add(post.json()["data"]["message"]["text"])
    if any(len(of_one_id) > 1 for of_one_id in texts.values()):
        yield f"one id with several texts: {texts}"
    said = [min(of_one_id) for of_one_id in texts.values()]
    if said not in _good_replies(played):
        yield f"the replies say {said}"
    if len(said) != len(_turns(played)):
        yield f"{len(said)} replies of {len(_turns(played))} turns"
    if len(played.posts) > len(said) + 1:
        yield f"{len(played.posts)} posts for {len(said)} replies"


def _pictured(played: Played) -> Iterator[str]:
    """A chart comes with its reply, the same one each time."""
    pictures = [post.json()["data"]["message"].get("pictures") for post in played.posts]
    if played.scenario.charts and (not all(pictures) or any(one != pictures[0] for one in pictures)):
        yield f"pictures of {[len(one or ()) for one in pictures]} posts"


def _good_replies(played: Played) -> list[list[str]]:
    """The replies in order; where there are several ways, in each."""
    booked = f"Booked: {played.run.conversation}-1."
    if played.scenario.model_is_down:
        return [[APOLOGY]]
    if played.scenario.charts:
        return [[CHART_REPLY]]
    both = [f"Answers 1 2. {booked}"]
    match played.scenario.second:
        case "never":
            return [[f"Answers 1. {booked}"]]
        case "joins":
            return [both]
        case "follows":
            # A turn that dies while its reply is written finds the message when it composes again, and takes it in.
            return [[f"Answers 1. {booked}", "Answers 2. Booked: ."], both]


def _booked(played: Played) -> Iterator[str]:
    if len(played.bookings) != played.scenario.bookings:
        yield f"bookings are {played.bookings}"


def _given_back(played: Played) -> Iterator[str]:
    """No lease, and nothing that waits."""
    state: Row = next((row for row in played.rows if row["sk"] == "STATE"), {})
    left = {name: value for name, value in state.items() if name.startswith("lease_") or (name == "pending" and value)}
    if left:
        yield f"left behind: {left}"


def _journalled(played: Played) -> Iterator[str]:
    """Each answer's calls have one end each, and no answer was asked for twice but the one that died unwritten."""
    steps = [json.loads(row["json"]) for row in played.rows if row["sk"].startswith("STEP#")]
    answers = [step for step in steps if step["kind"] == "answer"]
    asked = [call["id"] for answer in answers for call in answer["calls"]]
    ended = [step["call"]["id"] for step in steps if step["kind"] == "result" and step["status"] != "started"]
    if asked != ended:
        yield f"calls {asked} ended as {ended}"
    requests = Counter(line.operation.function for line in played.log if line.event == "done" and _asks(line))
    for_replies = sum(json.loads(turn["reply"])["model_calls"] for turn in _turns(played) if "reply" in turn)
    if not played.scenario.model_is_down and (
        requests["ToolLoop"] + requests["Compose"] > len(answers) + for_replies + 1
        or requests["Route"] > len(_turns(played)) + 1
    ):
        yield f"{dict(requests)} requests to the model for {len(answers)} answers"


def _asks(line: Line) -> bool:
    return "/chat/completions" in line.operation.name


def _written_once(played: Played, unhurt: Played) -> Iterator[str]:
    """No write took effect twice, but for what may (see `_MAY_REPEAT`), and none is missing."""
    before, now = _effective_writes(unhurt), _effective_writes(played)
    for name, times in now.items():
        if times > max(1, before[name]) and not any(part in name for part in _MAY_REPEAT):
            yield f"{name} took effect {times} times"
    missing = [name for name in before if name not in now]
    if missing and len(_turns(played)) == len(_turns(unhurt)):
        yield f"never written: {missing}"


def _effective_writes(played: Played) -> Counter[str]:
    done = [line.operation.name for line in played.log if line.event == "done"]
    return Counter(name for name in done if is_write(name))


def _turns(played: Played) -> list[Row]:
    return [row for row in played.rows if row["sk"].startswith("TURN#")]


def _messages(turn: Row) -> list[Row]:
    joined = [json.loads(text) for text in turn.get("joined", [])]
    return [*json.loads(turn["json"])["messages"], *joined]
