"""The real renderer with the real fonts: the right glyphs, nothing fetched, nothing that runs."""

import re
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest

from turnkey.deliverables import rendering
from turnkey.deliverables.charts import aggregate, spec
from turnkey.deliverables.charts.vocabulary import LANGUAGES
from turnkey.deliverables.glyphs import with_fonts
from turnkey.deliverables.rendering import DrawingFailed, render
from turnkey.deliverables.rows import Rows

pytestmark = pytest.mark.long

LABELS = {
    "en": "English books – “classics”",
    "de": "Größe, Straße, Ärzte",
    "fr": "Œuvres à lire cet été, ç",
    "es": "¿Años? Niñez",
    "pt": "Coração, ações",
    "it": "Perché, città",
    "ru": "Русская литература, ещё",
    "zh": "中文书籍与历史",
    "ja": "日本語の本カタカナ",
    "ko": "한국어 책",
    "ar": "الكتب العربية، نعم؟",
    "tr": "Türkçe ığşİçö",
    "zh-TW": "繁體中文書籍",
    "el": "Ελληνικά βιβλία ώ",
    "vi": "Tiếng Việt ế ộ ữ",
    "uk": "Українська їжа, ґанок",
    "he": "ספרים בעברית",
    "th": "หนังสือไทย",
}
NOWHERE = "\u0378"
"""A character that no font has."""


def picture(text: str, language: str = "") -> bytes:
    """The text alone, drawn as the adapter draws it."""
    svg = f'<svg width="400" height="60"><text x="300" y="40" font-size="30" font-family="x">{text}</text></svg>'
    svg = svg.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)
    return bytes(rendering._renderer().svg_to_png(with_fonts(svg, language), scale=1))


def empty_box(text: str, language: str) -> bytes:
    """What is drawn in the text's font for a character that the font lacks."""
    svg = with_fonts(f'<svg><text font-family="x">{text}</text></svg>', language)
    family = re.findall(r'font-family="([^"]*)"', svg)[-1]
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="400" height="60"><text x="300" y="40" font-size="30" font-family="{family}">{NOWHERE}</text></svg>'
    return bytes(rendering._renderer().svg_to_png(svg, scale=1))


def undrawn(text: str, language: str) -> set[str]:
    """The letters of `text` that come out as an empty box, as nothing, or just like another letter."""
    drawn = {letter: picture(letter, language) for letter in set(text) if letter.isalnum()}
    none = picture("", language)
    bad = {letter for letter, image in drawn.items() if image in (none, empty_box(letter, language))}
    return bad | {a for a in drawn for b in drawn if a < b and drawn[a] == drawn[b]}


@pytest.mark.parametrize("language", LABELS)
def test_every_letter_has_its_glyph(language: str) -> None:
    assert undrawn(LABELS[language], language) == set()


def test_the_check_for_glyphs_sees_it_when_the_fonts_are_missing() -> None:
    """Without our fonts the same check fails: it is not the machine's own fonts that it sees."""
    program = (
        "import vl_convert\nfrom turnkey.deliverables import rendering\n"
        "rendering._renderer = lambda: vl_convert\n"
        "from tests.workflow.test_rendering import undrawn, LABELS\n"
        "print(all(undrawn(LABELS[language], language) for language in ('zh', 'ja', 'ko')))\n"
    )
    path = [entry for entry in sys.path if entry]
    run = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n{program}"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.strip() == "True"


def test_a_missing_font_package_stops_the_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "_FONT_PACKAGES", ("noto_cjk_sans_otc", "no_such_fonts"))
    with pytest.raises(DrawingFailed, match="no_such_fonts is missing"):
        rendering.font_folders()


def test_chinese_characters_have_the_forms_of_the_customers_language() -> None:
    forms = [picture("直骨", language) for language in ("zh", "ja", "zh-TW")]
    assert len(set(forms)) == len(forms)
    assert picture("直骨の") == picture("直骨の", "ja") != picture("直骨の", "zh")


def test_arabic_letters_are_joined() -> None:
    assert picture("كتاب") != picture("ك\u200cت\u200cا\u200cب")


def test_arabic_runs_from_right_to_left_and_keeps_other_scripts_in_it() -> None:
    assert _columns('<tspan fill="red">ا</tspan>ببب', b"\xff\x00\x00")[0] > _columns("اببب", b"\x00\x00\x00")[1] - 40
    alone = picture("\u202bكتاب Роман 日本語\u202c", "ja")
    assert alone not in (picture("\u202bكتاب\u202c", "ja"), picture("\u202bكتاب \u0378 \u0378\u202c", "ja"))


