import signal
import subprocess
import sys
import threading

from mcpeak.front import watch
from support.programs import BIN, ROOT, environment

WEATHER = ROOT / "examples" / "weather"


def test_a_run_depends_on_its_suites_and_on_what_lies_beside_the_server(tmp_path):
    for name in (
        "a.suite.json",
        "server/main.py",
        "server/part/other.py",
        "server/node_modules/x.js",
        "server/.git/y",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = watch.watched(
        [str(tmp_path / "a.suite.json")], ["python3", str(tmp_path / "server" / "main.py"), "--x"]
    )
    assert [name.removeprefix(f"{tmp_path}/") for name in found] == [
        "a.suite.json",
        "server/main.py",
        "server/part/other.py",
    ]


def test_what_the_run_itself_writes_is_not_watched(tmp_path):
    (tmp_path / "server.py").touch()
    (tmp_path / "j.xml").touch()
    code = "import sys; from mcpeak.front.watch import watched; print(watched([], ['server.py'], ['j.xml']))"
    with (tmp_path / "out").open("wb") as out, (tmp_path / "err").open("wb") as err:
        words = [sys.executable, "-c", code]
        env = environment(PYTHONPATH=str(ROOT / "lib"))
        subprocess.run(words, cwd=tmp_path, env=env, stdout=out, stderr=err, check=True, timeout=30)
    assert (tmp_path / "out").read_text() == "['./server.py']\n"


def test_what_changes_in_every_run_counts_as_it_is(tmp_path):
    log, other = (tmp_path / name for name in ("log", "other"))
    files = [str(log), str(other)]
    log.touch()
    other.touch()
    before = watch.facts(files)
    log.write_text("said")
    other.write_text("edited")
    assert watch.changed(files, before) == set(files)
    assert watch.settled(files, before, {str(log)}) == [watch.facts(files)[0], before[1]]


def test_waiting_ends_with_a_change(tmp_path, monkeypatch):
    file = tmp_path / "f"
    file.write_text("1")
    looks = iter([lambda: None, lambda: file.write_text("22")])
    monkeypatch.setattr(watch.time, "sleep", lambda _: next(looks)())
    watch.wait_for_change([str(file)], watch.facts([str(file)]))


def test_watching_runs_again_after_a_change_and_ends_with_ctrl_c(tmp_path):
    suite = tmp_path / "w.suite.json"
    suite.write_bytes((WEATHER / "weather.suite.json").read_bytes())
    words = ["test", str(suite), "--watch", "--", sys.executable, str(WEATHER / "server.py")]
    running = subprocess.Popen(
        [sys.executable, str(BIN / "mcpeak"), *words],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    guard = threading.Timer(30, running.kill)
    guard.start()
    assert b"watching" in running.stderr.readline()
    suite.write_bytes(suite.read_bytes() + b"\n")
    assert b"watching" in running.stderr.readline()
    running.send_signal(signal.SIGINT)
    out, err = running.communicate()
    guard.cancel()
    assert (running.returncode, out.count(b"7 passed"), err) == (130, 2, b"")
