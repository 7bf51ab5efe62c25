"""The words of twelve languages: the data's own order, and what is read from a text with them."""

import pytest

from turnkey.reading import lexicon
from turnkey.reading.language import languages
from turnkey.reading.lexicon import LANGUAGES, Phrasebook
from turnkey.reading.words import concepts, contains, ids, numbers, ordinals, words

OTHERS = [language for language in LANGUAGES if language != "en"]


def keys(language: str, section: str) -> set[str]:
    return {key for key in lexicon.data(language)[section] if not key.startswith("no_") and key != "no"}


@pytest.mark.parametrize("section", ["cues", "concepts", "numbers", "ordinals"])
@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_words_for_the_same_things(language: str, section: str) -> None:
    assert keys(language, section) ^ keys("en", section) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phrase_can_be_read(language: str) -> None:
    for book in (lexicon.cues, lexicon.concepts, lexicon.numbers, lexicon.ordinals):
        book(language)
    for section in ("cues", "concepts"):
        for label, phrases in lexicon.data(language)[section].items():
            assert phrases, label
            assert len(phrases) == len(set(phrases)), label


def test_kin_and_groups_are_concepts_of_the_lexicon() -> None:
    known, kin = keys("en", "concepts"), lexicon.data("families")
    used = {concept for family in kin["families"].values() for concept in family["things"]}
    used |= {concept for group in kin["groups"].values() for concept in group} | set(kin["facts"])
    assert used - known == set()


@pytest.mark.parametrize(
    "text",
    [
        "I need an appointment",
        "ich brauche einen Termin",
        "Terminabsage? Mein Zahnarzttermin passt nicht",
        "je voudrais un rendez-vous",
        "quiero pedir cita",
        "queria marcar uma consulta",
        "vorrei un appuntamento",
        "randevumu değiştirmek istiyorum",
        "хочу попасть на приём",
        "أريد موعدا مع الطبيب، هل الموعد متاح",
        "我想預約",
        "予約したいです",
        "예약하고 싶어요",
        "Termin",
    ],
)
def test_a_concept_is_met_in_any_language(text: str) -> None:
    assert "appointment" in concepts(text)


@pytest.mark.parametrize(
    "text", ["日本に行きたい", "本当ですか", "Besuch", "정책이 뭐예요", "reserve a table", "I booked it"]
)
def test_a_word_that_only_looks_like_one_is_none(text: str) -> None:
    assert "book" not in concepts(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("reserve two copies of Emma", (2,)),
        ("two for B002 and 3 for A-17", (2, 3)),
        ("1,000 books at 10:30 for 12.50 €, on 1.5. or 2026-05-01", (1000,)),
        ("a 10-year-old", ()),
        ("the second one, number 4", ()),
        ("that one", ()),
        ("zwölf Bücher", (12,)),
        ("trois livres", (3,)),
        ("una docena", (12,)),
        ("duas cópias", (2,)),
        ("sette libri", (7,)),
        ("beş kitap", (5,)),
        ("пять книг и два билета", (5, 2)),
        ("ثلاثة كتب و٤ تذاكر", (3, 4)),
        ("三本小说，不是第二本", (3,)),
        ("小説を五冊、2番目の", (5,)),
        ("소설 다섯 권, 두 번째", (5,)),
    ],
)
def test_numbers_are_read_in_digits_and_words(text: str, expected: tuple[int, ...]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the second one", (2,)),
        ("das dritte oder das letzte", (3, -1)),
        ("le premier", (1,)),
        ("el segundo", (2,)),
        ("a terceira", (3,)),
        ("l'ultimo", (-1,)),
        ("ikincisi lütfen", (2,)),
        ("второй", (2,)),
        ("الثالث", (3,)),
        ("第二本", (2,)),
        ("2番目の本", (2,)),
        ("세 번째 거", (3,)),
    ],
)
def test_places_in_a_row_are_read(text: str, expected: tuple[int, ...]) -> None:
    assert ordinals(text) == expected


def test_ids_are_read_as_they_are_written() -> None:
    text = "B002, a-17 und ORD-2024-88; B001多少钱; А-17, В002, 3f2a-99b1"
    assert ids(text) == ("B002", "a-17", "ORD-2024-88", "B001", "А-17", "В002", "3f2a-99b1")
    assert ids("İyi günler, B002 İSTİYORUM") == ("B002",)


@pytest.mark.parametrize(
    "text",
    ["COVID-19", "a 10-year-old", "5-jährige", "3pm", "18h30", "level B2", "mp3", "2026-05-01", "T-shirt", "24/7"],
)
def test_what_is_no_id_is_none(text: str) -> None:
    assert ids(text) == ()


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("Ich suche BÜCHER über Wale", "bücher über", True),
        ("Ich suche ein Hörbuch", "buch", False),
        ("有沒有講龍的書", "龙的书", True),
        ("보여 주세요", "보여주세요", True),
        ("dov'è L'Étranger", "l’etranger", True),
    ],
)
def test_a_phrase_is_found_as_words_or_anywhere(text: str, phrase: str, found: bool) -> None:
    assert contains(text, phrase) is found


@pytest.mark.parametrize(
    ("one", "other"),
    [("kayaks", "kayak"), ("livres", "livre"), ("книгами", "книга"), ("kitaplar", "kitap"), ("推理小説", "小説")],
)
def test_two_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert set(words(one)) & set(words(other))


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Haben Sie Bücher?", "de"),
        ("randevumu iptal et", "tr"),
        ("quels livres avez-vous", "fr"),
        ("quiero dos libros", "es"),
        ("queria dois livros", "pt"),
        ("vorrei due libri", "it"),
        ("do you have books by 村上春樹", "en"),
        ("Есть Moby-Dick?", "ru"),
        ("クジラの本", "ja"),
        ("有鲸鱼的书吗", "zh"),
    ],
)
def test_small_words_tell_the_language(text: str, language: str) -> None:
    assert languages(text, default=())[0] == language


def test_where_nothing_tells_all_that_may_be_meant_are_named() -> None:
    assert languages("Moby Dick", default=("en", "de")) == ("en", "de")
    assert set(languages("預約", default=())) == {"zh", "ja"}


def test_a_phrase_has_choices_beginnings_gaps_and_marks() -> None:
    book = Phrasebook(lambda word: [word], frozenset({"two"}), 2, frozenset({"^"}))
    book.add("polite", ["(could/can) you (please/) .. help* $"])
    book.add("many", ["# books"])
    book.add("no_many", ["the two books"])
    assert {hit.label for hit in book.find(("^", "can", "you", "^", "really", "helping", "$"))} == {"polite"}
    assert not book.find(("^", "can", "you", "a", "b", "c", "help", "$"))
    assert {hit.label for hit in book.find(("two", "books"))} == {"many"}
    assert not book.find(("the", "two", "books"))
    with pytest.raises(ValueError, match="is no word"):
        book.add("wrong", ["a#"])
