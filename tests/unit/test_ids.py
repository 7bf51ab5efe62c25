"""Keys and names of different tenants are different, whatever stands in a conversation's id."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from turnkey import ids
from turnkey.store.secrets import tenant_secret_name

names = st.from_regex(r"[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?", fullmatch=True)
anything = st.text(min_size=1, max_size=30) | st.sampled_from(
    ["#", "a#b", "TENANT#a", "TENANT#a#CONVERSATION#web#c", "\x00", "1:a\x001:b", "../a", "*", "a\n"]
)
conversations = st.tuples(names, names, anything)
turns = st.tuples(conversations, st.integers(1, 99))


@given(conversations, conversations)
def test_two_conversations_have_two_keys(one: tuple[str, str, str], other: tuple[str, str, str]) -> None:
    assert (ids.conversation_key(*one) == ids.conversation_key(*other)) is (one == other)


@given(conversations)
def test_a_conversations_key_gives_back_what_it_is_made_of(one: tuple[str, str, str]) -> None:
    assert ids.split_conversation_key(ids.conversation_key(*one)) == one


@given(turns, turns)
def test_two_turns_have_two_executions(
    one: tuple[tuple[str, str, str], int], other: tuple[tuple[str, str, str], int]
) -> None:
    first, second = (ids.execution_name(*conversation, turn) for conversation, turn in (one, other))
    assert (first == second) is (one == other)


@given(turns)
def test_an_executions_name_is_one_that_aws_takes(one: tuple[tuple[str, str, str], int]) -> None:
    conversation, turn = one
    name = ids.execution_name(*conversation, turn)
    assert re.fullmatch(r"[0-9a-zA-Z_.-]{1,80}", name)
    assert name.startswith(f"{conversation[0]}-{turn}-")


@given(names, names, anything)
def test_whatever_a_tenants_key_holds_it_is_within_its_own_policy(tenant: str, other: str, name: str) -> None:
    """As dynamodb:LeadingKeys reads it: TENANT#<id>, or TENANT#<id># and anything."""
    own = {ids.tenant_key(tenant), *(ids.partition(tenant, one) for one in ids.PARTITIONS)}
    own |= {ids.conversation_key(tenant, "web", name), ids.partition(tenant, ids.AUDIT)}
    for key in own:
        matches = {one for one in (tenant, other) if key == f"TENANT#{one}" or key.startswith(f"TENANT#{one}#")}
        assert matches == {tenant}


@given(names, names)
def test_no_tenants_secrets_begin_with_anothers_prefix(tenant: str, other: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TURNKEY_SECRETS_PREFIX", "turnkey")
        begins = tenant_secret_name(tenant, "x").startswith(tenant_secret_name(other, ""))
    assert begins is (tenant == other)


ODD = [
    "",
    "a#b",
    "a/b",
    "..",
    "a\n",
    "\na",
    "A",
    "a ",
    "-a",
    "a-",
    "ѕhop",
    "a*",
    "${a}",
    "a" * 41,
    "a\x00",
    "ａ",
    "a:b",
]


@pytest.mark.parametrize("name", ODD)
def test_what_could_reach_out_of_a_key_is_no_name(name: str) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(ids.Name)
    assert not ids.is_name(name)
    with pytest.raises(ValidationError):
        adapter.validate_python(name)


@pytest.mark.parametrize("name", ["a", "a-b", "a_b", "1", "a" * 40])
def test_a_plain_name_is_one(name: str) -> None:
    adapter: TypeAdapter[Any] = TypeAdapter(ids.Name)
    assert ids.is_name(name)
    assert adapter.validate_python(name) == name
