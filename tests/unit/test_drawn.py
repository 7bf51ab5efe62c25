"""What a chart is of, without the words for drawing it."""

import pytest

from turnkey.reading.drawn import undrawn


@pytest.mark.parametrize(
    ("message", "subject"),
    [
        ("Draw a chart of your chess books by level.", "chess books"),
        ("draw a chart of the Russian books by level", "Russian books"),
        ("Show me a chart of your books by language", "books"),
        ("Zeichne mir ein Diagramm der Schachbücher nach Niveau!", "Schachbücher"),
        ("Hazme un gráfico de los libros en español por precio", "libros en español"),
        ("chart it", "it"),
    ],
)
def test_only_what_is_drawn_is_left(message: str, subject: str) -> None:
    assert undrawn(message) == subject
