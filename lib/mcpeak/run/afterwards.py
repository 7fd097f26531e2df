"""What can be said once the cases are done: answers against outputSchema, cases against inputSchema.

The tool list is asked for only when there is something to compare, and never before the last case.
"""

from collections.abc import Iterator
from typing import Any

from msgspec import Raw

from mcpeak.command.redact import Redactor
from mcpeak.link.client import Client
from mcpeak.messages import say
from mcpeak.run.answers import Fault, value_of
from mcpeak.run.assertions import Listed
from mcpeak.run.heard import Heard
from mcpeak.run.judge import Verdict
from mcpeak.run.listing import follow
from mcpeak.run.turn import Turn
from mcpeak.wire.json import parse
from mcpeak.wire.records import Finding, ServerFacts, ToolRecord

LIMIT = 5.0
"""Seconds that the list may take."""
KEPT = 8 * 1024 * 1024
"""Bytes of structured answers that are kept to be compared."""


class Afterwards:
    """Collects what is to be compared after one run."""

    def __init__(self, heard: Heard, redactor: Redactor) -> None:
        self._heard = heard
        self._redactor = redactor
        self._tools: list[Raw] | None = None
        self._doubtful: list[tuple[Raw, str, str]] = []  # case as written, status, tool
        self._structured: list[tuple[str, str, Raw]] = []  # tool, case id, structuredContent
        self._size = 0
        self._plain: dict[str, str] = {}  # tool → the first case that it answered without structuredContent

    def note(self, turn: Turn, verdict: Verdict, outcome: object) -> None:
        """Take note of a case that had its turn."""
        if type(outcome) is Listed:
            self._tools = outcome.tools
        tool = turn.case.operation.tool
        if verdict.structured is not None:
            if self._size < KEPT:
                self._size += len(verdict.structured)
                self._structured.append((tool, turn.case.id, verdict.structured))
        elif verdict.success:
            self._plain.setdefault(tool, turn.case.id)
        if verdict.result.status != "passed":
            self._doubtful.append((turn.raw, verdict.result.status, tool))

    def look(self, client: Client | None) -> list[dict[str, Any]]:
        """Give the tools as advertised, asked for once if there is anything to compare; else none."""
        if self._tools is None and client is not None and (self._doubtful or self._structured):
            listed = follow(client, client.request("tools/list"), LIMIT)
            self._tools = listed.tools if isinstance(listed, Listed) else None
        values = (value_of(tool) for tool in self._tools or ())
        return [value for value in values if isinstance(value, dict)]

    def findings(self, tools: list[dict[str, Any]]) -> list[Finding] | None:
        """Say where cases that did not pass contradict their tool's inputSchema; None: nobody could look."""
        if not self._doubtful or not tools:
            return None
        from mcpeak.schema.findings import findings  # late: a validator, only where something failed

        return findings([(parse(bytes(raw)), status) for raw, status, _ in self._doubtful], tools)

    def records(self, server: ServerFacts) -> Iterator[ToolRecord]:
        """Give the tools that cases call which did not pass, as advertised."""
        called = {tool for _, _, tool in self._doubtful}
        for raw in self._tools or ():
            value = value_of(raw)
            if isinstance(value, dict) and value.get("name") in called:
                yield ToolRecord(server=server, tool=raw)

    def outputs(self, tools: list[dict[str, Any]]) -> None:
        """Tell which answers do not keep what their tool's outputSchema promises."""
        declared = {tool.get("name"): tool["outputSchema"] for tool in tools if "outputSchema" in tool}
        for tool, case in self._plain.items():
            if tool in declared:
                self._heard.finding("OUTPUT_SCHEMA_UNKEPT", word="OUTPUT_SCHEMA_ABSENT", case=case, tool=tool)
        if not declared or not self._structured:
            return
        from mcpeak.schema.check import Checker, checker  # late, as above

        checks: dict[str, Checker] = {}
        for tool, case, raw in self._structured:
            if tool in declared:
                check = checks.get(tool) or checks.setdefault(tool, checker(declared[tool]))
                self._kept(tool, case, raw, check)

    def _kept(self, tool: str, case: str, raw: Raw, check: Any) -> None:
        value = value_of(raw)
        wrong = [] if isinstance(value, Fault) else check.violations(value, 1)
        if wrong:
            what = self._redactor.text(say("schema", wrong[0].code, **wrong[0].values).message)
            self._heard.finding("OUTPUT_SCHEMA_UNKEPT", case=case, tool=tool, what=what)
