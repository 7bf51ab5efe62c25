"""A reply speaks of a document as made, changed or attached only where it really goes with it."""

import pytest

from turnkey.channels import GivenDocument, Reply
from turnkey.deliverables import Document
from turnkey.reply import document_phrases
from turnkey.reply.checking import wrong_with
from turnkey.reply.ledger import Fact, Ledger
from turnkey.reply.own_words import own_words
from turnkey.tools.builtins import edit_document
from turnkey.tools.builtins.situation import Known, Situation, Standing
from turnkey.tools.kinds import ToolKind

LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "ar", "tr")
DOCUMENT = Document(name="lease", title="Lease", version=2, base=1, link="https://x/documents/shop/t", diff="-a\n+b")
TOLD = edit_document.told("append", "Lease", 2)


def ledger(kind: ToolKind, *handed: Document, status: str = "ok") -> Ledger:
    fact = Fact.model_validate({"tool": "edit_document", "kind": kind, "status": status, "text": TOLD})
    return Ledger(results=(fact,), handed=handed, said="Please add a line to my lease.")


def findings(text: str, found: Ledger, language: str = "en") -> set[str]:
    return {finding.kind for finding in wrong_with(text, "answer", found, language, asked=found.said)}


@pytest.mark.parametrize("text", ["I have added the line to your lease.", "I have changed the document."])
def test_a_change_is_claimed_only_where_a_call_came_back(text: str) -> None:
    assert not findings(text, ledger("action", DOCUMENT))
    assert "claimed_action" in findings(text, ledger("lookup"))
    assert "claimed_action" in findings(text, ledger("action", status="error"))


@pytest.mark.parametrize("text", ["You can download it here.", "I have attached the document.", "The link is below."])
def test_a_link_or_an_attachment_is_spoken_of_only_where_there_is_one(text: str) -> None:
    assert not findings(text, ledger("action", DOCUMENT))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_platforms_own_words_name_the_document_in_the_customers_language(language: str) -> None:
    text = own_words("answer", ledger("action", DOCUMENT), language, None)
    assert "Lease" in text
    assert TOLD not in text
    assert (text == document_phrases.ready("en", DOCUMENT)) == (language == "en")
    made = DOCUMENT.model_copy(update={"diff": ""})
    assert own_words("answer", ledger("action", made), language, None) != text


def test_the_text_has_a_line_for_each_document_and_else_nothing() -> None:
    given = GivenDocument(name="a", title="賃貸契約書", version=1, link="https://x/1", media_type="text/markdown")
    reply = Reply(id="r", text="Done.", address={}, documents=(given, given.model_copy(update={"link": "https://x/2"})))
    assert reply.text_with_links == "Done.\n\n📄 賃貸契約書: https://x/1\n📄 賃貸契約書: https://x/2"
    assert Reply(id="r", text="Done.", address={}).text_with_links == "Done."
    assert "https" not in repr(reply)


def test_the_tool_names_the_documents_there_are() -> None:
    known = Known(standing=Standing(documents=("my lease",)), documents=("lease template", "my lease"))
    shown = edit_document.named(edit_document.TOOL, Situation(messages=("x",), known=known))
    assert shown.description.endswith("Documents there are: my lease; lease template.")
    assert edit_document.named(edit_document.TOOL, Situation(messages=("x",))) == edit_document.TOOL
