"""The clinic's files, read: one frozen value a row."""

import csv
import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict

_FILES = Path(__file__).with_name("data")
Words = Annotated[tuple[str, ...], BeforeValidator(lambda text: tuple(text.split()))]
Parted = Annotated[tuple[str, ...], BeforeValidator(lambda text: tuple(text.split("|")))]


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Branch(_Row):
    branch: str
    address: str
    phone: str
    words: str


class OpenPeriod(_Row):
    branch: str
    weekday: str
    opens: dt.time
    closes: dt.time


class Holiday(_Row):
    month_day: str
    name: str


class Doctor(_Row):
    """Works on `weekdays` from `starts` to `ends`, as far as the branch is open, in slots of `minutes`.

    `words` are the family name in other scripts.
    """

    doctor_id: str
    name: str
    specialty: str
    languages: Words
    branch: str
    weekdays: Words
    starts: dt.time
    ends: dt.time
    minutes: int
    words: str


class Service(_Row):
    service: str
    price_eur: float
    minutes: int
    specialty: str
    topics: Parted
    note: str


class Document(_Row):
    document_id: str
    title: str
    kind: str
    language: str
    topics: Parted
    file: str


class Booked(_Row):
    """An appointment that was made before the start: in the doctor's first slot from `days_ahead` days on."""

    appointment_number: str
    doctor_id: str
    days_ahead: int
    patient_name: str
    reason: str


class Files(_Row):
    """Everything the clinic starts with. `topic_words` and `day_words` map to words in many languages, parted by |."""

    branches: tuple[Branch, ...]
    opening_hours: tuple[OpenPeriod, ...]
    holidays: tuple[Holiday, ...]
    doctors: tuple[Doctor, ...]
    services: tuple[Service, ...]
    documents: tuple[Document, ...]
    appointments: tuple[Booked, ...]
    topic_words: Mapping[str, str]
    day_words: Mapping[str, str]


def load_files() -> Files:
    """The files beside this module."""
    tables = {name: _rows(name) for name in Files.model_fields if not name.endswith("_words")}
    topic_words = {row["topic"]: row["words"] for row in _rows("words")}
    day_words = {row["day"]: row["words"] for row in _rows("day_words")}
    return Files.model_validate({**tables, "topic_words": topic_words, "day_words": day_words})


def _rows(name: str) -> list[dict[str, str]]:
    with (_FILES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
