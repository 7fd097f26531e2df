"""The wrapper around a command: like `env`, it is not there."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.programs import BIN, ROOT, environment
from support.session_api import api
from support.sessions import record, replay, session

PYTHON = sys.executable
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")


def start(*words, **env):
    return subprocess.Popen(
        [PYTHON, str(BIN / "mcpeak-session"), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(**env),
    )


def test_stdin_stdout_and_stderr_are_the_childs_own(tmp_path):
    text = "import os; os.write(2, b'err'); os.write(1, bytes(reversed(os.read(0, 99))))"
    ran = record(tmp_path / "x", PYTHON, "-c", text, stdin=b"\0abc")
    assert (ran.out, ran.err) == ("cba\0", "err")


@pytest.mark.parametrize("code", [0, 1, 3, 255])
def test_the_status_is_the_childs(code, tmp_path):
    assert record(tmp_path / "x", "sh", "-c", f"exit {code}").code == code


def test_a_child_that_a_signal_ended_ends_us_the_same_way(tmp_path):
    ran = record(tmp_path / "x", "sh", "-c", "kill -9 $$")
    assert ran.code == -signal.SIGKILL
    assert (tmp_path / "x").exists()


def test_arguments_are_passed_on_untouched(tmp_path):
    words = ["", "a b", "$HOME", "--", "--force", "*", "\n"]
    ran = record(tmp_path / "x", PYTHON, "-c", "import sys, json; print(json.dumps(sys.argv[1:]))", *words)
    assert json.loads(ran.out) == words


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_signals_reach_the_child_and_the_recording_is_kept(number, tmp_path):
    text = (
        "import signal, sys, time\n"
        f"signal.signal({int(number)}, lambda *_: sys.exit(7))\n"
        "print('up', flush=True)\n"
        "time.sleep(60)"
    )
    process = start("record", str(tmp_path / "x"), "--", PYTHON, "-c", text)
    assert process.stdout.readline() == b"up\n"
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == 7
    assert (tmp_path / "x").exists()


def test_nothing_is_left_behind(tmp_path):
    pids = tmp_path / "pids"
    text = f"sleep 300 & echo $! > {pids}"
    ran = record(tmp_path / "x", "sh", "-c", text, TMPDIR=str(tmp_path))
    assert ran.code == 0
    state = Path(f"/proc/{int(pids.read_text())}/stat")
    assert not state.exists() or state.read_text().rsplit(")", 1)[1].split()[0] in "ZX"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pids", "x"]


def test_descriptors_of_ours_stay_ours(tmp_path):
    ran = record(tmp_path / "x", PYTHON, "-c", "import os; print(sorted(os.listdir('/proc/self/fd')))")
    assert ran.out.strip() in ("['0', '1', '2', '3']", "['0', '1', '2', '3', '4']")


@pytest.mark.parametrize("action", [record, replay])
def test_python_sees_its_own_environment(action, tmp_path):
    text = "import os, json, sys; print(json.dumps([dict(os.environ), sys.path]))"
    given = {
        "PYTHONPATH": "/given",
        "HTTPS_PROXY": "http://given:1",
        "MCPEAK_RUN": "r",
        "NODE_OPTIONS": "--no-warnings",
    }
    record(tmp_path / "x", "true")
    options = ("--force",) if action is record else ()
    ran = action(tmp_path / "x", PYTHON, "-c", text, options=options, **given)
    seen, path = json.loads(ran.out)
    assert {name: seen.get(name) for name in given} == given | {"MCPEAK_RUN": None}
    assert [name for name in seen if name.startswith("MCPEAK") and name != "MCPEAK_LANG"] == []
    was, names = environment(**given), ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
    assert [seen.get(name) for name in names] == [was.get(name) for name in names]
    assert "http_proxy" not in seen
    assert not any("hooks" in one for one in path)


@needs_node
def test_node_sees_its_own_environment(tmp_path):
    text = "console.log(JSON.stringify(process.env))"
    given = {"NODE_OPTIONS": "--no-warnings", "NODE_EXTRA_CA_CERTS": "", "PYTHONPATH": "/given"}
    seen = json.loads(record(tmp_path / "x", "node", "-e", text, **given).out)
    assert {name: seen.get(name) for name in given} == given
    assert [name for name in seen if name.startswith("MCPEAK") and name != "MCPEAK_LANG"] == []


@needs_node
def test_the_node_hook_does_nothing_without_address_and_token(tmp_path):
    hook = ROOT / "lib" / "mcpeak" / "session" / "hooks" / "node.cjs"
    words = [
        "node",
        "--require",
        str(hook),
        "-e",
        "console.log(fetch === globalThis.fetch, fetch.name)",
    ]
    plain = subprocess.run(["node", *words[3:]], capture_output=True, timeout=60, check=True)
    hooked = subprocess.run(
        words, capture_output=True, timeout=60, check=True, env=environment(MCPEAK_SESSION_TOKEN="x")
    )
    assert hooked.stdout == plain.stdout


def test_the_python_hook_does_nothing_without_address_and_token():
    hook = ROOT / "lib" / "mcpeak" / "session" / "hooks" / "python"
    text = (
        "import socket, sys; print(socket.socket.connect.__qualname__, sys.modules['sitecustomize'].__name__)"
    )
    ran = subprocess.run(
        [PYTHON, "-c", text],
        capture_output=True,
        timeout=60,
        check=True,
        env=environment(PYTHONPATH=str(hook)),
    )
    assert ran.stdout == b"socket.connect sitecustomize\n"


def test_the_sitecustomize_of_others_still_runs(tmp_path):
    (tmp_path / "sitecustomize.py").write_text("import builtins\nbuiltins.theirs = 1\n")
    ran = record(tmp_path / "x", PYTHON, "-c", "print(theirs)", PYTHONPATH=str(tmp_path))
    assert (ran.out, ran.err) == ("1\n", "")


def test_a_command_that_is_not_there_is_told_as_mcpeak_run_would(tmp_path):
    ran = record(tmp_path / "x", "no-such-program")
    (told,) = ran.records
    assert (ran.code, told["type"], told["stage"]) == (4, "error", "session")
    assert (told["code"], told["detail"]) == ("MCP_CONNECTION_FAILED", "PROCESS_START_FAILED")
    assert "no-such-program" in told["message"]
    assert not (tmp_path / "x").exists()


def test_no_shell_tries_a_file_without_an_executable_format(tmp_path):
    program = tmp_path / "program"
    program.write_text("echo hello")
    program.chmod(0o755)
    ran = record(tmp_path / "x", str(program))
    assert (ran.code, ran.out) == (4, "")


def test_an_existing_file_is_not_touched_without_force(tmp_path):
    file = tmp_path / "x"
    file.write_text("precious")
    ran = record(file, "sh", "-c", "echo ran")
    assert (ran.code, ran.out, ran.records[0]["detail"]) == (3, "", "SESSION_EXISTS")
    assert file.read_text() == "precious"
    assert record(file, "true", options=("--force",)).code == 0


@pytest.mark.parametrize(
    ("path", "detail"),
    [("none", "SESSION_MISSING"), ("no/x", "SESSION_MISSING"), (".", "SESSION_UNREADABLE")],
)
def test_a_session_that_cannot_be_read_runs_nothing(path, detail, tmp_path):
    ran = replay(tmp_path / path, "sh", "-c", "echo ran")
    (told,) = ran.records
    assert (ran.code, ran.out, told["code"], told["detail"]) == (3, "", "EXTERNAL_SESSION_FAILED", detail)


def test_a_folder_that_is_missing_is_told_before_anything_runs(tmp_path):
    ran = record(tmp_path / "no" / "x", "sh", "-c", "echo ran")
    assert (ran.code, ran.out, ran.records[0]["detail"]) == (3, "", "SESSION_UNWRITABLE")


def test_servers_of_one_run_share_a_file_and_are_replayed_apart(tmp_path):
    text = "import sys, urllib.request; print(urllib.request.urlopen(sys.argv[1] + '/json').read())"
    file, runs = tmp_path / "x", {}
    with api() as live:
        for part in ("0", "1"):
            runs[part] = record(file, PYTHON, "-c", text, live.url, MCPEAK_RUN="r", MCPEAK_SESSION_PART=part)
        assert record(file, "true", MCPEAK_RUN="another").code == 3
    for part in ("1", "0"):
        again = replay(
            file, PYTHON, "-c", text, live.url, MCPEAK_RUN="s", MCPEAK_SESSION_PART=part, HOME=str(tmp_path)
        )
        assert (again.out, again.records) == (runs[part].out, [])


def test_a_person_is_told_on_stderr(tmp_path):
    ran = subprocess.run(
        [PYTHON, str(BIN / "mcpeak-session"), "record", str(tmp_path / "x"), "--", "true"],
        capture_output=True,
        timeout=60,
        check=True,
        env=environment(),
    )
    assert ran.stdout == b""
    assert ran.stderr.startswith(b"warning [SESSION_NOTHING_RECORDED]: nothing was recorded\n  ")


def test_the_files_status_is_what_the_run_says(tmp_path):
    import socket

    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall(b'{"type":"runFinished","run":0,"status":"failed","summary":{}}\n')
        subprocess.run(
            [PYTHON, str(BIN / "mcpeak-session"), "record", str(tmp_path / "x"), "--", "true"],
            env=environment(MCPEAK_RECORDS_FD=str(theirs.fileno())),
            pass_fds=(theirs.fileno(),),
            timeout=60,
            check=True,
        )
        theirs.close()
        assert json.loads(ours.makefile().readline())["code"] == "SESSION_NOTHING_RECORDED"
    assert replay(tmp_path / "x", "true").codes() == ["SESSION_EMPTY", "SESSION_OF_FAILED_RUN"]


def test_a_listener_that_has_gone_is_no_reason_to_fail(tmp_path):
    told, tell = os.pipe()
    os.close(told)
    ran = subprocess.run(
        [PYTHON, str(BIN / "mcpeak-session"), "record", str(tmp_path / "x"), "--", "true"],
        env=environment(MCPEAK_RECORDS_FD=str(tell)),
        pass_fds=(tell,),
        capture_output=True,
        timeout=60,
        check=False,
    )
    os.close(tell)
    assert (ran.returncode, ran.stderr) == (0, b"")


@pytest.mark.slow
def test_the_whole_program_may_be_killed_at_any_moment(tmp_path):
    """SIGKILL at 20 seeded moments of a run that replaces an older file."""
    import random

    from mcpeak.session import files, store

    text = "import sys, urllib.request as u\nfor n in range(5): u.urlopen(f'{sys.argv[1]}/json?n={n}').read()"
    file, chance = tmp_path / "x", random.Random(3)
    with api() as live:
        words = ("--", PYTHON, "-c", text, live.url)
        assert session("record", str(file), *words).code == 0
        old = store.load(str(file))
        for _ in range(20):
            process = start("record", "--force", str(file), *words)
            try:
                process.wait(chance.uniform(0.05, 1.5))
            except subprocess.TimeoutExpired:
                process.kill()
            process.communicate(timeout=30)
            found = store.load(str(file))
            assert len(found.exchanges) == 5
            assert {one.request.url for one in found.exchanges} == {one.request.url for one in old.exchanges}
    deadline = time.monotonic() + 10
    files.check_writable(str(file))
    while len(list(tmp_path.iterdir())) > 1 and time.monotonic() < deadline:
        files.check_writable(str(file))
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_an_empty_command_word_is_told_before_anything_happens(tmp_path):
    ran = record(tmp_path / "x", "", "a")
    assert ran.code == 2
    assert "the command to run is an empty word" in ran.err
    assert list(tmp_path.iterdir()) == []
