"""Which of a tenant's tools the model is shown: decided from record and journal alone, so that a turn that was cut off
goes on with the same ones."""

from collections.abc import Collection, Sequence

from turnkey.tools import JsonObject, Toolset
from turnkey.tools.builtins import find_tools
from turnkey.turn import journal, strangers
from turnkey.turn.attaching import builtins_for
from turnkey.turn.journal import Journal
from turnkey.turn.record import Exchange, TurnRecord
from turnkey.turn.run import Run

MOST = 128
"""Tools in one request, built-in ones included: several endpoints refuse more."""


def choose(tools: Toolset, messages: Sequence[str], history: Sequence[Exchange], limit: int) -> tuple[str, ...]:
    """Names of the tools that a turn shows where no one tool is meant. `messages`: those to be answered, oldest first;
    `history`: the turns before, oldest first."""
    if len(tools) <= limit:
        return tools.names
    # A cold start should not pay for it where there are few tools.
    from turnkey.reading.relevance import most_relevant

    said = [*reversed(messages), *(exchange.question for exchange in reversed(history))]
    recent = [exchange.handed.tool for exchange in reversed(history) if exchange.handed]
    return most_relevant(tools, said, recent, limit).names


def shown(tools: Toolset, record: TurnRecord, steps: Journal, limit: int) -> Toolset:
    """The turn's own tools. A plan was made for the first messages; with others to answer too, the model sees what all
    of them are about."""
    joined = [step.text for step in journal.joined(steps)]
    names = choose(tools, [record.question, *joined], record.history, limit) if joined else record.tools
    return tools.only(names)


def offered(run: Run, steps: Journal) -> Toolset:
    """The one tool that a directive asks for; without one the turn's own, those that find_tools and skills brought up,
    and the built-in ones that this turn gives a reason for."""
    directive = journal.directive_now(run.record.plan, steps)
    if directive:
        return strangers.shielded(run.known.only([directive.tool]), run.record, steps)
    names = (*run.record.skill_tools, *journal.found(steps))
    brought = [tool for name in dict.fromkeys(names) if (tool := run.known.get(name))]
    own = list(run.tools.without([tool.name for tool in brought]))
    shown_of_every = len(own) + sum(tool.name in run.every for tool in brought)
    built_in = builtins_for(run.record, steps, len(run.every) - shown_of_every)
    # What was looked for last is wanted most.
    room = MOST - len(built_in)
    brought = brought[-room:]
    return strangers.shielded(Toolset((*own[: room - len(brought)], *brought, *built_in)), run.record, steps)


def look_for(run: Run, arguments: JsonObject, known: Collection[str]) -> tuple[str, ...]:
    """Names of the tools that fit find_tools' query best, without those that are shown (`known`)."""
    from turnkey.reading.relevance import ranked

    return find_tools.best(ranked(run.every, [str(arguments["query"])]), known)
