"""What keeps a reply from being sent, and what never does."""

from decimal import Decimal
from pathlib import Path

import pytest

from tests.evals import delivery
from turnkey.deliverables import Card, Cards, Chart
from turnkey.reading.facts import Kind
from turnkey.reply.checks.folding import fold, plain
from turnkey.reply.checks.guess import guess
from turnkey.reply.checks.numbers import numbers
from turnkey.reply.checks.sentences import sentences
from turnkey.reply.checks.wording import LANGUAGES, wording
from turnkey.reply.delivery import check, is_honest_exit
from turnkey.reply.ledger import Fact, Ledger
from turnkey.reply.outcome import failed, hollow
from turnkey.reply.reask import again

CASES = Path("tests/cases")
FILES = ("delivery.jsonl", "delivery_more.jsonl", "delivery_later.jsonl", "delivery_last.jsonl")
STOCK = Fact(tool="check_stock", kind="lookup", status="ok", text='{"title": "Emma", "copies": 3, "shelf": "F2"}')
HOLD = Fact(
    tool="hold_for_pickup", title="Hold for pickup", kind="action", status="ok", text='{"hold_number": "H1042"}'
)
CARDS = Cards(cards=(Card(title="Emma", price="12.90 EUR"),), total=12)
CHART = Chart(title="Books", png="a", svg="b", alt="English 140", rows=140, total=140)


def kinds(text: str, due: Kind = "answer", ledger: Ledger | None = None, language: str = "en") -> set[str]:
    return {finding.kind for finding in check(text, due, ledger or Ledger(), language)}


def looked(text: str) -> Ledger:
    return Ledger(results=(Fact(tool="look", kind="lookup", status="ok", text=text),))


@pytest.mark.parametrize("file", FILES)
def test_bad_replies_are_found_and_good_ones_left_alone(file: str) -> None:
    rates = delivery.rates(delivery.cases(CASES / file))
    assert rates.found >= 0.9 * rates.bad
    assert rates.flagged <= 0.03 * rates.good


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_language_is_left_behind(language: str) -> None:
    found = [case for name in FILES for case in delivery.cases(CASES / name)]
    rates = delivery.rates([case for case in found if case["language"] == language])
    assert rates.bad >= 40
    assert rates.good >= 50
    assert rates.found >= 0.9 * rates.bad
    assert rates.flagged <= 0.03 * rates.good


def test_items_have_come_only_with_cards_that_hold_something() -> None:
    empty = Cards(cards=(), total=0)
    assert "missing" in kinds("Whales are lovely.", "items", Ledger(results=(STOCK,), handed=(empty,)))
    assert kinds("Whales are lovely.", "items", Ledger(results=(STOCK,), handed=(CARDS,))) == set()


def test_a_chart_has_come_only_as_a_chart() -> None:
    assert "missing" in kinds("Most books are English.", "chart", Ledger(handed=(CARDS,)))
    assert kinds("Most books are English.", "chart", Ledger(handed=(CHART,))) == set()


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", '{"items": [], "total": 0}', '{"data": {}, "query": "x"}'])
def test_an_empty_result_counts_as_nothing(text: str) -> None:
    assert hollow(text)
    assert "missing" in kinds("The shop is lovely today.", "lookup", looked(text))


@pytest.mark.parametrize("text", ['{"copies": 0}', "0", '{"open": [], "title": "Emma"}', "sold out", "[0, 1]"])
def test_a_result_that_says_none_is_not_nothing(text: str) -> None:
    assert not hollow(text)


@pytest.mark.parametrize(
    "text", ['{"success": false}', '{"ok": false, "x": 1}', '{"error": "full"}', '{"status": "rejected"}']
)
def test_an_action_whose_result_says_it_failed_has_not_acted(text: str) -> None:
    assert failed(text)
    fact = HOLD.model_copy(update={"text": text})
    assert not Ledger(results=(fact,)).has_acted()
    assert "claimed_action" in kinds("I have reserved a copy for you.", "action", Ledger(results=(fact,)))


