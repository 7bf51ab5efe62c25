"""When: a moment ahead is read from customers' words, or they are asked back; never another moment than they meant."""

import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnkey.moments import FURTHEST_YEARS, Moment, Unclear, read

CASES = Path("tests/cases")
TABLES = ("moments.jsonl", "moments_more.jsonl", "moments_last.jsonl", "moments_fourth.jsonl", "moments_fifth.jsonl")
TWELVE = ("en", "de", "fr", "es", "it", "pt", "ru", "zh", "ja", "ko", "ar", "tr")
BERLIN = "Europe/Berlin"


def cases(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (CASES / name).read_text(encoding="utf-8").splitlines()]


ALL = [case for name in TABLES for case in cases(name)]


def local(text: str, zone: str = BERLIN) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))


def said(words: str, now: str = "2026-05-13T10:00", zone: str = BERLIN, language: str = "en") -> str:
    """What the words are read as: "2026-05-14T09:00" in the customer's zone, or why they are not."""
    found = read(words, local(now, zone), zone, language)
    return f"{found.at.astimezone(ZoneInfo(zone)):%Y-%m-%dT%H:%M}" if isinstance(found, Moment) else found.why


def moment(words: str, now: str = "2026-05-13T10:00", zone: str = BERLIN, language: str = "en") -> Moment:
    found = read(words, local(now, zone), zone, language)
    assert isinstance(found, Moment), found
    return found


def unclear(words: str, now: str = "2026-05-13T10:00", zone: str = BERLIN, language: str = "en") -> Unclear:
    found = read(words, local(now, zone), zone, language)
    assert isinstance(found, Unclear), found
    return found


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("language", TWELVE)
def test_times_are_read_as_customers_say_them(table: str, language: str) -> None:
    wrong = [
        (case["words"], got)
        for case in cases(table)
        if case["language"] == language
        and (got := said(case["words"], case["now"], case["zone"], language)) != case.get("at", case.get("why"))
    ]
    assert wrong == []


def test_the_tables_have_enough_of_every_language() -> None:
    for language in TWELVE:
        assert sum(case["language"] == language for case in cases(TABLES[0])) >= 25


def test_words_in_another_language_than_the_conversations_are_read() -> None:
    """A model that translates the words, or a customer who mixes them."""
    wrong = [
        (case["words"], language, got)
        for case in cases(TABLES[0])[::3]
        for language in ("en", "zh", "de")
        if (got := said(case["words"], case["now"], case["zone"], language)) != case.get("at", case.get("why"))
        and got not in ("no_time", "ambiguous")
    ]
    assert wrong == []


def test_a_day_without_a_time_is_nine_oclock_and_says_so() -> None:
    assert moment("on Friday").assumed == ("time",)
    assert said("on Friday") == "2026-05-15T09:00"
    assert moment("tomorrow at nine").assumed == ()


def test_today_without_a_time_is_asked_back_when_nine_is_over() -> None:
    assert said("today", now="2026-05-13T08:00") == "2026-05-13T09:00"
    assert said("today", now="2026-05-13T10:00") == "no_time"


@pytest.mark.parametrize(
    ("words", "now", "meant"),
    [
        ("at nine", "08:00", "13T09:00"),
        ("at nine", "14:00", "13T21:00"),
        ("at nine", "22:00", "14T09:00"),
        ("at three", "10:00", "13T15:00"),
        ("tomorrow at three", "10:00", "14T15:00"),
        ("tomorrow at 03:00", "10:00", "14T03:00"),
        ("at six", "10:00", "13T18:00"),
        ("at 12", "10:00", "13T12:00"),
        ("8am", "10:00", "14T08:00"),
    ],
)
def test_a_bare_hour_is_the_next_one_that_people_are_awake_in(words: str, now: str, meant: str) -> None:
    assert said(words, now=f"2026-05-13T{now}") == f"2026-05-{meant}"


def test_an_afternoon_that_was_not_said_is_noted() -> None:
    assert moment("tomorrow at three").assumed == ("half",)
    assert moment("tomorrow at three in the afternoon").assumed == ()


def test_six_oclock_tomorrow_is_asked_back() -> None:
    found = unclear("tomorrow at six")
    assert (found.why, found.options) == ("ambiguous", (local("2026-05-14T06:00"), local("2026-05-14T18:00")))
    assert "Thursday 14 May 2026 06:00 or Thursday 14 May 2026 18:00" in found.hint


