import pytest

from mcpeak.schema.validator import Parts, SchemaProblem, validator


def test_asserts_formats() -> None:
    assert not validator({"format": "uuid"}).valid("x")


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/x", "file:///etc/passwd", "other.json"])
def test_fetches_nothing(address: str) -> None:
    with pytest.raises(SchemaProblem):
        validator({"$ref": address})


def test_reads_a_schema_without_dialect_in_the_newest_that_takes_it() -> None:
    assert validator({"items": [{"type": "string"}]}).dialect == "Draft201909"
    assert validator({"type": "integer", "minimum": 1, "exclusiveMinimum": True}).dialect == "Draft4"
    assert validator({"type": "object"}).dialect == "Draft202012"


def test_reads_a_declared_dialect_and_no_other() -> None:
    with pytest.raises(SchemaProblem):
        validator({"$schema": "https://json-schema.org/draft/2020-12/schema", "items": [{}]})


def test_an_unknown_dialect_is_read_as_the_newest() -> None:
    assert validator({"$schema": "http://example.com/own"}).dialect == "Draft202012"


@pytest.mark.parametrize("schema", [None, 1, "x", [], {"type": "strin"}, {"required": ["a", "a"]}])
def test_refuses_what_is_no_schema(schema: object) -> None:
    with pytest.raises(SchemaProblem):
        validator(schema)


def test_a_lone_surrogate_is_invalid_and_no_crash() -> None:
    assert not validator({"type": "string", "pattern": "x"}).valid("\ud800")


def test_nesting_beyond_the_library_is_a_problem_of_the_schema() -> None:
    schema: dict[str, object] = {"type": "string"}
    for _ in range(300):
        schema = {"type": "array", "items": schema}
    with pytest.raises(SchemaProblem):
        validator(schema)


def test_checks_the_parts_of_a_document_by_pointer() -> None:
    parts = Parts(
        {"properties": {"a/b%": {"$ref": "#/$defs/t"}}, "$defs": {"t": {"type": "string"}}}, "Draft202012"
    )
    part = parts.at("/properties/a~1b%")
    assert part is not None
    assert part.valid("x")
    assert not part.valid(1)
    assert parts.at("/nowhere") is None
