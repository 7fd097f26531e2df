import os

import pytest

from mcpeak.command.failure import Failure
from mcpeak.front.arguments import Given
from mcpeak.front.outputs import check_outputs
from mcpeak.front.table import load

TEST = load().commands["test"]


def refused(files=(), **outputs):
    given = Given(
        [(f"--{name}", str(path)) for name, path in outputs.items()], [str(each) for each in files], None
    )
    try:
        check_outputs(given, TEST)
    except Failure as failure:
        return failure.code if failure.words.hint else "no hint"
    return None


def test_a_file_in_an_existing_folder_is_fine_and_not_touched(tmp_path):
    assert refused(junit=tmp_path / "j.xml") is None
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_is_refused_with_the_code_of_the_option(tmp_path):
    assert refused(junit=tmp_path / "no" / "j.xml") == "JUNIT_WRITE_FAILED"
    assert refused(html=tmp_path / "no" / "j.html") == "HTML_WRITE_FAILED"


def test_a_folder_is_no_file(tmp_path):
    assert refused(junit=tmp_path) == "JUNIT_WRITE_FAILED"


def test_a_suite_is_never_overwritten_by_its_report(tmp_path):
    suite = tmp_path / "s.json"
    suite.touch()
    assert refused([suite], junit=tmp_path / "x" / ".." / "s.json") == "JUNIT_WRITE_FAILED"


def test_two_reports_in_one_file_are_refused(tmp_path):
    assert refused(junit=tmp_path / "r", html=tmp_path / "r") == "HTML_WRITE_FAILED"


def test_two_reports_to_one_device_are_fine():
    assert refused(junit="/dev/null", html="/dev/null") is None


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    assert refused(junit=tmp_path / "j.xml") == "JUNIT_WRITE_FAILED"


GENERATE = load().commands["generate"]


def kept(path, *flags):
    given = Given([("--out", str(path)), *((flag, None) for flag in flags)], [], ["x"])
    try:
        check_outputs(given, GENERATE)
    except Failure as failure:
        return failure.code
    return None


def test_a_file_that_must_be_new_may_be_replaced_only_when_asked(tmp_path):
    suite = tmp_path / "s.json"
    assert kept(suite) is None
    suite.touch()
    assert kept(suite) == "OUTPUT_EXISTS"
    assert kept(suite, "--force") is None


def test_a_missing_folder_of_a_new_suite_is_told_first(tmp_path):
    assert kept(tmp_path / "no" / "s.json") == "GENERATE_FAILED"
