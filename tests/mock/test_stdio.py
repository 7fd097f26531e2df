"""The stdio edge: eras, odd lines, the end, and what goes wrong on purpose."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support.mocks import WEATHER, call, modern, play, request
from support.programs import BIN, environment

INIT = request(0, "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}})
SEOUL = {"city": "Seoul"}


def started(tmp_path: Path, definition: Any, *options: str) -> "subprocess.Popen[bytes]":
    """Start a mock; as a context, it closes its pipes and waits for the end."""
    path = tmp_path / "a.mock.json"
    path.write_text(json.dumps(definition))
    command = [sys.executable, str(BIN / "mcpeak-mock"), str(path), *options]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment())


def spoken(tmp_path: Path, definition: Any, lines: bytes) -> bytes:
    with started(tmp_path, definition) as process:
        return process.communicate(lines, timeout=20)[0]


def say(process: "subprocess.Popen[bytes]", message: Any) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(message).encode() + b"\n")
    process.stdin.flush()


def hear(process: "subprocess.Popen[bytes]") -> Any:
    assert process.stdout is not None
    return json.loads(process.stdout.readline())


IDS = [0, -1, 7, "", "a", "\ud800", "한글", 2**70, "server-discover-probe-1"]


@pytest.mark.parametrize("number", IDS, ids=ascii)
def test_an_id_comes_back_as_it_was_sent(number: Any) -> None:
    assert [message["id"] for message in play(WEATHER, [request(number, "ping")]).messages] == [number]


def test_both_eras_are_answered_on_one_connection_in_any_order() -> None:
    played = play(
        WEATHER, [modern(1, "server/discover"), INIT, modern(2, "tools/list"), request(3, "tools/list")]
    )
    assert ["resultType" in played.answers[n]["result"] for n in (1, 0, 2, 3)] == [True, False, True, False]


def test_tools_are_listed_without_params_and_without_a_handshake() -> None:
    assert play(WEATHER, [request(1, "tools/list")]).answers[1]["result"] == {"tools": WEATHER["tools"]}


PROBES = [
    ("legacy", modern(1, "server/discover"), -32601),
    ("2025-03-26", modern(1, "server/discover"), -32601),
    ("modern", INIT | {"id": 1}, -32022),
    ("2026-07-28", request(1, "tools/list"), -32602),
    ("auto", modern(1, "tools/list", {"io.modelcontextprotocol/protocolVersion": "2030-01-01"}), -32022),
    ("auto", request(1, "server/discover"), -32602),
    ("auto", modern(1, "tools/list", {"io.modelcontextprotocol/clientCapabilities": 1}), -32602),
    ("auto", modern(1, "initialize"), -32601),
    ("auto", modern(1, "logging/setLevel"), -32601),
]


@pytest.mark.parametrize(
    ("pinned", "probe", "code"), PROBES, ids=[f"{p[0]}-{p[1]['method']}-{p[2]}" for p in PROBES]
)
def test_a_probe_is_answered_at_once_whatever_is_served(pinned: str, probe: Any, code: int) -> None:
    assert play(WEATHER, [probe], "--protocol", pinned).answers[1]["error"]["code"] == code


def test_a_pinned_revision_is_what_initialize_gets() -> None:
    played = play(WEATHER, [INIT], "--protocol", "2024-11-05")
    assert played.answers[0]["result"]["protocolVersion"] == "2024-11-05"


def test_a_server_that_locks_its_era_refuses_the_other_and_never_hangs() -> None:
    definition = WEATHER | {"faults": {"lockEra": True}}
    played = play(definition, [modern(1, "server/discover"), INIT, modern(2, "tools/list")])
    assert (played.answers[0]["error"]["code"], "result" in played.answers[2]) == (-32022, True)
    played = play(definition, [INIT, modern(2, "tools/list"), request(3, "tools/list")])
    assert (played.answers[2]["error"]["code"], "result" in played.answers[3]) == (-32600, True)


ODD = [
    b"",
    b"   ",
    b"\r",
    b"garbage",
    b"[1]",
    b'"x"',
    b"null",
    b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    b'{"jsonrpc":"2.0","id":{},"method":"ping"}',
    b'{"jsonrpc":"2.0","method":"notifications/whatever"}',
    b'{"jsonrpc":"2.0","id":5,"result":{}}',
    b'{"jsonrpc":"2.0","id":5}',
    b'{"jsonrpc":"1.0","method":"x"}',
    b'\xff\xfe{"id":1}',
    b'{"id":"\xff","jsonrpc":"2.0","method":"ping"}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
]


@pytest.mark.parametrize("line", ODD, ids=lambda line: str(line)[:40])
def test_an_odd_line_is_passed_over_and_the_next_is_answered(line: bytes) -> None:
    played = play(WEATHER, [line, request("next", "ping")])
    assert (played.exit, [one["id"] for one in played.messages if one["id"] != 5]) == (0, ["next"])


@pytest.mark.parametrize("schema", [{}, {"properties": {"n": {"maximum": 5}}}])
def test_arguments_with_an_integer_beyond_a_double_are_told_with_its_digits(schema: dict[str, Any]) -> None:
    definition = {"tools": [{"name": "t", "inputSchema": {"type": "object"} | schema}]}
    played = play(definition, [call(1, "t", {"n": 10**400}), request(2, "ping")])
    assert played.exit == 0
    assert played.answers[1]["result"]["isError"]
    assert "10000000" in played.answers[1]["result"]["content"][0]["text"]
    assert played.answers[2]["result"] == {}


def test_of_all_letters_a_lone_surrogate_alone_is_escaped() -> None:
    """As JSON.stringify writes it: clients compare the text byte for byte."""
    result = {"é\ud800": ["\udc00€😀\n", 1.0, True, None]}
    definition = {
        "tools": [{"name": "t", "inputSchema": {}}],
        "responses": [{"tool": "t", "result": result}],
    }
    text = play(definition, [call(1, "t", {})]).answers[1]["result"]["content"][0]["text"]
    assert text == '{"é\\ud800":["\\udc00€😀\\n",1,true,null]}'


UNREADABLE = [
    b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"get_weather","arguments":{"n":1e999}}}',
    b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"x":NaN}}',
    b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"x":"\xff"}}',
    b'{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"x":',
]


@pytest.mark.parametrize("line", UNREADABLE, ids=lambda line: str(line)[-30:])
def test_a_broken_line_that_plainly_is_a_request_is_answered(line: bytes) -> None:
    """Its client would wait for ever."""
    answers = play(WEATHER, [line]).answers
    assert list(answers) == [5]


def test_lines_may_end_in_crlf_and_the_last_in_nothing(tmp_path: Path) -> None:
    with started(tmp_path, WEATHER) as process:
        lines = json.dumps(request(1, "ping")).encode() + b"\r\n" + json.dumps(request(2, "ping")).encode()
        said, _ = process.communicate(lines, timeout=20)
        assert [json.loads(line)["id"] for line in said.splitlines()] == [1, 2]


def test_a_batch_is_answered_as_one_array_where_the_revision_has_them() -> None:
    batch = [
        request(1, "ping"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request(2, "nope"),
        7,
    ]
    opened = INIT | {"params": {"protocolVersion": "2025-03-26"}}
    assert [one["id"] for one in play(WEATHER, [opened, batch]).messages[1]] == [1, 2]
    assert play(WEATHER, [INIT, batch]).messages[1:] == []


def nested(levels: int) -> Any:
    value: Any = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize("levels", [512, 5_000])
def test_arguments_nested_too_deep_are_an_error_and_the_server_lives_on(levels: int) -> None:
    deep = b"[" * levels + b"]" * levels
    line = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_weather","arguments":{"a":%b}}}'
        % deep
    )
    played = play(WEATHER, [line, request(2, "ping")])
    assert played.answers[1]["result"]["isError"] is True
    assert "512" in played.answers[1]["result"]["content"][0]["text"]
    assert played.answers[2]["result"] == {}


def test_the_same_call_gives_the_same_bytes(tmp_path: Path) -> None:
    lines = b"".join(json.dumps(call(1, "get_weather", SEOUL)).encode() + b"\n" for _ in range(3))
    said = {spoken(tmp_path, WEATHER, lines) for _ in range(2)}
    assert len(said) == 1
    assert len(set(said.pop().splitlines())) == 1


def test_it_ends_when_stdin_closes_and_nobody_reads(tmp_path: Path) -> None:
    with started(tmp_path, WEATHER) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(timeout=20) == 0


def test_sigterm_ends_it_cleanly_while_stdin_is_open(tmp_path: Path) -> None:
    with started(tmp_path, WEATHER) as process:
        say(process, INIT)
        hear(process)
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=20) == 0


def test_a_client_that_stops_reading_ends_it_quietly(tmp_path: Path) -> None:
    with started(tmp_path, WEATHER) as process:
        assert process.stdout is not None
        process.stdout.close()
        say(process, INIT)
        assert process.wait(timeout=20) == 141
        assert process.stderr is not None
        assert process.stderr.read() == b""


def test_ignored_lines_are_told_but_not_thousands_of_them() -> None:
    told = play(WEATHER, [b"x"] * 500).stderr
    assert told.count("[LINE_IGNORED]") == 20
    assert told.count("[LINES_IGNORED]") == 1


def test_terminal_controls_of_a_client_are_not_repeated() -> None:
    assert "\x1b" not in play(WEATHER, [b"\x1b[2J"]).stderr


def faulty(fault: Any, **more: Any) -> dict[str, Any]:
    response = {"tool": "get_weather", "args": SEOUL, "result": 1, "fault": fault}
    return {"tools": WEATHER["tools"], "responses": [response], **more}


CALLS = [call(1, "get_weather", SEOUL), request(2, "ping")]


def test_fault_crash_ends_the_process_with_its_code() -> None:
    played = play(faulty({"kind": "crash", "exitCode": 9, "after": 1}), [CALLS[0], CALLS[0], CALLS[1]])
    assert (played.exit, list(played.answers)) == (9, [1])


def test_fault_hang_never_answers_but_the_server_lives() -> None:
    assert list(play(faulty("hang"), CALLS).answers) == [2]


def test_fault_close_ends_the_stream() -> None:
    assert play(faulty("close"), CALLS) == ({}, [], 0, "")


RAW = [
    ("garbage", [b'{"jsonrpc":"2.0","id":1,"result":{', b'{"jsonrpc":"2.0","id":2']),
    ("noise", [b"mcpeak-mock: this line is noise", b'{"jsonrpc":"2.0","id":1', b'{"jsonrpc":"2.0","id":2']),
    ("twice", [b'{"jsonrpc":"2.0","id":1', b'{"jsonrpc":"2.0","id":1', b'{"jsonrpc":"2.0","id":2']),
    ("wrongId", [b'{"jsonrpc":"2.0","id":"not-yours"', b'{"jsonrpc":"2.0","id":2']),
]


@pytest.mark.parametrize(("fault", "beginnings"), RAW, ids=[fault for fault, _ in RAW])
def test_faults_that_spoil_the_answer(fault: str, beginnings: list[bytes], tmp_path: Path) -> None:
    lines = b"".join(json.dumps(one).encode() + b"\n" for one in CALLS)
    said = spoken(tmp_path, faulty(fault), lines).splitlines()
    assert [line[: len(start)] for line, start in zip(said, beginnings, strict=True)] == beginnings


def test_faults_of_a_method_and_noise_at_the_start(tmp_path: Path) -> None:
    definition = WEATHER | {
        "faults": {"noise": ["Listening…"], "on": {"tools/list": "hang"}, "startDelayMs": 1}
    }
    lines = b"".join(
        json.dumps(one).encode() + b"\n" for one in (request(1, "tools/list"), request(2, "ping"))
    )
    said = spoken(tmp_path, definition, lines).splitlines()
    assert (said[0].decode(), json.loads(said[1])["id"], len(said)) == ("Listening…", 2, 2)


def test_fault_ignore_eof_stays_until_sigterm(tmp_path: Path) -> None:
    with started(tmp_path, WEATHER | {"faults": {"ignoreEof": True}}) as process:
        assert process.stdin is not None
        say(process, INIT)
        hear(process)
        process.stdin.close()
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
        process.terminate()
        assert process.wait(timeout=20) == 0


def test_fault_ignore_sigterm_stays_until_eof(tmp_path: Path) -> None:
    with started(tmp_path, WEATHER | {"faults": {"ignoreSigterm": True}}) as process:
        say(process, INIT)
        hear(process)
        process.terminate()
        say(process, request(1, "ping"))
        assert hear(process)["id"] == 1
        process.communicate(timeout=20)
        assert process.returncode == 0


def test_a_watched_definition_is_read_again(tmp_path: Path) -> None:
    with started(tmp_path, WEATHER, "--watch") as process:
        say(process, INIT)
        assert hear(process)["result"]["capabilities"] == {"tools": {"listChanged": True}}
        path = tmp_path / "a.mock.json"
        path.write_text(json.dumps({"tools": []}))
        assert hear(process)["method"] == "notifications/tools/list_changed"
        say(process, request(1, "tools/list"))
        assert hear(process)["result"] == {"tools": []}
        path.write_text("broken")
        assert process.stderr is not None
        told = [process.stderr.readline().decode() for _ in range(4)]
        assert "[RELOADED]" in told[0]
        assert "[NOT_RELOADED]" in told[3]
        say(process, request(2, "tools/list"))
        assert hear(process)["result"] == {"tools": []}
        process.communicate(timeout=20)
