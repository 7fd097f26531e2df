"""The TARGET options: what they accept, what they refuse and in which words."""

import json

import pytest

from mcpeak.command.failure import InputError, UsageError
from mcpeak.command.options import Parser
from mcpeak.command.target import Target, add_target, described, split, target_of, targets_of


def parsed(*argv):
    ours, command = split(argv)
    parser = Parser("mcpeak-x")
    add_target(parser)
    return parser.parse_args(ours), command


def target(*argv) -> Target:
    return target_of(*parsed(*argv))


def refused(*argv):
    with pytest.raises((UsageError, InputError)) as wrong:
        target(*argv)
    return wrong.value.detail


@pytest.mark.parametrize(
    "argv",
    [
        ("--", "node", "s.mjs", "-m", ""),
        ("--command", "node", "--arg", "s.mjs", "--arg", "-m", "--arg", ""),
        ("--command=node", "--arg=s.mjs", "--arg=-m", "--arg="),
    ],
)
def test_a_command_in_every_form(argv):
    assert target(*argv).command.argv == ("node", "s.mjs", "-m", "")


def test_two_dashes_are_an_argument_when_joined():
    assert target("--command", "npx", "--arg=--", "--arg", "-y").command.argv == ("npx", "--", "-y")


def test_nothing_behind_the_dashes_is_parsed():
    assert target("--", "npx", "--command", "x", "--", "--url").command.argv == (
        "npx",
        "--command",
        "x",
        "--",
        "--url",
    )


def test_a_url_with_headers_from_the_environment(monkeypatch):
    monkeypatch.setenv("TOKEN", "Bearer long-secret")
    found = target("--url", "http://h/mcp", "--header-env", "Authorization=TOKEN")
    assert (found.url, found.headers) == ("http://h/mcp", {"Authorization": "Bearer long-secret"})
    assert found.secrets == ("Bearer long-secret",)


def test_a_url_with_a_command_that_serves_it():
    found = target("--url", "http://h/mcp", "--", "serve")
    assert (found.url, found.command.argv) == ("http://h/mcp", ("serve",))


