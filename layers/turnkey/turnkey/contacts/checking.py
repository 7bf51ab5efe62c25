"""What a call of capture_contact gives, field by field: what can be kept, and why the rest cannot. Plain."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from turnkey.contacts import emails, phones, words
from turnkey.contacts.contact import Given
from turnkey.contacts.fields import EMAIL, LONGEST_FIELD, LONGEST_NAME, NAME, PHONE
from turnkey.contacts.finding import Refused, Why

_REASONS: dict[Why, str] = {
    "not_said": "does not stand in the customer's own messages. Never make one up: ask the customer",
    "invalid": "is none that can be used. Ask the customer for it once more",
    "other_number": "is the number of something else, as the customer says. Ask for their phone number",
    "too_long": f"is too long: at most {LONGEST_NAME} characters for a name, {LONGEST_FIELD} for anything else",
    "empty": "says nothing. Leave out what the customer did not give",
}
_PHONE_INVALID = "is no complete telephone number. Ask the customer for the whole number, with its country code"


@dataclass(frozen=True)
class Checked:
    """By the field's name."""

    given: Mapping[str, Given]
    refused: Mapping[str, Refused]

    def reasons(self) -> dict[str, str]:
        """Why each of the others is not kept, and what to do: for the model. No value is repeated."""
        return {field: _reason(field, refused.why) for field, refused in self.refused.items()}


def check(values: Mapping[str, str], texts: Sequence[str], regions: Sequence[str]) -> Checked:
    """`texts` are the customer's own messages, the newest first; `regions` those of turnkey.contacts.regions."""
    found = {field: _check(field, value, texts, regions) for field, value in values.items()}
    return Checked(
        given={field: one for field, one in found.items() if isinstance(one, Given)},
        refused={field: one for field, one in found.items() if isinstance(one, Refused)},
    )


def _check(field: str, value: str, texts: Sequence[str], regions: Sequence[str]) -> Given | Refused:
    if field == PHONE:
        return phones.check(value, texts, regions)
    if field == EMAIL:
        return emails.check(value, texts)
    return words.check_name(value, texts) if field == NAME else words.check_field(value, texts)


def _reason(field: str, why: Why) -> str:
    return _PHONE_INVALID if (field, why) == (PHONE, "invalid") else _REASONS[why]
