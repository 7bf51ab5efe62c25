"""What the clinic keeps and hands out. All values are frozen; prices are in EUR, times are the clinic's own."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field


class ClinicError(Exception):
    """The clinic cannot do what was asked; the message says why and what to do instead."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DoctorCard(_Value):
    """A doctor as the list shows them."""

    doctor_id: str = Field(description="Such as D01")
    name: str
    specialty: str
    languages: list[str] = Field(description="ISO 639-1 codes of what the doctor speaks")
    branch: str
    link: str = Field(description="The doctor's page")
    photo: str


class DoctorList(_Value):
    total: int
    doctors: list[DoctorCard]


class Slot(_Value):
    """A time that can be booked."""

    slot_id: str = Field(description="What book_appointment asks for")
    date: str = Field(description="Such as 2026-04-24")
    weekday: str
    time: str = Field(description="Start, such as 09:20")
    minutes: int
    doctor: str
    specialty: str
    branch: str


class SlotList(_Value):
    total: int = Field(description="How many free slots match, listed here or not")
    slots: list[Slot] = Field(description="The earliest free slots")


class OpeningHours(_Value):
    """When one branch is open."""

    branch: str
    address: str
    phone: str
    hours: dict[str, str] = Field(description="Opening hours by day, such as Friday 2026-04-24: 08:00-16:00")


class Price(_Value):
    """What one service costs."""

    service: str
    price_eur: float
    minutes: int
    specialty: str
    note: str
    similar: list[str] = Field(description="Other services that match as well, with their prices")


class DocumentCard(_Value):
    """A document to download."""

    document_id: str
    title: str
    kind: str = Field(description="form, leaflet, consent form, price list or notice")
    language: str = Field(description="ISO 639-1 code")
    link: str = Field(description="Where to download it")


class DocumentList(_Value):
    total: int = Field(description="How many documents match, listed here or not")
    documents: list[DocumentCard] = Field(description="The best matches, best first")


class Appointment(_Value):
    """A booking, kept after it is cancelled."""

    appointment_number: str = Field(description="What the patient says at the desk")
    status: Literal["booked", "cancelled"]
    patient_name: str
    reason: str
    slot_id: str
    date: str
    weekday: str
    time: str
    doctor: str
    specialty: str
    branch: str
