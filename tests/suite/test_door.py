"""The door for Python programs: the answers are those for files; what is no JSON is refused."""

import datetime as dt
import json
import math
import subprocess
import sys
from collections import OrderedDict

import pytest

from mcpeak.suite import InvalidSuite, Issue, Suite, fingerprint, validate_suite
from mcpeak.wire.json import parse
from mcpeak.wire.scan import build
from support.programs import DATA, ROOT, environment

VALID = json.loads((DATA / "vectors/validation.json").read_text("utf-8"))["suites"]
DIGESTS = json.loads((DATA / "vectors/fingerprint.json").read_text("utf-8"))["vectors"]
GOOD = json.loads((DATA / "cases/validate-many-files/good.json").read_text("utf-8"))


@pytest.mark.parametrize("vector", VALID, ids=lambda v: v["name"])
def test_it_answers_as_the_vectors(vector):
    read = validate_suite(build(vector["suiteText"], infinite=True))
    issues = [] if isinstance(read, Suite) else [{"code": i.code, "path": i.path} for i in read]
    assert issues == vector["issues"]
    assert isinstance(read, Suite) == vector["valid"]


@pytest.mark.parametrize("vector", DIGESTS, ids=lambda v: v["name"])
def test_fingerprints_are_those_of_the_vectors(vector):
    assert fingerprint(parse(vector["suite"].encode("utf-8", "surrogatepass"))) == vector["fingerprint"]


def test_a_suite_says_what_it_holds():
    suite = validate_suite(GOOD)
    assert suite.value is GOOD
    assert (suite.id, suite.name, suite.default_timeout_ms, suite.approval) == ("g", "g", 10000, "absent")
    assert suite.cases == GOOD["cases"]
    assert suite.notices == []
    approved = validate_suite(GOOD | {"approval": {"fingerprint": suite.fingerprint}})
    assert (approved.approval, approved.approved_fingerprint) == ("matched", suite.fingerprint)


def with_input(value):
    case = GOOD["cases"][0] | {
        "operation": {"type": "callTool", "tool": "t", "input": {"a": [0, value]}},
        "assertions": [{"type": "isError", "expected": False}],
    }
    return GOOD | {"cases": [case]}


CYCLE = []
CYCLE.append({"b": CYCLE})


@pytest.mark.parametrize(
    ("value", "path"),
    [
        (math.nan, ""),
        (math.inf, ""),
        (10**400, ""),
        (dt.date(2026, 1, 1), ""),
        ({1, 2}, ""),
        ((1, 2), ""),
        (b"x", ""),
        (1j, ""),
        ({"b": {1: 2}}, ".b"),
        ({"b": [object()]}, ".b[0]"),
        (CYCLE, "[0].b"),
    ],
)
def test_what_no_json_can_hold_is_refused_with_its_path(value, path):
    (issue,) = validate_suite(with_input(value))
    assert (issue.code, issue.path) == ("INVALID_JSON_VALUE", f"cases[0].operation.input.a[1]{path}")
    assert issue.message
    assert issue.hint


@pytest.mark.parametrize("value", [OrderedDict(a=1), [CYCLE[:0]] * 2, 2**53, -0.0, "\ud800"])
def test_what_json_can_hold_is_accepted(value):
    assert isinstance(validate_suite(with_input(value)), Suite)


def test_an_integer_that_no_double_holds_is_a_notice_with_its_path():
    (notice,) = validate_suite(with_input(2**53 + 1)).notices
    assert (notice.code, notice.path) == ("NUMBER_NOT_EXACT", "cases[0].operation.input.a[1]")


def test_depth_does_not_hurt():
    value = []
    for _ in range(50_000):
        value = [value]
    assert isinstance(validate_suite(with_input(value)), Suite)


def test_no_suite_has_no_fingerprint():
    with pytest.raises(InvalidSuite) as refused:
        fingerprint({"id": 1})
    assert all(isinstance(issue, Issue) for issue in refused.value.issues)
    assert "MISSING_REQUIRED_FIELD" in str(refused.value)


def test_importing_the_room_costs_nothing():
    code = "import sys, mcpeak.suite; print([m for m in sys.modules if m.startswith(('mcpeak.', 'msgspec'))])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        env=environment(PYTHONPATH=str(ROOT / "lib")),
        timeout=60,
        check=True,
    )
    assert done.stdout.decode().strip() == "['mcpeak.suite']"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(ImportError):
        exec("from mcpeak.suite import nothing")
