"""`mcpeak generate` whole: the reference's command lines, and what a saved suite is good for."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.differences import differences
from support.drafts import tool
from support.person import Person
from support.programs import BIN, DATA, environment, run

VECTORS = json.loads((DATA / "vectors" / "generate.json").read_bytes())
RUNS = VECTORS["cliRuns"]
DIFFERENCES = differences("generate")
NUMBER, TEXT = {"type": "number"}, {"type": "string"}
WEATHER = {
    "tools": [
        tool("get_weather", properties={"city": TEXT}, required=["city"]),
        tool("add", properties={"a": NUMBER, "b": NUMBER}, required=["a", "b"]),
    ],
    "responses": [{"tool": "get_weather", "result": "fine"}, {"tool": "add", "result": 3}],
}
PHONE = tool("phone", properties={"f": {"type": "string", "format": "phone"}}, required=["f"])
MOCKS = {
    "unknown format tool dropped in baseline-only": [PHONE, tool("ok_tool")],
    "unknown format in only tool": [PHONE],
    "skipped + ok": [tool("skipped", required=["x", "x"]), tool("ok_tool")],
}
NODE = pytest.mark.skipif(shutil.which("node") is None, reason="the servers of tests/data need Node")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gen").mkdir()
    (tmp_path / "weather.json").write_text(json.dumps(WEATHER))
    (tmp_path / "servers").symlink_to(DATA / "servers")
    return tmp_path


def words(vector: dict[str, Any], folder: Path) -> list[str]:
    """The vector's command line, its servers played by mcpeak-mock."""
    made = [word.replace("WORK", str(folder)) for word in vector["args"]]
    if "WEATHER_SERVER" in made:
        place = made.index("WEATHER_SERVER")
        made[place : place + 1] = [str(BIN / "mcpeak-mock"), "--arg", str(folder / "weather.json")]
        made[made.index("node")] = sys.executable
    if vector["name"] in MOCKS:
        (folder / "gen" / "m.json").write_text(json.dumps({"tools": MOCKS[vector["name"]]}))
        made[made.index("mcpeak-mock")] = str(BIN / "mcpeak-mock")
    return made


@NODE
@pytest.mark.parametrize("vector", RUNS, ids=[vector["name"] for vector in RUNS])
def test_command_lines_end_as_the_reference_does(vector: dict[str, Any], folder: Path) -> None:
    out = vector["args"][vector["args"].index("--out") + 1].replace("WORK", str(folder))
    if "--force" in vector["args"]:
        Path(out).write_text("old")
    done = run("mcpeak", "generate", *words(vector, folder), cwd=folder)
    seen = {"exitCode": done.returncode, "errorCode": code_of(done.stderr, vector["errorCode"])}
    seen |= {"fileWritten": Path(out).exists()} | (layout(out) if Path(out).exists() else {})
    expected = {key: vector[key] for key in seen}
    assert (seen == expected) is (f"mcpeak generate: {vector['name']}" not in DIFFERENCES), (seen, expected)


def code_of(stderr: bytes, like: str | None) -> str | None:
    found = re.search(rb"error \[([A-Z_/]+)\]", stderr)
    code = found[1].decode() if found else None
    return code.split("/")[0] if code and "/" not in (like or "") else code


def layout(out: str) -> dict[str, Any]:
    text = Path(out).read_text()
    suite = json.loads(text)
    return {
        "topLevelKeyOrder": list(suite),
        "caseIds": [case["id"] for case in suite["cases"]],
        "approvalKeys": list(suite["approval"]),
        "trailingNewline": text.endswith("}\n"),
    }


def test_the_saved_baseline_is_that_of_the_reference_but_for_names(folder: Path) -> None:
    run("mcpeak", "generate", *words(RUNS[0], folder), cwd=folder)
    saved = json.loads((folder / "gen" / "a.json").read_text())
    expected = VECTORS["savedWeatherBaseline"]
    for suite in (saved, expected):
        del suite["approval"]
        for case in suite["cases"]:
            del case["name"]
    assert saved == expected


def server(folder: Path) -> list[str]:
    return ["--", sys.executable, str(BIN / "mcpeak-mock"), str(folder / "weather.json")]


def test_a_generated_suite_is_silent_about_its_approval_when_it_passes(folder: Path) -> None:
    out = str(folder / "weather.suite.json")
    made = run("mcpeak", "generate", "--yes", "--out", out, *server(folder))
    assert (made.returncode, made.stderr.count(b"\n")) == (0, 2)
    tested = run("mcpeak", "test", out, *server(folder))
    assert (tested.returncode, tested.stderr) == (0, b"")
    assert b"pprov" not in tested.stdout
    assert b"8 passed" in tested.stdout


def test_a_dry_run_that_fails_is_saved_as_a_defect_and_is_no_failure(folder: Path) -> None:
    (folder / "weather.json").write_text(json.dumps({"tools": WEATHER["tools"]}))
    out = folder / "weather.suite.json"
    made = run("mcpeak", "generate", "--yes", "--out", str(out), *server(folder))
    assert made.returncode == 0
    statuses = {each["id"]: each["status"] for each in json.loads(out.read_text())["approval"]["cases"]}
    assert statuses["add-success"] == "serverDefect"
    assert statuses["add-missing-a"] == "passed"
    assert b"2 of them recorded as a defect of the server" in made.stdout


