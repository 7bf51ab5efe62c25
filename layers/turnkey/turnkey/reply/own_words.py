"""What the platform itself says where no answer of the model holds: from the ledger, in the customer's language."""

from turnkey.deliverables import Cards, Chart, Document
from turnkey.reading.cues import read
from turnkey.reading.facts import Kind
from turnkey.reading.plan import Plan
from turnkey.reply import document_phrases, phrases, source_words
from turnkey.reply.facts_text import labels, lines
from turnkey.reply.ledger import Fact, Ledger
from turnkey.tools.builtins import edit_document

FACT_LINES = 8


def own_words(due: Kind, ledger: Ledger, language: str, plan: Plan | None, *, mended: bool = True) -> str:
    """The sentences; never empty. `plan` as it stands: with what it still lacks. `mended`: a call that failed before
    another one succeeded was the same one, written better."""
    if plan and plan.directive.missing and not ledger.has_acted():
        return phrases.need(language, labels(plan.directive.missing, language))
    for cards in (one for one in ledger.handed if isinstance(one, Cards)):
        counted = plan is not None and any("count" in part.cues for part in read(plan.message))
        return phrases.shown_items(language, len(cards.cards), cards.total, counted=counted)
    for chart in (one for one in ledger.handed if isinstance(one, Chart)):
        return "\n".join(part for part in (phrases.chart_ready(language, chart.title), chart.alt) if part)
    if documents := [one for one in ledger.handed if isinstance(one, Document)]:
        return _with_documents(documents, ledger, language, mended=mended)
    if ledger.has_acted():
        return _done(ledger, language, mended=mended)
    if not ledger.results:
        return phrases.need(language, ()) if due == "answer" else phrases.not_done(language)
    return _from(ledger.results[-1], language, plan)


def found_so_far(ledger: Ledger, language: str) -> str:
    """What goes before a question of the platform's own: what is handed over, was done or looked up; or nothing."""
    told = tuple(fact for fact in ledger.results if fact.acted or fact.status == "unknown" or _is_looked_up(fact))
    if not told and not ledger.handed:
        return ""
    return own_words("answer", ledger.model_copy(update={"results": told}), language, None)


def _is_looked_up(fact: Fact) -> bool:
    return fact.kind == "lookup" and fact.came_back and not fact.sources


def _with_documents(documents: list[Document], ledger: Ledger, language: str, *, mended: bool) -> str:
    """The documents, and what else was done. What a call said of a document was said to the model."""
    others = tuple(fact for fact in ledger.results if fact.tool != edit_document.TOOL.name)
    rest = ledger.model_copy(update={"results": others})
    done = _done(rest, language, mended=mended) if rest.has_acted() else ""
    told = (document_phrases.ready(language, document) for document in documents)
    failed = any(fact.kind == "action" and fact.status == "error" for fact in ledger.results[-1:])
    return "\n".join(part for part in (done, *told, phrases.not_all(language) if failed else "") if part)


def _done(ledger: Ledger, language: str, *, mended: bool) -> str:
    """What each of the actions returned, and that others were not done, where there were such."""
    actions = [fact for fact in ledger.results if fact.kind == "action"]
    told = [lines(fact.text, language, FACT_LINES) for fact in actions if fact.acted]
    parts = [phrases.done(language), *told]
    if any(fact.status == "unknown" for fact in actions):
        parts.append(phrases.outcome_unknown(language))
    elif len(told) < len(actions) and not (mended and actions[-1].acted):
        parts.append(phrases.not_all(language))
    return "\n".join(part for part in parts if part)


def _from(last: Fact, language: str, plan: Plan | None) -> str:
    if last.status == "unknown":
        return phrases.outcome_unknown(language)
    if last.kind == "action":
        # The tool's own refusal is the truth; whether it is fit for a customer's eyes cannot be known.
        return phrases.not_done(language)
    if last.status == "error":
        return phrases.could_not_look(language)
    if last.sources:
        return source_words.found_pages(language)
    if last.kind == "items" or not last.came_back:
        return phrases.nothing_found(language, plan.facts.subject if plan else "")
    return f"{phrases.found_facts(language)}\n{lines(last.text, language, FACT_LINES)}"
