"""A reply from public pages: its sentences marked with their sources, its links looked at, its sources named. Plain."""

from turnkey.deliverables import Source, Sources
from turnkey.reply import citing, links
from turnkey.reply.ledger import Ledger
from turnkey.turn import strangers
from turnkey.turn.journal import Journal


def sourced(text: str, ledger: Ledger, journal: Journal) -> tuple[str, tuple[Sources, ...]]:
    """The text as it is sent, and what is named beside it; both as they were where nothing public was read."""
    if not strangers.were_read(journal):
        return text, ()
    cited = citing.cite(without_strange_links(text, ledger, journal) or "…", ledger)
    return cited.text, _named(cited.sources)


def without_strange_links(text: str, ledger: Ledger, journal: Journal) -> str:
    """The text without links that a page has put into the model's mouth; empty where it was nothing else."""
    if not strangers.were_read(journal):
        return text
    pages = (source.url for fact in ledger.results for source in fact.sources)
    return links.safe(text, links.all_of((*pages, *ledger.own.texts)))


def _named(sources: tuple[Source, ...]) -> tuple[Sources, ...]:
    return (Sources(sources=sources),) if sources else ()
