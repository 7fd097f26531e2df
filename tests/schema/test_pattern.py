import pytest

from mcpeak.schema.pattern import matching
from mcpeak.schema.regex import Unreadable, parse
from mcpeak.schema.validator import validator

PATTERNS = [
    ("^[a-z]+$", 50),
    ("^\\d{4}-\\d{2}-\\d{2}$", 0),
    ("^(foo|bar)-[^a-z]$", 0),
    ("\\p{Lu}{2}x", 0),
    ("^#[0-9a-fA-F]{6}$", 0),
    ("^[\\w.-]+@[\\w-]+\\.[a-z]{2,}$", 0),
    ("(a)\\1b", 10),
    ("(?<n>x)y", 0),
    ("^[\\u4e00-\\u9fff]+$", 3),
    ("^$", 0),
    ("^(([0-9]{1,3}\\.){3}[0-9]{1,3}|[a-z])$", 3),
    ("^https?://[^\\s/$.?#].[^\\s]*$", 0),
    ("^[\\d.,-]{3}$", 0),
    ("^\\x41\\u0042$", 0),
    ("^.{3,5}$", 4),
    ("^a{3000}$", 0),
]


@pytest.mark.parametrize(("pattern", "shortest"), PATTERNS)
def test_a_text_is_found_for_the_pattern(pattern: str, shortest: int) -> None:
    checker = validator({"pattern": pattern, "minLength": shortest})
    assert any(checker.valid(text) for text in matching(pattern, shortest))


def test_a_class_without_members_has_no_text() -> None:
    assert not any(validator({"pattern": "^[^\\s\\S]$"}).valid(text) for text in matching("^[^\\s\\S]$", 0))


@pytest.mark.parametrize("expression", ["(", "[a", "a)", "\\"])
def test_what_is_no_expression_is_unreadable(expression: str) -> None:
    with pytest.raises(Unreadable):
        parse(expression)
    assert list(matching(expression, 0)) == []


def test_repetition_without_end_is_bounded() -> None:
    assert all(len(text) < 20_000 for text in matching("^((a{1000}){1000}){1000}$", 0))
