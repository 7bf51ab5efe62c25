"""A page's text: in whatever coding it comes, without what its visitors do not see, and never without an end."""

import logging
from contextlib import suppress

import pytest

from tests.support import pdf
from turnkey.public import bounded, charsets
from turnkey.public.extracting import MOST_CHARACTERS, Text, extract

URL = "https://museum.org/visit/"
PARAGRAPH = "<p>The opening hours of the city museum are from nine to five on every day of the week but Monday.</p>"
TEXTS = {
    "gb18030": "<p>博物馆的开放时间是上午九点到下午五点，星期一闭馆。请提前在网上购票，儿童免费入场。</p>",
    "gb2312": "<p>博物馆的开放时间是上午九点到下午五点，星期一闭馆。请提前在网上购票，儿童免费入场。</p>",
    "big5": "<p>博物館的開放時間是上午九點到下午五點，星期一休館。請提前在網上購票，兒童免費入場。</p>",
    "shift_jis": "<p>博物館の開館時間は午前九時から午後五時までです。月曜日は休館です。お子様は無料です。</p>",
    "euc-jp": "<p>博物館の開館時間は午前九時から午後五時までです。月曜日は休館です。お子様は無料です。</p>",
    "euc-kr": "<p>박물관 개관 시간은 오전 아홉 시부터 오후 다섯 시까지입니다. 월요일은 휴관입니다.</p>",
    "windows-1251": "<p>Музей открыт с девяти утра до пяти вечера каждый день, кроме понедельника. Дети бесплатно.</p>",
    "koi8-r": "<p>Музей открыт с девяти утра до пяти вечера каждый день, кроме понедельника. Дети бесплатно.</p>",
    "iso-8859-1": "<p>Le musée est ouvert de neuf heures à dix-sept heures, sauf le lundi. Entrée gratuite été.</p>",
    "iso-8859-9": "<p>Müze pazartesi dışında her gün sabah dokuzdan akşam beşe kadar açıktır, çocuklara ücretsiz.</p>",
    "utf-8": "<p>يفتح المتحف من التاسعة صباحا حتى الخامسة مساء كل يوم ما عدا الاثنين، والدخول مجاني للأطفال.</p>",
}


def bare(html: str) -> str:
    return html.removeprefix("<p>").removesuffix("</p>")


def read(html: str | bytes, charset: str = "", media_type: str = "text/html") -> Text:
    content = html.encode() if isinstance(html, str) else html
    return extract(URL, media_type, charset, content)


@pytest.mark.parametrize("coding", TEXTS)
@pytest.mark.parametrize("told_by", ["server", "page"])
def test_a_page_in_any_coding_comes_out_right(coding: str, told_by: str) -> None:
    meta = f'<meta charset="{coding}">' if told_by == "page" else ""
    html = f"<html><head>{meta}<title>T</title></head><body><article>{TEXTS[coding]}</article></body></html>"
    content = html.encode({"gb2312": "gb18030", "iso-8859-1": "cp1252"}.get(coding, coding))
    assert read(content, coding if told_by == "server" else "").text == bare(TEXTS[coding])


@pytest.mark.parametrize("coding", ["gb18030", "shift_jis", "euc-kr", "windows-1251", "utf-8", "big5"])
def test_a_page_that_does_not_tell_its_coding_is_guessed_right(coding: str) -> None:
    html = f"<html><body><article>{TEXTS[coding] * 3}</article></body></html>"
    assert bare(TEXTS[coding])[:20] in read(html.encode(coding)).text


def test_what_is_utf_8_is_read_as_that_whatever_the_server_says() -> None:
    assert bare(TEXTS["utf-8"]) in read(f"<article>{TEXTS['utf-8']}</article>", "iso-8859-1").text


@pytest.mark.parametrize("label", ["rot13", "base64", "hex", "no-such", "utf-7\x00", "idna", ""])
def test_a_coding_that_is_none_is_not_believed(label: str) -> None:
    assert charsets.decode(b"caf\xe9", label) == "café"


