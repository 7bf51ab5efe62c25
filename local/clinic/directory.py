"""What the clinic offers: its doctors, services with prices, and documents, each found by words of many languages."""

from collections.abc import Iterable

from local import languages
from local.clinic.data import Doctor, Document, Files, Service
from local.clinic.models import ClinicError, DoctorCard, DoctorList, DocumentCard, DocumentList, Price
from local.matching import Indexed, field, find, indexed
from local.words import fold, terms

ANY = "any"
_SITE = "https://clinic.example"


class UnknownSpecialty(ClinicError):
    """The clinic has no doctor of this specialty."""


class UnknownDoctor(ClinicError):
    """Nobody of this name or id works here."""


class UnknownLanguage(ClinicError):
    """No doctor speaks it, or no document is in it."""


class UnknownService(ClinicError):
    """The price list has no such service."""


class Directory:
    """Searches over the clinic's files."""

    def __init__(self, files: Files) -> None:
        self._words = files.topic_words
        self._about_price = field(1, self._words["price"])
        self._doctors = files.doctors
        self._specialties = [
            indexed(name, (field(2, name), field(1, self._words[name])), (name,))
            for name in dict.fromkeys(doctor.specialty for doctor in files.doctors)
        ]
        self._names = [
            indexed(doctor, (field(1, doctor.name, doctor.words),), (doctor.name,)) for doctor in files.doctors
        ]
        self._services = [self._indexed_service(service) for service in files.services]
        self._documents = [self._indexed_document(document) for document in files.documents]

    def doctors(self, specialty: str = ANY, doctor: str = ANY, language: str = ANY) -> list[Doctor]:
        """The doctors that all filters leave, in the order of the file.

        Raises UnknownSpecialty, UnknownDoctor, UnknownLanguage.
        """
        meant = self._specialty(specialty)
        named = [one.doctor_id for one in self._named(doctor)]
        code = _language(language, sorted({code for one in self._doctors for code in one.languages}))
        return [
            one
            for one in self._doctors
            if one.doctor_id in named and meant in (ANY, one.specialty) and code in (ANY, *one.languages)
        ]

    def list_doctors(self, specialty: str, language: str) -> DoctorList:
        """The same as cards. Raises UnknownSpecialty, UnknownLanguage."""
        found = self.doctors(specialty, language=language)
        return DoctorList(total=len(found), doctors=[_doctor_card(doctor) for doctor in found])

    def price(self, text: str) -> Price:
        """The service `text` means best. Raises UnknownService where most of its words are not in the price list."""
        found = find(self._without_price_words(text), self._services)
        if not found.wanted or 2 * found.matched <= found.wanted:
            raise UnknownService(self._no_service(text, found.items if found.wanted else []))
        service, *others = found.items
        similar = [f"{other.service}: {other.price_eur:.2f} EUR" for other in others[:4]]
        return Price(**service.model_dump(exclude={"topics"}), similar=similar)

    def documents(self, query: str, language: str, limit: int) -> DocumentList:
        """The documents that match the most words of `query`, best first; all for an empty one.

        Raises UnknownLanguage.
        """
        code = _language(language, sorted({entry.item.language for entry in self._documents}))
        among = [entry for entry in self._documents if code in (ANY, entry.item.language)]
        found = find(query, among).items
        return DocumentList(total=len(found), documents=[_document_card(document) for document in found[:limit]])

    def _specialty(self, text: str) -> str:
        if _is_any(text):
            return ANY
        found = find(text, self._specialties).items
        if not found:
            names = ", ".join(entry.item for entry in self._specialties)
            raise UnknownSpecialty(f"The clinic has no specialty {text!r}. It has {names}.")
        return found[0]

    def _named(self, text: str) -> list[Doctor]:
        if _is_any(text):
            return list(self._doctors)
        by_id = [doctor for doctor in self._doctors if doctor.doctor_id == text.strip().upper()]
        found = by_id or find(_without_title(text), self._names).items
        if not found:
            names = ", ".join(doctor.name for doctor in self._doctors)
            raise UnknownDoctor(f"No doctor here is called {text!r}. The doctors are {names}.")
        return found

    def _no_service(self, text: str, nearest: Iterable[Service]) -> str:
        named = [f"{service.service} ({service.price_eur:.2f} EUR)" for service in nearest][:5]
        near = f"The nearest are {', '.join(named)}." if named else "Its services are listed in the price list."
        return f"The price list has no service {text!r}. {near} Name no price for anything else."

    def _without_price_words(self, text: str) -> str:
        # "How much is" names no service: it must neither count as found nor as missing.
        words = text.split()
        return " ".join(
            word for word in words if not all(self._about_price.matches(term, False) for term in terms(word))
        )

    def _indexed_service(self, service: Service) -> Indexed[Service]:
        topics = "|".join(self._words[topic] for topic in service.topics)
        fields = (
            field(4, service.service),
            field(3, *service.topics, topics),
            field(2, service.specialty, self._words[service.specialty]),
        )
        return indexed(service, fields, (service.service,))

    def _indexed_document(self, document: Document) -> Indexed[Document]:
        topics = "|".join(self._words[topic] for topic in document.topics)
        fields = (
            field(4, document.title),
            field(3, *document.topics, topics),
            field(2, document.kind),
            field(1, languages.words(document.language), self._words["document"]),
        )
        return indexed(document, fields, (document.title,))


def _is_any(text: str) -> bool:
    return fold(text.strip()) in ("", ANY, "all", "none")


def _without_title(text: str) -> str:
    return " ".join(word for word in text.split() if fold(word).strip(".") not in ("dr", "doctor", "doktor", "prof"))


def _language(text: str, spoken: list[str]) -> str:
    if _is_any(text):
        return ANY
    code = languages.code_for(text, spoken)
    if code is None:
        raise UnknownLanguage(f"Nothing here is in the language {text!r}. Use one of {', '.join(spoken)}, or {ANY}.")
    return code


def _doctor_card(doctor: Doctor) -> DoctorCard:
    page = f"{_SITE}/doctors/{doctor.doctor_id}"
    fields = doctor.model_dump(include={"doctor_id", "name", "specialty", "branch"})
    return DoctorCard(**fields, languages=list(doctor.languages), link=page, photo=f"{page}.jpg")


def _document_card(document: Document) -> DocumentCard:
    fields = document.model_dump(include={"document_id", "title", "kind", "language"})
    return DocumentCard(**fields, link=f"{_SITE}/documents/{document.file}")
