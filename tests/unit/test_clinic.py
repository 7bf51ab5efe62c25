"""What the second demo tenant's clinic promises its patients."""

import datetime as dt
from collections import Counter

import pytest

from local.clinic.clinic import Clinic, NoSuchDay, load_clinic
from local.clinic.data import load_files
from local.clinic.days import UnknownDay
from local.clinic.diary import HORIZON, Diary, SlotGone, UnknownAppointment
from local.clinic.directory import UnknownDoctor, UnknownLanguage, UnknownService, UnknownSpecialty
from local.clinic.hours import UnknownBranch
from local.clinic.models import Slot

TODAY = dt.date(2026, 4, 20)
"""A Monday; 1 May is a holiday."""
LANGUAGES = {"en", "de", "fr", "es", "pt", "it", "ru", "zh", "ja", "ko", "ar", "tr"}


@pytest.fixture(scope="module")
def clinic() -> Clinic:
    """For reading only."""
    return load_clinic(TODAY)


@pytest.fixture
def diary() -> Diary:
    return load_clinic(TODAY).diary


def slots(clinic: Clinic, **filters: str | int) -> list[Slot]:
    return clinic.find_slots(**{"days": 30, "limit": 1000, **filters}).slots  # pyright: ignore[reportArgumentType]


def free(diary: Diary) -> list[Slot]:
    names = [doctor.name for doctor in load_files().doctors]
    return diary.free(names, TODAY, HORIZON + 1, 1000).slots


def titles(clinic: Clinic, query: str, language: str = "any") -> list[str]:
    return [document.title for document in clinic.directory.documents(query, language, 50).documents]


def names(clinic: Clinic, specialty: str = "any", language: str = "any") -> list[str]:
    return [doctor.name for doctor in clinic.directory.list_doctors(specialty, language).doctors]


def test_the_clinic_is_large_enough_to_be_searched():
    files = load_files()
    assert len(files.doctors) >= 12
    assert len({doctor.specialty for doctor in files.doctors}) >= 8
    assert len(files.services) >= 25
    assert len(files.documents) >= 30


def test_every_language_of_the_platform_is_spoken_and_written_here():
    files = load_files()
    assert {code for doctor in files.doctors for code in doctor.languages} == LANGUAGES
    assert {document.language for document in files.documents} == LANGUAGES


def test_every_topic_that_a_file_names_has_its_words():
    files = load_files()
    named = {topic for row in (*files.services, *files.documents) for topic in row.topics}
    named |= {row.specialty for row in (*files.doctors, *files.services)}
    assert named - set(files.topic_words) == set()


def test_ids_are_unique(clinic: Clinic):
    files = load_files()
    for ids in (
        [doctor.doctor_id for doctor in files.doctors],
        [document.document_id for document in files.documents],
        [document.file for document in files.documents],
        [service.service for service in files.services],
        [slot.slot_id for slot in slots(clinic)],
    ):
        assert [one for one, count in Counter(ids).items() if count > 1] == []


def test_slots_are_the_same_every_time_and_start_tomorrow(clinic: Clinic):
    found = slots(clinic)
    assert found == slots(load_clinic(TODAY))
    assert {slot.date for slot in found} <= {str(TODAY + dt.timedelta(ahead)) for ahead in range(1, 31)}
    assert found == sorted(found, key=lambda slot: (slot.date, slot.time))


def test_a_slot_that_is_free_today_was_free_yesterday(clinic: Clinic):
    yesterday = {slot.slot_id for slot in slots(load_clinic(TODAY - dt.timedelta(1)))}
    booked = {clinic.diary.appointment(f"A100{n}").slot_id for n in (1, 2, 3, 4)}
    own = [slot for slot in slots(clinic) if slot.date <= str(TODAY + dt.timedelta(20))]
    moved = {slot.slot_id for slot in own} - yesterday
    # The appointments of the file move with the day; nothing else does.
    assert len(moved) <= len(booked)