UNSEEN = [
    '<p style="display:none">SECRET</p>',
    '<p style="DISPLAY : none !important">SECRET</p>',
    '<div style="visibility:hidden"><p>SECRET</p></div>',
    '<p style="opacity:0">SECRET</p>',
    '<p style="font-size:0px">SECRET</p>',
    '<p style="color:#fff">SECRET</p>',
    '<p style="color: white; background: white">SECRET</p>',
    '<p style="color:rgb(255, 255, 255)">SECRET</p>',
    '<p style="color:red;background-color:red">SECRET</p>',
    '<p style="color:transparent">SECRET</p>',
    '<p style="position:absolute;left:-9999px">SECRET</p>',
    '<p style="text-indent:-5000px">SECRET</p>',
    '<p style="height:0;overflow:hidden">SECRET</p>',
    "<p hidden>SECRET</p>",
    '<p aria-hidden="true">SECRET</p>',
    '<p class="x">SECRET</p>',
    '<p id="y">SECRET</p>',
    "<!-- SECRET -->",
    "<template><p>SECRET</p></template>",
    "<noscript>SECRET</noscript>",
    "<script>SECRET</script>",
    '<img alt="SECRET" src="x">',
    '<input value="SECRET"><textarea>SECRET</textarea>',
    '<meta name="description" content="SECRET">',
    '<p title="SECRET" data-x="SECRET">Hello</p>',
    "<svg><text>SECRET</text></svg>",
    '<iframe srcdoc="SECRET">SECRET</iframe>',
]


@pytest.mark.parametrize("html", UNSEEN)
def test_what_no_visitor_sees_is_not_read(html: str) -> None:
    style = "<style>.x { display:none } #y{visibility: hidden}</style>"
    page = read(f"<html><head>{style}<title>T</title></head><body><article>{html}{PARAGRAPH}</article></body></html>")
    assert "SECRET" not in page.model_dump_json()
    assert "nine to five" in page.text


@pytest.mark.parametrize("html", UNSEEN[:17])
def test_it_is_not_read_on_a_large_page_either(html: str) -> None:
    style = "<style>.x { display:none } #y{visibility: hidden}</style>"
    page = read(f"<html><head>{style}</head><body>{'<i>x</i>' * 7000}{html}{PARAGRAPH}</body></html>")
    assert "SECRET" not in page.text
    assert "nine to five" in page.text


def test_what_stands_behind_an_unseen_element_stays() -> None:
    html = (
        f"<article>{PARAGRAPH}<p>Tickets cost <b style='display:none'>SECRET</b>nine euros at the desk.</p></article>"
    )
    assert "Tickets cost nine euros" in read(html).text


def test_white_on_a_dark_ground_is_seen() -> None:
    html = f'<article>{PARAGRAPH}<p style="color:white;background:#222">Closed in May for repairs.</p></article>'
    assert "Closed in May" in read(html).text


def test_title_date_and_links_come_with_the_text() -> None:
    html = (
        "<html><head><title>  City\n Museum </title><meta property='article:published_time' content='2026-03-01'></head>"
        f"<body><article>{PARAGRAPH}<a href='tickets?x=1#top'>Tickets</a></article></body></html>"
    )
    page = read(html)
    assert (page.title, page.published) == ("City Museum", "2026-03-01")
    assert page.links == ("https://museum.org/visit/tickets?x=1",)


def test_a_table_is_read() -> None:
    html = f"<article>{PARAGRAPH}<table><tr><td>Monday</td><td>9:45</td></tr></table></article>"
    assert "9:45" in read(html).text


@pytest.mark.parametrize("media_type", ["text/plain", "text/markdown", "application/json"])
def test_plain_text_is_taken_as_it_is(media_type: str) -> None:
    assert read('{"open": "<b>9:45</b>"}', media_type=media_type).text == '{"open": "<b>9:45</b>"}'


