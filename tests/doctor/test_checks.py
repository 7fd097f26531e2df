"""What an installation needs and what merely helps."""

import pytest

from mcpeak.doctor.checks import Facts, Row, healthy, rows

SOUND = Facts(
    version="1",
    python=(3, 12, 1),
    executable="/p",
    platform="Linux",
    packages={"msgspec": "0.20"},
    programs={"node": "/bin/node"},
    on_path="/bin",
    folder="/bin",
    temporary="/tmp",
    locale="C",
    language="en",
    width=80,
)


def row(facts: Facts, name: str) -> Row:
    return next(each for each in rows(facts) if each.name == name)


def test_a_sound_installation_is_healthy():
    assert healthy(rows(SOUND))


@pytest.mark.parametrize(
    ("name", "ill", "remedy"),
    [
        ("python", SOUND._replace(python=(3, 10, 9)), "PYTHON_TOO_OLD"),
        ("msgspec", SOUND._replace(packages={"msgspec": None}), "PACKAGE_MISSING"),
        ("temporary", SOUND._replace(temporary=None), "NO_TEMPORARY_FOLDER"),
    ],
)
def test_what_is_needed_and_missing_makes_it_ill(name: str, ill: Facts, remedy: str):
    assert row(ill, name).remedy == remedy
    assert not healthy(rows(ill))


@pytest.mark.parametrize(
    ("name", "poorer", "remedy"),
    [
        ("node", SOUND._replace(programs={"node": None}), "WITHOUT_NODE"),
        ("path", SOUND._replace(on_path=None), "NOT_ON_PATH"),
        ("path", SOUND._replace(on_path="/other"), "OTHER_ON_PATH"),
    ],
)
def test_what_merely_helps_has_a_remedy_but_is_no_illness(name: str, poorer: Facts, remedy: str):
    assert row(poorer, name).remedy == remedy
    assert healthy(rows(poorer))
