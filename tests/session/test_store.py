import contextlib
import os
import random
import signal
import sqlite3
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.command.failure import InputError
from mcpeak.session import files, store
from mcpeak.session.exchange import Chunk, Exchange, Recording, Request, Response, connection_failure

TEXTS = st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=8)
HEADERS = st.lists(st.tuples(TEXTS, TEXTS), max_size=2).map(tuple)
CHUNKS = st.lists(st.builds(Chunk, st.floats(0, 1e6), st.binary(max_size=12)), max_size=3).map(tuple)
RESPONSES = st.none() | st.builds(
    Response, st.integers(100, 599), TEXTS, HEADERS, CHUNKS, HEADERS, st.booleans()
)
EXCHANGES = st.builds(
    Exchange,
    st.builds(Request, TEXTS, TEXTS, HEADERS, st.binary(max_size=12), TEXTS),
    RESPONSES,
    st.sampled_from(["refused", "reset", "timeout"]),
    TEXTS,
)
RECORDINGS = st.builds(
    Recording,
    st.lists(EXCHANGES, max_size=3).map(tuple),
    st.sampled_from(["passed", "failed", "unknown"]),
    TEXTS,
    st.lists(TEXTS, unique=True, max_size=3).map(lambda names: tuple(sorted(names, key=str.encode))),
    st.lists(TEXTS, max_size=3).map(tuple),
    st.booleans(),
)


def recording(*bodies):
    calls = [
        Exchange(Request("GET", f"http://h/{n}"), Response(200, "OK", (), (Chunk(1.5, body),)))
        for n, body in enumerate(bodies)
    ]
    return Recording(tuple(calls))


@given(RECORDINGS)
def test_what_is_written_is_what_is_read(kept):
    assert store.from_bytes(store.to_bytes(kept)) == kept


def test_the_same_recording_gives_the_same_bytes():
    assert store.to_bytes(recording(b"a", b"\xff")) == store.to_bytes(recording(b"a", b"\xff"))


def test_any_sqlite_tool_can_read_it(tmp_path):
    path = tmp_path / "x.session"
    store.save(str(path), recording(b'{"a": 1}')._replace(names=("appid",), rules=("ignore body",)))
    database = sqlite3.connect(path)
    with contextlib.closing(database):
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT url, status FROM exchanges").fetchall() == [("http://h/0", 200)]
        assert database.execute("SELECT at_ms, data FROM chunks").fetchall() == [(1.5, '{"a": 1}')]


def test_a_failed_connection_is_kept(tmp_path):
    kept = Recording((connection_failure("h:80", "refused"),))
    store.save(str(tmp_path / "x"), kept)
    assert store.load(str(tmp_path / "x")) == kept


def test_nothing_is_left_beside_the_file(tmp_path):
    store.save(str(tmp_path / "x"), recording(b"a"))
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_the_mode_of_the_file_stays(tmp_path):
    path = tmp_path / "x"
    path.touch(0o640)
    path.chmod(0o640)
    store.save(str(path), recording(b"a"))
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("data", [b"", b"no database", store.to_bytes(recording(b"x"))[:3000]])
def test_what_is_no_session_says_so(data, tmp_path):
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(InputError) as caught:
        store.load(str(path))
    assert caught.value.detail == "SESSION_INVALID"


def test_a_later_version_is_not_read(tmp_path):
    path = tmp_path / "x"
    store.save(str(path), recording(b"x"))
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("UPDATE meta SET value = '2' WHERE key = 'version'")
        database.commit()
    with pytest.raises(InputError, match="SESSION_INVALID"):
        store.load(str(path))


def test_a_missing_file_and_a_missing_folder_say_so(tmp_path):
    with pytest.raises(InputError, match="SESSION_MISSING"):
        store.load(str(tmp_path / "x"))
    with pytest.raises(InputError, match="SESSION_UNWRITABLE"):
        files.check_writable(str(tmp_path / "no" / "x"))
    with pytest.raises(InputError, match="SESSION_UNWRITABLE"):
        files.check_writable(str(tmp_path))


OLD = recording(b"old")
NEW = recording(*(bytes([number]) * 200 for number in range(40)))


def steps(path, limit):
    """Save in a child process that kills itself after `limit` lines of store.py; give how many it ran."""
    count = 0

    def trace(frame, event, _):
        nonlocal count
        if not frame.f_code.co_filename.endswith("session/store.py"):
            return None
        count += 1
        if count == limit:
            os.kill(os.getpid(), signal.SIGKILL)
        return trace

    sys.settrace(trace)
    store.save(path, NEW)
    sys.settrace(None)
    return count


def killed_at(path, limit):
    pid = os.fork()
    if pid == 0:
        with contextlib.suppress(BaseException):
            steps(path, limit)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("before", [None, OLD], ids=["no file", "an old file"])
def test_killed_at_any_moment_the_file_is_the_old_one_or_the_new_one(before, tmp_path):
    """SIGKILL at 100 seeded points, with and without an older file."""
    whole = tmp_path / "whole.session"
    if before:
        store.save(str(whole), before)
    total = steps(str(whole), 0)
    chance = random.Random(5)
    ends = set()
    for number in range(100):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = folder / "x.session"
        if before:
            store.save(str(path), before)
        limit = (
            chance.randint(1, total) if number else total
        )  # the last: all is done, but we have not heard of it
        assert killed_at(str(path), limit) == -signal.SIGKILL
        found = store.load(str(path)) if path.exists() else None
        assert found in (before, NEW)
        ends.add(found == NEW)
        files.check_writable(str(path))
        assert [one.name for one in folder.iterdir()] == (["x.session"] if found else [])
    assert ends == {True, False}


def test_writers_wait_for_each_other(tmp_path):
    path = str(tmp_path / "x")
    with files.locked(path):
        pid = os.fork()
        if pid == 0:
            with files.locked(path):
                store.save(path, NEW)
            os._exit(0)
        store.save(path, OLD)
        assert store.load(path) == OLD
    os.waitpid(pid, 0)
    assert store.load(path) == NEW
