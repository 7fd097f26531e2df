"""`mcpeak-session record`: the wrapper with a tape.

Rule of this file: an edge; it decides in which order things are checked, run and kept. What is heavy is
imported once the command is starting.
"""

import argparse
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mcpeak.command.failure import Failure, InputError
from mcpeak.session import files
from mcpeak.session.exchange import Recording
from mcpeak.session.starting import check_certificates, way_out, wrapped
from mcpeak.session.tape import Tape
from mcpeak.session.voice import Voice
from mcpeak.session.wrapper import Finished

if TYPE_CHECKING:
    from mcpeak.session.authority import Authority
    from mcpeak.session.line import Desk
    from mcpeak.wire.records import Notice


def record(given: argparse.Namespace, command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run a command and record its calls; give its code, or minus its signal."""
    voice = Voice(environ)
    tape = Tape(environ.get("MCPEAK_SESSION_PART", ""))

    def make() -> "tuple[Desk, Authority]":
        from mcpeak.session.authority import Authority
        from mcpeak.session.live import LiveDesk

        authority = Authority(environ, given.ca, insecure=given.insecure)
        return LiveDesk(tape, authority, upstream), authority

    try:
        _may_write(given.file, environ.get("MCPEAK_RUN", ""), force=given.force)
        check_certificates(environ, given.ca)
        upstream = way_out(environ)
        finished = wrapped(command, environ, make, given.passed)
        told = _kept(given, environ, voice, tape, finished)
    except Failure as failure:
        voice.fail(failure)
        raise
    voice.tell(told)
    return finished.code


def _kept(
    given: argparse.Namespace, environ: Mapping[str, str], voice: Voice, tape: Tape, finished: Finished
) -> "list[Notice]":
    """Keep what was recorded; give what there is to say about it."""
    from mcpeak.session import keeping, notices
    from mcpeak.session.environment import known

    status = _status(voice.verdict(), finished.code)
    run, names, rules = environ.get("MCPEAK_RUN", ""), tuple(given.redact), tuple(given.match)
    fresh = Recording(tape.exchanges(), status, run, names, rules, given.redact_paths)
    told = keeping.keep(given.file, fresh, known(environ, heard=voice.is_heard))
    if not fresh.exchanges:
        told.append(notices.nothing_recorded(escaped=bool(finished.escapes), skipped=bool(tape.skipped)))
    told += notices.skipped(tape.skipped, replaying=False)
    return told + notices.escapes(finished.escapes, replaying=False)


def _status(verdict: str | None, code: int) -> str:
    """Tell how the recorded run went: as mcpeak-run says, else as the command's own end says."""
    if verdict is not None:
        return "passed" if verdict == "passed" and not code else "failed"
    return "failed" if code else "unknown"


def _may_write(path: str, run: str, *, force: bool) -> None:
    """See that a recording may be written: not over another one, unless it is this very run's.

    Raises:
        InputError: it may not.
    """
    files.check_writable(path)
    if os.path.lexists(path) and not force and not (run and _run_of(path) == run):
        raise InputError("EXTERNAL_SESSION_FAILED", room="session", detail="SESSION_EXISTS", path=path)


def _run_of(path: str) -> str | None:
    from mcpeak.session import store  # late: only where several servers of one run share a file

    return store.run_of(path)