def _columns(text: str, color: bytes) -> tuple[int, int]:
    """The first and the last column of pixels that have the colour."""
    found = [x for row in _pixels(picture(text)) for x, pixel in enumerate(row) if pixel[:3] == color and pixel[3]]
    return min(found), max(found)


def _pixels(png: bytes) -> Iterator[list[bytes]]:
    """Rows of RGBA pixels of a PNG of 8 bits a channel (PNG specification, 9)."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    assert (depth, kind) == (8, 6)
    packed = b"".join(re.findall(rb"IDAT(.*?)....(?=....(?:IDAT|IEND))", png, re.DOTALL))
    data = zlib.decompress(packed)
    above = bytes(width * 4)
    for y in range(height):
        line = bytearray(data[y * (width * 4 + 1) + 1 : (y + 1) * (width * 4 + 1)])
        for place in range(len(line)):
            left, corner = (line[place - 4], above[place - 4]) if place > 3 else (0, 0)
            line[place] = (line[place] + _predicted(data[y * (width * 4 + 1)], left, above[place], corner)) % 256
        above = bytes(line)
        yield [above[x * 4 : x * 4 + 4] for x in range(width)]


def _predicted(filtered: int, left: int, up: int, corner: int) -> int:
    near = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
    return (0, left, up, (left + up) // 2, near)[filtered]


def chart(labels: list[str], language: str, kind: str = "", title: str = "") -> tuple[bytes, str]:
    rows = [{"language": label} for place, label in enumerate(labels) for _ in range(place + 1)]
    return render(spec(aggregate(Rows(tuple(rows), 299), "language"), kind, title, language))


def texts(svg: str) -> list[str]:
    return [
        "".join(element.itertext()) for element in ElementTree.fromstring(svg).iter() if element.tag.endswith("text")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", ["bar", "pie", "line"])
def test_charts_of_every_kind_are_drawn_in_every_language(kind: str, language: str) -> None:
    png, svg = chart(list(LABELS.values())[:7], language, kind)
    assert png.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", png[16:24])
    assert width == 1520
    assert 300 < height < 1600
    assert "Русскаялитература,ещё" in re.sub(r"\s", "", "".join(texts(svg)))
    assert f'xml:lang="{language}"' in svg


def test_labels_beside_bars_do_not_lie_on_each_other() -> None:
    _, svg = chart([f"label number {letter} " * 4 for letter in "abcdefghijklmnopqrstuvwxyz"], "en")
    lines = [float(y) for y in re.findall(r'text-anchor="end" transform="translate\([-\d.]+,([\d.]+)\)"', svg)]
    assert len(lines) == 20
    assert all(below - above >= 25 for above, below in pairwise(lines))


HOSTILE = ["</text><script>alert(1)</script>", "x' onload='y", '"><image href="http://x/y.png"/>', "a & b < c", "{{x}}"]


def test_labels_are_text_whatever_they_hold() -> None:
    _, svg = chart(HOSTILE, "en", title="<b>A & B</b>")
    shown = "".join(texts(svg))
    assert all(label[:12] in shown for label in HOSTILE)
    tags = {element.tag.rsplit("}", 1)[-1] for element in ElementTree.fromstring(svg).iter()}
    assert tags <= {"svg", "g", "rect", "path", "line", "text", "tspan", "defs", "clipPath"}
    assert "<script" not in svg
    assert "href" not in re.sub(r">[^<]*<|\"[^\"]*\"", "", svg)


@pytest.mark.parametrize(
    "specification",
    [
        {"data": {"url": "http://127.0.0.1:9/rows.json"}, "mark": "bar"},
        {"data": {"values": [{"u": "http://127.0.0.1:9/a.png"}]}, "mark": "image", "encoding": {"url": {"field": "u"}}},
        {"data": {"values": [{"v": "x" * 400_000}]}, "mark": "point"},
        {"nonsense": True},
        {},
    ],
)
def test_a_specification_that_would_fetch_or_says_nothing_is_refused(specification: dict[str, Any]) -> None:
    with pytest.raises(DrawingFailed):
        render(specification)


def test_a_picture_too_large_for_a_channel_is_made_smaller() -> None:
    values = [{"label": str(place)} for place in range(400)]
    encoding = {"y": {"field": "label", "type": "nominal"}}
    png, _ = render({"data": {"values": values}, "mark": "bar", "width": 760, "height": 9000, "encoding": encoding})
    width, height = struct.unpack(">II", png[16:24])
    assert width * height <= 8_100_000