@pytest.mark.parametrize(
    ("argv", "detail"),
    [
        ((), "TARGET_MISSING"),
        (("--",), "COMMAND_EMPTY"),
        (("--command", ""), "COMMAND_EMPTY"),
        (("--command", "a", "--", "b"), "TARGET_TWICE"),
        (("--arg", "x"), "ARG_WITHOUT_COMMAND"),
        (("--arg", "x", "--", "b"), "ARG_WITHOUT_COMMAND"),
        (("--server", "x", "--", "b"), "SERVER_WITHOUT_CONFIG"),
        (("--config", "f", "--", "b"), "TARGET_TWICE"),
        (("--config", "f", "--url", "u"), "TARGET_TWICE"),
        (("--env", "NO_SUCH_VARIABLE", "--", "b"), "ENV_MISSING"),
        (("--env", "NAME=value", "--", "b"), "ENV_WITH_VALUE"),
        (("--header-env", "X", "--url", "u"), "HEADER_ENV_FORM"),
        (("--header-env", "X=HOME", "--", "b"), "HEADER_WITHOUT_URL"),
        (("--config", "/no/such/file"), "CONFIG_UNREADABLE"),
        (("--", ""), "COMMAND_EMPTY"),
        (("--url", ""), "VALUE_EMPTY"),
        (("--config", ""), "VALUE_EMPTY"),
        (("--config", "f", "--server", ""), "VALUE_EMPTY"),
        (("--cwd", "", "--", "b"), "VALUE_EMPTY"),
        (("--env", "", "--", "b"), "VALUE_EMPTY"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_reason(argv, detail):
    assert refused(*argv) == detail


def test_an_option_is_no_value_of_command():
    with pytest.raises(UsageError) as wrong:
        parsed("--command", "--json")
    assert wrong.value.detail == "OPTION_NEEDS_VALUE"


def test_the_server_gets_six_variables_and_those_named(monkeypatch):
    monkeypatch.setenv("WANTED", "yes")
    monkeypatch.setenv("UNWANTED", "no")
    env = target("--env", "WANTED", "--", "b").command.env
    assert env["WANTED"] == "yes"
    assert set(env) <= {"HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "WANTED"}


@pytest.fixture
def config(tmp_path):
    def write(value):
        path = tmp_path / "mcp.json"
        path.write_text(value if isinstance(value, str) else json.dumps(value))
        return str(path)

    return write


SERVERS = {
    "mcpServers": {
        "files": {
            "command": "npx",
            "args": ["-y", "${PACKAGE:-server}"],
            "env": {"TOKEN": "${SECRET}"},
            "cwd": "/tmp",
        },
        "remote": {"url": "https://h/mcp", "headers": {"Authorization": "Bearer ${SECRET}"}},
    }
}


def test_a_server_of_a_configuration_file(config, monkeypatch):
    monkeypatch.setenv("SECRET", "long-secret")
    found = target("--config", config(SERVERS), "--server", "files")
    assert found.command.argv == ("npx", "-y", "server")
    assert found.command.env["TOKEN"] == "long-secret"
    assert found.command.cwd == "/tmp"
    assert "long-secret" in found.secrets


def test_a_url_of_a_configuration_file(config, monkeypatch):
    monkeypatch.setenv("SECRET", "long-secret")
    found = target("--config", config(SERVERS), "--server", "remote")
    assert (found.url, found.headers) == ("https://h/mcp", {"Authorization": "Bearer long-secret"})
    assert set(found.secrets) == {"long-secret", "Bearer long-secret"}


def test_without_a_name_all_servers_are_meant(config, monkeypatch):
    monkeypatch.setenv("SECRET", "long-secret")
    found = targets_of(*parsed("--config", config(SERVERS)))
    assert [one.name for one in found] == ["files", "remote"]


@pytest.mark.parametrize(
    ("file", "name", "detail"),
    [
        (SERVERS, "nobody", "CONFIG_SERVER_MISSING"),
        (SERVERS, "files", "CONFIG_VARIABLE_MISSING"),
        ({"mcpServers": {}}, "x", "CONFIG_WITHOUT_SERVERS"),
        ({"mcpServers": {"x": {"args": []}}}, "x", "CONFIG_SHAPE"),
        ({"mcpServers": {"x": {"command": "a", "args": "b"}}}, "x", "CONFIG_SHAPE"),
        ({"mcpServers": {"x": {"command": "a", "env": {"A": 1}}}}, "x", "CONFIG_SHAPE"),
        ({"mcpServers": {"x": 3}}, "x", "CONFIG_SHAPE"),
        ("{,}", "x", "CONFIG_NOT_JSON"),
        ([1], "x", "CONFIG_WITHOUT_SERVERS"),
    ],
)
def test_a_configuration_that_cannot_be_used(config, monkeypatch, file, name, detail):
    monkeypatch.delenv("SECRET", raising=False)
    assert refused("--config", config(file), "--server", name) == detail


def test_the_missing_variable_is_named(config, monkeypatch):
    monkeypatch.delenv("SECRET", raising=False)
    with pytest.raises(InputError) as wrong:
        target("--config", config(SERVERS), "--server", "files")
    assert "SECRET" in wrong.value.words.message


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        (("--", "node", "my server.mjs"), "node 'my server.mjs'"),
        (("--", "srv", "--api-key", "abc"), "srv --api-key [REDACTED]"),
        (("--", "srv", "--token=abc"), "srv --token=[REDACTED]"),
        (("--url", "https://me:pw@h/mcp"), "https://h/mcp"),
        (("--url", "https://h/mcp?token=abc"), "https://h/mcp?token=[REDACTED]"),
    ],
)
def test_a_target_is_described_without_its_secrets(argv, words):
    assert described(target(*argv)) == words
