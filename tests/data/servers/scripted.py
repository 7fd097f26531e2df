"""A server that plays one mode, for golden stories and the front end's tests: scripted.py MODE [FILE].

Modes: good; slow (answers `slow` late); dies (at `crash`); noise (a line on stdout that is no message); mute (never
answers); refuses (ends before the handshake); stays (writes its pid to FILE and hangs in a call).
"""

import json
import os
import sys
import time

MODE = sys.argv[1] if len(sys.argv) > 1 else "good"
TOOLS = [
    {"name": name, "inputSchema": {"type": "object"}} for name in ("ok", "refuse", "slow", "crash", "echo", "structured")
]


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def call(name, arguments):
    if name == "refuse":
        return {"result": text("city must be a string", isError=True)}
    if name == "slow" and MODE == "slow":
        time.sleep(float(arguments.get("seconds", 1)))
    if name == "crash" and MODE == "dies":
        sys.stderr.write("fatal: out of ideas\n  at call (scripted.py)\n")
        sys.exit(3)
    if name == "echo":
        return {"result": text(json.dumps(arguments, ensure_ascii=False))}
    if name == "structured":
        return {"result": text("ok", structuredContent=arguments)}
    if name in {tool["name"] for tool in TOOLS}:
        if MODE == "noise":
            sys.stdout.write("DEBUG: connecting to database\n")
        if MODE == "stays":
            time.sleep(60)
        return {"result": text("fine")}
    return {"error": {"code": -32602, "message": f"unknown tool: {name}"}}


def answer(method, params):
    if method == "initialize":
        facts = {"name": "scripted", "version": "1.0.0"}
        return {"result": {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": facts}}
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        return call(params["name"], params.get("arguments") or {})
    return {"error": {"code": -32601, "message": f"unknown method: {method}"}}


def main():
    if MODE == "refuses":
        sys.stderr.write("config.json: not found\n")
        sys.exit(2)
    if MODE == "noise":
        sys.stdout.write("scripted server 1.0.0 is listening\n")
    if len(sys.argv) > 2:
        with open(sys.argv[2], "w", encoding="ascii") as file:
            file.write(f"{os.getpid()}\n")
    for line in sys.stdin:
        message = json.loads(line) if line.strip() else {}
        if "id" in message and "method" in message and MODE != "mute":
            reply = {"jsonrpc": "2.0", "id": message["id"], **answer(message["method"], message.get("params", {}))}
            sys.stdout.write(json.dumps(reply, ensure_ascii=False) + "\n")
            sys.stdout.flush()


main()
