"""`record` and `replay`: the wrapper with a tape, the wrapper with a recording.

Rule of this file: an edge; it joins the parts and decides in which order things are checked, run and kept.
"""

import argparse
import os
import time
from collections.abc import Mapping, Sequence

from mcpeak.command.failure import Failure, InputError, ServerError
from mcpeak.link.spawn import StartFailed
from mcpeak.messages import label
from mcpeak.session import clean, notices, store, usage, wrapper
from mcpeak.session.authority import Authority
from mcpeak.session.environment import PLAIN
from mcpeak.session.exchange import Exchange, Recording
from mcpeak.session.ledger import Ledger
from mcpeak.session.line import Desk
from mcpeak.session.live import LiveDesk, Tape
from mcpeak.session.options import rules
from mcpeak.session.played import PlayedDesk
from mcpeak.session.redact import Redactor, suspicious_segments
from mcpeak.session.voice import Voice
from mcpeak.wire.records import Notice, Severity

_SEVERITIES: dict[str, Severity] = {"ignore": "info", "warn": "warning", "fail": "failure"}
_URLISH = ("http://", "https://", "/", "./", "~")


def record(given: argparse.Namespace, command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run a command and record its calls; give its code, or minus its signal."""
    voice = Voice(environ)
    authority = Authority(environ, given.ca, insecure=given.insecure)
    tape = Tape(environ.get("MCPEAK_SESSION_PART", ""))
    run = environ.get("MCPEAK_RUN", "")
    try:
        _may_write(given.file, run, force=given.force)
        authority.check()
        finished = _wrapped(command, environ, LiveDesk(tape, authority), authority, given.passed)
        status = _status(voice.verdict(), finished.code)
        fresh = Recording(
            tape.exchanges(), status, run, tuple(given.redact), tuple(given.match), given.redact_paths
        )
        told = _keep(given.file, fresh, _known(environ, voice))
    except Failure as failure:
        voice.fail(failure)
        raise
    if not fresh.exchanges:
        told.append(notices.nothing_recorded(escaped=bool(finished.escapes), skipped=bool(tape.skipped)))
    told += notices.skipped(tape.skipped, replaying=False) + notices.escapes(
        finished.escapes, replaying=False
    )
    voice.tell(told)
    return finished.code


def replay(given: argparse.Namespace, command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run a command and answer its calls from a recording; give its code, or minus its signal."""
    voice = Voice(environ)
    part = environ.get("MCPEAK_SESSION_PART", "")
    try:
        recording = store.load(given.file)
        known = _known(environ, voice)
        desk = PlayedDesk(
            Ledger(recording.exchanges, rules([*recording.rules, *given.match]), part),
            Redactor(recording.names, paths=recording.paths, known=known),
            pause=_pause if given.real_time else None,
        )
        authority = Authority(environ, given.ca, insecure=given.insecure)
        tape = Tape(part)
        if given.allow_new:
            store.check_writable(given.file)
            authority.check()
            desk.fresh = LiveDesk(tape, authority)
        finished = _wrapped(command, environ, desk, authority, given.passed)
        fresh = tape.exchanges()
        told = _add(given.file, fresh, known) if fresh else []
    except Failure as failure:
        voice.fail(failure)
        raise
    usage.keep(environ, given.file, recording, desk.ledger.used(), environ.get("MCPEAK_RUN", ""))
    if not given.allow_new:
        told += notices.misses(desk.ledger.misses())
    told += _afterwards(desk, recording, given.unused)
    told += notices.escapes(finished.escapes, replaying=True)
    voice.tell(told)
    return finished.code


def _afterwards(desk: PlayedDesk, recording: Recording, wish: str | None) -> list[Notice]:
    told = notices.skipped(desk.refused, replaying=True)
    if not recording.exchanges:
        told.append(notices.notice("warning", "SESSION_EMPTY"))
    told += notices.unused(desk.ledger.unused(), len(desk.ledger), _SEVERITIES[wish or "warn"])
    if recording.status == "failed":
        told.append(notices.notice("info", "SESSION_OF_FAILED_RUN"))
    return told


def _status(verdict: str | None, code: int) -> str:
    """Tell how the recorded run went: as mcpeak-run says, else as the command's own end says."""
    if verdict is not None:
        return "passed" if verdict == "passed" and not code else "failed"
    return "failed" if code else "unknown"


def _wrapped(
    command: Sequence[str],
    environ: Mapping[str, str],
    desk: Desk,
    authority: Authority,
    passed: Sequence[str],
) -> wrapper.Finished:
    """Run the command.

    Raises:
        ServerError: it cannot be started.
    """
    try:
        return wrapper.run(command, environ, desk, authority, passed)
    except StartFailed as failed:
        name, kind, reason = failed.name, failed.why, failed.reason
    except OSError as failed:
        name, kind, reason = command[0], "format" if failed.errno == 8 else "other", failed.strerror or ""  # noqa: PLR2004 - ENOEXEC
    kind = "missing_path" if kind == "missing" and "/" in name else kind
    why = label("link", f"why_{kind}", reason=reason)
    raise ServerError("MCP_CONNECTION_FAILED", room="link", detail="PROCESS_START_FAILED", name=name, why=why)


def _may_write(path: str, run: str, *, force: bool) -> None:
    """See that a recording may be written: not over another one, unless it is this very run's.

    Raises:
        InputError: it may not.
    """
    store.check_writable(path)
    if os.path.lexists(path) and not force and not (run and _run_of(path) == run):
        raise InputError("EXTERNAL_SESSION_FAILED", room="session", detail="SESSION_EXISTS", path=path)


def _run_of(path: str) -> str | None:
    try:
        return store.load(path).run
    except InputError:
        return None


def _keep(path: str, fresh: Recording, known: Sequence[str]) -> list[Notice]:
    """Write a recording, after what other servers of the same run have written."""
    redactor = Redactor(fresh.names, paths=fresh.paths, known=known)
    with store.locked(path):
        before = _earlier(path, fresh.run)
        cleaned = cleanse(fresh.exchanges, redactor)
        status = "failed" if "failed" in (fresh.status, before.status if before else "") else fresh.status
        kept = (*(before.exchanges if before else ()), *cleaned)
        store.save(path, fresh._replace(exchanges=kept, status=status))
    return _path_warnings(cleaned, fresh.paths)


def _earlier(path: str, run: str) -> Recording | None:
    if not run or _run_of(path) != run:
        return None
    return store.load(path)


def _add(path: str, fresh: Sequence[Exchange], known: Sequence[str]) -> list[Notice]:
    """Add new exchanges to a recording (`--allow-new`)."""
    with store.locked(path):
        before = store.load(path)
        cleaned = cleanse(fresh, Redactor(before.names, paths=before.paths, known=known))
        store.save(path, before._replace(exchanges=(*before.exchanges, *cleaned)))
    told = [notices.notice("info", "SESSION_ADDED", count=len(cleaned))]
    return told + _path_warnings(cleaned, before.paths)


def cleanse(exchanges: Sequence[Exchange], redactor: Redactor) -> tuple[Exchange, ...]:
    """Take all secrets out: first learn them from every exchange, then look for them in every exchange."""
    for exchange in exchanges:
        clean.learn(exchange, redactor)
    return tuple(clean.clean(exchange, redactor) for exchange in exchanges)


def _path_warnings(exchanges: Sequence[Exchange], paths: bool) -> list[Notice]:
    if paths:
        return []
    found = [(one.request.url, suspicious_segments(one.request.url)) for one in exchanges]
    return notices.path_credentials((url, segments) for url, segments in found if segments)


def _known(environ: Mapping[str, str], voice: Voice) -> list[str]:
    """Give the values of the environment that are secret wherever they stand.

    Under mcpeak-run everything but the plain variables was passed on by `--env` (CONTRACT §4); in a shell's
    environment only the name tells.
    """
    from mcpeak.command.redact import is_secret_name

    return [
        value
        for name, value in environ.items()
        if is_secret_name(name)
        or (
            voice.is_heard
            and name not in PLAIN
            and not name.startswith("MCPEAK_")
            and not value.startswith(_URLISH)
        )
    ]


def _pause(seconds: float) -> None:
    if seconds > 0:
        time.sleep(seconds)
