"""run records in, the report out; exit 0 all passed, 1 not all passed, 2 usage, 3 unreadable or cut input.

The edge of `mcpeak-report`: reads the stream, folds it, has every format written, gives the verdict.
"""

import os
import signal
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence

from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.failure import Failure
from mcpeak.command.stage import stream_error
from mcpeak.report import files, options, told
from mcpeak.report.fold import Fold
from mcpeak.report.human import Human, Style, render
from mcpeak.report.live import Live
from mcpeak.report.outputs import outputs
from mcpeak.report.paint import Paint, wanted
from mcpeak.report.source import events
from mcpeak.report.tally import Tally
from mcpeak.wire.reader import BadLine, CutStream
from mcpeak.wire.records import Error
from mcpeak.wire.writer import to_descriptor

parser = options.parser
"""The complete parser, for completion and manual pages."""


def main(argv: Sequence[str] | None = None) -> int:
    """Report what the stream on stdin, or in files, tells."""
    arguments = sys.argv[1:] if argv is None else argv
    return bounded(options.NAME, lambda: _report(options.parse(arguments)))


def _report(given: Namespace) -> int:
    written = outputs(given)
    for output in written:
        files.check(output.path, output.code)
    # Who reads must outlive who writes: the run ends first at Ctrl-C, and its report is still written.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    human = Human(_style(given))
    live = Live(human, to_descriptor(1)) if _machine(given) is None and os.isatty(1) else None
    tally, code = _read(given, live)
    for output in written:
        if output.wanted(tally):
            files.write(output.path, output.code, output.pieces(tally))
    if live is not None:
        live.finish(tally)
    else:
        _write(_stdout(given, tally, human))
    told.processes(tally, given.stderr_lines)
    return code or (exits.GOOD if tally.green else exits.NO)


def _read(given: Namespace, live: Live | None) -> tuple[Tally, int]:
    """Fold the whole input; a stream that breaks off, or that cannot be read, is told of and red."""
    fold = Fold(keep_all=_keeps_all(given), keep_raw=given.json)
    ears = told.Told(notices=_machine(given) is not None)
    code = exits.GOOD
    try:
        for record, line in events(given.files):
            fold.see(record, line)
            ears.hear(record)
            if live is not None:
                live.see(record, fold.tally)
    except (BadLine, CutStream) as wrong:
        code = _broken(fold, ears, stream_error("report", wrong))
    except Failure as wrong:
        words = wrong.words
        code = _broken(
            fold, ears, Error(stage="report", code=wrong.code, message=words.message, hint=words.hint)
        )
    return _closed(fold, ears), code


def _broken(fold: Fold, ears: told.Told, error: Error) -> int:
    fold.cut(error)
    ears.hear(error)
    return exits.UNREADABLE


def _closed(fold: Fold, ears: told.Told) -> Tally:
    """Close the fold and tell what only shows at the end."""
    tally = fold.close()
    for error in fold.afterthoughts():
        ears.hear(error)
        tally.troubles.append(error)
    return tally


def _machine(given: Namespace) -> str | None:
    """Name the format that takes stdout instead of the human report, if any."""
    return next((name for name in ("json", "tap", "template") if getattr(given, name)), None)


def _keeps_all(given: Namespace) -> bool:
    return bool(given.html or given.template or given.verbose)


def _style(given: Namespace) -> Style:
    terminal = os.isatty(1)
    size = os.get_terminal_size(1) if terminal else None
    style = Style(
        paint=Paint(wanted(given.color, os.environ, terminal)),
        quiet=given.quiet,
        verbose=given.verbose,
        timings=given.timings or given.verbose,
    )
    if size is not None and size.columns > 0:
        style.columns, style.lines = size
    return style


def _stdout(given: Namespace, tally: Tally, human: Human) -> Iterator[bytes]:
    machine = _machine(given)
    if machine == "json":
        from mcpeak.report.runner_report import document

        for suite in tally.suites:
            yield from document(suite, timings=given.timings)
    elif tally.suites:
        yield from (f"{line}\n".encode("utf-8", "backslashreplace") for line in render(tally, human))


def _write(pieces: Iterator[bytes]) -> None:
    """Write what is left of the report in a few large pieces."""
    sink = to_descriptor(1)
    data = bytearray()
    for piece in pieces:
        data += piece
        if len(data) > 1 << 20:
            sink(bytes(data))
            data.clear()
    if data:
        sink(bytes(data))
