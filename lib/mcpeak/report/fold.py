"""Events → tally: the only place that counts, joins shares, and finds what is missing.

Rule of this file: pure; records come in, the tally grows, nothing is written anywhere.
"""

from collections.abc import Callable, Iterator

import msgspec
from msgspec import Raw, Struct

from mcpeak.messages import label, say
from mcpeak.report.tally import Case, Suite, Tally
from mcpeak.report.values import of_raw
from mcpeak.wire.json import dumps_line, parse
from mcpeak.wire.records import (
    AnyRecord,
    CaseFinished,
    CaseStarted,
    Error,
    Issue,
    Notice,
    RunFinished,
    RunStarted,
    SuiteRecord,
    ToolRecord,
    Unknown,
)


class _Names(Struct, gc=False):
    id: str
    name: str


class _Cases(Struct, gc=False):
    cases: list[_Names]


class _Slice(Struct, gc=False):
    result: Raw


_names = msgspec.json.Decoder(_Names).decode
_cases = msgspec.json.Decoder(_Cases).decode
_slice = msgspec.json.Decoder(_Slice).decode


class Fold:
    """Grows a tally, record by record.

    Args:
        keep_all: keep the whole record of passing cases too (`-v`, HTML, templates).
        keep_raw: keep the bytes of every result (`--json`).
        in_order: suites in the order of their `suite` records, not of their servers' start (`--jobs`).
    """

    def __init__(self, *, keep_all: bool = False, keep_raw: bool = False, in_order: bool = True) -> None:
        self.tally = Tally([], [], [])
        self._keep_all = keep_all
        self._keep_raw = keep_raw
        self._in_order = in_order
        self._places: dict[tuple[str, str], int] = {}
        self._runs: dict[int, Suite] = {}
        self._shared: dict[tuple[str, str], Suite] = {}
        self._ids: dict[str, list[str]] = {}
        self._name: tuple[int, int, str, str] = (-1, -1, "", "")
        self._attempts: dict[tuple[int, int], int] = {}
        self._came: dict[int, list[int]] = {}
        self._early: dict[str | None, list[Notice]] = {}
        self._on: dict[type, Callable[..., None]] = {
            SuiteRecord: self._suite,
            RunStarted: self._run_started,
            CaseStarted: self._case_started,
            CaseFinished: self._case_finished,
            RunFinished: self._run_finished,
            ToolRecord: self._tool,
            Notice: self._notice,
            Issue: self._trouble,
            Error: self._trouble,
        }

    def see(self, record: AnyRecord | Unknown, line: bytes) -> None:
        """Take in one record and the line that it came on; a type that says nothing here is ignored."""
        on = self._on.get(type(record))
        if on is not None:
            on(record, line)

    def cut(self, error: Error) -> None:
        """Note that the stream broke off, or could not be read."""
        self.tally.cut = True
        self.tally.troubles.append(error)

    def close(self) -> Tally:
        """No record follows: what is open now was cut off; shares that never came are named."""
        for source, early in self._early.items():
            (self._named(source) or self.tally).notices.extend(early)
        self._early.clear()
        if self._in_order:
            self.tally.suites.sort(key=self._place)
        for suite in self.tally.suites:
            if suite.open_runs:
                suite.lost = suite.lost or "lost_end"
            shard = suite.started.shard
            if shard is not None and suite.shares != set(range(1, shard.of + 1)):
                suite.lost = suite.lost or "lost_share"
            if len(suite.shares) > 1:
                suite.cases.sort(key=lambda case: case.index)
        return self.tally

    def afterthoughts(self) -> Iterator[Error]:
        """Give what only shows at the end: records of no run, runs without an end, nothing at all."""
        if self.tally.orphans:
            words = say("report", "RUN_UNKNOWN", count=self.tally.orphans)
            yield Error(stage="report", code="RUN_UNKNOWN", message=words.message, hint=words.hint)
        yield from (_incomplete(suite) for suite in self.tally.suites if suite.lost is not None)
        if not self.tally.troubles and not any(suite.cases for suite in self.tally.suites):
            words = say("report", "NOTHING_RAN")
            yield Error(stage="report", code="NOTHING_RAN", message=words.message, hint=words.hint)

    def _place(self, suite: Suite) -> int:
        return self._places.get((suite.source, suite.started.fingerprint), len(self._places))

    def _suite(self, record: SuiteRecord, _: bytes) -> None:
        self._places.setdefault((record.source, record.fingerprint), len(self._places))
        try:
            names = _cases(record.suite).cases
        except (msgspec.DecodeError, RecursionError):
            return  # the column is only a little less straight without it
        self._ids[record.source] = [case.id for case in names]

    def _run_started(self, record: RunStarted, _: bytes) -> None:
        before = self._runs.get(record.run)
        if before is not None and before.open_runs:
            before.lost = "lost_end"
            before.open_runs -= 1
        suite = self._home(record)
        suite.open_runs += 1
        self._runs[record.run] = suite
        self._came[record.run] = [0, 0]

    def _home(self, record: RunStarted) -> Suite:
        key = (record.source, record.fingerprint)
        if record.shard is not None:
            suite = self._shared.get(key)
            if suite is not None and record.shard.index not in suite.shares:
                suite.shares.add(record.shard.index)
                return suite
        defects = frozenset(case.id for case in record.approved_cases or [] if case.status == "serverDefect")
        early = self._early.pop(record.source, [])
        suite = Suite(record, [], early, {}, defects, [], set(), ids=self._ids.get(record.source))
        if record.shard is not None:
            suite.shares.add(record.shard.index)
            self._shared[key] = suite
        self.tally.suites.append(suite)
        return suite

    def _case_started(self, record: CaseStarted, _: bytes) -> None:
        self._name = (record.run, record.index, record.id, record.name)

    def _case_finished(self, record: CaseFinished, line: bytes) -> None:
        suite = self._runs.get(record.run)
        if suite is None:
            self.tally.orphans += 1
            return
        result = record.result
        run, index, key, name = self._name
        if run != record.run or index != record.index:
            key, name = names_of(result.spec)
        status = result.status
        case = Case(record.index, key, name, status, record.elapsed_ms, record.position)
        if self._keep_all or status != "passed":
            case.finished = record
        if self._keep_raw:
            case.raw = raw_result(line)
        case.unverified = result.rejection_basis == "unverified"
        case.flaky = bool(record.flaky)
        if record.attempt is not None and self._again(suite, record, case):
            return
        came = self._came[record.run]
        came[0] += 1
        came[1] += status == "passed"
        suite.cases.append(case)

    def _again(self, suite: Suite, record: CaseFinished, case: Case) -> bool:
        """Let a later attempt of a case take the place of the one before; tell whether it did."""
        at = self._attempts.get((id(suite), record.index))
        if at is None:
            self._attempts[id(suite), record.index] = len(suite.cases)
            return False
        came = self._came[record.run]
        came[1] += (case.status == "passed") - (suite.cases[at].status == "passed")
        suite.cases[at] = case
        return True

    def _run_finished(self, record: RunFinished, _: bytes) -> None:
        suite = self._runs.get(record.run)
        if suite is None or not suite.open_runs:
            self.tally.orphans += 1
            return
        suite.open_runs -= 1
        suite.aborted = suite.aborted or record.status == "aborted"
        suite.declared_failed = suite.declared_failed or record.status == "failed"
        suite.stop_reason = suite.stop_reason or record.stop_reason
        suite.determinism = record.determinism or suite.determinism
        for finding in record.findings or []:
            suite.findings.setdefault(finding.case_id, []).append(finding)
        if record.process is not None:
            suite.processes.append(record.process)
        self._check(suite, record)

    def _check(self, suite: Suite, record: RunFinished) -> None:
        """Compare what arrived with what the run says it sent: a lost line must not look green."""
        if self._came[record.run] != [record.summary.total, record.summary.passed]:
            suite.lost = "lost_cases"

    def _tool(self, record: ToolRecord, _: bytes) -> None:
        """Keep a tool with the suite whose run is open; without one it is of no report."""
        suite = self.tally.suites[-1] if self.tally.suites else None
        if suite is not None and suite.open_runs:
            suite.tools[_tool_name(record.tool)] = record.tool

    def _notice(self, record: Notice, _: bytes) -> None:
        suite = self._runs.get(record.run) if record.run is not None else self._named(record.source)
        if (
            suite is not None
            and (record.run is None or suite.open_runs)
            and record.source in (None, suite.source)
        ):
            suite.notices.append(record)
        else:
            self._early.setdefault(record.source, []).append(record)

    def _named(self, source: str | None) -> Suite | None:
        found = [suite for suite in self.tally.suites if source is not None and suite.source == source]
        return found[-1] if found else None

    def _trouble(self, record: Issue | Error, _: bytes) -> None:
        self.tally.troubles.append(record)


def _incomplete(suite: Suite) -> Error:
    """Say what a suite lacks; a share that nobody gave is another matter than records lost on the way."""
    code = "SHARE_MISSING" if suite.lost == "lost_share" else "REPORT_INCOMPLETE"
    what = label("report", suite.lost or "", shares=suite.missing_shares)
    words = say("report", code, what=what)
    return Error(stage="report", source=suite.source, code=code, message=words.message, hint=words.hint)


def names_of(spec: Raw) -> tuple[str, str]:
    """Give id and name of a case as written; both are strings in every valid suite."""
    try:
        names = _names(spec)
    except (msgspec.DecodeError, RecursionError):
        value = parse(bytes(spec))
        return str(value.get("id", "")), str(value.get("name", ""))
    return names.id, names.name


def _tool_name(tool: Raw) -> str:
    value = of_raw(tool)
    return str(value.get("name", "")) if isinstance(value, dict) else ""


def raw_result(line: bytes) -> Raw:
    """Give the bytes of a record's `result`, as they came."""
    try:
        return _slice(line).result
    except (msgspec.DecodeError, RecursionError):
        return Raw(dumps_line(parse(line)["result"]))
