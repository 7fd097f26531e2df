"""A server that misbehaves: its first argument says how it is as a whole, each tool how it answers.

The tool `echo` answers with its arguments; see TOOLS for the others. Standard library only.
"""

import json
import os
import signal
import sys
import time
from pathlib import Path

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
OUT = sys.stdout.buffer
TOOLS = {}
HELD = []
COUNTS = {"calls": 0, "lists": 0}


def tool(function):
    """Register a tool under the function's name, `_` as `-`."""
    TOOLS[function.__name__.replace("_", "-")] = function
    return function


def raw(line):
    OUT.write(line + b"\n")
    OUT.flush()


def send(message):
    raw(json.dumps(message).encode())


def ok(number, result):
    send({"jsonrpc": "2.0", "id": number, "result": result})


def text(words, **more):
    return {"content": [{"type": "text", "text": words}]} | more


def note(line):
    sys.stderr.write(line + "\n")
    sys.stderr.flush()


@tool
def echo(number, given):
    ok(number, text(json.dumps(given)))


@tool
def crash(number, given):
    note("last words")
    os._exit(3)


@tool
def gasp(number, given):
    sys.stderr.write("no line end")
    sys.stderr.flush()
    os._exit(3)


@tool
def crash_once(number, given):
    if Path(given["file"]).exists():
        echo(number, given)
        return
    Path(given["file"]).touch()
    os._exit(3)


@tool
def segv(number, given):
    os.kill(os.getpid(), signal.SIGSEGV)


@tool
def hang(number, given):
    pass


@tool
def slow(number, given):
    time.sleep(given.get("seconds", 0.3))
    echo(number, given)


@tool
def flood(number, given):
    for _ in range(given["mib"]):
        os.write(2, (b"y" * 1023 + b"\n") * 1024)
    echo(number, given)


@tool
def big(number, given):
    ok(number, text("x" * given["bytes"]))


@tool
def huge_noise(number, given):
    raw(b"n" * given["bytes"])
    echo(number, given)


@tool
def close_stdout(number, given):
    os.close(1)
    time.sleep(60)


@tool
def close_stdin(number, given):
    os.close(0)
    echo(number, given)
    time.sleep(60)


@tool
def twice(number, given):
    echo(number, given)
    echo(number, given)


@tool
def hold(number, given):
    HELD.append(number)


@tool
def release(number, given):
    echo(number, given)
    while HELD:
        echo(HELD.pop(0), given)


@tool
def wrong_id(number, given):
    echo(number + 1000, given)


@tool
def other_id(number, given):
    echo("mine", given)


@tool
def text_id(number, given):
    echo(str(number), given)


@tool
def text_id_error(number, given):
    send({"jsonrpc": "2.0", "id": str(number), "error": {"code": -32602, "message": "no"}})


@tool
def unended(number, given):
    """Answer without a line end; `then` says what follows: `exit`, `end` (the line end, later) or nothing."""
    OUT.write(json.dumps({"jsonrpc": "2.0", "id": number, "result": text("x")}).encode())
    OUT.flush()
    if given.get("then") == "exit":
        os._exit(0)
    if given.get("then") == "end":
        time.sleep(0.3)
        raw(b"")


@tool
def unread(number, given):
    """Answer as a server that could not read the request."""
    send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "cannot read"}})


@tool
def latin1(number, given):
    line = json.dumps({"jsonrpc": "2.0", "id": number, "result": text("caf@")})
    raw(line.encode().replace(b"@", b"\xe9"))


