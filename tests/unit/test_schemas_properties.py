"""Whatever JSON object a server gives as its schema, endpoints take what is made of it, or the tool is set aside."""

import json
import time
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.endpoint_rules import broken_rules
from turnkey.mcp.schemas import SetAside, acceptable
from turnkey.tools.parameters import for_endpoints, for_server

pytestmark = pytest.mark.long

Json = dict[str, Any]

texts = st.text(max_size=12) | st.sampled_from(["", " ", "\ud800", "a.b", "名前", "x" * 200, "filter[a]", "__proto__"])
scalars = st.none() | st.booleans() | st.integers() | st.floats() | texts
json_values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=12
)
references = st.sampled_from(
    ["#", "#/$defs/A", "#/$defs/B", "#/definitions/A", "#/properties/a", "#/nowhere", "#a", "#/$defs/%41", "#/allOf/0"]
)
names = st.sampled_from(["a", "b", "c", "filter[a]", "名前", "a.b", "a-b", "9", "", "$top"])
kinds = st.sampled_from(["string", "integer", "number", "boolean", "array", "object", "null", "int", "any", "file"])


def schemas(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Json]:
    """Objects with a schema's keywords, mostly rightly used."""
    several = st.lists(inner, max_size=2)
    named = st.dictionaries(names, inner, max_size=3)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": kinds | st.lists(kinds, max_size=3) | json_values,
            "properties": named | json_values,
            "required": st.lists(names, max_size=3) | json_values,
            "items": inner | several,
            "prefixItems": several,
            "anyOf": several,
            "oneOf": several,
            "allOf": several,
            "not": inner,
            "if": inner,
            "then": inner,
            "dependentSchemas": named,
            "additionalProperties": inner,
            "$ref": references | texts,
            "$defs": st.dictionaries(st.sampled_from("AB"), inner, max_size=2),
            "definitions": st.dictionaries(st.sampled_from("AB"), inner, max_size=2),
            "$anchor": st.just("a"),
            "$id": texts,
            "enum": st.lists(json_values, max_size=4) | json_values,
            "const": json_values,
            "default": json_values,
            "description": texts | json_values,
            "title": texts,
            "format": st.sampled_from(["date", "date-time", "email"]) | json_values,
            "pattern": st.sampled_from(["^a+$", "([", "(a+)+$"]) | json_values,
            "minimum": json_values,
            "exclusiveMinimum": json_values,
            "maxLength": json_values,
            "minItems": json_values,
        },
    )


schema_like = st.recursive(st.booleans() | st.just({}) | kinds.map(lambda kind: {"type": kind}), schemas, max_leaves=16)
quick = settings(
    max_examples=35, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


def check(schema: Json, arguments: Json) -> None:
    made = acceptable(schema)
    if isinstance(made, SetAside):
        assert made.reason
        return
    assert broken_rules(for_endpoints(made.parameters)) == []
    json.dumps(made.parameters, allow_nan=False).encode()
    assert isinstance(for_server(arguments, made.parameters), dict)


@quick
@given(st.dictionaries(texts, json_values, max_size=5), st.dictionaries(texts, json_values, max_size=4))
def test_any_json_object_is_made_acceptable_or_set_aside(schema: Json, arguments: Json) -> None:
    check(schema, arguments)


@quick
@given(schemas(schema_like), st.dictionaries(names, json_values, max_size=4))
def test_any_schema_is_made_acceptable_or_set_aside(schema: Json, arguments: Json) -> None:
    check(schema, arguments)


def doubling(depth: int) -> Json:
    """Twice as many schemas at each level, written out."""
    defs: Json = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}] * 2} for n in range(depth)}
    return {"$ref": "#/$defs/d0", "$defs": {**defs, f"d{depth}": {"properties": {"x": {"type": "string"}}}}}


def widening(wide: int) -> Json:
    """Each property holds all of them again."""
    return {"type": "object", "properties": {f"p{n}": {"$ref": "#"} for n in range(wide)}}


def chain(long: int) -> Json:
    defs: Json = {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(long)}
    return {"properties": {"x": {"$ref": "#/$defs/d0"}}, "$defs": {**defs, f"d{long}": {"type": "integer"}}}


def nested(deep: int, key: str) -> Json:
    schema: Json = {"type": "string"}
    for _ in range(deep):
        schema = {key: [schema]} if key == "allOf" else {"type": "object", key: {"p": schema}}
    return schema


MONSTERS = {
    "doubling": doubling(40),
    "widening": widening(300),
    "a chain of references": chain(5000),
    "deep": nested(150, "properties"),
    "too deep to be read": nested(5000, "properties"),
    "deep in allOf": nested(400, "allOf"),
    "many properties": {"properties": {f"property_{n}": {"type": "string"} for n in range(5000)}},
    "many alternatives": {"properties": {"x": {"anyOf": [{"const": f"v{n}"} for n in range(5000)]}}},
    "many values": {"properties": {"x": {"enum": [f"value {n}" for n in range(20_000)]}}},
    "one long description": {"properties": {"x": {"type": "string", "description": "long " * 40_000}}},
    "many long descriptions": {"properties": {f"p{n}": {"description": "long " * 150} for n in range(200)}},
    "a heavy one many times": {
        "properties": {f"p{n}": {"$ref": "#/$defs/A"} for n in range(400)},
        "$defs": {"A": {"enum": [f"value {n}" for n in range(10_000)], "description": "word " * 10_000}},
    },
}


@pytest.mark.parametrize("name", MONSTERS)
def test_a_monstrous_schema_takes_no_long_time(name: str) -> None:
    schema = MONSTERS[name]
    plain = {"properties": {f"p{n}": {"type": "string", "description": "word " * 20} for n in range(100)}}
    started = time.process_time()
    for _ in range(10):
        acceptable(plain)
    ordinary = time.process_time() - started
    started = time.process_time()
    check(schema, {})
    assert time.process_time() - started < 150 * ordinary
