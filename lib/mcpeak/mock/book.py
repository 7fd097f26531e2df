"""A definition made ready to be served: responses in dicts, schemas compiled when first needed.

Rule of this file: pure, but that a schema that cannot be used is told once to `warn`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from mcpeak.mock.checks import Problem
from mcpeak.mock.definition import Definition
from mcpeak.mock.faults import Fault, fault_of
from mcpeak.mock.matching import key
from mcpeak.mock.replies import Reply
from mcpeak.mock.stringify import encode
from mcpeak.protocol.messages import META_SERVER

if TYPE_CHECKING:
    from mcpeak.mock.params import ParamHeader
    from mcpeak.schema.check import Checker

SERVER = {"name": "mcpeak-mock", "version": "0.0.0"}
"""What a mock calls itself; the version never changes, so that the same definition gives the same bytes."""

Warn = Callable[[Problem], None]


class Entry:
    """One response. `place`: its index in the file."""

    def __init__(
        self, place: int, replies: list[Reply], args: dict[str, Any] | None, when: Any, warn: Warn
    ) -> None:
        self.place = place
        self.replies = replies
        self.args = args
        self.when = when
        self._warn = warn
        self._checker: Checker | None = None

    def wants(self, arguments: dict[str, Any]) -> bool:
        """Tell whether `when` accepts these arguments."""
        if self._checker is None:
            from mcpeak.schema.check import checker  # late: most calls are answered without a schema

            self._checker = checker(self.when)
            if self._checker.problem is not None:
                where = f"responses[{self.place}].when"
                self._warn(Problem("WHEN_UNUSABLE", where, {"reason": self._checker.problem}))
        return self._checker.problem is None and self._checker.valid(arguments)


class Tool:
    """One tool and its responses."""

    def __init__(self, place: int, spec: dict[str, Any], warn: Warn) -> None:
        self.name: str = spec["name"]
        self.spec = spec
        self.exact: dict[bytes, Entry] = {}
        self.whens: list[Entry] = []
        self.default: Entry | None = None
        self._place = place
        self._warn = warn
        self._checker: Checker | None = None
        self._headers: list[ParamHeader] | None = None

    @property
    def headers(self) -> "list[ParamHeader]":
        """The arguments that travel in HTTP headers, too."""
        if self._headers is None:
            from mcpeak.mock.params import param_headers  # late: HTTP only

            self._headers = param_headers(self.spec["inputSchema"])
        return self._headers

    @property
    def checker(self) -> "Checker":
        """The compiled `inputSchema`; one that is no valid schema accepts everything and is told of once."""
        if self._checker is None:
            from mcpeak.schema.check import checker  # late, as above

            self._checker = checker(self.spec["inputSchema"])
            if self._checker.problem is not None:
                where = {"tool": self.name, "reason": self._checker.problem}
                self._warn(Problem("SCHEMA_UNUSABLE", f"tools[{self._place}].inputSchema", where))
        return self._checker

    def add(self, entry: Entry) -> None:
        """Register a response; of equal ones the last wins."""
        if entry.args is not None:
            self.exact[key(entry.args)] = entry
        elif entry.when is not None:
            self.whens.append(entry)
        else:
            self.default = entry


class Book:
    """Everything that a server of this definition says."""

    def __init__(
        self, definition: Definition, warn: Warn = lambda _problem: None, *, changing: bool = False
    ) -> None:
        """Prepare a definition. `changing`: it may be replaced while clients are connected (`--watch`)."""
        value = definition.value
        self.definition = definition
        self.server: dict[str, Any] = SERVER | value.get("serverInfo", {})
        self.meta: dict[str, Any] = {META_SERVER: self.server}
        self.tail = b',"_meta":' + encode(self.meta)
        self.instructions = {name: value[name] for name in ("instructions",) if name in value}
        self.page_size: int = value.get("pageSize", 0)
        self.secret = _secret(value)
        self.tools = {spec["name"]: Tool(place, spec, warn) for place, spec in enumerate(value["tools"])}
        for place, response in enumerate(value.get("responses", [])):
            self._register(place, response, warn)
        self.faults: dict[str, Fault] = {
            method: fault
            for method, spec in value.get("faults", {}).get("on", {}).items()
            if (fault := fault_of(spec))
        }
        self.capabilities = _capabilities(value, changing=changing)

    def _register(self, place: int, response: dict[str, Any], warn: Warn) -> None:
        tool = self.tools[response["tool"]]
        structured = "outputSchema" in tool.spec
        specs = response.get("sequence") or [response]
        replies = [Reply(spec, self.tail, structured=structured) for spec in specs]
        tool.add(Entry(place, replies, response.get("args"), response.get("when"), warn))


def _secret(value: dict[str, Any]) -> bytes:
    """Make the key that signs `requestState`; of the definition, so that same calls give same bytes."""
    if b'"ask":' not in encode([value.get("responses"), value.get("prompts")]):
        return b""
    import hashlib

    return hashlib.sha256(encode(value)).digest()


def _capabilities(value: dict[str, Any], *, changing: bool) -> dict[str, Any]:
    """Declare what the definition has; a bare one declares `{"tools": {}}` and nothing else."""
    told = encode(value.get("responses", []))
    found: dict[str, Any] = {"tools": {}}
    if "resources" in value or "resourceTemplates" in value:
        found["resources"] = {"subscribe": True}
    if "prompts" in value:
        found["prompts"] = {}
    if "prompts" in value or "completions" in value:
        found["completions"] = {}
    if b'"log":' in told:
        found["logging"] = {}
    for name in ("tools", "resources", "prompts"):
        if name in found and (changing or f'"notifications/{name}/list_changed"'.encode() in told):
            found[name]["listChanged"] = True
    return found
