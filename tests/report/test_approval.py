"""When the report speaks of the approval, and that it says what to do (CONTRACT §5, spec 002)."""

import pytest

from mcpeak.report.approval import words
from support.streams import case, finished, fold, started


def line(state: str, status: str) -> str | None:
    approved = None if state == "absent" else "cd" * 32
    tally = fold(
        started(1, approval=state, approved_fingerprint=approved), *case(0, "a", status), finished(status)
    )
    return words(tally.suites[0])


@pytest.mark.parametrize("state", ["matched", "absent"])
def test_silent_when_all_passed(state: str) -> None:
    assert line(state, "passed") is None


@pytest.mark.parametrize(
    ("state", "status"),
    [("matched", "failed"), ("absent", "failed"), ("mismatched", "failed"), ("mismatched", "passed")],
)
def test_speaks_otherwise(state: str, status: str) -> None:
    assert line(state, status)


@pytest.mark.parametrize("status", ["passed", "failed"])
def test_a_mismatch_names_what_to_do(status: str) -> None:
    told = line("mismatched", status) or ""
    assert "version control" in told
    assert "--force" in told


def test_a_mismatch_has_other_words_when_all_passed() -> None:
    assert line("mismatched", "passed") != line("mismatched", "failed")


def test_a_suite_without_an_approval_is_never_told_to_be_made_anew() -> None:
    assert "--force" not in (line("absent", "failed") or "")