def test_every_doctor_has_a_free_slot_within_a_week(clinic: Clinic):
    assert [one for one in names(clinic) if not slots(clinic, doctor=one, days=7)] == []


def test_a_slot_lies_within_the_opening_hours_of_its_branch(clinic: Clinic):
    for slot in slots(clinic):
        start = dt.datetime.fromisoformat(f"{slot.date} {slot.time}")
        end = start + dt.timedelta(minutes=slot.minutes)
        periods = clinic.hours.periods(slot.branch, start.date())
        assert any(opens <= start.time() and end.time() <= closes for opens, closes in periods), slot


def test_nothing_can_be_booked_on_a_holiday(clinic: Clinic):
    assert slots(clinic, date="2026-05-01", days=1) == []
    assert clinic.hours.table("2026-05-01", "main").hours == {"Friday 2026-05-01": "closed (Labour Day)"}


@pytest.mark.parametrize(
    "specialty",
    [
        *("dermatology", "skin doctor", "Hautarzt", "dermatologue", "dermatólogo", "dermatologista", "dermatologo"),
        *("кожный врач", "皮肤科", "皮膚科", "피부과", "طبيب جلدية", "cilt doktoru"),
    ],
)
def test_a_specialty_is_found_in_every_language(clinic: Clinic, specialty: str):
    assert names(clinic, specialty) == ["Dr. Sofia Almeida", "Dr. Jean Laurent"]


def test_an_unknown_specialty_is_refused_with_the_ones_there_are(clinic: Clinic):
    with pytest.raises(UnknownSpecialty, match=r"'psychiatry'.*general practice, paediatrics"):
        names(clinic, "psychiatry")


@pytest.mark.parametrize("doctor", ["Weber", "dr weber", "Dr. Anna Weber", "anna", "D01", "Вебер", "ウェーバー先生"])
def test_a_doctor_is_found_by_any_part_of_the_name_and_by_id(clinic: Clinic, doctor: str):
    assert {slot.doctor for slot in slots(clinic, doctor=doctor)} == {"Dr. Anna Weber"}


def test_an_unknown_doctor_is_refused_with_the_ones_there_are(clinic: Clinic):
    with pytest.raises(UnknownDoctor, match=r"'Dr\. House'.*Dr\. Anna Weber"):
        slots(clinic, doctor="Dr. House")


@pytest.mark.parametrize("language", ["tr", "Turkish", "Türkçe", "турецкий", "トルコ語", "tr-TR"])
def test_doctors_are_found_by_the_language_they_speak(clinic: Clinic, language: str):
    assert names(clinic, language=language) == ["Dr. Elif Kaya"]


def test_a_language_nobody_speaks_is_refused_with_the_ones_there_are(clinic: Clinic):
    with pytest.raises(UnknownLanguage, match=r"'Finnish'.*ar, de, en"):
        names(clinic, language="Finnish")


@pytest.mark.parametrize(
    ("day", "first"),
    [
        ("2026-04-24", "2026-04-24"),
        ("2026-04-24T00:00:00Z", "2026-04-24"),
        ("tomorrow", "2026-04-21"),
        ("übermorgen", "2026-04-22"),
        ("le vendredi", "2026-04-24"),
        ("el próximo miércoles", "2026-04-22"),
        ("Monday", "2026-04-27"),
        ("next week", "2026-04-27"),
        ("次の金曜日", "2026-04-24"),
        ("下周五", "2026-05-01"),
        ("다음 주 수요일", "2026-04-29"),
        ("يوم الخميس", "2026-04-23"),
        ("pazartesi", "2026-04-27"),
        ("в четверг", "2026-04-23"),
        ("quinta-feira", "2026-04-23"),
        ("dopodomani", "2026-04-22"),
    ],
)
def test_a_day_may_be_written_as_people_do(clinic: Clinic, day: str, first: str):
    assert slots(clinic, date=day) == [slot for slot in slots(clinic) if slot.date >= first]