@pytest.mark.parametrize("status", ["error", "unknown"])
def test_only_an_action_that_succeeded_may_be_claimed(status: str) -> None:
    fact = HOLD.model_copy(update={"status": status})
    assert "claimed_action" in kinds("Your copy has been set aside.", "action", Ledger(results=(fact,)))
    assert kinds("Your copy has been set aside.", "action", Ledger(results=(HOLD,))) == set()


def test_another_action_than_the_one_that_ran_is_not_excused() -> None:
    ledger = Ledger(results=(HOLD,))
    assert "claimed_action" in kinds("I have cancelled your order.", "action", ledger)
    assert "claimed_action" in kinds("I've set a copy aside and sent you the invoice.", "action", ledger)
    assert kinds("I've booked a copy for you.", "action", ledger) == set()


def test_the_state_of_a_thing_that_was_looked_up_is_no_claim() -> None:
    assert kinds("Your order has been shipped.", "lookup", looked('{"status": "shipped"}')) == set()
    assert "claimed_action" in kinds("Your order has been cancelled.", "lookup", looked('{"status": "shipped"}'))


def test_what_an_earlier_reply_did_may_be_told_again_but_not_done_again() -> None:
    ledger = Ledger(said="I have reserved one copy of Emma for you.")
    assert kinds("Yes, I have reserved it for you.", "answer", ledger) == set()
    assert "claimed_action" in kinds("I have reserved it for you.", "action", ledger)


@pytest.mark.parametrize(
    "text",
    [
        "I have not booked anything.",
        "Once I have booked it, you get an e-mail.",
        "Have I booked the right day?",
        "I could have booked it yesterday.",
        "You can cancel until Friday.",
        "Your table will be held for a quarter of an hour.",
        "Nothing has been charged.",
        "All rooms are booked.",
    ],
)
def test_denied_supposed_and_asked_is_not_claimed(text: str) -> None:
    assert "claimed_action" not in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "Would you like me to check?",
        "I can check if you tell me the title.",
        "Let me know if you need more.",
        "If you give me your name, I'll look it up.",
        "I'll be happy to help.",
        "Let me explain: a novella is short.",
        "I won't be able to look that up.",
    ],
)
def test_offers_and_conditions_are_no_promises(text: str) -> None:
    assert "promise" not in kinds(text)


def test_a_promise_is_kept_if_what_it_found_follows() -> None:
    ledger = Ledger(results=(STOCK,))
    assert kinds("Let me check. Emma is on shelf F2.", "lookup", ledger) == set()
    assert kinds("Emma is on shelf F2. Let me check the price.", "lookup", ledger) == {"promise"}
    assert kinds("Let me check. Emma is a lovely book.", "answer") == {"promise"}


@pytest.mark.parametrize(
    "text",
    [
        "1. Water the plant.\n2. Wait a day.",
        "Monday: 9-18\nTuesday: 9-18\nSaturday: 10-14",
        "- Bring your card.\n- Come early.\n- Be patient.",
    ],
)
def test_steps_hours_and_advice_are_no_typed_list(text: str) -> None:
    assert "typed_list" not in kinds(text, "answer", Ledger(said="Monday to Friday 9-18, Saturday 10-14"))


@pytest.mark.parametrize(
    "text",
    [
        "- Emma, 12 EUR\n- Persuasion, 10 EUR",
        "1. Emma by Jane Austen\n2. Ulysses by James Joyce",
        "| Title | Price |\n|---|---|\n| Emma | 12 € |\n| Ulysses | 15 € |",
        "Emma – Jane Austen – 12 EUR\nUlysses – James Joyce – 15 EUR",
        '[{"title": "Emma"}, {"title": "Ulysses"}]',
        "We have 1) Emma by Jane Austen, 12 EUR 2) Ulysses by James Joyce, 15 EUR",
        "• 2026-12-04 10:00\n• 2026-12-05 11:00",
        "- [Form A](https://x.example/a.pdf)\n- [Form B](https://x.example/b.pdf)",
    ],
)
@pytest.mark.parametrize("due", ["items", "answer"])
def test_things_typed_in_place_of_cards_are_found_in_any_form(text: str, due: Kind) -> None:
    assert "typed_list" in kinds(text, due)


