"""The cases of a suite record, each decoded when its turn comes; what was written stays as it is. Pure."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct

from mcpeak.command.redact import encode
from mcpeak.wire.json import parse
from mcpeak.wire.records import ApprovedCase, SuiteName, SuiteRecord

DEFAULT_TIMEOUT_MS = 10_000
_NONE = Raw(b"")
_TROUBLE = (msgspec.DecodeError, ValueError, RecursionError)


class Operation(Struct, gc=False):
    """What a case does. `input`: raw JSON object."""

    type: str
    tool: str = ""
    input: Raw = _NONE


class Assertion(Struct, gc=False):
    """What a case expects; `schema`: raw."""

    type: str
    tool: str = ""
    expected: bool = False
    schema: Raw = _NONE


class Case(Struct, rename="camel", gc=False):
    """One case. `assertions`: as written."""

    id: str
    name: str
    operation: Operation
    assertions: list[Raw]
    timeout_ms: float | None = None


class Chosen(NamedTuple):
    """A case to run: its place in the suite, and as written."""

    place: int
    raw: Raw


class _Approval(Struct, gc=False):
    cases: list[ApprovedCase] | None = None


class Suite(Struct, rename="camel", gc=False):
    """A suite with its cases still raw."""

    id: str
    name: str
    cases: list[Raw]
    default_timeout_ms: Raw = _NONE
    approval: _Approval | None = None

    def named(self) -> SuiteName:
        """Give the suite's own words about itself."""
        default = self.default_timeout_ms if bytes(self.default_timeout_ms) else UNSET
        return SuiteName(id=self.id, name=self.name, default_timeout_ms=default)

    def timeout_ms(self, case: Case) -> int:
        """Give a case's time limit: its own, else the suite's, else the usual one."""
        if case.timeout_ms is not None:
            return int(case.timeout_ms)
        written = bytes(self.default_timeout_ms)
        return int(float(written)) if written else DEFAULT_TIMEOUT_MS


_suite = msgspec.json.Decoder(Suite).decode
_case = msgspec.json.Decoder(Case).decode
_assertion = msgspec.json.Decoder(Assertion).decode


def read_suite(record: SuiteRecord) -> Suite:
    """Read a suite record (it is valid: the checks were done by who wrote it)."""
    try:
        return _suite(record.suite)
    except _TROUBLE:
        value = parse(bytes(record.suite))
        value["cases"] = [Raw(encode(case)) for case in value["cases"]]
        default = value.get("defaultTimeoutMs")
        approved = (value.get("approval") or {}).get("cases")
        return Suite(
            id=value["id"],
            name=value["name"],
            cases=value["cases"],
            default_timeout_ms=_NONE if default is None else Raw(encode(default)),
            approval=_Approval([ApprovedCase(**case) for case in approved]) if approved else None,
        )


def read_case(raw: Raw) -> Case:
    """Read one case."""
    try:
        return _case(raw)
    except _TROUBLE:
        return _careful_case(parse(bytes(raw)))


def _careful_case(value: dict[str, Any]) -> Case:
    """Build a case that msgspec refuses: lone surrogates, deep nesting."""
    operation = value["operation"]
    return Case(
        id=value["id"],
        name=value["name"],
        operation=Operation(
            operation["type"], operation.get("tool", ""), Raw(encode(operation.get("input", {})))
        ),
        assertions=[Raw(encode(assertion)) for assertion in value["assertions"]],
        timeout_ms=value.get("timeoutMs"),
    )


def call_params(case: Case) -> bytes:
    """Give the params of a case's tools/call, its input as written."""
    operation = case.operation
    return b'{"name":%b,"arguments":%b}' % (encode(operation.tool), bytes(operation.input))


def read_assertions(case: Case) -> Iterator[Assertion]:
    """Read what a case expects, in order."""
    for raw in case.assertions:
        try:
            yield _assertion(raw)
        except _TROUBLE:
            value = parse(bytes(raw))
            schema = _NONE if "schema" not in value else Raw(encode(value["schema"]))
            yield Assertion(value["type"], value.get("tool", ""), value.get("expected") is True, schema)
