"""`--url URL -- COMMAND…`: the server is started, waited for, and ended with its tree."""

import os
import socket
import sys
from pathlib import Path
from typing import Any

import pytest

from mcpeak.command.target import Command
from mcpeak.link.client import ConnectFailed, Died
from mcpeak.link.http_net import Watch
from mcpeak.link.http_port import Port
from support.http_client import called, client_of, good
from support.http_server import serving

SERVER = """
import os, sys, time
sys.path[:0] = {paths!r}
from support.http_server import HttpServer
print("x" * 200_000, flush=True)
print("y" * 200_000, file=sys.stderr, flush=True)
time.sleep({wait})
server = HttpServer({era!r}, port={port})
if {dies}:
    server.script["tools/call"] = lambda request: os._exit(3)
server.serve_forever()
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def command_of(port: int, *, era: str = "modern", wait: float = 0.0, dies: bool = False) -> Command:
    paths = [str(Path(__file__).parents[1]), str(Path(__file__).parents[2] / "lib")]
    code = SERVER.format(paths=paths, era=era, wait=wait, port=port, dies=dies)
    return Command((sys.executable, "-c", code), dict(os.environ))


def url_of(port: int) -> str:
    return f"http://127.0.0.1:{port}/mcp"


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_server_is_started_waited_for_and_ended(era: str) -> None:
    port = free_port()
    with client_of(url_of(port), command=command_of(port, era=era, wait=0.3)) as client:
        assert good(called(client))
        closed = client.close()
    assert closed.process is not None
    assert not closed.left_behind
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), 1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere orphans are not found")
def test_server_whose_parent_is_gone_before_it_listens_is_waited_for() -> None:
    port = free_port()
    command = command_of(port, wait=0.3)
    forked = Command(
        (sys.executable, "-c", f"import os\nos.fork() and os._exit(0)\n{command.argv[2]}"), command.env
    )
    with client_of(url_of(port), command=forked) as client:
        assert good(called(client))


def test_command_that_ends_is_named_with_its_exit_code() -> None:
    command = Command((sys.executable, "-c", "import sys; sys.exit('no such thing')"), dict(os.environ))
    with (
        client_of(url_of(free_port()), command=command, opened=False) as client,
        pytest.raises(ConnectFailed) as failed,
    ):
        client.open(10)
    assert (failed.value.detail, failed.value.values["last"]) == ("PROCESS_EXITED", "no such thing")


def test_server_that_never_listens_is_named_and_ended() -> None:
    command = Command((sys.executable, "-c", "import time; time.sleep(60)"), dict(os.environ))
    with (
        client_of(url_of(free_port()), command=command, opened=False) as client,
        pytest.raises(ConnectFailed) as failed,
    ):
        client.open(0.3)
    assert failed.value.process is not None
    assert (failed.value.detail, failed.value.word) == ("HTTP_CONNECT_FAILED", "HTTP_NOT_READY")


def test_server_that_dies_in_a_call_is_dead_with_its_exit_code() -> None:
    port = free_port()
    with client_of(url_of(port), command=command_of(port, dies=True)) as client:
        outcome: Any = called(client)
    assert isinstance(outcome, Died)
    assert outcome.ended is not None
    assert outcome.ended.code == 3


def test_command_that_does_not_exist_is_no_start() -> None:
    with (
        pytest.raises(ConnectFailed) as failed,
        client_of("http://127.0.0.1:9/", command=Command(("no-such-x",), {})),
    ):
        pass
    assert failed.value.detail == "PROCESS_START_FAILED"


def test_server_that_is_there_already_is_not_taken_for_ours() -> None:
    with (
        serving("modern") as other,
        pytest.raises(ConnectFailed) as failed,
        client_of(other.url, command=command_of(free_port())),
    ):
        pass
    assert failed.value.word == "HTTP_PORT_TAKEN"


def test_proxy_that_waits_for_its_server_may_be_there_already() -> None:
    with serving("modern") as proxy:
        proxy.on_get = lambda request: request.answer(503)
        port = Port(proxy.url)
        port.take(Watch())
        port.leave()


def test_two_runs_take_one_port_in_turn() -> None:
    port = free_port()
    first = Port(url_of(port))
    first.take(Watch())
    second = Watch()
    second.pause = lambda _: first.leave()  # type: ignore[method-assign] # the first run ends meanwhile
    mine = Port(url_of(port))
    mine.take(second)
    assert first._held is None
    assert mine._held is not None
    mine.leave()


def test_port_of_another_machine_is_not_asked() -> None:
    Port("http://192.0.2.1:9/mcp").take(Watch())
