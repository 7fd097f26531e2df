"""The options that say how to speak, and the answers file."""

import json
from pathlib import Path
from typing import Any

import pytest

from mcpeak.command.failure import InputError, UsageError
from mcpeak.link.manner import answers_of, manner_of
from mcpeak.protocol.answers import Answers

RESULT = {"role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m"}


def answers(value: Any) -> Answers:
    return answers_of(json.dumps(value).encode())


def test_nothing_given_declares_nothing() -> None:
    assert manner_of().answers == Answers()


def test_directories_become_file_uris(tmp_path: Path) -> None:
    place = tmp_path / "날씨 100%"
    place.mkdir()
    (root,) = json.loads(manner_of(roots=[str(place)]).answers.roots or b"")
    assert (root["uri"], root["name"]) == (place.as_uri(), "날씨 100%")


def test_directories_join_the_roots_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text('{"roots": [{"uri": "file:///a"}]}')
    roots = json.loads(manner_of(roots=[str(tmp_path)], answers=str(file)).answers.roots or b"")
    assert [root["uri"] for root in roots] == ["file:///a", tmp_path.as_uri()]


def test_one_answer_or_a_list_of_them() -> None:
    one, many = answers({"sampling": RESULT}), answers({"sampling": [RESULT, {"text": "short"}]})
    assert len(one.sampling) == 1
    assert json.loads(many.sampling[1])["content"] == {"type": "text", "text": "short"}


def test_elicitation_answer_keeps_its_content_raw() -> None:
    (answer,) = answers_of(
        b'{"elicitation": {"action": "accept", "content": {"n": 1.0}, "defaults": true}}'
    ).elicitation
    assert answer.defaults
    assert isinstance(answer.content, dict)
    assert bytes(answer.content["n"]) == b"1.0"


@pytest.mark.parametrize(
    "value",
    [
        [],
        {"samplings": RESULT},
        {"sampling": {"role": "assistant"}},
        {"sampling": "hi"},
        {"elicitation": {"action": "agree"}},
        {"elicitation": {"action": "accept", "mode": "phone"}},
        {"elicitation": {"action": "accept", "contents": {}}},
        {"roots": {"uri": "file:///a"}},
        {"roots": [{"name": "a"}]},
    ],
)
def test_wrong_answers_file_is_refused(value: Any, tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps(value))
    with pytest.raises(InputError) as wrong:
        manner_of(answers=str(file))
    assert wrong.value.code == "ANSWERS_INVALID"
    assert wrong.value.words.hint


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"roots": ["no/such/directory"]}, "ROOT_MISSING"),
        ({"answers": "no/such/file"}, "ANSWERS_UNREADABLE"),
        ({"ca": "no/such/file"}, "CA_UNREADABLE"),
    ],
)
def test_missing_file_is_named_before_anything_starts(given: dict[str, Any], code: str) -> None:
    with pytest.raises(InputError) as wrong:
        manner_of(**given)
    assert wrong.value.code == code


def test_file_without_a_certificate_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "ca.pem"
    file.write_text("no certificate")
    with pytest.raises(InputError) as wrong:
        manner_of(ca=str(file))
    assert wrong.value.code == "CA_UNREADABLE"


def test_unknown_protocol_names_the_known_ones() -> None:
    with pytest.raises(UsageError) as wrong:
        manner_of("2099-01-01")
    assert "2025-11-25" in wrong.value.words.hint
