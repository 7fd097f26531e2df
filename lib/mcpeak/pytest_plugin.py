"""A pytest plugin: `pytest weather.suite.json --mcp-server "node server.mjs"` makes each case a test.

Rule of this file: a front end like `mcpeak`, it only wires the programs and reads their records. pytest loads
it in every project where mcpeak is installed, so nothing of ours is imported before a suite is collected.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from mcpeak.wire.records import CaseFinished, Diagnostic, RunStarted

SUFFIX = ".suite.json"
RUNS = pytest.StashKey[list["Run"]]()
_PROGRAM = "import sys; from mcpeak.{room}.tool import main; sys.exit(main(sys.argv[1:]))"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that name the server."""
    group = parser.getgroup("mcpeak", "MCP suites (mcpeak)")
    group.addoption(
        "--mcp-server", metavar="COMMAND", help="the command that starts the server, quoted as one word"
    )
    group.addoption("--mcp-url", metavar="URL", help="the URL of a Streamable HTTP server")
    group.addoption(
        "--mcp-option", metavar="OPTION", action="append", default=[], help="an option of mcpeak-run"
    )
    parser.addini("mcp_server", "the command that starts the server, for --mcp-server")
    parser.addini("mcp_url", "the URL of the server, for --mcp-url")
    parser.addini("mcp_options", "options of mcpeak-run", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    """Keep the runs that this session starts, so that its end can end them."""
    config.stash[RUNS] = []


def pytest_unconfigure(config: pytest.Config) -> None:
    """End every server that is still up."""
    for run in config.stash.get(RUNS, []):
        run.close()


def pytest_collection(session: pytest.Session) -> None:
    """Refuse suites that were asked for by name where no server is named: pytest would say "not found".

    Raises:
        pytest.UsageError: in the words of MCP_SERVER_MISSING.
    """
    asked = (str(word).partition("::")[0] for word in session.config.args)
    suite = next((word for word in asked if word.endswith(SUFFIX) and os.path.isfile(word)), None)
    if suite is None or _target(session.config):
        return
    from mcpeak.command.language import choose
    from mcpeak.messages import say

    choose(None, os.environ)
    words = say("front", "MCP_SERVER_MISSING", suite=suite)
    raise pytest.UsageError(f"[MCP_SERVER_MISSING] {words.message}", words.hint)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> "SuiteFile | None":
    """Collect `*.suite.json` where a server is named."""
    if not file_path.name.endswith(SUFFIX) or not _target(parent.config):
        return None
    return SuiteFile.from_parent(parent, path=file_path)


def _target(config: pytest.Config) -> list[str]:
    """Make the TARGET words of mcpeak-run from options and ini values."""
    url = config.getoption("--mcp-url") or config.getini("mcp_url")
    command = config.getoption("--mcp-server") or config.getini("mcp_server")
    return (["--url", str(url)] if url else []) + (["--", *shlex.split(str(command))] if command else [])


def _program(room: str, *arguments: str) -> list[str]:
    return [sys.executable, "-c", _PROGRAM.format(room=room), *arguments]


class SuiteFile(pytest.File):
    """A suite file; its cases are the items."""

    run: "Run | None" = None

    def collect(self) -> Iterator["CaseItem"]:
        """Check the suite; give its cases, or fail with all its problems."""
        from mcpeak.command.language import choose

        choose(None, os.environ)
        words = _program("validate", os.path.relpath(self.path))
        checked = subprocess.run(words, capture_output=True, check=False)  # noqa: S603 - our own program, no shell
        self.stream = checked.stdout
        if checked.returncode != 0:
            raise self.CollectError(
                "\n".join(_problems(self.stream)) or checked.stderr.decode("utf-8", "replace")
            )
        for index, case in enumerate(_cases(self.stream)):
            yield CaseItem.from_parent(self, name=case["id"], index=index)

    def answers(self) -> "Run":
        """Start the run with the first case that is wanted."""
        if self.run is None:
            options = [*self.config.getini("mcp_options"), *self.config.getoption("--mcp-option")]
            self.run = Run(self.stream, [*options, *_target(self.config)])
            self.config.stash[RUNS].append(self.run)
        return self.run


class CaseItem(pytest.Item):
    """One case as one test."""

    def __init__(self, *, index: int, **rest: Any) -> None:
        super().__init__(**rest)
        self.index = index

    def runtest(self) -> None:
        """Wait for the case's verdict."""
        parent = self.parent
        assert isinstance(parent, SuiteFile)  # noqa: S101 - for the type checker: only SuiteFile makes these
        run = parent.answers()
        finished = run.case(self.index)
        if isinstance(finished, str):
            raise CaseFailed(finished)
        self.add_report_section("call", "server stderr", "\n".join(finished.stderr or []))
        if finished.result.status == "notRun":
            pytest.skip("not run: an earlier case ended the run")
        if finished.result.status != "passed":
            raise CaseFailed("\n".join(_failure(finished, self.name, run.started)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show the case's own words instead of a traceback through mcpeak."""
        if isinstance(excinfo.value, CaseFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Point to the suite file."""
        return self.path, None, f"case {self.name}"


class CaseFailed(Exception):  # noqa: N818 - pytest prints the name
    """A case did not pass; the text is for people."""


class Run:
    """One `mcpeak-run` over one suite; its records are read as far as the tests ask."""

    def __init__(self, stream: bytes, arguments: list[str]) -> None:
        from mcpeak.wire.reader import read

        self._process = subprocess.Popen(  # noqa: S603 - our own program, no shell
            _program("run", *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None  # noqa: S101 - for the type checker: both are pipes
        assert stdout is not None  # noqa: S101 - as above
        stdin.write(stream)
        stdin.close()
        self._records = read(stdout)
        self.started: RunStarted | None = None
        self._cases: dict[int, CaseFinished] = {}
        self._trouble: list[str] = []

    def case(self, index: int) -> "CaseFinished | str":
        """Read until case `index` (in the suite, from 0) has its verdict; without one, give the reason."""
        from mcpeak.command.text import clean
        from mcpeak.wire.reader import BadLine, CutStream
        from mcpeak.wire.records import CaseFinished, Error, RunStarted

        try:
            while index not in self._cases:
                record = next(self._records, (None, b""))[0]
                if record is None:
                    break
                if isinstance(record, CaseFinished):
                    self._cases[record.index] = record
                elif isinstance(record, RunStarted):
                    self.started = record
                elif isinstance(record, Error):
                    self._trouble.append(f"[{record.code}] {clean(record.message)}\n  {clean(record.hint)}")
        except (BadLine, CutStream) as cut:
            self._trouble.append(f"mcpeak-run ended early: {cut}")
        return (
            self._cases.get(index) or "\n".join(self._trouble) or "mcpeak-run gave no verdict for this case"
        )

    def close(self) -> None:
        """Let the run end; it ends its server."""
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._process.terminate()
        self._process.wait()


def _failure(finished: "CaseFinished", case: str, started: "RunStarted | None") -> Iterator[str]:
    """Say what differs, each with its place in the suite, and how to run the case alone."""
    from mcpeak.command.repeat import repeat_command
    from mcpeak.command.text import clean
    from mcpeak.messages import label

    source = started.source if started else ""
    result, places = finished.result, finished.assertion_positions or []
    wrong = [(result.operation.diagnostic, finished.position)]
    wrong += [
        (each.diagnostic, places[number] if number < len(places) else finished.position)
        for number, each in enumerate(result.assertions)
        if each.status == "failed"
    ]
    for diagnostic, place in wrong:
        if diagnostic is not None:
            yield from _told(diagnostic)
        if diagnostic is not None and place and source:
            yield f"  {label('report', 'place')}: {clean(source)}:{place[0]}:{place[1]}"
    again = ""
    if started is not None:
        again = repeat_command(source, case, started.server.target, started.reached_by or "")
    if again:
        yield f"{label('report', 'repeat')}: {clean(again)}"


def _told(wrong: "Diagnostic") -> Iterator[str]:
    from msgspec import UNSET

    from mcpeak.command.text import clean
    from mcpeak.wire.json import dumps_line

    yield f"[{wrong.code}] {clean(wrong.message)}"
    for name, value in (("expected", wrong.expected), ("actual", wrong.actual)):
        if value is not UNSET:
            yield f"  {name}: {dumps_line(value).decode()}"
    for violation in wrong.violations or []:
        yield f"  {clean(violation.path)}: {violation.code}"
    yield from (f"  | {clean(note)}" for note in wrong.notes or [])
    yield from (f"  {clean(line)}" for line in wrong.hint.splitlines())


def _problems(stream: bytes) -> Iterator[str]:
    from mcpeak.command.stage import issue_text
    from mcpeak.wire.reader import decode
    from mcpeak.wire.records import Issue

    records = (decode(line) for line in stream.splitlines())
    return (issue_text(record) for record in records if isinstance(record, Issue))


def _cases(stream: bytes) -> list[dict[str, Any]]:
    from mcpeak.wire.json import parse
    from mcpeak.wire.reader import decode
    from mcpeak.wire.records import SuiteRecord

    for line in stream.splitlines():
        record = decode(line)
        if isinstance(record, SuiteRecord):
            cases: list[dict[str, Any]] = parse(bytes(record.suite))["cases"]
            return cases
    return []
