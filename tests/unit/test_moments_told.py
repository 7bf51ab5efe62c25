"""The customer is told a time in words that mean one moment, in their own language."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turnkey.moments import Moment, read, told

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=ZoneInfo("Europe/Berlin"))
SOON = datetime(2026, 12, 4, 15, 5, tzinfo=ZoneInfo("Europe/Berlin"))
TOLD = {
    "en": "Friday, 4 December, at 3:05 pm",
    "de": "Freitag, 4. Dezember, um 15:05 Uhr",
    "fr": "vendredi 4 décembre à 15:05",
    "es": "viernes 4 de diciembre a las 15:05",
    "it": "venerdì 4 dicembre alle 15:05",
    "pt": "sexta-feira, 4 de dezembro, às 15:05",
    "tr": "4 Aralık Cuma, saat 15:05",
    "ru": "пятница, 4 декабря, 15:05",
    "ar": "الجمعة 4 ديسمبر الساعة 3:05 مساء",
    "zh": "12月4日星期五 15:05",
    "ja": "12月4日金曜日 15:05",
    "ko": "12월 4일 금요일 오후 3:05",
}
NOWS = st.datetimes(datetime(2024, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC))
ZONES = (
    "Europe/Berlin",
    "Asia/Tokyo",
    "America/New_York",
    "Asia/Kolkata",
    "Australia/Sydney",
    "UTC",
    "America/Caracas",
)


@pytest.mark.parametrize("language", TOLD)
def test_a_time_is_told_with_weekday_and_date(language: str) -> None:
    assert told(SOON, "Europe/Berlin", language, NOW) == TOLD[language]


def test_another_years_date_has_the_year() -> None:
    assert told(SOON + timedelta(days=60), "Europe/Berlin", "en", NOW) == "Tuesday, 2 February 2027, at 3:05 pm"
    assert told(SOON + timedelta(days=60), "Europe/Berlin", "zh-TW", NOW) == "2027年2月2日星期二 15:05"


def test_a_zone_that_is_not_the_tenants_is_told() -> None:
    assert told(SOON, "Asia/Tokyo", "de", NOW, "Europe/Berlin") == "Freitag, 4. Dezember, um 23:05 Uhr (Tokio, UTC+9)"
    assert told(SOON, "Asia/Kolkata", "en", NOW, "UTC").endswith("at 7:35 pm (Mumbai, UTC+5:30)")
    assert told(SOON, "Europe/Berlin", "en", NOW, "Europe/Berlin") == TOLD["en"]


def test_midnight_and_noon_are_told_in_twelve_hours() -> None:
    assert told(SOON.replace(hour=0), "Europe/Berlin", "en", NOW).endswith("12:05 am")
    assert told(SOON.replace(hour=12), "Europe/Berlin", "en", NOW).endswith("12:05 pm")


def test_a_time_that_comes_twice_is_told_with_its_distance_from_utc() -> None:
    now = datetime(2026, 10, 24, 9, 0, tzinfo=UTC)
    twice = [datetime(2026, 10, 25, hour, 30, tzinfo=UTC) for hour in (0, 1)]
    endings = [told(at, "Europe/Berlin", "de", now).split("um ")[1] for at in twice]
    assert endings == ["02:30 Uhr (Berlin, UTC+2)", "02:30 Uhr (Berlin, UTC+1)"]


def test_a_language_without_a_table_is_told_in_english() -> None:
    assert told(SOON, "Europe/Berlin", "nl", NOW) == TOLD["en"]


@settings(max_examples=200, deadline=None)
@given(
    now=NOWS,
    minutes=st.integers(2, 4 * 366 * 24 * 60),
    zone=st.sampled_from(ZONES),
    language=st.sampled_from(sorted(TOLD)),
    home=st.sampled_from(("", "UTC", "Europe/Berlin")),
)
def test_what_is_told_reads_back_to_the_same_minute(
    now: datetime, minutes: int, zone: str, language: str, home: str
) -> None:
    at = (now + timedelta(minutes=minutes)).replace(second=0, microsecond=0)
    words = told(at, zone, language, now, home)
    found = read(words, now, zone, language)
    assert isinstance(found, Moment), (words, found)
    assert found.at.astimezone(UTC) == at, words
