import pytest

from mcpeak.command.failure import UsageError
from mcpeak.front.table import Option
from mcpeak.front.values import check_value


def fits(value, **option):
    try:
        check_value("--x", value, Option(group="g", help="front.help", value="X", **option), "mcpeak test")
    except UsageError:
        return False
    return True


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        ("text", ["x", " "], [""]),
        ("any", ["", "-x"], []),
        ("count", ["0", "20"], ["", "-1", "1.5", "1e3", "٣", "9" * 5000]),
        ("positive", ["1"], ["0", "x"]),
        ("number", ["1", "0.5", "30"], ["0", "-1", ".", "1e9", "nan", "inf", "1.2.3"]),
        ("json", ["a.json", "-.json"], ["", "a.txt", "json"]),
        ("share", ["1/1", "2/5"], ["0/5", "6/5", "2", "2/", "/5", "a/b"]),
    ],
)
def test_a_value_must_look_as_its_kind_does(kind, good, bad):
    assert [value for value in good if not fits(value, kind=kind)] == []
    assert [value for value in bad if fits(value, kind=kind)] == []


def test_only_a_choice_is_a_choice():
    assert fits("auto", choices=["auto", "never"])
    assert not fits("aut", choices=["auto", "never"])
