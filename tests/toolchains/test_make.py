"""The rules of `mcpeak --make` under the real GNU make."""

import shutil
import subprocess
from pathlib import Path

import pytest

from support.programs import ROOT, environment

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="GNU make is not installed")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path / "examples" / "make"


def make(project: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments],
        cwd=project,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_a_parallel_make_writes_each_report(project: Path):
    done = make(project, "-j2")
    assert done.returncode == 0, done.stderr
    assert sorted(path.name for path in project.glob("suites/*.xml")) == ["add.junit.xml", "list.junit.xml"]


def test_what_is_up_to_date_does_not_run_again(project: Path):
    make(project, "-j2")
    assert make(project, "-q").returncode == 0


def test_only_the_changed_suite_runs_again(project: Path):
    make(project)
    (project / "suites" / "add.suite.json").touch()
    again = make(project, "-n").stdout
    assert "add.suite.json" in again
    assert "list.suite.json" not in again


def test_a_changed_server_makes_everything_out_of_date(project: Path):
    make(project)
    (project.parent / "weather" / "server.py").touch()
    assert make(project, "-q").returncode == 1


def test_a_red_report_stays_to_be_read_but_never_counts_as_done(project: Path):
    suite = project / "suites" / "add.suite.json"
    suite.write_text(suite.read_text().replace('"expected": false', '"expected": true'))
    assert make(project).returncode != 0
    assert "<failure" in (project / "suites" / "add.junit.xml").read_text()
    assert make(project, "-q").returncode == 1


def test_a_page_is_made_by_the_same_pattern(project: Path):
    done = make(project, "suites/list.html", "suites/list.report.json")
    assert done.returncode == 0, done.stderr
    assert (project / "suites" / "list.html").read_text().startswith("<!")
