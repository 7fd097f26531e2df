#!/usr/bin/env python3
"""A small MCP server in plain Python: no packages, one JSON message a line on stdin and stdout.

It advertises two tools, get_weather and add. Three more answer calls but are not advertised: they misbehave, so
that failing.suite.json can show what a failing run looks like.
"""

import json
import sys
import time

WEATHER = {
    "서울": (21.5, "맑음"),
    "부산": (24.0, "구름 조금"),
    "제주": (26.5, "비"),
    "Seoul": (21.5, "clear"),
    "Busan": (24.0, "partly cloudy"),
    "Jeju": (26.5, "rain"),
}

TOOLS = [
    {
        "name": "get_weather",
        "description": "The weather of a city right now",
        "inputSchema": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Seoul, Busan, Jeju, or their Korean names"}
            },
            "required": ["city"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {
                "city": {"type": "string"},
                "temperature": {"type": "number", "description": "degrees Celsius"},
                "condition": {"type": "string"},
            },
            "required": ["city", "temperature", "condition"],
        },
    },
    {
        "name": "add",
        "description": "The sum of two numbers",
        "inputSchema": {
            "type": "object",
            "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
            "required": ["a", "b"],
        },
    },
]

VERSIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"]


def text(words, **more):
    return {"content": [{"type": "text", "text": words}], **more}


def get_weather(arguments):
    city = arguments.get("city")
    if not isinstance(city, str):
        return text("city must be a string", isError=True)
    if city not in WEATHER:
        return text(f"unknown city: {city}. Known: {', '.join(WEATHER)}", isError=True)
    temperature, condition = WEATHER[city]
    answer = {"city": city, "temperature": temperature, "condition": condition}
    return text(json.dumps(answer, ensure_ascii=False), structuredContent=answer)


def add(arguments):
    a, b = arguments.get("a"), arguments.get("b")
    for name, value in (("a", a), ("b", b)):
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            return text(f"{name} must be a number", isError=True)
    return text(str(a + b))


def wait(arguments):
    time.sleep(arguments.get("seconds", 1))
    return text("done")


def forecast(arguments):
    return {"content": [{"type": "text", "text": "today: clear"}, {"type": "text", "text": "tomorrow: rain"}]}


def stop(arguments):
    print("weather server: fatal: the sensor is on fire", file=sys.stderr)
    sys.exit(3)


CALLS = {"get_weather": get_weather, "add": add, "wait": wait, "forecast": forecast, "stop": stop}


def answer(message):
    """The result or error for one request."""
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        asked = params.get("protocolVersion")
        return {
            "result": {
                "protocolVersion": asked if asked in VERSIONS else VERSIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "weather", "version": "1.0.0"},
            }
        }
    if method == "ping":
        return {"result": {}}
    if method == "tools/list":
        return {"result": {"tools": TOOLS}}
    if method == "tools/call":
        name, arguments = params.get("name"), params.get("arguments") or {}
        if name not in CALLS:
            return {"error": {"code": -32602, "message": f"unknown tool: {name}"}}
        if not isinstance(arguments, dict):
            return {"error": {"code": -32602, "message": "arguments must be an object"}}
        return {"result": CALLS[name](arguments)}
    return {"error": {"code": -32601, "message": f"unknown method: {method}"}}


def reply_to(line):
    """The reply to one line, None where it wants none. Whatever comes, the server lives on."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError) as wrong:  # no JSON, or nested too deep to be read
        return {"id": None, "error": {"code": -32700, "message": f"cannot read this line: {wrong}"}}
    if not isinstance(message, dict) or "id" not in message or "method" not in message:
        return None  # a notification, or an answer that we did not ask for
    try:
        return {"id": message["id"], **answer(message)}
    except Exception as wrong:
        return {"id": message["id"], "error": {"code": -32603, "message": f"{type(wrong).__name__}: {wrong}"}}


def main():
    for line in sys.stdin.buffer:
        reply = reply_to(line) if line.strip() else None
        if reply is not None:  # json.dumps escapes what UTF-8 cannot hold, such as half a surrogate pair
            print(json.dumps({"jsonrpc": "2.0", **reply}), flush=True)


if __name__ == "__main__":
    main()