def test_the_values_of_one_thing_are_no_list_of_things() -> None:
    text = "Title: Emma\nCopies: 3\nShelf: F2"
    assert kinds(text, "lookup", Ledger(results=(STOCK,))) == set()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "…",
        "Here:\n```\n```",
        "Take a look:\n- \n- ",
        "{{title}}",
        "Dear {name}, welcome.",
        "<card>",
        "[insert chart here]",
        "![chart]()",
        "[your ticket](link)",
        "![chart](chart.png)",
        "1. Book A\n2. Book B",
        "The results are as follows:",
    ],
)
def test_what_holds_nothing_is_found(text: str) -> None:
    assert "empty_block" in kinds(text)


def test_a_heading_over_cards_is_not_empty() -> None:
    assert kinds("Here are the books I found:", "items", Ledger(results=(STOCK,), handed=(CARDS,))) == set()


@pytest.mark.parametrize(
    "text",
    [
        "See the chart below.",
        "I've attached the form.",
        "The search results show a novel.",
        "The result r3 says so.",
        "I used check_stock for that.",
        "Click here to pay.",
        "I searched our catalogue and found it.",
    ],
)
def test_what_was_never_made_is_not_pointed_at(text: str) -> None:
    assert "unmade_reference" in kinds(text)


def test_what_was_made_may_be_pointed_at() -> None:
    assert kinds("See the chart below.", "chart", Ledger(handed=(CHART,))) == set()
    assert kinds("According to our system it is on shelf F2.", "lookup", Ledger(results=(STOCK,))) == set()


def test_a_tool_is_known_by_its_name_only_where_no_sentence_would_have_it() -> None:
    shown = Ledger(tools=("lookup", "stock-level"))
    assert kinds("A lookup takes a moment at the counter.", "answer", shown) == set()
    assert "unmade_reference" in kinds("The stock-level says three.", "answer", shown)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * FROM books WHERE id = 1",
        '{"query": "whales", "limit": 5}',
        'search(query="whales")',
        "<tool_call>{}</tool_call>",
        "Traceback (most recent call last): ...",
        "TypeError: x is not a function",
        "HTTP 502 from the server",
        "query=whales, limit=5",
        "Action Input: whales",
        "```json\n{}\n```",
        "aGVsbG8gd29ybGQgdGhpcyBpcyBhIGxvbmcgc3RyaW5nIG9mIGJ5dGVz",
        "data:image/png;base64,AAAA",
    ],
)
def test_a_machine_s_own_talk_is_found(text: str) -> None:
    assert "tool_input" in kinds(text)


@pytest.mark.parametrize("text", ["Select a book from the shelf.", "Our return policy", "public holidays are off"])
def test_plain_words_are_no_code(text: str) -> None:
    assert "tool_input" not in kinds(text)


def test_code_that_was_asked_for_may_be_given() -> None:
    ledger = Ledger(said="Can you show me the SQL for that?")
    assert "tool_input" not in kinds("SELECT name FROM books WHERE id = 1", "answer", ledger)


