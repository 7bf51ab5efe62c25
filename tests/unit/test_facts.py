"""Reading facts: what the small model says is checked against the conversation, and in doubt it counts for nothing."""

import pytest

from turnkey.reading.facts import Suspicion
from turnkey.reading.parse import Doubt, counts, read_facts
from turnkey.reading.prompt import Said, facts_request, open_kinds, written

LIST = Suspicion(kinds=("items",), strong=True)
WEAK = Suspicion(kinds=("items", "lookup"), strong=False)
LEANING = Suspicion(kinds=("items",), strong=True, elliptical=True, fresh=True)
WHALES: Said = (
    ("customer", "Do you have books about whales?"),
    ("agent", "Yes: Moby-Dick by Herman Melville, 12.90 EUR."),
    ("customer", "Any others like that?"),
)


def said(message: str) -> Said:
    return (("customer", message),)


def test_a_subject_from_earlier_in_the_conversation_is_taken() -> None:
    facts = read_facts('{"subject": "books about whales", "constraints": []}', LEANING, WHALES)
    assert facts.subject == "books about whales"
    assert facts.fresh


@pytest.mark.parametrize("answer", ["no idea", "", "[]", '{"subject": "sharks"}', '{"subject": ""}', "{}"])
def test_what_nobody_spoke_of_is_doubted(answer: str) -> None:
    weak = LEANING.model_copy(update={"strong": False})
    with pytest.raises(Doubt):
        read_facts(answer, weak, WHALES)


@pytest.mark.parametrize(
    "answer",
    [
        'Sure! {"subject": "whales", "constraints": []} Anything else?',
        '```json\n{"subject": "whales"}\n```',
        '{"subject": "whales", "constraints": ["cheap',
        '{"subject": "whales", "constraints": "none", "more": 1}',
    ],
)
def test_an_endpoint_without_schemas_is_read_leniently(answer: str) -> None:
    assert read_facts(answer, LEANING, WHALES).subject == "whales"


def test_a_message_that_says_what_it_is_about_corrects_the_model() -> None:
    talk: Said = (("customer", "books about dogs?"), ("agent", "Here are 3."), ("customer", "and cats?"))
    assert read_facts('{"subject": "dogs"}', LIST.model_copy(update={"elliptical": True}), talk).subject == "cats"


def test_words_of_its_own_making_are_left_out_of_a_subject() -> None:
    assert read_facts('{"subject": "gardening romance"}', LIST, said("books on gardening")).subject == "gardening"


def test_the_kind_is_one_that_the_words_allow() -> None:
    assert read_facts('{"kind": "lookup", "subject": "emma"}', WEAK, said("and Emma?")).kind == "lookup"
    with pytest.raises(Doubt):
        read_facts('{"kind": "action", "subject": "emma"}', WEAK, said("and Emma?"))
    with pytest.raises(Doubt):
        read_facts('{"kind": "answer", "subject": "emma"}', WEAK, said("and Emma?"))


@pytest.mark.parametrize(
    ("message", "numbers"),
    [
        ("show me five books", (5,)),
        ("3 detective novels please", (3,)),
        ("cooking under 10 euros", ()),
        ("not more than twelve euros each", ()),
        ("a present for my 6 year old", ()),
        ("tomorrow at 9", ()),
        ("any others? I work till four", ()),
        ("books from 1990", ()),
        ("zwei Bücher unter 15 Euro", (2,)),
        ("ein Buch für meine 8-jährige Tochter", ()),
    ],
)
def test_a_quantity_is_a_number_that_counts(message: str, numbers: tuple[int, ...]) -> None:
    assert counts(message) == numbers


def test_a_quantity_that_the_message_does_not_have_is_not_taken() -> None:
    assert read_facts('{"subject": "whales", "quantity": 7}', LIST, said("books about whales")).quantity is None


def test_the_request_is_the_conversation_and_nothing_else() -> None:
    request = facts_request(WHALES, LEANING, counted=False, seconds=5)
    assert request.messages[-1]["content"] == written(WHALES)
    assert {message["role"] for message in request.messages} == {"user", "assistant"}
    assert request.tools == ()
    assert request.max_tokens <= 100
    assert request.answer_schema
    assert set(request.answer_schema["properties"]) == {"subject", "constraints"}


def test_only_what_is_open_is_asked_for() -> None:
    request = facts_request(said("two novels or a price?"), WEAK, counted=True, seconds=5)
    assert request.answer_schema
    assert request.answer_schema["properties"]["kind"]["enum"] == ["items", "lookup", "answer"]
    assert "quantity" in request.answer_schema["properties"]
    assert open_kinds(LIST) == ("items",)


def test_a_long_conversation_costs_no_more_than_its_newest_part() -> None:
    long: Said = tuple(("customer", f"{number} {'x' * 5000}") for number in range(50))
    assert len(written(long)) < 3000
    assert written(long).splitlines()[-1].startswith("Customer: 49")
