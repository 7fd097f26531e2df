"""An edge: how fingerprints are told, as lines like sha256sum's or as records."""

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from mcpeak.command.boundary import tell
from mcpeak.command.failure import Failure
from mcpeak.command.stage import tell_record
from mcpeak.messages import say
from mcpeak.wire.records import Error, FingerprintRecord, Issue, Notice
from mcpeak.wire.writer import Writer, to_descriptor

if TYPE_CHECKING:
    from mcpeak.suite.read import ReadSuite

NAME: Final = "mcpeak-fingerprint"


class Lines:
    """Lines on stdout; what is wrong is told on stderr."""

    def __init__(self) -> None:
        self._write = to_descriptor(1)

    def fingerprint(self, name: str, suite: "ReadSuite") -> None:
        """Write `HEX  FILE`; a name with a line end or backslash is escaped as sha256sum does."""
        raw = os.fsencode(name)
        escaped = raw.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
        mark = b"" if escaped == raw else b"\\"
        self._write(mark + suite.fingerprint.encode() + b"  " + escaped + b"\n")

    def compared(self, name: str, suite: "ReadSuite", *, good: bool) -> None:
        """Write `FILE: matched`, `mismatched` or `absent`; say what to do when that is bad."""
        self._word(name, suite.approval)
        if not good:
            notice = disapproval(suite)
            tell(NAME, notice.code, notice.message, notice.hint or "")

    def approved(self, name: str, suite: "ReadSuite", data: bytes, *, changed: bool) -> None:
        """Write what became of a file; a suite from standard input goes on to stdout instead."""
        if name == "-":
            self._write(data)
        else:
            self._word(name, "approved" if changed else suite.approval)

    def issues(self, issues: Iterable[Issue]) -> None:
        """Tell why a file has no fingerprint."""
        for issue in issues:
            tell_record(issue)

    def notices(self, notices: Iterable[Notice]) -> None:
        """Tell what is doubtful."""
        for notice in notices:
            tell_record(notice)

    def failed(self, _name: str, wrong: Failure) -> None:
        """Tell what could not be done."""
        words = wrong.words
        tell(NAME, wrong.code, words.message, words.hint, wrong.detail)

    def _word(self, name: str, word: str) -> None:
        self._write(os.fsencode(name).replace(b"\n", b"\\n") + b": " + word.encode() + b"\n")


class Records:
    """Records on stdout."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def fingerprint(self, _name: str, suite: "ReadSuite") -> None:
        """Write the record."""
        self._writer.write(
            FingerprintRecord(
                source=suite.source,
                fingerprint=suite.fingerprint,
                approval=suite.approval,
                approved_fingerprint=suite.approved_fingerprint,
            )
        )

    def compared(self, name: str, suite: "ReadSuite", *, good: bool) -> None:
        """Write the record; what is bad is a failure for whoever reads on."""
        self.fingerprint(name, suite)
        if not good:
            self._writer.write(disapproval(suite))

    def approved(self, name: str, suite: "ReadSuite", data: bytes, *, changed: bool) -> None:
        """Write the record as it is now."""
        del data, changed
        self.fingerprint(name, suite)

    def issues(self, issues: Iterable[Issue]) -> None:
        """Write why a file has no fingerprint."""
        self._writer.write(*issues)

    def notices(self, notices: Iterable[Notice]) -> None:
        """Write what is doubtful."""
        self._writer.write(*notices)

    def failed(self, name: str, wrong: Failure) -> None:
        """Write what could not be done."""
        words = wrong.words
        self._writer.write(
            Error(
                stage="fingerprint",
                source=name,
                code=wrong.code,
                detail=wrong.detail,
                message=words.message,
                hint=words.hint,
            )
        )


def disapproval(suite: "ReadSuite") -> Notice:
    """Say that a suite is not the approved one, or that there is none."""
    code = "APPROVAL_ABSENT" if suite.approval == "absent" else "FINGERPRINT_MISMATCHED"
    words = say(
        "fingerprint", code, file=suite.source, approved=suite.approved_fingerprint, found=suite.fingerprint
    )
    return Notice(severity="failure", source=suite.source, code=code, message=words.message, hint=words.hint)
