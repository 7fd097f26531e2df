"""The report for CI pages (`--junit`), in the form that all common readers share.

Rule of this file: tally in, pieces of XML out, row by row. An assertion that failed is a `<failure>`; a call
that failed or timed out, and what could not be tested, an `<error>`; a case that did not run is `<skipped/>`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec import Struct

from mcpeak.report.flags import Flag, flags
from mcpeak.report.plain import block, stop_words
from mcpeak.report.reasons import failed_in_the_call, reasons
from mcpeak.report.repeat import server_words
from mcpeak.report.tally import Case, Suite, Tally
from mcpeak.report.width import cut_middle
from mcpeak.report.xml import attribute, text

NAME = 2000  # code points of a name or id
MESSAGE = 500  # code points of a `message` attribute
BODY = 64 * 1024  # code points of the text of one failure
OUTPUT = 256 * 1024  # code points of a system-out or system-err


class _Counts(Struct):
    tests: int = 0
    failures: int = 0
    errors: int = 0
    skipped: int = 0
    ms: float = 0.0

    def add(self, other: "_Counts") -> None:
        self.tests += other.tests
        self.failures += other.failures
        self.errors += other.errors
        self.skipped += other.skipped
        self.ms += other.ms


def document(tally: Tally, *, timings: bool) -> Iterator[bytes]:
    """Yield the pieces of the file."""
    troubled = _troubled(tally)
    counts = [_count(suite) for suite in tally.suites]
    whole = _Counts(tests=len(troubled), errors=len(troubled))
    for each in counts:
        whole.add(each)
    names = list(dict.fromkeys([suite.name for suite in tally.suites] + [name for name, _ in troubled]))
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    root = _attributes(names[0] if len(names) == 1 else "mcpeak", whole, timings=timings, whole=True)
    yield f"<testsuites{root}>\n".encode()
    for suite, count, classname in zip(tally.suites, counts, _classnames(tally.suites), strict=True):
        yield from _suite(suite, count, classname, timings)
    for name, told in troubled:
        yield from _trouble(name, told)
    yield b"</testsuites>\n"


def _suite(suite: Suite, counts: _Counts, classname: str, timings: bool) -> Iterator[bytes]:
    yield f"  <testsuite{_attributes(suite.name, counts, timings=timings)}>\n".encode()
    yield _properties(suite).encode()
    shared = {name for name, times in Counter(_name(case.name) for case in suite.cases).items() if times > 1}
    place = attribute(_name(suite.source))
    start = f'" classname="{attribute(classname)}" file="{place}"'
    for case in suite.cases:
        name = _name(case.name)
        if name in shared:
            name = f"{name} [{_name(case.id)}]"
        line = "" if case.position is None else f' line="{case.position[0]}"'
        time = f"{case.elapsed_ms / 1000:.3f}" if timings else "0.000"
        head = f'    <testcase name="{attribute(name)}{start}{line} time="{time}"'
        yield (
            f"{head}/>\n" if case.status == "passed" else f"{head}>\n{_verdict(suite, case)}    </testcase>\n"
        ).encode()
    yield from _outputs(suite)
    yield b"  </testsuite>\n"


def _attributes(name: str, counts: _Counts, *, timings: bool, whole: bool = False) -> str:
    """Lay out the counts; the root has no `skipped`, which the Jenkins schema does not know there."""
    time = f"{counts.ms / 1000:.3f}" if timings else "0.000"
    skipped = "" if whole else f' skipped="{counts.skipped}"'
    return (
        f' name="{attribute(_name(name))}" tests="{counts.tests}" failures="{counts.failures}"'
        f' errors="{counts.errors}"{skipped} time="{time}"'
    )


def _count(suite: Suite) -> _Counts:
    counts = _Counts(tests=len(suite.cases))
    for case in suite.cases:
        counts.ms += case.elapsed_ms
        if case.status == "passed":
            continue
        tag = _tag(case)
        counts.failures += tag == "failure"
        counts.errors += tag == "error"
        counts.skipped += tag == "skipped"
    return counts


def _tag(case: Case) -> str:
    """Choose the element of a case that did not pass."""
    if case.status in ("notRun", "cancelled"):
        return "skipped"
    if case.status == "timedOut" or (case.finished is not None and failed_in_the_call(case.finished)):
        return "error"
    return "failure"


def _verdict(suite: Suite, case: Case) -> str:
    tag = _tag(case)
    if tag == "skipped" or case.finished is None:
        return "      <skipped/>\n"
    found = reasons(suite.source, case.finished)
    code = found[0].code if found else case.status
    message = cut_middle(found[0].text if found else case.status, MESSAGE)
    body = cut_middle("\n".join(block(suite, case, found)), BODY)
    return f'      <{tag} message="{attribute(message)}" type="{attribute(code)}">{text(body)}</{tag}>\n'


def _properties(suite: Suite) -> str:
    server, started = suite.started.server, suite.started
    values = {
        "mcpeak.server": " ".join(part for part in (server.name, server.version) if part),
        "mcpeak.target": server_words(server.target),
        "mcpeak.protocolVersion": server.protocol_version,
        "mcpeak.era": server.era,
        "mcpeak.fingerprint": started.fingerprint,
        "mcpeak.approval": started.approval,
    }
    rows = [
        f'      <property name="{name}" value="{attribute(value)}"/>\n'
        for name, value in values.items()
        if value
    ]
    return "    <properties>\n" + "".join(rows) + "    </properties>\n"


def _outputs(suite: Suite) -> Iterator[bytes]:
    said = [*stop_words(suite), *(f"{notice.code}: {notice.message}" for notice in suite.notices)]
    errors = [line for process in suite.processes for line in process.stderr]
    if said:
        yield f"    <system-out>{text(_tail(said))}</system-out>\n".encode()
    if errors:
        yield f"    <system-err>{text(_tail(errors))}</system-err>\n".encode()


def _name(text: str) -> str:
    return text if len(text) <= NAME else cut_middle(text, NAME)


def _tail(lines: Iterable[str]) -> str:
    return cut_middle("\n".join(lines), OUTPUT)


def _classnames(suites: list[Suite]) -> list[str]:
    """Give each suite its id; suites that share one are told apart by their file, then by their number."""
    times = Counter(_name(suite.started.suite.id) for suite in suites)
    places = Counter((_name(suite.started.suite.id), suite.source) for suite in suites)
    names = []
    for number, suite in enumerate(suites, 1):
        name = _name(suite.started.suite.id)
        if times[name] > 1:
            name = f"{name}@{suite.source}" if places[name, suite.source] == 1 else f"{name}#{number}"
        names.append(name)
    return names


def _troubled(tally: Tally) -> list[tuple[str, list[Flag]]]:
    """Gather what is red beside the cases, by its file; what belongs to none is mcpeak's."""
    by_name: dict[str, list[Flag]] = {}
    for flag in flags(tally):
        by_name.setdefault(flag.source, []).append(flag)
    return list(by_name.items())


def _trouble(name: str, told: list[Flag]) -> Iterator[bytes]:
    body = cut_middle("\n".join(_told(flag) for flag in told), BODY)
    yield f"  <testsuite{_attributes(name, _Counts(tests=1, errors=1), timings=False)}>\n".encode()
    yield f'    <testcase name="{attribute(name)}" classname="mcpeak" time="0.000">\n'.encode()
    message = attribute(cut_middle(told[0].message, MESSAGE))
    yield f'      <error message="{message}" type="{attribute(told[0].code)}">{text(body)}</error>\n'.encode()
    yield b"    </testcase>\n  </testsuite>\n"


def _told(flag: Flag) -> str:
    lines = [f"{flag.place}: [{flag.code}] {flag.message}"]
    lines += [f"  {line}" for line in flag.hint.splitlines()]
    return "\n".join([*lines, *(f"  | {line}" for line in flag.lines)])