@pytest.mark.parametrize(
    ("text", "result", "language"),
    [
        ("Das kostet 12,90 €.", '{"price_eur": 12.9}', "de"),
        ("Das kostet 1.234,50 €.", '{"price_eur": 1234.5}', "de"),
        ("It costs €1,234.50.", '{"price_eur": 1234.5}', "en"),
        ("Cela coûte 1 234,50 €.", '{"price_eur": 1234.5}', "fr"),
        ("السعر ١٢٫٩٠ يورو.", '{"price_eur": 12.9}', "ar"),
        ("定价3万元。", '{"price": 30000}', "zh"),
        ("It costs 12.90 EUR.", '{"price_cents": 1290, "currency": "EUR"}', "en"),
        ("The rate is 20%.", '{"rate": 0.2}', "en"),
        ("On Friday, 4 December at 10 am.", '{"start": "2026-12-04T10:00:00"}', "en"),
        ("Am Freitag, 4.12., um 15.30 Uhr.", '{"start": "2026-12-04T15:30:00"}', "de"),
        ("Vendredi 4 décembre à 15h30.", '{"start": "2026-12-04T15:30:00"}', "fr"),
        ("12月4日下午3点半。", '{"start": "2026-12-04T15:30:00"}', "zh"),
        ("12月4日（金）午後3時半です。", '{"start": "2026-12-04T15:30:00"}', "ja"),
        ("12월 4일 금요일 오후 3시 30분입니다.", '{"start": "2026-12-04T15:30:00"}', "ko"),
        ("4 декабря в 15:30.", '{"start": "2026-12-04T15:30:00"}', "ru"),
        ("4 Aralık Cuma saat 15:30.", '{"start": "2026-12-04T15:30:00"}', "tr"),
        ("Call +49 30 123 45 67.", '{"phone": "030 1234567"}', "en"),
        ("The ISBN is 978-3-16-148410-0.", '{"isbn": "9783161484100"}', "en"),
        ("See https://shop.example/b/7.", '{"link": "https://shop.example/b/7"}', "en"),
        ("“Emma: A Novel” is there.", '{"title": "Emma: a novel"}', "en"),
        ("There are 2 of them.", '{"books": [{"t": 1}, {"t": 4}]}', "en"),
    ],
)
def test_a_value_is_grounded_in_whatever_form_it_came(text: str, result: str, language: str) -> None:
    assert kinds(text, "lookup", looked(result), language) == set()


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("It costs 12.80 EUR.", '{"price_eur": 12.9}'),
        ("It costs 12.90 USD.", '{"price_eur": 12.9}'),
        ("Both cost 25.80 EUR together.", '{"price_eur": 12.9}'),
        ("It is B013.", '{"book_id": "B012"}'),
        ("On 5 December.", '{"start": "2026-12-04T10:00:00"}'),
        ("On Thursday, 4 December.", '{"start": "2026-12-04T10:00:00"}'),
        ("At 11:00.", '{"start": "2026-12-04T10:00:00"}'),
        ("Call 030 7654321.", '{"phone": "030 1234567"}'),
        ("Write to us@shop.example.", '{"email": "info@shop.example"}'),
        ("We have 7 copies.", '{"copies": 3}'),
        ("We have eight copies.", '{"copies": 3}'),
        ("“Persuasion” is there.", '{"title": "Emma"}'),
    ],
)
def test_a_value_that_did_not_come_back_is_found(text: str, result: str) -> None:
    assert kinds(text, "lookup", looked(result)) == {"ungrounded"}


def test_what_everybody_knows_needs_no_ledger() -> None:
    text = (
        "Water boils at 100 °C. The novel came out in 1851 and “Moby-Dick” has 135 chapters; 70% of the Earth is sea."
    )
    assert kinds(text) == set()


def test_the_ledger_s_numbers_hold_counts_of_what_was_handed_over() -> None:
    ledger = Ledger(results=(STOCK,), handed=(CARDS,), said="two for 7,50 €")
    assert {Decimal(1), Decimal(12), Decimal(3), Decimal("7.50")} <= ledger.numbers()
    assert ledger.grounds("EMMA")
    assert not ledger.grounds("Persuasion")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("We have none.", "en"),
        ("I couldn't find it.", "en"),
        ("I need your name.", "en"),
        ("Das haben wir leider nicht.", "de"),
        ("Dafür brauche ich noch Ihren Namen.", "de"),
        ("Nous n'en avons pas.", "fr"),
        ("No lo he encontrado.", "es"),
        ("Não encontrei nada.", "pt"),
        ("Non l'ho trovato, non c'è.", "it"),
        ("Такой книги у нас нет.", "ru"),
        ("没有找到。", "zh"),
        ("見つかりませんでした。", "ja"),
        ("찾지 못했습니다.", "ko"),
        ("لم أجد شيئاً.", "ar"),
        ("Bulamadım.", "tr"),
    ],
)
def test_an_honest_exit_is_known(text: str, language: str) -> None:
    assert is_honest_exit(text, language)
    assert kinds(text, "items", language=language) == set()


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Your table is booked.", "en"),
        ("Here are five books.", "en"),
        ("Ihr Tisch ist reserviert.", "de"),
        ("您的餐桌已预订。", "zh"),
        ("ご予約が完了しました。", "ja"),
    ],
)
def test_a_claim_is_no_honest_exit(text: str, language: str) -> None:
    assert not is_honest_exit(text, language)


