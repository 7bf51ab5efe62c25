"""The part of a manifest that says who takes conversations over from an agent, and how they are told."""

import re
from collections.abc import Iterator
from typing import Any

from pydantic import ConfigDict, Field, field_validator, model_validator

from turnkey import channels
from turnkey.people.handover import SIGNED_AS
from turnkey.people.senders import sender_of
from turnkey.tenancy.problems import Problem
from turnkey.tenancy.secret_field import Secret, given
from turnkey.values import Value

_ADDRESS = r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)+[A-Za-z]{2,63}$"


class HookSection(Value):
    """Told by a signed POST (Standard Webhooks)."""

    url: str = Field(
        description="where hand-overs and messages are POSTed; https", examples=["https://shop.example.com/people"]
    )
    secret: Secret = Field(
        description="what the POSTs are signed with, and what gives conversations back", examples=["${PEOPLE_SECRET}"]
    )
    previous_secret: Secret | None = Field(
        default=None, description="still accepted while you change over", examples=["${OLD_PEOPLE_SECRET}"]
    )


class EmailSection(Value):
    """Told by e-mail, through the operator's mail domain."""

    to: str = Field(description="who takes over", pattern=_ADDRESS, max_length=254, examples=["desk@shop.example.com"])
    sender: str = Field(
        default="",
        alias="from",
        max_length=254,
        description="TENANT@ or TENANT+anything@ the operator's mail domain; left out: TENANT@ that domain",
        examples=["shop@mail.example.com"],
    )

    @field_validator("to")
    @classmethod
    def _one_line(cls, value: str) -> str:
        if not re.fullmatch(_ADDRESS, value):
            raise ValueError("is no e-mail address: use one such as desk@shop.example.com")
        return value


def _only(one: str, other: str) -> dict[str, Any]:
    null = {"properties": {other: {"type": "null"}}}
    return {"required": [one], "properties": {one: {"not": {"type": "null"}}}, "allOf": [null]}


class PersonSection(Value):
    """How the people are told who take conversations over from this agent."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [_only("hook", "email"), _only("email", "hook")]})

    hook: HookSection | None = Field(default=None, description="by a signed POST")
    email: EmailSection | None = Field(default=None, description="by e-mail")

    @model_validator(mode="after")
    def _one(self) -> "PersonSection":
        if (self.hook is None) == (self.email is None):
            raise ValueError("give hook or email, one of the two")
        return self


def secret_problems(section: PersonSection | None, path: str) -> Iterator[Problem]:
    """What is wrong with the hook's secrets, at `path` in the manifest."""
    hook = section.hook if section else None
    if hook is None:
        return
    check = channels.find(SIGNED_AS).check_secret
    for field in ("secret", "previous_secret"):
        value = given(getattr(hook, field))
        wrong = check(value) if value is not None else None
        if wrong:
            yield Problem(path=f"{path}.hook.{field}", problem=wrong)


def mail_problems(section: PersonSection | None, path: str, tenant: str, domain: str) -> Iterator[Problem]:
    """What is wrong with sending mail for this tenant from the operator's `domain`, which is empty where none is set
    up."""
    email = section.email if section else None
    if email is None or sender_of(email.sender, tenant, domain):
        return
    if not domain:
        problem = "this deployment sends no e-mail (parameter MailDomain): use a hook, or ask the operator"
        yield Problem(path=f"{path}.email", problem=problem)
    else:
        problem = f"{email.sender!r} is not this tenant's: use {tenant}@{domain} or {tenant}+desk@{domain}"
        yield Problem(path=f"{path}.email.from", problem=problem)
