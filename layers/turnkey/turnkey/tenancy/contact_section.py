"""What an agent keeps of its customers: the manifest's section, and the same as the tenants table has it."""

import re
from typing import Annotated, Any, cast

from pydantic import Field, StringConstraints, field_validator

from turnkey.contacts import regions
from turnkey.contacts.fields import COMMON, MOST_FIELDS, ContactField
from turnkey.values import Value

LONGEST_CONSENT = 1000
_LANGUAGE = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
Consent = Annotated[str, Field(max_length=LONGEST_CONSENT)]
LanguageTag = Annotated[str, StringConstraints(pattern=_LANGUAGE)]


class Contacts(Value):
    """What customers say of themselves and the tenant wants to keep: name, phone number, e-mail address, own fields."""

    enabled: bool = Field(default=True, description="false: nothing is kept of customers")
    region: str = Field(
        default="",
        description="country by which telephone numbers without a country code are read, where the channel does not "
        "tell (ISO 3166-1, two letters); left out: that of the tenant's time zone",
        examples=["CH"],
    )
    fields: tuple[ContactField, ...] = Field(
        default=(), max_length=MOST_FIELDS, description="what else is to be kept, if customers say it"
    )
    consent: str | dict[str, str] = Field(
        default="",
        description="what a customer is told when something is first kept of them, in one text or by language; how to "
        "have it erased is told behind it; left out: the platform's own words",
        examples=["We keep this to call you back."],
    )

    @field_validator("consent", mode="plain", json_schema_input_type=Consent | dict[LanguageTag, Consent])
    @classmethod
    def _texts(cls, value: Any) -> str | dict[str, str]:
        """By hand: of a union, each member would tell its own error at a place that nobody wrote."""
        texts: dict[Any, Any] = cast(dict[Any, Any], value) if isinstance(value, dict) else {"en": value}
        for language, text in texts.items():
            if not isinstance(language, str) or not re.fullmatch(_LANGUAGE, language):
                raise ValueError(f"{str(language)[:40]!r} is no language: use tags such as de or pt-BR")
            if not isinstance(text, str):
                raise ValueError("is neither a text nor texts by language, such as {de: …, en: …}")
            if len(text) > LONGEST_CONSENT:
                raise ValueError(f"has a text of {len(text):,} characters: give at most {LONGEST_CONSENT:,}")
        return cast("str | dict[str, str]", value)

    @field_validator("region")
    @classmethod
    def _known(cls, value: str) -> str:
        if value and value not in regions.known():
            raise ValueError("is no country's two letters: use one such as CH")
        return value

    @field_validator("fields")
    @classmethod
    def _told_apart(cls, fields: tuple[ContactField, ...]) -> tuple[ContactField, ...]:
        names = [field.name for field in fields]
        for name in names:
            if name in COMMON:
                raise ValueError(f"{name!r} is always there: leave it out")
            if names.count(name) > 1:
                raise ValueError(f"{name!r} is there twice: give each a name of its own")
        return fields