def test_a_reply_is_read_in_the_language_it_is_written_in() -> None:
    assert "claimed_action" in kinds("Ich habe den Tisch für Sie reserviert.", language="en")
    assert "claimed_action" in kinds("Erledigt!", language="")
    assert "claimed_action" in kinds("I have booked the table for you.", language="ja")


def test_outside_the_twelve_what_needs_no_words_is_still_found() -> None:
    assert kinds("Zarezerwowałem stolik na piątek.", language="pl") == set()
    assert "tool_input" in kinds('{"query": "stolik"}', language="pl")
    assert "missing" in kinds("Oto lista książek.", "items", language="pl")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("We are open on Sundays.", "en"),
        ("Wir haben am Sonntag geöffnet.", "de"),
        ("Nous sommes ouverts le dimanche.", "fr"),
        ("Estamos abiertos los domingos y no hay que reservar.", "es"),
        ("Estamos abertos aos domingos e não é preciso reservar.", "pt"),
        ("Siamo aperti la domenica e non serve prenotare.", "it"),
        ("Pazar günleri açığız ve rezervasyon gerekli değil.", "tr"),
        ("『Emma』はございます。", "ja"),
        ("Ok!", ""),
    ],
)
def test_the_language_of_a_reply_is_guessed_from_its_commonest_words(text: str, code: str) -> None:
    assert guess(text) == code


def test_folding_keeps_accents_and_forgets_typography() -> None:
    assert fold("RÉSERVÉ – „a“ ’") == 'réservé - "a" \''
    assert fold("İPTAL") == "iptal"
    assert fold("١٢ ё") == "12 е"
    assert plain("  Élan   Vital ") == "elan vital"


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("12,90", {"12.90"}),
        ("1.234,5", {"1234.5"}),
        ("1,234", {"1.234", "1234"}),
        ("1 234 567", {"1234567"}),
        ("2.5.1", {"2", "5", "1"}),
        ("1.2万", {"1.2", "12000"}),
    ],
)
def test_a_number_is_read_in_every_way_it_may_be_meant(written: str, meant: set[str]) -> None:
    assert {reading for number in numbers(written) for reading in number.readings} == {Decimal(one) for one in meant}


def test_sentences_do_not_end_at_abbreviations_days_or_decimals() -> None:
    text = "Dr. Lee hat am 4. Dezember Zeit. Es kostet 12.90 EUR. Gut?"
    assert [one.text for one in sentences(text)] == ["Dr. Lee hat am 4. Dezember Zeit.", "Es kostet 12.90 EUR.", "Gut?"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_pattern_of_a_language_can_be_read(language: str) -> None:
    words = wording(language)
    keys = ("claims", "states", "bare", "promises", "act_promises", "waits", "later", "searched", "sources", "charts")
    keys += ("attachments", "lists", "introductions", "links", "none", "need", "asks", "refer", "possess", "counts")
    keys += ("placeholders", "conjunctions", "negators", "subordinators", "conditions")
    assert not any(words.says(key, "zzz") for key in keys)


HOSTILE = ("a", " ", ".", "[a](", "f(", "1) a ", "booked, ", "已为您")


@pytest.mark.parametrize("shape", HOSTILE)
def test_hostile_text_is_checked_to_its_end(shape: str) -> None:
    # What is not linear takes minutes here.
    assert "missing" in kinds(shape * (20_000 // len(shape)), "items", Ledger(results=(STOCK,)), "de")


def test_the_ask_again_names_the_step_and_the_way_out() -> None:
    findings = check("I've reserved a copy.", "action", Ledger(), "en")
    text = again(findings, "action", "Hold for pickup", "Write in English.")
    assert "Call “Hold for pickup” now" in text
    assert "I've reserved a copy." in text
    assert "say so" in text
    assert text.endswith("Write in English.")


def test_faults_of_wording_alone_ask_for_no_call() -> None:
    findings = check("It is on shelf F3.", "lookup", Ledger(results=(STOCK,)), "en")
    assert {finding.kind for finding in findings} == {"ungrounded"}
    assert "Call" not in again(findings, "lookup", "Check stock", "")
