"""The clinic as an MCP server: `python -m local.clinic.server --host 127.0.0.1 --port 8931`."""

import datetime as dt
import sys
from typing import Annotated

from mcp.server.mcpserver import MCPServer
from pydantic import Field

from local import mcp_server
from local.clinic.clinic import Clinic, load_clinic
from local.clinic.directory import ANY
from local.clinic.models import Appointment, ClinicError, DoctorList, DocumentList, OpeningHours, Price, SlotList
from local.mcp_server import ADDS, READS, REMOVES, CountingDesk, Offered, or_default

_NAME = "clinic"
_INSTRUCTIONS = (
    "A clinic with 12 doctors in 8 specialties and 3 branches. Find free times with find_slots; its slot_id is what "
    "book_appointment asks for. Prices are in EUR."
)

Specialty = Annotated[
    str, Field(description="Only this specialty, such as dermatology; any for every one"), or_default(ANY)
]
DoctorName = Annotated[str, Field(description="Only this doctor, by name; any for every one"), or_default(ANY)]
FirstDay = Annotated[
    str, Field(description="First day to look at, YYYY-MM-DD; empty to begin with tomorrow"), or_default("")
]
Days = Annotated[int, Field(ge=1, le=30, description="How many days to look at; 1 for that day only"), or_default(7)]
SlotLimit = Annotated[int, Field(ge=1, le=50, description="How many slots to list at most"), or_default(5)]
Spoken = Annotated[str, Field(description="Only doctors who speak it, such as tr; any for every one"), or_default(ANY)]
Day = Annotated[str, Field(description="One day, YYYY-MM-DD; empty for the next seven days"), or_default("")]
BranchName = Annotated[str, Field(description="main, north or harbour"), or_default("main")]
ServiceName = Annotated[str, Field(min_length=1, description="The service in a few words, such as: blood test")]
Query = Annotated[str, Field(description="Words of a title or a topic, such as: registration form")]
Written = Annotated[
    str, Field(description="Only documents in this language, such as en; any for every one"), or_default(ANY)
]
DocumentLimit = Annotated[int, Field(ge=1, le=50, description="How many documents to list at most"), or_default(5)]
SlotId = Annotated[str, Field(min_length=1, description="The slot's id from find_slots")]
PatientName = Annotated[
    str, Field(min_length=1, pattern=r"\S", description="The patient's name, as the patient has given it")
]
Reason = Annotated[str, Field(description="Why the patient comes, if told"), or_default("")]
AppointmentNumber = Annotated[str, Field(min_length=1, description="The appointment's number, such as A1001")]


class Desk(CountingDesk):
    """The clinic's tools."""

    def __init__(self, clinic: Clinic) -> None:
        super().__init__(ClinicError)
        self.clinic = clinic

    def renew(self) -> None:
        self.clinic = load_clinic(self.clinic.today)

    async def find_slots(
        self,
        specialty: Specialty = ANY,
        doctor: DoctorName = ANY,
        date: FirstDay = "",
        days: Days = 7,
        limit: SlotLimit = 5,
    ) -> SlotList:
        """Find free appointment times, the earliest first, by specialty, doctor and day.

        Use it whenever someone wants an appointment or asks when a doctor has time. Returns each slot's slot_id, date,
        time, doctor and branch. It books nothing.
        """
        with self._run("find_slots"):
            return self.clinic.find_slots(specialty, doctor, date, days, limit)

    async def list_doctors(self, specialty: Specialty = ANY, language: Spoken = ANY) -> DoctorList:
        """List the clinic's doctors with specialty, branch and the languages they speak.

        Use it when someone asks who works here, who treats something, or which doctor speaks a language.
        """
        with self._run("list_doctors"):
            return self.clinic.directory.list_doctors(specialty, language)

    async def get_opening_hours(self, day: Day = "", branch: BranchName = "main") -> OpeningHours:
        """Tell when a branch of the clinic is open, with its address and phone number; holidays are counted in."""
        with self._run("get_opening_hours"):
            return self.clinic.hours.table(day, branch)

    async def get_price(self, service: ServiceName) -> Price:
        """Tell what one service costs and how long it takes.

        Use it whenever someone asks for the price of an examination, a treatment, a vaccination or a certificate.
        """
        with self._run("get_price"):
            return self.clinic.directory.price(service)

    async def list_documents(self, query: Query, language: Written = ANY, limit: DocumentLimit = 5) -> DocumentList:
        """Find forms, leaflets, consent forms and price lists to download, each with its link.

        Use it when someone wants a form or written information, or asks how to prepare.
        """
        with self._run("list_documents"):
            return self.clinic.directory.documents(query, language, limit)

    async def book_appointment(self, slot_id: SlotId, patient_name: PatientName, reason: Reason = "") -> Appointment:
        """Book one free slot for a patient.

        Use it only when the patient has chosen a slot and has given a name. Returns the appointment number.
        """
        with self._run("book_appointment"):
            return self.clinic.diary.book(slot_id, patient_name, reason)

    async def cancel_appointment(self, appointment_number: AppointmentNumber) -> Appointment:
        """Cancel an appointment; its time is then free for others.

        Use it only when the patient has asked for it and has given the appointment number.
        """
        with self._run("cancel_appointment"):
            return self.clinic.diary.cancel(appointment_number)

    async def get_appointment(self, appointment_number: AppointmentNumber) -> Appointment:
        """Look up one appointment by its number: date, time, doctor, branch, and whether it is cancelled."""
        with self._run("get_appointment"):
            return self.clinic.diary.appointment(appointment_number)


def create_server(desk: Desk) -> MCPServer:
    """The MCP server over `desk`; nothing listens yet."""
    tools = (
        Offered(desk.find_slots, "Find free appointments", READS),
        Offered(desk.list_doctors, "List doctors", READS),
        Offered(desk.get_opening_hours, "Get opening hours", READS),
        Offered(desk.get_price, "Get a price", READS),
        Offered(desk.list_documents, "List documents", READS),
        Offered(desk.book_appointment, "Book an appointment", ADDS),
        Offered(desk.cancel_appointment, "Cancel an appointment", REMOVES),
        Offered(desk.get_appointment, "Get an appointment", READS),
    )
    return mcp_server.create_server(_NAME, _INSTRUCTIONS, desk, tools)


def main() -> int:
    """The command line: serves a fresh clinic. Returns the exit status."""
    parser = mcp_server.command_line(_NAME, "The second demo tenant's MCP server, a clinic.", 8931)
    parser.add_argument(
        "--today", type=dt.date.fromisoformat, default=dt.date.today(), help="YYYY-MM-DD; slots begin the day after"
    )
    options = parser.parse_args()
    return mcp_server.serve(create_server(Desk(load_clinic(options.today))), options.host, options.port)


if __name__ == "__main__":
    sys.exit(main())