def test_one_day_is_one_day(clinic: Clinic):
    assert {slot.date for slot in slots(clinic, date="2026-04-23", days=1)} == {"2026-04-23"}


@pytest.mark.parametrize("day", ["2026-04-19", "today", "2026-06-01"])
def test_a_day_that_cannot_be_booked_is_refused_with_those_that_can(clinic: Clinic, day: str):
    with pytest.raises(NoSuchDay, match="from 2026-04-21 to 2026-05-20"):
        slots(clinic, date=day)


@pytest.mark.parametrize("day", ["someday", "2026-02-30"])
def test_what_is_no_day_is_refused_with_the_way_to_write_one(clinic: Clinic, day: str):
    with pytest.raises(UnknownDay, match="YYYY-MM-DD"):
        slots(clinic, date=day)


def test_the_total_counts_the_slots_beyond_the_limit(clinic: Clinic):
    found = clinic.find_slots(limit=3)
    assert len(found.slots) == 3
    assert found.total == len(slots(clinic, days=7)) > 3


def test_a_booked_slot_is_gone_and_cannot_be_booked_twice(diary: Diary):
    slot = free(diary)[0]
    assert diary.book(slot.slot_id, " Ana Lima ", "rash").patient_name == "Ana Lima"
    assert slot not in free(diary)
    with pytest.raises(SlotGone, match="is taken"):
        diary.book(slot.slot_id, "Ben", "")


def test_what_one_clinic_books_is_free_in_another(clinic: Clinic, diary: Diary):
    slot = free(diary)[0]
    diary.book(slot.slot_id, "Ana", "")
    assert slot in slots(clinic)


def test_a_slot_that_never_was_cannot_be_booked(diary: Diary):
    with pytest.raises(SlotGone, match=r"'D01-9999-0800'.*find_slots"):
        diary.book("D01-9999-0800", "Ana", "")


def test_a_slot_id_in_lower_case_names_the_same_slot(diary: Diary):
    slot = free(diary)[0]
    assert diary.book(slot.slot_id.lower(), "Ana", "").slot_id == slot.slot_id


def test_each_booking_has_a_number_of_its_own(diary: Diary):
    first, second, *_ = free(diary)
    numbers = [diary.book(slot.slot_id, "Ana", "").appointment_number for slot in (first, second)]
    assert numbers == ["A1005", "A1006"]


def test_a_cancelled_appointment_frees_its_slot_and_is_still_known(diary: Diary):
    slot = free(diary)[0]
    number = diary.book(slot.slot_id, "Ana", "").appointment_number
    assert diary.cancel(number).status == "cancelled"
    assert slot in free(diary)
    assert diary.appointment(number).status == "cancelled"


def test_cancelling_again_does_not_take_the_slot_from_the_next_patient(diary: Diary):
    slot = free(diary)[0]
    number = diary.book(slot.slot_id, "Ana", "").appointment_number
    diary.cancel(number)
    diary.book(slot.slot_id, "Ben", "")
    assert diary.cancel(number).status == "cancelled"
    assert slot not in free(diary)


def test_an_appointment_from_before_the_start_can_be_looked_up(diary: Diary):
    appointment = diary.appointment(" a1001 ")
    assert (appointment.doctor, appointment.patient_name) == ("Dr. Anna Weber", "Hans Keller")
    assert appointment.slot_id not in {slot.slot_id for slot in free(diary)}


def test_an_unknown_appointment_is_refused(diary: Diary):
    with pytest.raises(UnknownAppointment, match="'A9999'"):
        diary.cancel("A9999")


