import pytest

from mcpeak.command.failure import UsageError
from mcpeak.front.arguments import Given, read
from mcpeak.front.settings import given_by, merged
from mcpeak.front.table import load

TEST = load().commands["test"]


def project(**settings):
    settings = {key.replace("_", "-"): value for key, value in settings.items()}
    return given_by(settings, TEST, lambda _: "mcpeak.toml", lambda pattern, _: [f"found/{pattern}"])


def together(line, **settings):
    return merged(read(line, TEST, "mcpeak test"), project(**settings), TEST)


def test_settings_read_as_a_command_line_does():
    assert project(
        suites=["*.json"], command=["node", "s.mjs"], json=True, github=False, stderr_lines=5, env=["A", "B"]
    ) == Given(
        [("--json", None), ("--stderr-lines", "5"), ("--env", "A"), ("--env", "B")],
        ["found/*.json"],
        ["node", "s.mjs"],
    )


@pytest.mark.parametrize(
    ("settings", "detail"),
    [
        ({"jnit": "x"}, "SETTING_UNKNOWN"),
        ({"explain": True}, "SETTING_UNKNOWN"),
        ({"arg": ["x"]}, "SETTING_UNKNOWN"),
        ({"json": "yes"}, "SETTING_NO_FLAG"),
        ({"junit": ["a", "b"]}, "SETTING_NO_VALUE"),
        ({"junit": True}, "SETTING_NO_VALUE"),
        ({"env": "A"}, "SETTING_NO_LIST"),
        ({"suites": "a.json"}, "SETTING_NO_LIST"),
        ({"command": "node s.mjs"}, "SETTING_NO_LIST"),
        ({"jobs": "many"}, "OPTION_VALUE_WRONG"),
    ],
)
def test_a_wrong_setting_is_a_usage_error_that_names_file_and_key(settings, detail):
    with pytest.raises(UsageError) as caught:
        project(**settings)
    assert caught.value.detail == detail
    assert "mcpeak.toml" in caught.value.words.message
    assert next(iter(settings)) in caught.value.words.message


def test_the_project_fills_what_the_line_leaves_open():
    given = together(["--json"], suites=["s"], command=["c"], junit="j.xml")
    assert given == Given([("--junit", "j.xml"), ("--json", None)], ["found/s"], ["c"])


def test_the_line_s_files_and_options_win():
    given = together(
        ["a.json", "--junit", "mine.xml", "--env", "B"], suites=["s"], junit="j.xml", env=["A"], command=["c"]
    )
    assert given == Given([("--junit", "mine.xml"), ("--env", "B")], ["a.json"], ["c"])


def test_a_server_on_the_line_puts_away_the_project_s_server():
    given = together(["--", "mine"], url="http://x", header_env=["A=B"], junit="j.xml")
    assert given == Given([("--junit", "j.xml")], [], ["mine"])
    assert together(["--url", "http://y"], command=["c"]).command is None


def test_an_option_puts_away_what_it_excludes():
    assert together(["--tap"], json=True, quiet=True).options == [("--quiet", None), ("--tap", None)]
