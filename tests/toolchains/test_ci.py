"""The files for CI services are valid by the services' own schemas; the action builds the right call."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from support.programs import ROOT

pytest.importorskip(
    "check_jsonschema", reason="check-jsonschema, which ships the services' schemas, is not installed"
)


def step():
    """Load the action's step as a module."""
    spec = importlib.util.spec_from_file_location(
        "github_action", ROOT / "examples" / "ci" / "github_action.py"
    )
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


GIVEN = {"SUITES": "a.suite.json", "COMMAND": "", "URL": "", "OPTIONS": "", "JUNIT": "", "HTML": ""}


@pytest.mark.parametrize(
    ("schema", "file"),
    [
        ("github-actions", "action.yml"),
        ("github-workflows", "examples/ci/github-workflow.yml"),
        ("gitlab-ci", "examples/ci/gitlab-ci.yml"),
    ],
)
def test_the_file_is_what_the_service_expects(schema: str, file: str):
    words = [
        sys.executable,
        "-m",
        "check_jsonschema",
        "--builtin-schema",
        f"vendor.{schema}",
        str(ROOT / file),
    ]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout


def test_the_action_asks_for_annotations_and_the_step_summary():
    made = step().command_line(GIVEN | {"COMMAND": "node server.mjs"}, "/summary.md")
    assert made == [
        "mcpeak",
        "test",
        "a.suite.json",
        "--github",
        "--markdown",
        "/summary.md",
        "--",
        "node",
        "server.mjs",
    ]


def test_the_actions_inputs_are_words_not_a_script():
    made = step().command_line(
        GIVEN | {"SUITES": "a.json; rm -rf x", "COMMAND": "node 'my server.mjs' $(x)"}, None
    )
    assert made == [
        "mcpeak",
        "test",
        "a.json;",
        "rm",
        "-rf",
        "x",
        "--github",
        "--",
        "node",
        "my server.mjs",
        "$(x)",
    ]


def test_the_actions_patterns_find_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    for name in ("b.suite.json", "a.suite.json"):
        (tmp_path / name).touch()
    monkeypatch.chdir(tmp_path)
    made = step().command_line(GIVEN | {"SUITES": "*.suite.json"}, None)
    assert made[2:4] == ["a.suite.json", "b.suite.json"]