def test_html_that_is_called_plain_text_is_read_as_html() -> None:
    assert "<p>" not in read(f"<!DOCTYPE html><html><body>{PARAGRAPH}</body></html>", media_type="text/plain").text


def test_a_long_page_is_cut_and_says_so() -> None:
    page = read("word " * MOST_CHARACTERS, media_type="text/plain")
    assert page.cut
    assert len(page.text) == MOST_CHARACTERS


def bound(content: bytes, media_type: str, seconds: float = 4) -> Text:
    return bounded.run(Text, lambda: extract(URL, media_type, "", content), seconds)


NASTY = {
    "deep nesting": b"<div>" * 50_000 + b"x",
    "deep spans": b"<span>" * 5_000 + b"x",
    "100,000 tags": b"<p>" + b"<b>x</b> " * 100_000,
    "100,000 links": b"<a href='/x'>text</a>" * 100_000,
    "100,000 comments": b"<!-- x -->" * 100_000 + PARAGRAPH.encode(),
    "tables in tables": b"<table><tr><td>" * 2_000,
    "100,000 attributes": b"<p " + b" ".join(b"a%d='x'" % n for n in range(100_000)) + b">x",
    "one endless word": b"<p>" + b"a" * 2_900_000,
    "blanks alone": b"<p>" + b" " * 2_900_000,
    "endless style": b"<p style='" + b"overflow:hidden;" * 180_000 + b"'>x",
    "endless style sheet": b"<style>" + b"a{" * 900_000,
    "endless selectors": b"<style>" + b".x," * 900_000 + b"{display:none}</style>",
    "endless title": b"<title>" + b"x " * 1_400_000,
    "endless metadata": b"<script type='application/ld+json'>" + b"[" * 1_000_000 + b"</script>",
    "zeros": b"\0" * 2_900_000,
    "broken coding": b"\xff<meta " * 400_000,
    "nothing": b"",
}


@pytest.mark.long
@pytest.mark.long
@pytest.mark.parametrize("name", NASTY)
def test_a_nasty_page_ends_with_a_text_or_a_word_why_not(name: str) -> None:
    with suppress(ValueError, bounded.Overrun):
        page = bound(NASTY[name], "text/html")
        assert len(page.text) <= MOST_CHARACTERS
        assert len(page.title) <= 200


PDFS = {
    "bomb": pdf.bomb(),
    "bomb in a bomb": pdf.bomb(2),
    "two million texts": pdf.endless(),
    "pages that contain themselves": pdf.pdf(
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [2 0 R] /Count 1 >>"
    ),
    "endless brackets": b"%PDF-1.4\n1 0 obj\n" + b"[" * 1_000_000,
    "noise": b"%PDF-1.4\n" + b"\x93x" * 100_000,
    "no text": pdf.page(b""),
    "none": b"hello",
}


@pytest.mark.long
@pytest.mark.long
@pytest.mark.parametrize("name", PDFS)
def test_a_nasty_pdf_ends_with_a_word_why_not(name: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises((ValueError, bounded.Overrun)) as caught:
        bound(PDFS[name], "application/pdf")
    assert str(caught.value)
    assert caplog.text == ""


def test_a_process_that_takes_too_much_memory_is_ended_alone() -> None:
    def greedy() -> Text:
        return Text(text=str(len(bytearray(4 * bounded.EXTRA_BYTES))))

    with pytest.raises(bounded.Overrun, match="memory"):
        bounded.run(Text, greedy, 5)


def test_a_process_that_does_not_end_is_ended() -> None:
    def endless() -> Text:
        while True:
            pass

    with pytest.raises(bounded.Overrun, match="longer"):
        bounded.run(Text, endless, 0.3)


def test_what_goes_wrong_in_it_is_said_and_what_comes_of_it_comes() -> None:
    def wrong() -> Text:
        raise ValueError("is no page")

    with pytest.raises(ValueError, match="is no page"):
        bounded.run(Text, wrong, 5)
    assert bounded.run(Text, lambda: Text(text="x" * 300_000), 5).text == "x" * 300_000
