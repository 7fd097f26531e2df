"""mcpeak-review in front of a pseudo-terminal, as a person sees it."""

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.person import Person
from support.programs import BIN, DATA, environment, run
from support.reviews import draft, stream

PROMPT = "to decide [h for help] >"
FREE = "review [h for help] >"


def records(output: bytes, kind: str) -> list[dict[str, Any]]:
    return [record for record in map(json.loads, output.splitlines()) if record["type"] == kind]


def approved(output: bytes) -> dict[str, Any]:
    [suite] = records(output, "suite")
    return suite["suite"]


def script(path: Path, text: str) -> str:
    path.write_text(f"#!{sys.executable}\n{text}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_a_draft_is_approved() -> None:
    person = Person("mcpeak-review", stdin=stream())
    person.answers((PROMPT, "d"), (PROMPT, "d"), (FREE, "w"))
    digest = draft().fingerprint()
    person.sees(f"fingerprint {digest}")
    person.answers(("approve the suite with this fingerprint?", "y"))
    code, out, err = person.leaves()
    assert (code, err) == (0, b"")
    assert approved(out)["approval"] == {
        "fingerprint": digest,
        "cases": [
            {"id": "good", "status": "passed"},
            {"id": "bad", "status": "serverDefect"},
            {"id": "worse", "status": "serverDefect"},
        ],
    }


def test_the_reviewed_suite_is_saved_and_matches_its_approval(tmp_path: Path) -> None:
    person = Person("mcpeak-review", stdin=stream())
    person.answers((PROMPT, "w"), ("Keep them all", "y"), ("approve the suite", "y"))
    _, out, _ = person.leaves()
    saved = run("mcpeak-approve", "--out", str(tmp_path / "s.json"), stdin=out)
    assert (saved.returncode, saved.stderr) == (0, b"")
    [suite] = records(run("mcpeak-validate", str(tmp_path / "s.json")).stdout, "suite")
    assert suite["approval"] == "matched"


def test_what_fails_is_shown_with_its_reason_and_colours() -> None:
    person = Person("mcpeak-review", stdin=stream())
    shown = person.sees(PROMPT)
    assert "case 2 of 3: bad: failed" in shown
    assert "no such city: example" in shown
    assert "\x1b[31m" in shown
    person.types("q")
    person.leaves()


def test_no_color_is_heeded() -> None:
    person = Person("mcpeak-review", stdin=stream(), NO_COLOR="")
    assert "\x1b[" not in person.sees(PROMPT)
    person.types("q")
    person.leaves()


def test_an_input_is_edited_and_the_edit_undone() -> None:
    person = Person("mcpeak-review", stdin=stream())
    person.answers((PROMPT, "e"), ("new input", '{"city": "서울"}'))
    assert '"city": "서울"' in person.sees("make this change?")
    person.types("y")
    person.answers((PROMPT, "u"))
    person.sees("Undone:")
    person.answers((PROMPT, "w"), ("Keep them all", "y"), ("approve the suite", "y"))
    _, out, _ = person.leaves()
    assert approved(out)["cases"] == draft().suite["cases"]


def test_the_persons_editor_is_used_in_front(tmp_path: Path) -> None:
    editor = script(
        tmp_path / "my editor",
        "import os, sys\n"
        "assert os.tcgetpgrp(0) == os.getpgrp(), 'not in front'\n"
        "path = sys.argv[1]\n"
        "text = open(path).read().replace('example', 'Busan')\n"
        "open(path, 'w').write(text)\n",
    )
    person = Person("mcpeak-review", stdin=stream(), EDITOR=f"'{editor}'", TMPDIR=str(tmp_path))
    person.answers(
        (PROMPT, "o"),
        ("make this change?", "y"),
        (PROMPT, "w"),
        ("not tried since", "y"),
        ("Keep them all", "y"),
        ("approve", "y"),
    )
    _, out, _ = person.leaves()
    assert approved(out)["cases"][1]["operation"]["input"] == {"city": "Busan"}
    assert [path.name for path in tmp_path.iterdir()] == ["my editor"]


def test_ctrl_c_in_the_editor_ends_nothing_of_ours(tmp_path: Path) -> None:
    editor = script(tmp_path / "e", "print('EDITING', flush=True)\nimport time\ntime.sleep(60)\n")
    person = Person("mcpeak-review", stdin=stream(), VISUAL=editor)
    person.answers((PROMPT, "o"))
    person.sees("EDITING")
    person.presses(b"\x03")
    person.sees("could not be started, or ended with an error")
    person.answers((PROMPT, "q"))
    assert person.leaves()[0] == 1


@pytest.mark.parametrize("editor", ["/nonexistent/editor", "'open"])
def test_an_editor_that_cannot_be_started_is_told(editor: str) -> None:
    person = Person("mcpeak-review", stdin=stream(), EDITOR=editor)
    person.answers((PROMPT, "O"))
    person.sees("could not be started")
    person.answers((PROMPT, "q"))
    person.leaves()


def test_a_file_is_loaded_after_the_same_diff(tmp_path: Path) -> None:
    other = draft().suite
    other = other | {"cases": other["cases"][:1]}
    (tmp_path / "other.json").write_text(json.dumps(other))
    person = Person("mcpeak-review", stdin=stream(), cwd=tmp_path)
    person.answers((PROMPT, "f"), ("path of a JSON file", "other.json"))
    assert '"id": "worse"' in person.sees("make this change?")
    person.types("y")
    person.answers((FREE, "w"), ("approve", "y"))
    _, out, _ = person.leaves()
    assert [case["id"] for case in approved(out)["cases"]] == ["good"]


def cancelled(person: Person) -> None:
    code, out, _ = person.leaves()
    assert records(out, "suite") == []
    [notice] = records(out, "notice")
    assert (code, notice["code"], notice["severity"]) == (1, "REVIEW_CANCELLED", "failure")
    assert records(out, "end")


def test_the_end_of_input_saves_nothing() -> None:
    person = Person("mcpeak-review", stdin=stream())
    person.sees(PROMPT)
    person.presses(b"\x04")
    person.sees("nothing was saved")
    cancelled(person)


def test_ctrl_c_saves_nothing() -> None:
    person = Person("mcpeak-review", stdin=stream())
    person.answers((PROMPT, "w"), ("Keep them all", "y"))
    person.sees("approve the suite")
    person.presses(b"\x03")
    cancelled(person)


def test_a_terminal_that_goes_away_saves_nothing() -> None:
    person = Person("mcpeak-review", stdin=stream())
    person.sees(PROMPT)
    os.close(person._master)
    assert person.process.wait(30) != 0
    person._readers[0].join(30)
    assert records(person._output["stdout"], "suite") == []
    person._master = os.open(os.devnull, os.O_RDONLY)


def test_a_resized_window_does_no_harm() -> None:
    person = Person("mcpeak-review", stdin=stream())
    person.sees(PROMPT)
    person.resize(10, 20)
    person.process.send_signal(signal.SIGWINCH)
    person.types("l")
    person.sees("3 ✗ worse")
    person.resize(50, 200)
    person.answers((PROMPT, "q"))
    cancelled(person)


def test_it_speaks_korean() -> None:
    person = Person("mcpeak-review", stdin=stream(), MCPEAK_LANG="ko")
    person.sees("케이스 2/3: bad: 실패")
    person.answers(("결정할 것 2개", "h"), ("결정할 것 2개", "w"))
    person.answers(("모두 서버 결함으로 둘까요?", "네"), ("이 지문으로 스위트를 승인할까요?", "예"))
    code, out, _ = person.leaves()
    assert (code, len(approved(out)["approval"]["cases"])) == (0, 3)


def test_the_servers_words_cannot_move_the_cursor() -> None:
    evil = json.dumps("\x1b[2J\x1b]0;owned\x07 \u202eevil").encode()
    person = Person("mcpeak-review", stdin=stream().replace(b'"  no such city: example"', evil), NO_COLOR="1")
    shown = person.sees(PROMPT)
    assert "\\u001b[2J" in shown
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    person.types("q")
    person.leaves()


def test_a_failure_of_an_earlier_stage_is_passed_on_and_nobody_asked() -> None:
    error = {"type": "error", "stage": "run", "code": "MCP_CONNECTION_FAILED", "message": "m", "hint": "h"}
    person = Person("mcpeak-review", stdin=stream(error).replace(b'"counts": {}', b'"counts": {"errors": 1}'))
    code, out, _ = person.leaves()
    assert (code, len(records(out, "error")), records(out, "suite"), person.shown) == (1, 1, [], "")


def test_without_a_terminal_it_says_what_to_do() -> None:
    done = subprocess.run(  # in a session of its own, which has no terminal wherever this test runs
        [sys.executable, str(BIN / "mcpeak-review")],
        input=stream(),
        capture_output=True,
        env=environment(),
        timeout=60,
        check=False,
        start_new_session=True,
    )
    [error] = records(done.stdout, "error")
    assert (error["code"], "--yes" in error["hint"]) == ("GENERATE_INTERACTIVE_REQUIRED", True)


def test_yes_keeps_what_passed_and_records_the_rest() -> None:
    done = run("mcpeak-review", "--yes", stdin=stream().decode())
    statuses = approved(done.stdout)["approval"]["cases"]
    assert [each["status"] for each in statuses] == ["passed", "serverDefect", "serverDefect"]


@pytest.mark.parametrize("suite", ["5", "{}", '{"cases": 1}'])
def test_a_record_that_holds_no_suite_is_told(suite: str) -> None:
    made = json.dumps(draft().suite)
    done = run("mcpeak-review", "--yes", stdin=stream().decode().replace(made, suite))
    assert (done.returncode, records(done.stdout, "error")[0]["detail"]) == (3, "DRAFT_INVALID")


def test_yes_does_not_judge_what_never_ran() -> None:
    text = stream().decode().replace('"status": "failed", "operation"', '"status": "notRun", "operation"')
    assert [
        each["id"] for each in approved(run("mcpeak-review", "--yes", stdin=text).stdout)["approval"]["cases"]
    ] == ["good"]


@pytest.mark.skipif(shutil.which("node") is None, reason="the servers of tests/data need Node")
def test_a_case_is_tried_again_against_the_server() -> None:
    text = stream().decode().replace('"tool": "t"', '"tool": "ok"')
    server = ["--", "node", str(DATA / "servers" / "srv.mjs")]
    person = Person("mcpeak-review", *server, stdin=text.encode())
    person.answers((PROMPT, "r"))
    person.sees("case 2 of 3: bad: passed")
    person.answers((PROMPT, "n"), (PROMPT, "d"), (FREE, "w"), ("approve", "y"))
    _, out, _ = person.leaves()
    assert [each["status"] for each in approved(out)["approval"]["cases"]] == [
        "passed",
        "passed",
        "serverDefect",
    ]


def test_a_provider_is_asked_with_consent_and_its_change_applied(tmp_path: Path) -> None:
    change = {"op": "setInput", "caseId": "bad", "input": {"city": "Seoul"}, "reason": "\x1b[31mit exists"}
    answer = json.dumps({"type": "changes", "changes": [change]})
    script(tmp_path / "codex", f"import sys\nassert 'DATA' in sys.stdin.read()\nprint({answer!r})\n")
    path = f"{tmp_path}{os.pathsep}{environment()['PATH']}"
    person = Person("mcpeak-review", "--provider", "codex", stdin=stream(), PATH=path, NO_COLOR="1")
    person.answers((PROMPT, "a"), ("which model? (empty: gpt-5.6-luna)", ""))
    told = person.sees("send this request?")
    assert "Codex" in told
    assert draft().fingerprint() in told
    person.types("y")
    shown = person.sees("apply which?")
    assert "1. another input for bad:" in shown
    assert "\\u001b[31mit exists" in shown
    person.types("1")
    person.answers((PROMPT, "w"), ("not tried since", "y"), ("Keep them all", "y"), ("approve", "y"))
    _, out, _ = person.leaves()
    assert approved(out)["cases"][1]["operation"]["input"] == {"city": "Seoul"}
