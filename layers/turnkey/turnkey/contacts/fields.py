"""What the platform can keep of a customer: name, phone number, e-mail address, and the fields that a tenant adds."""

from typing import Annotated

from pydantic import Field, StringConstraints

from turnkey.values import Value

NAME, PHONE, EMAIL = "name", "phone", "email"
COMMON = (NAME, PHONE, EMAIL)
LONGEST_NAME = 100
LONGEST_FIELD = 300
"""Characters of a field's value."""
MOST_FIELDS = 12
FieldName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class ContactField(Value):
    """One thing more that the tenant wants to know of its customers."""

    name: FieldName = Field(description="your name for it; not name, phone or email", examples=["company"])
    description: str = Field(
        min_length=1,
        max_length=200,
        description="what it is, for the model that fills it in",
        examples=["The company they work for"],
    )
