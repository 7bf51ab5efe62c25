"""What the platform itself says where no answer of the model holds: from the ledger, in the customer's language."""

from turnkey.deliverables import Cards, Chart
from turnkey.reading.cues import read
from turnkey.reading.facts import Kind
from turnkey.reading.plan import Plan
from turnkey.reply import phrases
from turnkey.reply.facts_text import labels, lines
from turnkey.reply.ledger import Fact, Ledger

FACT_LINES = 8


def own_words(due: Kind, ledger: Ledger, language: str, plan: Plan | None) -> str:
    """The sentences; never empty. `plan` as it stands: with what it still lacks."""
    if plan and plan.directive.missing and not ledger.has_acted():
        return phrases.need(language, labels(plan.directive.missing, language))
    for cards in (one for one in ledger.handed if isinstance(one, Cards)):
        counted = plan is not None and any("count" in part.cues for part in read(plan.message))
        return phrases.shown_items(language, len(cards.cards), cards.total, counted=counted)
    for chart in (one for one in ledger.handed if isinstance(one, Chart)):
        return "\n".join(part for part in (phrases.chart_ready(language, chart.title), chart.alt) if part)
    done = [fact for fact in ledger.results if fact.acted]
    if done:
        return f"{phrases.done(language)}\n{lines(done[-1].text, language, FACT_LINES)}"
    if not ledger.results:
        return phrases.need(language, ()) if due == "answer" else phrases.not_done(language)
    return _from(ledger.results[-1], language, plan)


def _from(last: Fact, language: str, plan: Plan | None) -> str:
    if last.status == "unknown":
        return phrases.outcome_unknown(language)
    if last.kind == "action":
        # The tool's own refusal is the truth; whether it is fit for a customer's eyes cannot be known.
        return phrases.not_done(language)
    if last.status == "error":
        return phrases.could_not_look(language)
    if last.kind == "items" or not last.came_back:
        return phrases.nothing_found(language, plan.facts.subject if plan else "")
    return f"{phrases.found_facts(language)}\n{lines(last.text, language, FACT_LINES)}"
