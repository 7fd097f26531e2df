"""One way to answer a call: what needs no thought is bytes from the first time on, in either era.

Rule of this file: pure. `result` is packed as the format says (one text block with its JSON), `content` and
`structuredContent` go out as they are written.
"""

from functools import cached_property
from typing import Any

from mcpeak.mock import placeholders
from mcpeak.mock.faults import Fault, fault_of
from mcpeak.mock.stringify import encode, stringify

_SLOW = ("delayMs", "progress", "log", "ask", "notify", "fault")


class Reply:
    """An answer of the definition."""

    def __init__(self, spec: dict[str, Any], tail: bytes, *, structured: bool) -> None:
        """Take an answer; what can be prepared is prepared when it is first needed.

        Args:
            spec: the response, or one step of its sequence.
            tail: what ends every result of the modern era (`,"_meta":{…}`).
            structured: the tool promises `structuredContent`, so an object `result` serves as it, too.
        """
        self.spec = spec
        self._tail = tail
        self._structured = structured
        self._ready: dict[bool, bytes] = {}

    def ready(self, *, modern: bool) -> bytes | None:
        """Give the result where it is the same for every call and takes no time; else None."""
        if modern not in self._ready:
            plain = not (self.slow or self.template or self.error or "requires" in self.spec)
            self._ready[modern] = self.result({}, {}, modern=modern) if plain else b""
        return self._ready[modern] or None

    @cached_property
    def template(self) -> bool:
        """Whether it holds placeholders."""
        shown = {key: self.spec.get(key) for key in ("result", "content", "structuredContent", "error")}
        return self.spec.get("template", True) and placeholders.present(shown)

    @cached_property
    def fault(self) -> Fault | None:
        """What goes wrong with it."""
        return fault_of(self.spec.get("fault"))

    @property
    def slow(self) -> bool:
        """Whether it is more than one message, or takes time."""
        return any(key in self.spec for key in _SLOW)

    @property
    def error(self) -> dict[str, Any] | None:
        """The JSON-RPC error that it is."""
        return self.spec.get("error")

    @property
    def rounds(self) -> list[dict[str, Any]]:
        """What is asked before it, round by round."""
        asked = self.spec.get("ask", [])
        return asked if isinstance(asked, list) else [asked]

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
