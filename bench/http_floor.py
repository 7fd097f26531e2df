#!/usr/bin/env python3
"""The floor over HTTP: a bare httpx loop that does by hand the exchange that a suite needs.

usage: http_floor.py SUITE.json URL   exit 0 when every isError assertion holds
"""

import itertools
import json
import sys
from pathlib import Path

import httpx

suite = json.loads(Path(sys.argv[1]).read_bytes())
url = sys.argv[2]
headers = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
numbers = itertools.count(1)
bad = 0
with httpx.Client(headers=headers) as client:

    def call(method: str, params: dict | None = None) -> dict:
        """Ask and parse."""
        number = next(numbers)
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}
        return client.post(url, json=message).json()

    info = {"name": "floor", "version": "0"}
    call("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": info})
    client.post(url, json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    for case in suite["cases"]:
        operation = case["operation"]
        if operation["type"] == "listTools":
            call("tools/list")
            continue
        answer = call("tools/call", {"name": operation["tool"], "arguments": operation["input"]})
        for assertion in case["assertions"]:
            if assertion["type"] == "isError":
                bad += bool(answer["result"].get("isError")) != assertion["expected"]
sys.exit(bad > 0)
