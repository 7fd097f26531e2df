"""`mcpeak-session replay`: the wrapper with a recording.

Rule of this file: an edge; it decides in which order things are checked, run and kept. What is heavy is
imported, and the recording read, once the command is starting: nobody answers it before.
"""

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from mcpeak.command.failure import Failure
from mcpeak.session import files
from mcpeak.session.exchange import Recording
from mcpeak.session.options import rules
from mcpeak.session.starting import check_certificates, way_out, wrapped
from mcpeak.session.tape import Tape
from mcpeak.session.voice import Voice
from mcpeak.session.wrapper import Finished

if TYPE_CHECKING:
    from mcpeak.session.authority import Authority
    from mcpeak.session.line import Desk
    from mcpeak.session.played import PlayedDesk
    from mcpeak.wire.records import Notice, Severity

_SEVERITIES: "dict[str, Severity]" = {"ignore": "info", "warn": "warning", "fail": "failure"}


def replay(given: argparse.Namespace, command: Sequence[str], environ: Mapping[str, str]) -> int:
    """Run a command and answer its calls from a recording; give its code, or minus its signal."""
    voice = Voice(environ)
    try:
        player = _Player(given, environ, heard=voice.is_heard)
        finished = wrapped(command, environ, player.make, given.passed)
        told = player.told(finished)
    except Failure as failure:
        voice.fail(failure)
        raise
    voice.tell(told)
    return finished.code


class _Player:
    """One replay: what it needs before the command starts, makes meanwhile, and has to say after."""

    def __init__(self, given: argparse.Namespace, environ: Mapping[str, str], *, heard: bool) -> None:
        self._given, self._environ, self._heard = given, environ, heard
        self._data, self._mark = files.read(given.file), ""
        self._recording = Recording(())
        rules(given.match)
        self._tape = Tape(environ.get("MCPEAK_SESSION_PART", ""))
        self._desk: PlayedDesk | None = None
        if given.allow_new:
            files.check_writable(given.file)
            check_certificates(environ, given.ca)
        self._upstream = way_out(environ) if given.allow_new else None

    def make(self) -> "tuple[Desk, Authority]":
        """Make the recorder."""
        from mcpeak.session import store
        from mcpeak.session.authority import Authority
        from mcpeak.session.environment import known
        from mcpeak.session.ledger import Ledger
        from mcpeak.session.played import PlayedDesk
        from mcpeak.session.redact import Redactor

        given = self._given
        self._recording, self._mark = store.parse(self._data, given.file)
        kept = self._redacted()
        authority = Authority(self._environ, given.ca, insecure=given.insecure)
        self._desk = PlayedDesk(
            Ledger(kept.exchanges, rules([*kept.rules, *given.match]), self._tape.part),
            Redactor(kept.names, paths=kept.paths, known=known(self._environ, heard=self._heard)),
            pause=_pause if given.real_time else None,
        )
        if given.allow_new:
            from mcpeak.session.live import LiveDesk

            self._desk.fresh = LiveDesk(self._tape, authority, self._upstream)
        return self._desk, authority

    def _redacted(self) -> Recording:
        """Give the recording as it would be with what the command line adds to its redactions."""
        given, kept = self._given, self._recording
        if not (given.redact or given.redact_paths):
            return kept
        from mcpeak.session.keeping import cleanse
        from mcpeak.session.redact import Redactor

        names, paths = (*kept.names, *given.redact), kept.paths or given.redact_paths
        exchanges = cleanse(kept.exchanges, Redactor(names, paths=paths))
        return kept._replace(exchanges=exchanges, names=names, paths=paths)

    def told(self, finished: Finished) -> "list[Notice]":
        """Keep what is new and what was used; give what there is to say."""
        from mcpeak.session import usage

        assert self._desk is not None  # noqa: S101 - the command has run, so there was a desk
        ledger = self._desk.ledger
        usage.keep(self._environ, self._given.file, self._mark, ledger.used())
        odd = (
            self._given.allow_new,
            self._desk.refused,
            finished.escapes,
            self._recording.status == "failed",
        )
        if any(odd) or ledger.misses() or ledger.unused() or not len(ledger):
            return self._notices(finished, self._desk)
        return []

    def _notices(self, finished: Finished, desk: "PlayedDesk") -> "list[Notice]":
        from mcpeak.session import notices  # late: most replays have nothing to say, and need no words

        ledger = desk.ledger
        told = self._added() if self._given.allow_new else notices.misses(ledger.misses())
        told += notices.skipped(desk.refused, replaying=True)
        if not self._recording.exchanges:
            told.append(notices.notice("warning", "SESSION_EMPTY"))
        wish = _SEVERITIES[self._given.unused or "warn"]
        told += notices.unused(ledger.unused(), len(ledger), wish, self._given.file)
        if self._recording.status == "failed":
            told.append(notices.notice("info", "SESSION_OF_FAILED_RUN"))
        return told + notices.escapes(finished.escapes, replaying=True)

    def _added(self) -> "list[Notice]":
        from mcpeak.session import keeping
        from mcpeak.session.environment import known

        fresh = self._tape.exchanges()
        return keeping.add(self._given.file, fresh, known(self._environ, heard=self._heard)) if fresh else []


def _pause(seconds: float) -> None:
    if seconds > 0:
        time.sleep(seconds)
