"""Claims of actions that the small model reads: asked for, read back, held against the ledger."""

import pytest

from turnkey.reply.claims import Claim, claims_request, needs_reading, read_claims, unfounded
from turnkey.reply.ledger import Fact, Ledger

HOLD = Fact(tool="hold_for_pickup", title="Hold for pickup", kind="action", status="ok", text='{"hold_number": "H1"}')
BOOKED = Claim(action="book a table", done=True)
OFFERED = Claim(action="book a table", done=False)


def test_the_request_holds_worked_examples_and_the_reply_last() -> None:
    request = claims_request("Ik heb een tafel gereserveerd.", "nl")
    assert [message["role"] for message in request.messages[:3]] == ["system", "user", "assistant"]
    assert request.messages[-1]["content"].startswith("Ik heb een tafel gereserveerd.")
    assert "nl" in request.messages[-1]["content"]
    assert request.temperature == 0


def test_the_worked_examples_can_be_read_back() -> None:
    answers = [m["content"] for m in claims_request("x", "en").messages if m["role"] == "assistant"]
    claims = [read_claims(answer) for answer in answers]
    assert () in claims
    assert {claim.done for found in claims for claim in found} == {True, False}


def test_a_long_reply_is_not_sent_whole() -> None:
    assert claims_request("a" * 50_000, "en").characters < 5_000


@pytest.mark.parametrize(
    "answer",
    [
        '[{"action": "book a table", "done": true}]',
        'Sure:\n```json\n[{"action": "book a table", "done": true}]\n```',
        '[{"action": "book a table", "done": "yes"}]',
        '{"action": "book a table", "done": true}',
        '[{"action": "book a table", "done": true}, {"action": "send',
        '[{"action": "book a table", "done": true}, {"action": "book a table", "done": true}]',
        "[{'action': 'book a table', 'done': True}]",
        '{"claims": [{"action": "book a table", "done": true}]}',
    ],
)
def test_an_answer_is_read_however_it_is_wrapped(answer: str) -> None:
    assert read_claims(answer) == (BOOKED,)


@pytest.mark.parametrize(
    "answer", ["", "[]", "none", "[1, 2]", '[{"action": "", "done": true}]', "[" * 5_000, '[{"done": true}]']
)
def test_what_holds_no_claim_gives_none(answer: str) -> None:
    assert read_claims(answer) == ()


def test_a_claim_without_an_action_is_unfounded() -> None:
    (found,) = unfounded((BOOKED, OFFERED), Ledger())
    assert found.kind == "claimed_action"
    assert found.evidence == "book a table"


def test_a_claim_of_what_was_done_is_founded_and_one_of_something_else_is_not() -> None:
    ledger = Ledger(results=(HOLD,))
    assert unfounded((BOOKED, Claim(action="reserve a copy", done=True)), ledger) == ()
    assert unfounded((Claim(action="cancel the order", done=True),), ledger)
    assert unfounded((Claim(action="wave hello", done=True),), ledger) == ()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I've booked a table.", "en"),
        ("Ihr Termin ist bestätigt.", "de"),
        ("J'ai envoyé la facture.", "fr"),
        ("Le aparté un ejemplar.", "es"),
        ("Reservei uma mesa.", "pt"),
        ("Ho annullato l'ordine.", "it"),
        ("Я записал вас на пятницу.", "ru"),
        ("已为您预订。", "zh"),
        ("予約いたしました。", "ja"),
        ("예약해 드렸습니다.", "ko"),
        ("لقد حجزت لك طاولة.", "ar"),
        ("Siparişinizi iptal ettim.", "tr"),
        ("Uw tafel is gereserveerd voor vrijdag.", "nl"),
        ("Zarezerwowałem stolik na piątek.", "pl"),
    ],
)
def test_a_reply_that_may_claim_something_is_worth_reading(text: str, language: str) -> None:
    assert needs_reading(text, language, tools_can_act=True)
    assert not needs_reading(text, language, tools_can_act=False)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("We are open from 9 to 6.", "en"),
        ("Wir haben von 9 bis 18 Uhr geöffnet.", "de"),
        ("Ce roman parle d'une chasse à la baleine.", "fr"),
        ("El libro cuesta 12 euros.", "es"),
        ("Qual é o seu nome?", "pt"),
        ("Il negozio è in centro.", "it"),
        ("Книга стоит 12 евро.", "ru"),
        ("我们九点开门。", "zh"),
        ("棚はF2です。", "ja"),
        ("책은 F2 서가에 있어요.", "ko"),
        ("الكتاب على الرف.", "ar"),
        ("Kitap F2 rafında.", "tr"),
        ("Wilt u een tafel reserveren?", "nl"),
        ("Have I booked the right day?", "en"),
    ],
)
def test_an_ordinary_reply_costs_no_call(text: str, language: str) -> None:
    assert not needs_reading(text, language, tools_can_act=True)
