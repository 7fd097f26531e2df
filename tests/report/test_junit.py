"""JUnit XML in the form that all common readers share (CONTRACT §5)."""

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from mcpeak.report.junit import document
from mcpeak.wire.records import Error, Issue, Notice, OperationResult, StopReason
from support.streams import case, diagnostic, ended, finished, fold, is_error, skipped, started


def xml(*records: object, timings: bool = False) -> ET.Element:
    return ET.fromstring(b"".join(document(fold(*records), timings=timings)))


def one(status: str, **fields: object) -> ET.Element:
    found = xml(started(1), *case(0, "a", status, **fields), finished(status)).find("*/testcase")
    assert found is not None
    return found


def test_root_suite_and_case_have_the_attributes_that_readers_ask_for() -> None:
    root = xml(started(1), *case(0, "a"), finished("passed"))
    assert root.tag == "testsuites"
    counts = {
        "name": "Weather server",
        "tests": "1",
        "failures": "0",
        "errors": "0",
        "skipped": "0",
        "time": "0.000",
    }
    assert root[0].attrib == counts
    del counts["skipped"]  # the Jenkins schema does not know it at the root
    assert root.attrib == counts
    wanted = {
        "name": "case a",
        "classname": "weather",
        "file": "weather.suite.json",
        "line": "6",
        "time": "0.000",
    }
    assert root[0].find("testcase").attrib == wanted


def test_a_passed_case_is_empty() -> None:
    assert list(one("passed")) == []


def test_an_assertion_that_failed_is_a_failure() -> None:
    (failure,) = one("failed", assertions=[is_error(False, True, "boom: disk full")])
    assert (failure.tag, failure.get("type")) == ("failure", "IS_ERROR_MISMATCH")
    assert "boom: disk full" in (failure.text or "")


def test_every_reason_stands_in_the_one_failure_that_readers_show() -> None:
    (failure,) = one("failed", assertions=[is_error(False, True), is_error(True, False)])
    assert (failure.text or "").count("IS_ERROR_MISMATCH") == 2


@pytest.mark.parametrize(("status", "operation"), [("failed", "failed"), ("timedOut", "timedOut")])
def test_a_call_that_failed_or_timed_out_is_an_error(status: str, operation: str) -> None:
    told = OperationResult(status=operation, diagnostic=diagnostic("CASE_TIMEOUT"))
    (error,) = one(status, operation=told, assertions=[skipped()])
    assert (error.tag, error.get("type")) == ("error", "CASE_TIMEOUT")


def test_a_case_that_did_not_run_is_skipped() -> None:
    assert [child.tag for child in one("notRun")] == ["skipped"]


def test_names_that_two_cases_share_get_their_ids() -> None:
    root = xml(
        started(3),
        *case(0, "a", name="N"),
        *case(1, "b", name="N"),
        *case(2, "c"),
        finished("passed", "passed", "passed"),
    )
    assert [each.get("name") for each in root.iter("testcase")] == ["N [a]", "N [b]", "case c"]


def test_suites_that_share_an_id_are_told_apart() -> None:
    one_run = [started(1), *case(0, "a"), finished("passed")]
    other = [started(1, source="other.json"), *case(0, "a"), finished("passed")]
    names = [each.get("classname") for each in xml(*one_run, *one_run, *other).iter("testcase")]
    assert names == ["weather#1", "weather#2", "weather@other.json"]


def test_times_come_only_when_asked_for_and_in_one_form() -> None:
    root = xml(started(1), *case(0, "a", elapsed_ms=1234.5678), finished("passed"), timings=True)
    assert {each.get("time") for each in root.iter() if each.get("time")} == {"1.235"}


def test_what_xml_forbids_becomes_a_replacement_character() -> None:
    root = xml(
        started(1, name="s\x00\x0b\ud800\uffff"), *case(0, "a", name="<&\">'\n\t\x01]]>"), finished("passed")
    )
    assert root.get("name") == "s\ufffd\ufffd\ufffd\ufffd"
    assert root.find("*/testcase").get("name") == "<&\">'\n\t\ufffd]]>"


def test_text_reads_back_exactly() -> None:
    said = '<a><![CDATA[x]]></a> & &amp; "q"'
    (failure,) = one("failed", assertions=[is_error(False, True, said)])
    assert said in (failure.text or "")


def test_properties_tell_who_was_tested() -> None:
    root = xml(started(1), *case(0, "a"), finished("passed"))
    values = {each.get("name"): each.get("value") for each in root.iter("property")}
    assert values["mcpeak.server"] == "srv 1"
    assert values["mcpeak.fingerprint"] == "ab" * 32


def test_the_stop_reason_and_notices_stand_in_system_out_and_stderr_in_system_err() -> None:
    notice = Notice(severity="warning", run=0, code="STDOUT_NOISE", message="noise")
    stop = StopReason(type="timeout", case_id="a")
    end = finished("timedOut", stop=stop, process=ended(1, stderr=["oh no"]))
    root = xml(started(1), *case(0, "a", "timedOut"), notice, end)
    assert "a timed out" in root.findtext("*/system-out", "")
    assert "STDOUT_NOISE: noise" in root.findtext("*/system-out", "")
    assert root.findtext("*/system-err") == "oh no"


def test_an_invalid_suite_is_an_error_with_all_its_problems() -> None:
    issues = [
        Issue(source="bad.json", code="EMPTY_CASES", path="cases", message=m, hint="h", line=3, column=1)
        for m in "xy"
    ]
    root = xml(*issues)
    assert (root.get("errors"), root.get("name")) == ("1", "bad.json")
    assert "bad.json:3:1: [EMPTY_CASES] cases: x" in root.findtext(".//error", "")
    assert "cases: y" in root.findtext(".//error", "")


def test_a_server_that_was_not_reached_is_an_error_with_its_stderr() -> None:
    error = Error(
        stage="run",
        source="w.json",
        code="MCP_CONNECTION_FAILED",
        detail="PROCESS_EXITED",
        message="m",
        hint="h",
        process=ended(3, stderr=["boom"]),
    )
    found = xml(error).find(".//error")
    assert found is not None
    assert found.get("type") == "MCP_CONNECTION_FAILED/PROCESS_EXITED"
    assert "| boom" in (found.text or "")


def test_no_file_is_green_where_the_verdict_is_red() -> None:
    for records in (
        [],
        [started(1), *case(0, "a")],
        [started(1), *case(0, "a"), finished("passed", status="failed")],
    ):
        assert int(xml(*records).get("errors", "0")) > 0


def test_a_long_text_is_cut_to_a_sane_size() -> None:
    (failure,) = one("failed", assertions=[is_error(False, True, *["x" * 10_000_000])])
    assert len(failure.text or "") <= 64 * 1024


def test_junitparser_reads_the_same(tmp_path: Path) -> None:
    junitparser = pytest.importorskip("junitparser", reason="junitparser is a development dependency")
    statuses = ("passed", "failed", "notRun")
    records = [record for index, status in enumerate(statuses) for record in case(index, f"c{index}", status)]
    (tmp_path / "j.xml").write_bytes(
        b"".join(document(fold(started(3), *records, finished(*statuses)), timings=False))
    )
    (suite,) = junitparser.JUnitXml.fromfile(str(tmp_path / "j.xml"))
    assert (suite.tests, suite.failures, suite.errors, suite.skipped) == (3, 1, 0, 1)
    assert [type(each.result[0]).__name__ if each.result else "" for each in suite] == [
        "",
        "Failure",
        "Skipped",
    ]
