"""An export that no spreadsheet runs, and no value that gets lost in it."""

import csv
import io
from typing import Any

import pytest

from local.contacts_csv import safe, table


def contact(**values: str) -> dict[str, Any]:
    at = "2026-01-01T12:00:00Z"
    return {
        "id": "0" * 24,
        "customer": {"connection": "web", "conversation": "=c", "sender": "u-1"},
        "values": {field: {"value": value, "written": "030 1", "at": at} for field, value in values.items()},
        "told_at": None,
    }


@pytest.mark.parametrize(
    "value", ["=1+1", "+4930", "-1", "@SUM(A1)", " =1", "\t=1", "＝1+1", "＋1", "－1", "＠x", "\r=1"]
)
def test_what_a_spreadsheet_would_run_is_text(value: str) -> None:
    assert safe(value) == f"'{value}"


@pytest.mark.parametrize("value", ["Ann", "030 1234", "a@x.de", "1-2", "", 'Müller, "J"', "王小明", "'=x"])
def test_any_other_value_is_as_it_is(value: str) -> None:
    assert safe(value) == value


def test_each_customer_is_a_line_with_the_fields_of_all() -> None:
    text = table([contact(name='Ann, "A"', phone="+4930"), contact(company="=Acme()")])
    first, second = csv.DictReader(io.StringIO(text))
    assert (first["name"], first["phone"], first["phone_as_written"], first["company"]) == (
        'Ann, "A"',
        "'+4930",
        "030 1",
        "",
    )
    assert (second["company"], second["conversation"], second["phone"]) == ("'=Acme()", "'=c", "")


def test_a_terminal_is_shown_what_hides() -> None:
    assert "<U+202E>" in table([contact(name="A\u202eB")], lambda value: value.replace("\u202e", "<U+202E>"))


def test_without_customers_there_is_the_heading_alone() -> None:
    assert table([]).splitlines() == [
        "id,connection,conversation,sender,name,phone,phone_as_written,email,changed_at,told_at"
    ]
