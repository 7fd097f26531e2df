"""The door for Python tests: a mock in this process, on HTTP, whose answers are set and whose calls are seen.

Rule of this file: an edge; it runs the same server as the program, in a thread of its own.
"""

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Self

from mcpeak.mock.definition import Definition, Refused, check_python, json_problem, read
from mcpeak.mock.words import refusal
from mcpeak.wire.json import JsonError, parse

if TYPE_CHECKING:
    from mcpeak.mock.checks import Problem


class _Any:
    """Whatever the arguments are, as long as the tool's schema accepts them."""

    def __repr__(self) -> str:
        return "ANY"


ANY: Final = _Any()


class MockDefinitionError(ValueError):
    """A definition that cannot be served. `problems`: each with its `code`, `path` and values."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refusal(refused).rstrip("\n"))
        self.problems: tuple[Problem, ...] = refused.problems


class ToolCall(NamedTuple):
    """A call that the mock got. `arguments`: as they were sent, {} when there were none."""

    tool: str
    arguments: Any


def assert_mock_definition(value: object, source: str) -> None:
    """Check a definition.

    Args:
        value: a parsed definition, or one made in Python.
        source: what to call it in the message.

    Raises:
        MockDefinitionError: it cannot be served; also for what no JSON can hold (cycles, NaN, dates, sets).
    """
    checked = check_python(value, source)
    if isinstance(checked, Refused):
        raise MockDefinitionError(checked)


class MockServer:
    """A mock MCP server on HTTP, in this process.

    >>> with MockServer({"tools": [{"name": "add", "inputSchema": {"type": "object"}}]}) as mock:
    ...     mock.on("add", {"a": 1, "b": 2}, 3)
    ...     client_of(mock.url).call("add", a=1, b=2)
    ...     assert mock.calls == [("add", {"a": 1, "b": 2})]
    """

    def __init__(
        self,
        definition: Mapping[str, Any] | str | os.PathLike[str] | None = None,
        *,
        protocol: str = "auto",
        sessions: bool = False,
    ) -> None:
        """Prepare a mock; `start` or `with` serves it.

        Args:
            definition: a definition, the path of its file, or nothing yet.
            protocol: `auto`, `legacy`, `modern` or a revision.
            sessions: hand out session ids.

        Raises:
            MockDefinitionError: the definition cannot be served.
            OSError: its file cannot be read.
        """
        self._value = _value(definition)
        self._protocol = protocol
        self._sessions = sessions
        self._heard = _Heard()
        self._thread: Any = None

    @property
    def definition(self) -> dict[str, Any]:
        """The definition as it is now; what `mcpeak-mock` would be given."""
        return self._value

    @property
    def url(self) -> str:
        """Where it listens.

        Raises:
            RuntimeError: it is not started.
        """
        if self._thread is None:
            raise RuntimeError("the mock is not started")
        url: str = self._thread.url
        return url

    @property
    def calls(self) -> list[ToolCall]:
        """The tools/call requests so far, in order."""
        return list(self._heard.calls)

    def tool(self, name: str, input_schema: Mapping[str, Any] | None = None, **more: Any) -> Self:
        """Advertise a tool. `more`: `description`, `outputSchema`, whatever a tool may have."""
        spec = {"name": name, "inputSchema": dict(input_schema or {"type": "object"})} | more
        return self._with("tools", spec)

    def on(self, tool: str, args: Any, result: Any, *, is_error: bool = False, **more: Any) -> Self:
        """Set the answer to a call.

        Args:
            tool: an advertised tool.
            args: the arguments it answers, or ANY.
            result: what it answers.
            is_error: whether that is a refusal.
            more: other keys of a response (`delayMs`, `structuredContent`, `error`, …).

        Raises:
            MockDefinitionError: there is no such tool, or a value that JSON cannot hold.
        """
        response: dict[str, Any] = {"tool": tool, "result": result} | more
        if args is not ANY:
            response["args"] = args
        if is_error:
            response["isError"] = True
        return self._with("responses", response)

    def start(self) -> Self:
        """Begin to serve, on a free port of 127.0.0.1."""
        from mcpeak.mock.thread import Serving

        if self._thread is None:
            self._thread = Serving(
                _checked(self._value), self._protocol, self._heard, sessions=self._sessions
            )
        return self

    def stop(self) -> None:
        """End; may be called twice."""
        thread, self._thread = self._thread, None
        if thread is not None:
            thread.stop()

    def __enter__(self) -> Self:
        """Start."""
        return self.start()

    def __exit__(self, *_: object) -> None:
        """Stop."""
        self.stop()

    def _with(self, key: str, item: dict[str, Any]) -> Self:
        """Add to the definition, if it is still one; what is being served changes at once."""
        foreign = json_problem(item, f"{key}[{len(self._value.get(key, []))}]")
        if foreign is not None:
            raise MockDefinitionError(Refused("MockServer", (foreign,)))
        changed = self._value | {key: [*self._value.get(key, []), item]}
        definition = _checked(changed)
        self._value = changed
        if self._thread is not None:
            self._thread.change(definition)
        return self


class _Heard:
    """Keeps the tool calls of what clients send."""

    def __init__(self) -> None:
        self.calls: list[ToolCall] = []

    def heard(self, message: bytes, /) -> None:
        """Look at one message or batch."""
        try:
            value = parse(message)
        except JsonError:
            return
        for one in value if isinstance(value, list) else [value]:
            params = (
                one.get("params") if isinstance(one, dict) and one.get("method") == "tools/call" else None
            )
            if isinstance(params, dict):
                self.calls.append(ToolCall(params.get("name", ""), params.get("arguments") or {}))

    def wrote(self, message: bytes, /) -> None:
        """Keep nothing."""


def _value(given: Mapping[str, Any] | str | os.PathLike[str] | None) -> dict[str, Any]:
    if given is None:
        return {"tools": []}
    if isinstance(given, Mapping):
        return _checked(dict(given)).value
    with open(given, "rb") as file:
        found = read(file.read(), os.fspath(given))
    if isinstance(found, Refused):
        raise MockDefinitionError(found)
    return found.value


def _checked(value: dict[str, Any]) -> Definition:
    checked = check_python(value, "MockServer")
    if isinstance(checked, Refused):
        raise MockDefinitionError(checked)
    return checked
