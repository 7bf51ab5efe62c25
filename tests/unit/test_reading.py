"""Which tool a message plainly means. In doubt, none."""

import pytest

from turnkey.reading.choice import choose
from turnkey.reply import language
from turnkey.tools import Hints, Tool, Toolset


def tool(name: str, title: str, required: str, *, read_only: bool = True) -> Tool:
    return Tool(
        name=name,
        server="shop",
        original_name=name,
        title=title,
        description="",
        parameters={"type": "object", "properties": {required: {"type": "string"}}, "required": [required]},
        hints=Hints(read_only=read_only),
    )


SHOP = Toolset(
    [
        tool("search_books", "Search books", "query"),
        tool("get_book", "Get a book", "book_id"),
        tool("check_stock", "Check stock", "book_id"),
        tool("hold_for_pickup", "Hold for pickup", "book_id", read_only=False),
    ]
)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Do you have any books about whales?", 'Call search_books with {"query": "whales"}'),
        ("I'm looking for a book on Japanese gardening", 'Call search_books with {"query": "Japanese gardening"}'),
        ("Is B012 in stock?", 'Call check_stock with {"book_id": "B012"}'),
        ("Tell me about the book B012", 'Call get_book with {"book_id": "B012"}'),
    ],
)
def test_a_plain_look_up_gets_its_directive(question: str, sentence: str) -> None:
    directive = choose(question, SHOP)
    assert directive
    assert directive.sentence == sentence


@pytest.mark.parametrize(
    "question",
    [
        "Hello!",
        "When do you open tomorrow?",
        "Any others like that?",
        "Please hold B012 for pickup",
        "Is it in stock?",
        "Which of B012 and B013 is in stock?",
        "What books do you have?",
        "",
        "书",
    ],
)
def test_whatever_is_not_plain_is_left_to_the_model(question: str) -> None:
    assert choose(question, SHOP) is None


def test_two_tools_that_fit_alike_give_no_directive() -> None:
    twins = Toolset([tool("search_books", "Search books", "query"), tool("find_books", "Find books", "query")])
    assert choose("Do you have any books about whales?", twins) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("有关于鲸鱼的书吗？", "zh"),
        ("クジラの本はありますか", "ja"),
        ("鯨の本", "ja"),
        ("고래에 관한 책 있어요?", "ko"),
        ("Есть книги о китах?", "ru"),
        ("هل لديكم كتب؟", "ar"),
        ("Haben Sie Bücher?", ""),
        ("Есть Moby-Dick?", ""),
        ("12 €?", ""),
    ],
)
def test_a_script_pins_the_language(text: str, code: str) -> None:
    assert language.pin(text) == code
