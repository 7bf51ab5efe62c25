"""The turn's ledger and what it hands over, from record and journal. Plain."""

from turnkey.deliverables import Cards, Deliverable, Source, Sources
from turnkey.deliverables.cards import card_of
from turnkey.deliverables.handed import Handed, HandedItem
from turnkey.deliverables.single import find_object
from turnkey.reply.ledger import Fact, Ledger
from turnkey.tenancy.settings import Agent
from turnkey.tools import CardFields
from turnkey.tools.builtins import NAMES, capture_contact, search_web, show_items
from turnkey.turn.giving import last_states
from turnkey.turn.journal import Journal, ToolResult, findings, found, results
from turnkey.turn.record import TurnRecord


def handed_over(record: TurnRecord, journal: Journal) -> tuple[Deliverable, ...]:
    """What really came back of what can be handed over: charts, cards that were asked for by show_items, and the cards
    of the list that the plan was after."""
    found = [result for result in results(journal) if result.status == "ok" and result.deliverable]
    return last_states(result.deliverable for result in found if result.deliverable and _is_meant(result, record))


def _is_meant(result: ToolResult, record: TurnRecord) -> bool:
    if isinstance(result.deliverable, Sources):
        # Named beside the reply that is written from them; nothing that was asked for.
        return False
    if not isinstance(result.deliverable, Cards) or result.call.name == show_items.TOOL.name:
        return True
    plan = record.plan
    if plan is None:
        return False
    # A list that was only a step to something else is shown when it did not lead there: the customer can then choose.
    return result.call.name == plan.goal or (result.followed_by is None and plan.following is not None)


def spare(journal: Journal) -> tuple[Deliverable, ...]:
    """Cards that a turn without a plan could show of the last list it found."""
    found = [result.deliverable for result in results(journal) if isinstance(result.deliverable, Cards)]
    return tuple(found[-1:])


def to_go_back_to(journal: Journal, handed: tuple[Deliverable, ...]) -> Handed | None:
    """What a later turn can refer to: the last thing that came back, and what the customer saw of it."""
    for result in reversed(results(journal)):
        if result.status != "ok" or result.call.name in NAMES:
            continue
        shown = next((one for one in reversed(handed) if isinstance(one, Cards)), None)
        items = _items(result, shown)
        return Handed(
            tool=result.call.name,
            kind=result.tool_kind,
            arguments=result.call.arguments,
            items=items,
            total=shown.total if shown else len(items),
        )
    return None


def _items(result: ToolResult, shown: Cards | None) -> tuple[HandedItem, ...]:
    if shown:
        return tuple(
            HandedItem(title=card.title, subtitle=card.subtitle, price=card.price, keys=card.keys)
            for card in shown.cards
        )
    # Of a list that was not shown, the customer saw no one thing.
    row = find_object(result.text) if result.tool_kind != "items" else None
    if not row:
        return ()
    card = card_of(row, CardFields())
    return (HandedItem(title=card.title, subtitle=card.subtitle, price=card.price, keys=card.keys),)


def ledger_of(record: TurnRecord, agent: Agent, journal: Journal, handed: tuple[Deliverable, ...]) -> Ledger:
    """What came back, what is handed over, and all that may be quoted."""
    told = [text for exchange in record.history for text in (exchange.question, exchange.told)]
    kept = [text for one in record.kept for text in (one.question, one.answer)]
    said = "\n".join((agent.instructions, *kept, *told, record.question))
    tools = (*record.tools, *record.skill_tools, *found(journal))
    return Ledger(results=facts_of(journal), handed=handed, said=said, tools=tools)


def _is_refused(result: ToolResult) -> bool:
    """Whether the call gave contact details that nobody has said: no reply may take them from it."""
    return result.call.name == capture_contact.TOOL.name and result.status == "error"


def facts_of(journal: Journal) -> tuple[Fact, ...]:
    """The turn's calls and what they returned; those that could never run, or wait for the customer, are none, and
    neither is find_tools."""
    return tuple(
        Fact(
            tool=result.call.name,
            kind=result.tool_kind,
            status="unknown" if result.status == "started" else result.status,
            text=result.text,
            arguments={} if _is_refused(result) else result.call.arguments,
            items=result.items,
            sources=sources_of(result),
            is_search=result.call.name == search_web.TOOL.name or len(sources_of(result)) > 1,
        )
        for result in findings(journal)
        if not result.call.problem and result.status != "unconfirmed"
    )


def sources_of(result: ToolResult) -> tuple[Source, ...]:
    """The public pages whose text the result is."""
    return result.deliverable.sources if isinstance(result.deliverable, Sources) else ()
