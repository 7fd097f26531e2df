"""The hooks under the real pre-commit: it clones this repository and installs the programs from it."""

import json
import subprocess
import sys

import pytest

from real.installing import HERE, ROOT

pytestmark = [pytest.mark.real, pytest.mark.timeout(900)]
HOOKS = ["mcpeak-validate", "mcpeak-fingerprint", "mcpeak-mock-check"]
GIT = ["git", "-c", "user.name=mcpeak", "-c", "user.email=mcpeak@example.org", "-c", "commit.gpgsign=false"]


def call(*words, cwd, env=None):
    return subprocess.run(
        [*words], cwd=cwd, env=env, capture_output=True, text=True, timeout=600, check=False
    )


@pytest.fixture(scope="module")
def pre_commit():
    """The program, installed once."""
    folder = HERE / "pre-commit" / "venv"
    program = folder / "bin" / "pre-commit"
    if not program.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, timeout=120)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "install", "-qq"]
        subprocess.run([*pip, "pre-commit"], check=True, timeout=600)
    return str(program)


def suite(text="a", **more):
    case = {
        "id": "c",
        "name": text,
        "operation": {"type": "listTools"},
        "assertions": [{"type": "toolExists", "tool": "t"}],
    }
    return json.dumps({"schemaVersion": 1, "id": "s", "name": "s", **more, "cases": [case]}, indent=2) + "\n"


@pytest.fixture
def repository(tmp_path):
    """A user's repository that names our hooks at the commit that is checked out here."""
    head = call("git", "rev-parse", "HEAD", cwd=ROOT).stdout.strip()
    hooks = "".join(f"      - id: {name}\n" for name in HOOKS)
    (tmp_path / ".pre-commit-config.yaml").write_text(
        f"repos:\n  - repo: {ROOT}\n    rev: {head}\n    hooks:\n{hooks}"
    )
    call("git", "init", "-q", "-b", "main", cwd=tmp_path)
    return tmp_path


@pytest.fixture
def commit(repository, pre_commit):
    """Write files, stage them, run the hooks."""

    def run(files, *words):
        for name, text in files.items():
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            (repository / name).write_text(text)
        call("git", "add", "-A", cwd=repository)
        return call(pre_commit, "run", *words, cwd=repository)

    return run


def test_many_good_files_with_any_name_pass(commit):
    names = [f"suites/{number}.suite.json" for number in range(300)] + [
        "with space.suite.json",
        "-dash.suite.json",
    ]
    done = commit({**{name: suite(name) for name in names}, "weather.mock.json": '{"tools": []}'})
    assert done.returncode == 0, done.stdout


def test_a_failing_suite_is_told_with_file_line_and_remedy(commit):
    done = commit({"good.suite.json": suite(), "bad suite.suite.json": '{"schemaVersion": 2}\n'})
    assert done.returncode == 1
    assert "bad suite.suite.json:1:" in done.stdout
    assert "UNSUPPORTED_SCHEMA_VERSION" in done.stdout
    assert '"type":' not in done.stdout, "records are for programs"


def test_what_is_staged_is_checked_not_what_lies_beside(commit, repository, pre_commit):
    """Partial staging: pre-commit puts the unstaged changes away while the hooks run."""
    assert commit({"a.suite.json": suite()}).returncode == 0
    (repository / "a.suite.json").write_text("broken and not staged")
    done = call(pre_commit, "run", cwd=repository)
    assert done.returncode == 0, done.stdout
    assert (repository / "a.suite.json").read_text() == "broken and not staged"


def test_a_suite_that_changed_since_its_approval_fails(commit):
    done = commit({"a.suite.json": suite(approval={"fingerprint": "0" * 64})})
    assert (done.returncode, "a.suite.json: mismatched" in done.stdout) == (1, True)


def test_the_fixing_hook_writes_the_fingerprint_and_then_passes(commit, repository):
    config = repository / ".pre-commit-config.yaml"
    config.write_text(config.read_text() + "      - id: mcpeak-fingerprint-approve\n")
    first = commit({"a.suite.json": suite()}, "mcpeak-fingerprint-approve")
    assert first.returncode == 1
    assert "files were modified by this hook" in first.stdout
    assert len(json.loads((repository / "a.suite.json").read_text())["approval"]["fingerprint"]) == 64
    assert commit({}).returncode == 0


def test_a_bad_mock_definition_fails(commit):
    done = commit({"w.mock.json": '{"tools": [{"name": 1}]}'})
    assert (done.returncode, "w.mock.json" in done.stdout) == (1, True)
