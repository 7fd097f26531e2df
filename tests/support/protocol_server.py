"""A small pure MCP server of any habit, to be paired with a client session in memory."""

import json

MODERN = "2026-07-28"
META = "io.modelcontextprotocol/"


class PureServer:
    """Lines in, lines out. `habit`: how it deals with the other era, as the SDKs do (PROTOCOL.md §3)."""

    def __init__(
        self, habit: str = "ts1", tools: tuple[str, ...] = ("add",), versions: tuple[str, ...] = ()
    ) -> None:
        self.habit = habit
        self.tools = tools
        self.era = ""
        self.heard: list[dict] = []
        self.versions = versions or ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")

    def take(self, line: bytes) -> list[bytes]:
        """Answer one line."""
        message = json.loads(line)
        self.heard.append(message)
        if "id" not in message or "method" not in message:
            return []
        answer = getattr(self, "_" + message["method"].replace("/", "_"), self._unknown)(message)
        return (
            [] if answer is None else [json.dumps({"jsonrpc": "2.0", "id": message["id"], **answer}).encode()]
        )

    def _server_discover(self, message: dict) -> dict | None:
        if self.habit == "silent":
            return None
        if self.habit in ("ts1", "legacy"):
            return _error(-32601, "Method not found")
        if self.habit == "py1":
            return _error(-32602, "Invalid request parameters")
        if self.habit == "fast":
            return {"result": {}}
        if self.habit == "ts2" and self.era == "legacy":
            return _error(-32601, "Method not found")
        self.era = "modern"
        return {"result": _modern({"supportedVersions": [MODERN], "capabilities": {"tools": {}}, "ttlMs": 0})}

    def _initialize(self, message: dict) -> dict:
        if self.habit in ("py2", "modern") and self.era == "modern":
            return _error(-32022, f"connection is serving the {MODERN} protocol", {"supported": [MODERN]})
        if self.habit == "modern":
            return _error(-32022, "only the modern protocol", {"supported": [MODERN]})
        self.era = "legacy"
        asked = message["params"]["protocolVersion"]
        version = asked if asked in self.versions else self.versions[-1]
        info = {"name": "pure", "version": "1"}
        return {"result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}}

    def _tools_list(self, message: dict) -> dict:
        tools = [{"name": name, "inputSchema": {"type": "object"}} for name in self.tools]
        return {"result": self._shaped({"tools": tools})}

    def _tools_call(self, message: dict) -> dict:
        text = json.dumps(message["params"]["arguments"])
        return {"result": self._shaped({"content": [{"type": "text", "text": text}]})}

    def _ping(self, message: dict) -> dict:
        return {"result": {}}

    def _unknown(self, message: dict) -> dict:
        return _error(-32601, "Method not found")

    def _shaped(self, result: dict) -> dict:
        return _modern(result) if self.era == "modern" else result


def _modern(result: dict) -> dict:
    return {
        "resultType": "complete",
        **result,
        "_meta": {META + "serverInfo": {"name": "pure", "version": "1"}},
    }


def _error(code: int, message: str, data: object = None) -> dict:
    return {"error": {"code": code, "message": message, **({} if data is None else {"data": data})}}
