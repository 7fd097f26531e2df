import pytest

from mcpeak.command.failure import InputError, UsageError
from mcpeak.front.project import expand, read_project
from support.programs import ROOT, run


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_no_file_is_no_project():
    assert read_project() is None


def test_its_own_file_comes_before_pyproject(folder):
    (folder / "pyproject.toml").write_text("[tool.mcpeak]\njson = true\n")
    assert read_project()[:2] == ("pyproject.toml", {"json": True})
    (folder / "mcpeak.toml").write_text("tap = true\n")
    assert read_project()[:2] == ("mcpeak.toml", {"tap": True})


def test_a_pyproject_without_our_table_is_not_even_parsed(folder):
    (folder / "pyproject.toml").write_text("this is [no toml")
    assert read_project() is None


@pytest.mark.parametrize("data", [b"json = ", b"\xff"])
def test_a_broken_file_is_told(folder, data):
    (folder / "mcpeak.toml").write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_project()
    assert caught.value.code == "PROJECT_FILE_INVALID"


def test_a_pattern_gives_its_files_in_order_and_never_nothing(folder):
    for name in ("b.json", "a.json"):
        (folder / name).touch()
    assert expand("*.json", "f:1") == ["a.json", "b.json"]
    assert expand("plain.json", "f:1") == ["plain.json"]
    with pytest.raises(UsageError):
        expand("*.yaml", "f:1")


def test_a_project_runs_with_two_words(folder):
    weather = ROOT / "examples" / "weather"
    (folder / "mcpeak.toml").write_text(
        f'suites = ["{weather}/weather*.suite.json"]\njunit = "j.xml"\n'
        f'command = ["python3", "{weather}/server.py"]\n'
    )
    done = run("mcpeak", "test", cwd=folder)
    assert (done.returncode, (folder / "j.xml").exists()) == (0, True)
    assert run("mcpeak", "test", "--no-project", cwd=folder).returncode == 1


def test_config_shows_what_holds_and_why(folder):
    (folder / "mcpeak.toml").write_text('suites = ["a.json"]\njunit = "j.xml"\n')
    rows = [
        line.split()
        for line in run("mcpeak", "config", "--json", "--", "node", "s", cwd=folder)
        .stdout.decode()
        .splitlines()
    ]
    assert rows == [
        ["suites", "a.json", "mcpeak.toml"],
        ["--junit", "j.xml", "mcpeak.toml"],
        ["--json", "command", "line"],
        ["--", "COMMAND", "node", "s", "command", "line"],
    ]


def test_config_without_settings_says_so(folder):
    assert b"mcpeak.toml" in run("mcpeak", "config", cwd=folder).stdout


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("mcpeak.toml", 'junit = "j.xml"\njnit = "x"\n'),
        ("pyproject.toml", '[tool.mcpeak]\n"jnit" = "x"\n'),
    ],
)
def test_a_mistake_in_the_file_is_told_with_its_line(folder, file, text):
    (folder / file).write_text(text)
    assert f"{file}:2".encode() in run("mcpeak", "test", cwd=folder).stderr


@pytest.mark.parametrize(
    "words",
    [
        ["tools"],
        ["call", "get_weather", '{"city": "Busan"}'],
        ["init", "--out", "first.suite.json"],
        ["generate", "--baseline-only", "--out", "draft.suite.json"],
    ],
)
def test_whatever_needs_a_server_takes_the_project_s(folder, words):
    server = ROOT / "examples" / "weather" / "server.py"
    (folder / "mcpeak.toml").write_text(
        f'suites = ["nothing/*.json"]\njunit = "j.xml"\ncommand = ["python3", "{server}"]\n'
    )
    done = run("mcpeak", *words, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert run("mcpeak", *words, "--url", "http://127.0.0.1:9/mcp", cwd=folder).returncode != 0


def test_a_call_speaks_as_the_project_says(folder):
    server = ROOT / "examples" / "weather" / "server.py"
    (folder / "mcpeak.toml").write_text(f'protocol = "modern"\ncommand = ["python3", "{server}"]\n')
    call = ["mcpeak", "call", "get_weather", '{"city": "Busan"}']
    assert b"server/discover" in run(*call, cwd=folder).stderr
    assert run(*call, "--protocol", "legacy", cwd=folder).returncode == 0
