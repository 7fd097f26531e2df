"""An edge: reads the stream, folds it, has every format written, gives the verdict.

Rule of this file: the order of these steps; what each of them does stands elsewhere.
"""

import os
import signal
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from mcpeak.command import exits
from mcpeak.command.failure import Failure
from mcpeak.command.stage import stream_error
from mcpeak.report import files, progress
from mcpeak.report.fold import Fold
from mcpeak.report.human import Human, Style
from mcpeak.report.live import Live
from mcpeak.report.outputs import Output, outputs
from mcpeak.report.paint import Paint, wanted
from mcpeak.report.source import events
from mcpeak.report.stdout import beside, check, machine, pieces
from mcpeak.report.tally import Tally
from mcpeak.report.told import Told
from mcpeak.wire.reader import BadLine, CutStream
from mcpeak.wire.records import Error
from mcpeak.wire.writer import Sink, to_descriptor


def report(given: Namespace) -> int:
    """Report as the arguments ask; give the exit code.

    Raises:
        Failure: a file that cannot be written, a template that is none.
    """
    written = outputs(given)
    for output in written:
        if output.matters:
            files.check(output.path, output.code)
    check(given)
    with _deaf():
        return _reported(given, written)


def _reported(given: Namespace, written: list[Output]) -> int:
    line = _progress(given)
    ears = Told(line, notices=machine(given) is not None, runner=_runner(given))
    human = Human(_style(given))
    sink = to_descriptor(1) if line is None else line.around(to_descriptor(1))
    with progress.shown(line):
        live = Live(human, sink) if machine(given) is None and os.isatty(1) else None
        tally, code = _read(given, live, line, ears)
        code = _files(written, tally, ears) or code
        if live is not None:
            live.finish(tally)
        else:
            _write(sink, pieces(given, tally, human, runner=_runner(given)))
    _beside(given, tally, sink)
    ears.processes(tally, given.stderr_lines)
    return code or (exits.GOOD if tally.green else exits.NO)


@contextmanager
def _deaf() -> Iterator[None]:
    """Ignore Ctrl-C: who reads must outlive who writes; the run ends, and its report is still written."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _read(
    given: Namespace, live: Live | None, line: progress.Progress | None, ears: Told
) -> tuple[Tally, int]:
    """Fold the whole input; a stream that breaks off, or that cannot be read, is told of and red."""
    keep_all = bool(given.html or given.template or given.verbose)
    fold = Fold(keep_all=keep_all, keep_raw=given.json, in_order=live is None)
    code = exits.GOOD
    try:
        for record, data in events(given.files):
            fold.see(record, data)
            ears.hear(record)
            if live is not None:
                live.see(record, fold.tally)
            if line is not None:
                line.see(record)
    except (BadLine, CutStream) as wrong:
        code = _broken(fold, ears, stream_error("report", wrong))
    except Failure as wrong:
        code = _broken(fold, ears, _error(wrong))
    return _closed(fold, ears), code


def _broken(fold: Fold, ears: Told, error: Error) -> int:
    fold.cut(error)
    ears.hear(error)
    return exits.UNREADABLE


def _closed(fold: Fold, ears: Told) -> Tally:
    """Close the fold and tell what only shows at the end."""
    tally = fold.close()
    for error in fold.afterthoughts():
        ears.hear(error)
        tally.troubles.append(error)
    ears.end(tally)
    return tally


def _files(written: list[Output], tally: Tally, ears: Told) -> int:
    """Write every file; one that cannot be written is told of, turns the verdict red, and stops no other."""
    code = exits.GOOD
    for output in written:
        if output.wanted(tally):
            try:
                files.write(output.path, output.code, output.pieces(tally))
            except Failure as wrong:
                if output.matters:
                    ears.hear(_error(wrong))
                    code = exits.NO
                else:
                    ears.mention(_error(wrong))
    return code


def _error(wrong: Failure) -> Error:
    words = wrong.words
    return Error(stage="report", code=wrong.code, detail=wrong.detail, message=words.message, hint=words.hint)


def _progress(given: Namespace) -> progress.Progress | None:
    if given.no_progress or not progress.wanted(os.environ, terminal=os.isatty(2)):
        return None
    return progress.Progress(progress.terminal_width())


def _runner(given: Namespace) -> bool:
    """Tell whether GitHub's runner reads what we write, so that no line of it may be a command."""
    return bool(given.github) or os.environ.get("GITHUB_ACTIONS") == "true"


def _style(given: Namespace) -> Style:
    terminal = os.isatty(1)
    style = Style(
        paint=Paint(wanted(given.color, os.environ, terminal)),
        quiet=given.quiet,
        verbose=given.verbose,
        timings=given.timings or given.verbose,
    )
    size = os.get_terminal_size(1) if terminal else (0, 0)
    if size[0]:
        style.columns, style.lines = size
    return style


def _beside(given: Namespace, tally: Tally, sink: Sink) -> None:
    """Write GitHub's annotations: after the human report, or on stderr where a machine reads stdout."""
    lines = beside(given, tally, os.environ.get("GITHUB_WORKSPACE"))
    _write(sink if machine(given) is None else to_descriptor(2), lines)


def _write(sink: Sink, parts: Iterable[bytes]) -> None:
    """Write what is left of the report in a few large pieces."""
    data = bytearray()
    for part in parts:
        data += part
        if len(data) > 1 << 20:
            sink(bytes(data))
            data.clear()
    if data:
        sink(bytes(data))
