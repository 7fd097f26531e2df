"""One way to answer a call, made ready: what needs no thought is bytes in both eras before the first call.

Rule of this file: pure. `result` is packed as the format says (one text block with its JSON), `content` and
`structuredContent` go out as they are written.
"""

from typing import Any

from mcpeak.mock import placeholders
from mcpeak.mock.faults import Fault, fault_of
from mcpeak.mock.stringify import encode, stringify

_SLOW = ("delayMs", "progress", "log", "ask", "notify", "fault")


class Reply:
    """An answer of the definition. `legacy`, `modern`: the results; empty when they depend on the call."""

    def __init__(self, spec: dict[str, Any], tail: bytes, *, structured: bool) -> None:
        """Prepare an answer.

        Args:
            spec: the response, or one step of its sequence.
            tail: what ends every result of the modern era (`,"_meta":{…}`).
            structured: the tool promises `structuredContent`, so an object `result` serves as it, too.
        """
        self.spec = spec
        self.fault: Fault | None = fault_of(spec.get("fault"))
        self.slow = any(key in spec for key in _SLOW)
        self.requires: dict[str, Any] = spec.get("requires", {})
        self.error: dict[str, Any] | None = spec.get("error")
        asked = spec.get("ask", [])
        self.rounds: list[dict[str, Any]] = asked if isinstance(asked, list) else [asked]
        self._tail = tail
        self._structured = structured
        shown = {key: spec.get(key) for key in ("result", "content", "structuredContent", "error")}
        self.template = spec.get("template", True) and placeholders.present(shown)
        self.legacy = b"" if self.template or self.error else self.result({}, {}, modern=False)
        self.modern = b"" if self.template or self.error else self.result({}, {}, modern=True)
        self.plain = not (self.slow or self.template or self.error or self.requires)

    def result(self, arguments: dict[str, Any], asked: dict[str, Any], *, modern: bool) -> bytes:
        """Build the result of tools/call."""
        spec = placeholders.fill(self.spec, arguments, asked) if self.template else self.spec
        members = [b'"content":' + encode(_content(spec))]
        if "structuredContent" in spec:
            members.append(b'"structuredContent":' + encode(spec["structuredContent"]))
        elif self._structured and isinstance(spec.get("result"), dict) and not spec.get("isError"):
            members.append(b'"structuredContent":' + encode(spec["result"]))
        if spec.get("isError"):
            members.append(b'"isError":true')
        body = b",".join(members)
        return b'{"resultType":"complete",%b%b}' % (body, self._tail) if modern else b"{%b}" % body

    def filled_error(self, arguments: dict[str, Any], asked: dict[str, Any]) -> dict[str, Any]:
        """Give the JSON-RPC error of the definition."""
        error: dict[str, Any] = self.error or {}
        filled: dict[str, Any] = placeholders.fill(error, arguments, asked) if self.template else error
        return filled


def _content(spec: dict[str, Any]) -> list[Any]:
    if "content" in spec:
        content: list[Any] = spec["content"]
        return content
    if "result" in spec:
        return [text(stringify(spec["result"]))]
    return [text(stringify(spec["structuredContent"]))] if "structuredContent" in spec else []


def text(words: str) -> dict[str, str]:
    """Make a text block."""
    return {"type": "text", "text": words}