@tool
def cut(number, given):
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[' % number)


@tool
def structured(number, given):
    """Answer with raw JSON as structuredContent, whatever it is."""
    value = given["raw"].encode()
    raw(b'{"jsonrpc":"2.0","id":%d,"result":{"content":[],"structuredContent":%b}}' % (number, value))


@tool
def noise(number, given):
    for line in given.get("lines", ["listening \x1b[31mon stdio"]):
        raw(line.encode())
    echo(number, given)


@tool
def ask(number, given):
    send({"jsonrpc": "2.0", "id": "a", "method": given["method"], "params": {}})
    ok(number, text(json.dumps(json.loads(sys.stdin.buffer.readline()))))


@tool
def child(number, given):
    """Leave a process behind: `away` from the group, without a `hold` on our pipes, after a `crash`."""
    pid = os.fork()
    if pid == 0:
        if given.get("away"):
            os.setsid()
        if given.get("hold") is False:
            os.closerange(0, 3)
        time.sleep(300)
        os._exit(0)
    remember(pid, given["pids"])
    if given.get("crash"):
        os._exit(4)
    echo(number, given)


@tool
def stderr(number, given):
    note(given["line"])
    echo(number, given)


@tool
def place(number, given):
    ok(number, text(json.dumps({"env": dict(os.environ), "cwd": str(Path.cwd())})))


@tool
def descriptors(number, given):
    ok(number, text(json.dumps(sorted(int(path.name) for path in Path("/dev/fd").iterdir()))))


@tool
def signals(number, given):
    """Tell which signals are ignored (Python itself ignores SIGPIPE and SIGXFSZ)."""
    ignored = [
        name.name for name in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(name) is signal.SIG_IGN
    ]
    ok(number, text(json.dumps({"ignored": ignored})))


@tool
def changed(number, given):
    send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
    echo(number, given)


@tool
def error(number, given):
    send({"jsonrpc": "2.0", "id": number, "error": given})


@tool
def result(number, given):
    ok(number, given["result"])


def remember(pid, path):
    with Path(path).open("a") as file:
        file.write(f"{pid}\n")


def listed(number, cursor):
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("echo", "slow", "crash")]
    if MODE == "pages":
        order = [None, "", "b", None]
        ok(number, {"tools": [tools[order.index(cursor)]], "nextCursor": order[order.index(cursor) + 1]})
    elif MODE == "typed":
        schema = {"type": "object", "properties": {"sum": {"type": "number"}}, "required": ["sum"]}
        ok(number, {"tools": [{"name": "result", "inputSchema": {"type": "object"}, "outputSchema": schema}]})
    elif MODE == "bad-list":
        ok(number, {"tools": {"name": "echo"}})
    else:
        ok(number, {"tools": tools} | ({"nextCursor": "again"} if MODE == "repeating" else {}))


def initialized(number, version):
    if MODE == "unended":
        OUT.write(
            json.dumps({"jsonrpc": "2.0", "id": number, "result": {"protocolVersion": version}}).encode()
        )
        OUT.flush()
    elif MODE != "mute":
        number = str(number) if MODE == "text-id" else number
        version = "2099-01-01" if MODE == "future" else version
        who = {"name": "faults", "version": "1"}
        ok(number, {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": who})


def unknown(number):
    if MODE == "silent":  # answers nothing but what it knows
        return
    if MODE == "picky":  # as servers that accept nothing but initialize as a first message
        note("the first message must be initialize")
        os._exit(1)
    if MODE != "mute":
        error(number, {"code": -32601, "message": "no such method"})


def handle(message):
    method, params, number = message.get("method"), message.get("params") or {}, message.get("id")
    if method == "initialize":
        initialized(number, params["protocolVersion"])
    elif method == "notifications/initialized" and MODE == "dies-early":
        note("no license")
        os._exit(9)
    elif method == "notifications/cancelled":
        note(f"cancelled {params['requestId']}")
    elif method == "tools/list":
        COUNTS["lists"] += 1
        listed(number, params.get("cursor"))
    elif method == "tools/call":
        COUNTS["calls"] += 1
        TOOLS[params["name"]](number, params.get("arguments", {}))
    elif number is not None and method is not None:
        unknown(number)


def begin():
    if MODE == "exits":
        note("cannot open the database")
        sys.exit(3)
    if MODE == "forks" and os.fork():
        os._exit(0)
    if MODE == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if MODE == "slow-reader":
        time.sleep(0.5)
    if MODE == "banner":
        raw(b"Demo server ready")
    if MODE == "buffers":
        sys.stdin.buffer.read()
        ok(1, {})
        sys.exit(0)
    if len(sys.argv) > 2:
        remember(os.getpid(), sys.argv[2])


def end():
    for held in HELD:
        echo(held, {})
    if MODE == "counts":
        note(f"calls {COUNTS['calls']} lists {COUNTS['lists']}")
    if MODE in ("stubborn", "lazy"):
        time.sleep(300)
    sys.exit(11 if MODE == "rude-exit" else 0)


if __name__ == "__main__":
    begin()
    for line in iter(sys.stdin.buffer.readline, b""):
        if line.strip():
            handle(json.loads(line))
    end()
