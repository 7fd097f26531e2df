"""Starting a process: found as execvp does, without a shell, with nothing but its pipes."""

import os
import sys
from pathlib import Path

import pytest

from mcpeak.link.child import Child, Ended
from mcpeak.link.spawn import StartFailed, locate, spawn


def script(path, text, mode=0o755):
    path.write_text(text)
    path.chmod(mode)
    return path


def why(call):
    with pytest.raises(StartFailed) as failed:
        call()
    return failed.value.why


def run(argv, env=None, cwd=None):
    """Run to the end; give how it ended and what it said."""
    started = spawn(argv, env if env is not None else dict(os.environ), cwd)
    os.close(started.stdin)
    for descriptor in (started.stdout, started.stderr):
        os.set_blocking(descriptor, True)
    said = b"".join(iter(lambda: os.read(started.stdout, 65536), b"")).decode()
    child = Child(started.pid)
    while child.poll() is None:
        pass
    child.bury()
    os.close(started.stdout)
    os.close(started.stderr)
    if child.alarm is not None:
        os.close(child.alarm)
    return child.ended, said


def test_the_first_fit_on_the_servers_own_path_is_taken(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    script(tmp_path / "one" / "tool", "#!/bin/sh\n", mode=0o644)
    right = script(tmp_path / "two" / "tool", "#!/bin/sh\n")
    if os.geteuid() != 0:  # root may execute what anybody may
        assert locate("tool", f"{tmp_path}/one:{tmp_path}/two") == str(right)
    assert locate("tool", f"{tmp_path}/none:{tmp_path}/two") == str(right)


def test_a_relative_command_is_relative_to_the_directory_of_the_server(tmp_path):
    script(tmp_path / "tool", "#!/bin/sh\npwd\n")
    assert run(["./tool"], cwd=str(tmp_path))[1].strip() == os.path.realpath(tmp_path)


def test_our_own_directory_stays_where_it_is(tmp_path):
    before = Path.cwd()
    run(["/bin/sh", "-c", "pwd"], cwd=str(tmp_path))
    assert Path.cwd() == before


@pytest.mark.parametrize("name", ["", "no-such-tool", "./no-such-file", "bad\0name"])
def test_what_is_not_there_is_missing(name):
    assert why(lambda: locate(name, "/bin:/usr/bin")) == "missing"


def test_a_directory_is_told_as_one():
    assert why(lambda: locate("/bin/", "")) == "directory"


def test_a_file_without_an_executable_format_is_told(tmp_path):
    path = script(tmp_path / "tool", "echo hello\n")
    assert why(lambda: spawn([str(path)], {})) == "format"


def test_a_missing_interpreter_is_named(tmp_path):
    path = script(tmp_path / "tool", "#!/no/such/interpreter -x\n")
    with pytest.raises(StartFailed) as failed:
        spawn([str(path)], {})
    assert (failed.value.why, failed.value.reason) == ("interpreter", "/no/such/interpreter -x")


def test_a_missing_directory_is_told():
    assert why(lambda: spawn(["true"], {}, "/no/such/dir")) == "cwd"


def test_a_failed_start_leaves_no_descriptor_behind(tmp_path):
    path = script(tmp_path / "tool", "echo hello\n")
    before = len(list(Path("/dev/fd").iterdir()))
    for _ in range(5):
        why(lambda: spawn([str(path)], {}))
    assert len(list(Path("/dev/fd").iterdir())) == before


def test_the_environment_is_exactly_what_is_given():
    ended, said = run(["/usr/bin/env"], {"A": "1"})
    assert (ended, said) == (Ended(0, None), "A=1\n")


def test_it_leads_a_session_of_its_own():
    ended, said = run(
        [sys.executable, "-c", "import os; print(os.getsid(0) == os.getpid() == os.getpgid(0))"]
    )
    assert said == "True\n"
    assert ended == Ended(0, None)


def test_an_exit_code_and_a_signal_are_told_apart():
    assert run(["/bin/sh", "-c", "exit 7"])[0] == Ended(7, None)
    assert run(["/bin/sh", "-c", "kill -SEGV $$"])[0] == Ended(None, "SIGSEGV")