def test_next_friday_is_asked_back_only_while_one_is_still_to_come_in_this_week() -> None:
    assert unclear("next Friday").options == (local("2026-05-15T09:00"), local("2026-05-22T09:00"))
    assert said("next Monday") == "2026-05-18T09:00"
    assert said("next Wednesday") == "2026-05-20T09:00"  # said on a Wednesday
    assert said("下周五", language="zh") == "2026-05-22T09:00"
    assert said("el viernes que viene", language="es") == "2026-05-15T09:00"


def test_the_weekday_of_today_is_asked_back_only_while_its_time_is_ahead() -> None:
    assert unclear("Wednesday at noon").options == (local("2026-05-13T12:00"), local("2026-05-20T12:00"))
    assert said("Wednesday at 8am") == "2026-05-20T08:00"
    assert said("this Wednesday at noon") == "2026-05-13T12:00"


def test_a_week_that_may_begin_on_sunday_is_asked_back_where_it_matters() -> None:
    assert said("Sunday next week", now="2026-05-12T10:00", language="en") == "ambiguous"
    assert said("Friday next week", now="2026-05-12T10:00", language="en") == "2026-05-22T09:00"
    assert said("Sonntag nächste Woche", now="2026-05-12T10:00", language="de") == "2026-05-24T09:00"


def test_day_and_month_in_either_order_are_asked_back_in_english_alone() -> None:
    assert said("3/4 at 10") == "ambiguous"
    assert said("3/13 at 10") == "2027-03-13T10:00"
    assert said("3.4. um 10 Uhr", language="de") == "2027-04-03T10:00"
    assert said("6/3 10時", language="ja") == "2026-06-03T10:00"


def test_several_days_or_times_are_asked_back() -> None:
    assert unclear("Monday or Tuesday at 10").options == (local("2026-05-18T10:00"), local("2026-05-19T10:00"))
    assert unclear("tomorrow at 3 or 4").options == (local("2026-05-14T15:00"), local("2026-05-14T16:00"))
    assert unclear("in 2 or 3 days").options == (local("2026-05-15T10:00"), local("2026-05-16T10:00"))
    assert said("tomorrow, Friday, at 9") == "ambiguous"
    assert said("tomorrow, Thursday, at 9") == "2026-05-14T09:00"


def test_midnight_of_another_day_is_asked_back() -> None:
    assert said("at midnight") == "2026-05-14T00:00"
    assert unclear("tomorrow at midnight").options == (local("2026-05-14T00:00"), local("2026-05-15T00:00"))


def test_a_number_beside_a_day_that_no_phrase_knows_is_asked_back() -> None:
    """Nine o'clock would be a guess where a time was said."""
    assert said("tomorrow @ 7") == "no_time"


@pytest.mark.parametrize(
    ("words", "now"),
    [("yesterday", "10:00"), ("today at 8am", "10:00"), ("two hours ago", "10:00"), ("this morning", "15:00")],
)
def test_what_is_over_is_told(words: str, now: str) -> None:
    found = unclear(words, now=f"2026-05-13T{now}")
    assert found.why == "past"
    assert "over" in found.hint


@pytest.mark.parametrize("words", ["in 20 years", "in 99999999999999 weeks", f"in {'9' * 400} minutes", "June 3 2099"])
def test_what_is_too_far_ahead_is_told(words: str) -> None:
    assert said(words) == "too_far"
    assert str(FURTHEST_YEARS) in unclear(words).hint


def test_a_date_of_a_day_that_no_month_has_is_no_time() -> None:
    assert said("June 31 at 9am") in ("no_time", "too_far", "past")
    assert said("February 29 at 9am") == "2028-02-29T09:00"


def test_wishes_for_again_and_again_are_told_that_one_time_is_kept() -> None:
    assert "one single time" in unclear("every Monday at nine").hint


def test_a_time_that_the_clocks_skip_is_the_next_one_that_they_show() -> None:
    found = moment("tomorrow at 02:30", now="2026-03-28T10:00")
    assert (found.at.astimezone(UTC), found.assumed) == (datetime(2026, 3, 29, 1, 0, tzinfo=UTC), ("gap",))
    assert said("tomorrow at 02:30", now="2026-03-28T10:00") == "2026-03-29T03:00"


def test_a_time_that_comes_twice_is_the_first() -> None:
    found = moment("tomorrow at 02:30", now="2026-10-24T10:00")
    assert (found.at.astimezone(UTC), found.assumed) == (datetime(2026, 10, 25, 0, 30, tzinfo=UTC), ("fold",))


def test_a_first_time_that_is_over_is_not_ahead_in_the_hour_that_comes_again() -> None:
    now = datetime(2026, 10, 25, 1, 10, tzinfo=UTC)  # 02:10 for the second time
    found = read("at 02:30", now, BERLIN, "en")
    assert isinstance(found, Moment)
    assert found.at.astimezone(UTC) == datetime(2026, 10, 26, 1, 30, tzinfo=UTC)


