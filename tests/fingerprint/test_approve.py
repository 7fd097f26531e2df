"""Saving an approved suite: in one step or not at all."""

import os

import pytest

from mcpeak.command.failure import InputError
from mcpeak.fingerprint.approve import save


def test_a_file_that_changed_meanwhile_is_left_alone(tmp_path):
    path = tmp_path / "s.json"
    path.write_bytes(b"newer")
    with pytest.raises(InputError) as refused:
        save(str(path), b"older", b"approved")
    assert refused.value.code == "APPROVAL_WRITE_FAILED"
    assert (path.read_bytes(), len(list(tmp_path.iterdir()))) == (b"newer", 1)


def test_a_file_that_went_away_is_named(tmp_path):
    with pytest.raises(InputError) as refused:
        save(str(tmp_path / "s.json"), b"older", b"approved")
    assert refused.value.code == "APPROVAL_WRITE_FAILED"
    assert list(tmp_path.iterdir()) == []


def test_a_temporary_name_that_is_taken_is_not_followed(tmp_path):
    path, other = tmp_path / "s.json", tmp_path / "other"
    path.write_bytes(b"older")
    other.write_bytes(b"precious")
    (tmp_path / f".s.json.{os.getpid()}.tmp").symlink_to(other)
    with pytest.raises(InputError):
        save(str(path), b"older", b"approved")
    assert (path.read_bytes(), other.read_bytes()) == (b"older", b"precious")