def test_without_a_file_the_suite_is_all_of_stdout(folder: Path) -> None:
    done = run("mcpeak", "generate", "--baseline-only", *server(folder))
    assert json.loads(done.stdout)["cases"][0]["id"] == "get-weather-success"
    assert done.stderr == b""


def test_the_reset_command_runs_before_the_dry_run(folder: Path) -> None:
    reset = f"{sys.executable} -c \"open('reset', 'a').write('x')\""
    done = run("mcpeak", "generate", "--yes", "--reset-cmd", reset, *server(folder), cwd=folder)
    assert (done.returncode, (folder / "reset").read_text()) == (0, "x")


def test_the_dry_run_says_first_what_it_calls(folder: Path) -> None:
    done = run("mcpeak", "generate", "--yes", *server(folder))
    first, second = done.stderr.decode().splitlines()
    assert first == "The dry run calls 2 of 2 tools for real, each of their cases once."
    assert "2 of them may change something" in second


def destructive(folder: Path) -> Path:
    """A server with one tool more, which is destructive by its own word."""
    cancel = tool("cancel_order", properties={"id": TEXT}, required=["id"])
    cancel["annotations"] = {"destructiveHint": True}
    mock = {"tools": [*WEATHER["tools"], cancel]}
    mock["responses"] = [*WEATHER["responses"], {"tool": "cancel_order", "result": "gone"}]
    (folder / "weather.json").write_text(json.dumps(mock))
    return folder / "w.json"


def approvals(out: Path) -> dict[str, str]:
    return {each["id"]: each["status"] for each in json.loads(out.read_text())["approval"]["cases"]}


def test_a_destructive_tool_is_drafted_and_not_called(folder: Path) -> None:
    out = destructive(folder)
    done = run("mcpeak", "generate", "--yes", "--out", str(out), *server(folder))
    assert done.returncode == 0
    assert b"calls 2 of 3 tools" in done.stderr
    assert b"1: cancel_order (--call-destructive" in done.stderr
    drafted = {case["id"] for case in json.loads(out.read_text())["cases"]}
    assert "cancel-order-success" in drafted
    assert not any(name.startswith("cancel-order") for name in approvals(out))
    assert b"[CASES_NOT_TRIED]" in done.stderr


def test_a_destructive_tool_is_called_when_asked(folder: Path) -> None:
    out = destructive(folder)
    done = run("mcpeak", "generate", "--yes", "--call-destructive", "--out", str(out), *server(folder))
    assert b"calls 3 of 3 tools" in done.stderr
    assert b"1 of them destructive by their own word (destructiveHint): cancel_order" in done.stderr
    assert approvals(out)["cancel-order-success"] == "passed"
    assert b"[CASES_NOT_TRIED]" not in done.stderr


def test_a_refused_guess_is_no_silent_defect(folder: Path) -> None:
    (folder / "weather.json").write_text(json.dumps({"tools": WEATHER["tools"]}))
    out = folder / "w.json"
    done = run("mcpeak", "generate", "--yes", "--out", str(out), *server(folder))
    assert b"[GUESS_REFUSED]" in done.stderr
    assert b"no real value known for get_weather.city, add.a, add.b" in done.stderr
    assert b'{"get_weather": {"city": "REAL VALUE"}, "add": {"a": "REAL VALUE"' in done.stderr
    assert approvals(out)["get-weather-success"] == "serverDefect"


def test_a_failing_reset_saves_nothing(folder: Path) -> None:
    out = folder / "w.json"
    done = run("mcpeak", "generate", "--yes", "--reset-cmd", "false", "--out", str(out), *server(folder))
    assert (done.returncode, out.exists()) == (1, False)
    assert b"RESET_COMMAND_FAILED" in done.stderr


def test_a_person_reviews_on_the_terminal(folder: Path) -> None:
    (folder / "weather.json").write_text(json.dumps({"tools": WEATHER["tools"]}))
    out = folder / "w.json"
    person = Person("mcpeak", "generate", "--out", str(out), *server(folder), on_terminal=True)
    person.sees("get-weather-success: failed")
    person.answers(("2 to decide", "d"), ("1 to decide", "x"), ("make this change", "y"))
    person.answers(("review [h for help] >", "w"), ("approve the suite", "y"))
    code, told, _ = person.leaves()
    assert (code, told.count(b"\n")) == (0, 4)
    saved = json.loads(out.read_text())
    assert saved["approval"]["cases"][0] == {"id": "get-weather-success", "status": "serverDefect"}
    assert "add-success" not in [case["id"] for case in saved["cases"]]


def test_a_person_who_presses_ctrl_c_saves_nothing(folder: Path) -> None:
    out = folder / "w.json"
    person = Person("mcpeak", "generate", "--out", str(out), *server(folder), on_terminal=True)
    person.sees("review [h for help] >")
    person.presses(b"\x03")
    code, _, _ = person.leaves()
    assert (code, out.exists()) == (130, False)


def test_nothing_is_left_running(folder: Path) -> None:
    run("mcpeak", "generate", "--yes", *server(folder))
    listed = subprocess.run(
        ["ps", "-eo", "args"], capture_output=True, env=environment(), check=False, timeout=20
    )
    assert str(folder).encode() not in listed.stdout