def test_hours_are_exact_and_days_are_those_on_the_wall_when_the_clocks_change() -> None:
    now = "2026-03-28T22:00"
    assert moment("in 12 hours", now=now).at.astimezone(UTC) == datetime(2026, 3, 29, 9, 0, tzinfo=UTC)
    assert said("in 12 hours", now=now) == "2026-03-29T11:00"
    assert said("in one day", now=now) == "2026-03-29T22:00"
    assert said("in 24 hours", now=now) == "2026-03-29T23:00"


def test_a_month_on_is_its_last_day_where_it_is_shorter() -> None:
    assert said("in a month", now="2026-01-31T10:00") == "2026-02-28T10:00"
    assert said("on the 31st", now="2026-04-30T10:00") == "2026-05-31T09:00"


@pytest.mark.parametrize(
    ("words", "language", "utc"),
    [
        ("tomorrow at 3pm Tokyo time", "en", "2026-05-14T06:00"),
        ("9am PST tomorrow", "en", "2026-05-14T16:00"),
        ("tomorrow at 9 UTC+3", "en", "2026-05-14T06:00"),
        ("2026-06-01T14:00:00+02:00", "en", "2026-06-01T12:00"),
        ("2026-06-01T14:00Z", "en", "2026-06-01T14:00"),
        ("завтра в 9 утра по Москве", "ru", "2026-05-14T06:00"),
        ("明天北京时间上午九点", "zh", "2026-05-14T01:00"),
        ("明日の日本時間9時", "ja", "2026-05-14T00:00"),
        ("내일 한국 시간 오전 9시", "ko", "2026-05-14T00:00"),
        ("morgen um 9 Uhr Londoner Zeit", "de", "2026-05-14T08:00"),
        ("غدا الساعة 9 صباحا بتوقيت القاهرة", "ar", "2026-05-14T06:00"),
    ],
)
def test_a_zone_in_the_words_beats_the_customers(words: str, language: str, utc: str) -> None:
    assert f"{moment(words, language=language).at.astimezone(UTC):%Y-%m-%dT%H:%M}" == utc


def test_an_abbreviation_of_several_zones_is_the_customers_own() -> None:
    assert moment("tomorrow 9am CST", zone="Asia/Shanghai").zone == "Asia/Shanghai"
    assert moment("tomorrow 9am CST", zone="America/New_York").zone == "America/Chicago"


@pytest.mark.parametrize("digits", ["９", "٩", "九", "nine"])
def test_digits_of_any_script_are_numbers(digits: str) -> None:
    language = "zh" if digits == "九" else "en"
    words = f"明天上午{digits}点" if digits == "九" else f"tomorrow at {digits}"
    assert said(words, language=language) == "2026-05-14T09:00"


def test_an_import_reads_no_data_and_brings_no_library() -> None:
    """A cold start pays for a language when it is first read."""
    script = (
        "import sys; import turnkey.moments; from turnkey.moments.grammar import grammar; from turnkey.moments import places;"
        "assert grammar.cache_info().currsize == 0 and places._places.cache_info().currsize == 0;"
        "assert not {'phonenumbers', 'dateparser'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True, env={"PYTHONPATH": "layers/turnkey"})


PIECES = sorted({word for case in ALL for word in case["words"].split()} | {case["words"] for case in ALL})
NOWS = st.datetimes(datetime(2024, 1, 1), datetime(2038, 1, 1), timezones=st.just(UTC))
ZONES = st.sampled_from([BERLIN, "UTC", "America/New_York", "Asia/Kolkata", "Pacific/Apia", "Australia/Lord_Howe"])
TEXTS = st.one_of(
    st.text(max_size=80),
    st.lists(st.sampled_from(PIECES), max_size=6).map(" ".join),
    st.sampled_from(PIECES).map(lambda piece: f"{piece} " * 60),
)


@settings(max_examples=250, deadline=None)
@given(words=TEXTS, now=NOWS, zone=ZONES, language=st.sampled_from((*TWELVE, "", "nl", "zh-TW")))
def test_no_words_break_it_and_no_moment_is_over(words: str, now: datetime, zone: str, language: str) -> None:
    found = read(words, now, zone, language)
    ahead = [found.at] if isinstance(found, Moment) else list(found.options)
    for at in ahead:
        assert at > now.replace(microsecond=0)
        assert at < now + timedelta(days=366 * (FURTHEST_YEARS + 1))
    if isinstance(found, Unclear):
        assert found.hint
        assert found.options == tuple(sorted(found.options))
        assert len(found.options) != 1
