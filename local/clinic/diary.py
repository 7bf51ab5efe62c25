"""The clinic's diary: which times are free, and what is booked. It lives in memory; a restart brings back the files."""

import datetime as dt
import zlib
from collections.abc import Iterable, Iterator

from local.clinic.data import Booked, Doctor, Files
from local.clinic.days import weekday_of
from local.clinic.hours import Hours
from local.clinic.models import Appointment, ClinicError, Slot, SlotList

HORIZON = 30
"""How many days after today can be booked."""
_TAKEN_PERCENT = 70


class SlotGone(ClinicError):
    """The slot was never there, or somebody else has it."""


class UnknownAppointment(ClinicError):
    """No appointment has this number."""


class Diary:
    """The slots of the days after `today`. Which are free at the start depends on doctor, date and time alone."""

    def __init__(self, files: Files, hours: Hours, today: dt.date) -> None:
        days = [today + dt.timedelta(ahead) for ahead in range(1, HORIZON + 1)]
        every = [slot for day in days for doctor in files.doctors for slot in _slots(doctor, day, hours)]
        self._slots = {slot.slot_id: slot for slot in sorted(every, key=lambda slot: (slot.date, slot.time))}
        self._taken = {slot.slot_id for slot in every if _is_taken(slot)}
        self._appointments: dict[str, Appointment] = {}
        for booked in files.appointments:
            self._enter(booked, today)

    def free(self, doctors: Iterable[str], first: dt.date, days: int, limit: int) -> SlotList:
        """The earliest `limit` free slots of these doctors, by name, in `days` days from `first` on."""
        wanted, end = set(doctors), first + dt.timedelta(days)
        found = [
            slot
            for slot in self._slots.values()
            if slot.slot_id not in self._taken and slot.doctor in wanted and str(first) <= slot.date < str(end)
        ]
        return SlotList(total=len(found), slots=found[:limit])

    def book(self, slot_id: str, patient_name: str, reason: str) -> Appointment:
        """Takes the slot for a patient. Raises SlotGone."""
        slot = self._slots.get(slot_id.strip().upper())
        if slot is None:
            raise SlotGone(f"No slot has the id {slot_id!r}. Nothing was booked; use find_slots to get a slot_id.")
        if slot.slot_id in self._taken:
            raise SlotGone(
                f"The slot {slot.slot_id} ({slot.date} {slot.time}, {slot.doctor}) is taken. Nothing was booked; "
                "use find_slots to offer another time."
            )
        return self._keep(self._next_number(), slot, patient_name.strip(), reason.strip())

    def cancel(self, appointment_number: str) -> Appointment:
        """Frees the slot; doing it again changes nothing. Raises UnknownAppointment."""
        appointment = self.appointment(appointment_number)
        if appointment.status == "cancelled":
            return appointment
        cancelled = appointment.model_copy(update={"status": "cancelled"})
        self._appointments[appointment.appointment_number] = cancelled
        self._taken.discard(appointment.slot_id)
        return cancelled

    def appointment(self, appointment_number: str) -> Appointment:
        """The appointment with this number, cancelled or not. Raises UnknownAppointment."""
        found = self._appointments.get(appointment_number.strip().upper())
        if found is None:
            raise UnknownAppointment(
                f"No appointment has the number {appointment_number!r}. Ask the patient for the number, such as A1001."
            )
        return found

    def _enter(self, booked: Booked, today: dt.date) -> None:
        first = str(today + dt.timedelta(booked.days_ahead))
        slot = next(
            slot
            for slot in self._slots.values()
            if slot.slot_id.startswith(booked.doctor_id) and slot.date >= first and not self._is_booked(slot)
        )
        self._keep(booked.appointment_number, slot, booked.patient_name, booked.reason)

    def _keep(self, number: str, slot: Slot, patient_name: str, reason: str) -> Appointment:
        fields = slot.model_dump(exclude={"minutes"})
        appointment = Appointment(
            appointment_number=number, status="booked", patient_name=patient_name, reason=reason, **fields
        )
        self._appointments[number] = appointment
        self._taken.add(slot.slot_id)
        return appointment

    def _is_booked(self, slot: Slot) -> bool:
        return any(appointment.slot_id == slot.slot_id for appointment in self._appointments.values())

    def _next_number(self) -> str:
        return f"A{max((int(number[1:]) for number in self._appointments), default=1000) + 1}"


def _slots(doctor: Doctor, day: dt.date, hours: Hours) -> Iterator[Slot]:
    if weekday_of(day) not in doctor.weekdays:
        return
    for opens, closes in hours.periods(doctor.branch, day):
        start = dt.datetime.combine(day, max(opens, doctor.starts))
        end = dt.datetime.combine(day, min(closes, doctor.ends))
        while (after := start + dt.timedelta(minutes=doctor.minutes)) <= end:
            yield _slot(doctor, start)
            start = after


def _slot(doctor: Doctor, start: dt.datetime) -> Slot:
    return Slot(
        slot_id=f"{doctor.doctor_id}-{start:%m%d-%H%M}",
        date=f"{start:%Y-%m-%d}",
        weekday=weekday_of(start).capitalize(),
        time=f"{start:%H:%M}",
        minutes=doctor.minutes,
        doctor=doctor.name,
        specialty=doctor.specialty,
        branch=doctor.branch,
    )


def _is_taken(slot: Slot) -> bool:
    return zlib.crc32(f"{slot.doctor} {slot.date} {slot.time}".encode()) % 100 < _TAKEN_PERCENT