@pytest.mark.parametrize(
    ("text", "service"),
    [
        ("blood test", "Blood test, basic"),
        ("full blood count", "Blood test, full"),
        ("flu shot", "Flu vaccination"),
        ("Zahnreinigung", "Professional teeth cleaning"),
        ("prise de sang", "Blood test, basic"),
        ("limpieza dental", "Professional teeth cleaning"),
        ("vacina da gripe", "Flu vaccination"),
        ("ecografia in gravidanza", "Pregnancy ultrasound"),
        ("узи при беременности", "Pregnancy ultrasound"),
        ("验血多少钱", "Blood test, basic"),
        ("健康診断", "Health check-up"),
        ("독감 예방접종", "Flu vaccination"),
        ("فحص دم", "Blood test, basic"),
        ("diş temizliği", "Professional teeth cleaning"),
        ("how much does a tooth filling cost", "Tooth filling"),
        ("wie viel kostet ein Attest", "Medical certificate"),
    ],
)
def test_a_price_is_found_in_every_language(clinic: Clinic, text: str, service: str):
    assert clinic.directory.price(text).service == service


def test_a_price_names_what_else_might_be_meant(clinic: Clinic):
    assert clinic.directory.price("blood test").similar == ["Blood test, full: 89.00 EUR"]


def test_a_service_that_is_not_offered_has_no_price(clinic: Clinic):
    with pytest.raises(UnknownService, match=r"'MRI of the knee'.*Knee ultrasound \(70\.00 EUR\)"):
        clinic.directory.price("MRI of the knee")
    for text in (
        "liver transplant",
        "how much does a liver transplant cost",
        "сколько стоит пересадка печени",
        "price",
    ):
        with pytest.raises(UnknownService, match="Name no price"):
            clinic.directory.price(text)


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("registration form", "Registration form for new patients"),
        ("Preisliste", "Preisliste"),
        ("анкета", "Анкета нового пациента"),
        ("登记表", "新患者登记表"),
        ("血圧", "家庭での血圧測定"),
        ("استمارة", "استمارة تسجيل المرضى الجدد"),
        ("kayıt formu", "Yeni hasta kayıt formu"),
        ("vaccino", "Vaccino antinfluenzale: cosa sapere"),
    ],
)
def test_a_document_in_the_patient_s_language_comes_first(clinic: Clinic, query: str, title: str):
    assert titles(clinic, query)[0] == title


def test_documents_are_filtered_by_language(clinic: Clinic):
    assert titles(clinic, "consent form", "German") == [
        "Einwilligung in die Behandlung",
        "Einwilligung der Eltern zur Behandlung Minderjähriger",
    ]


def test_documents_in_general_are_all_documents(clinic: Clinic):
    assert len(titles(clinic, "documenti")) == len(load_files().documents)


def test_a_document_that_does_not_exist_is_not_found(clinic: Clinic):
    assert clinic.directory.documents("parking permit", "any", 5).model_dump() == {"total": 0, "documents": []}


def test_opening_hours_without_a_day_are_those_of_the_next_seven_days(clinic: Clinic):
    table = clinic.hours.table("", "main")
    assert list(table.hours.items())[:1] == [("Monday 2026-04-20", "08:00-12:30, 13:30-18:00")]
    assert list(table.hours.items())[-1:] == [("Sunday 2026-04-26", "closed")]
    assert len(table.hours) == 7


def test_a_weekday_in_the_opening_hours_may_be_today(clinic: Clinic):
    assert list(clinic.hours.table("月曜日", "main").hours) == ["Monday 2026-04-20"]


@pytest.mark.parametrize("branch", ["harbour", "Harbor", "Hafen", "the one on Quay Road", "港口"])
def test_a_branch_is_found_by_any_of_its_names(clinic: Clinic, branch: str):
    assert clinic.hours.table("", branch).branch == "harbour"


def test_an_unknown_branch_is_refused_with_the_ones_there_are(clinic: Clinic):
    with pytest.raises(UnknownBranch, match=r"'airport'.*main, north, harbour"):
        clinic.hours.table("", "airport")
