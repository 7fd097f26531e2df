"""An edge: a suite file gets its fingerprint, in one step or not at all.

Rule of this file: what will stand in the file is read and compared before it replaces the old one. A symbolic
link stays one: the file behind it is replaced. Mode and, where allowed, owner are kept.
"""

import os
from contextlib import suppress
from typing import Final

from mcpeak.command.failure import InputError
from mcpeak.messages import label
from mcpeak.suite.approval import with_fingerprint
from mcpeak.suite.canonical import fingerprint
from mcpeak.suite.checks import check
from mcpeak.suite.read import ReadSuite, read_suite
from mcpeak.suite.text import read_text
from mcpeak.wire.json import JsonError, decode_utf8
from mcpeak.wire.records import Issue

_MARK: Final = b"\xef\xbb\xbf"


class Approved:
    """A suite and the bytes that its file must have to be approved."""

    def __init__(self, suite: ReadSuite, data: bytes) -> None:
        self.suite = suite
        self.data = data


def approve(data: bytes, source: str) -> Approved | list[Issue]:
    """Put the fingerprint of a suite into its text; what is wrong only with an old fingerprint is mended."""
    mark = _MARK if data.startswith(_MARK) else b""
    try:
        outline = read_text(decode_utf8(data.removeprefix(_MARK)))
    except JsonError:
        return _refused(data, source)
    suite = outline.value
    bare = {key: suite[key] for key in suite if key != "approval"} if isinstance(suite, dict) else suite
    if outline.doubles or check(bare)[0]:
        return _refused(data, source)
    digest = fingerprint(suite, plain=outline.plain)
    approved = suite.get("approval")
    old = approved.get("fingerprint") if isinstance(approved, dict) else None
    marked = data if old == digest else mark + with_fingerprint(outline, digest).encode("utf-8")
    read = read_suite(marked, source)
    if isinstance(read, ReadSuite) and read.approval == "matched" and read.fingerprint == digest:
        return Approved(read, marked)
    return _refused(marked, source)


def _refused(data: bytes, source: str) -> list[Issue]:
    read = read_suite(data, source)
    return read if isinstance(read, list) else []


def save(name: str, before: bytes, after: bytes) -> None:
    """Replace a file's content, if it is still what was read.

    Raises:
        InputError: APPROVAL_WRITE_FAILED; the file is as it was.
    """
    path = os.path.realpath(name)
    temporary = os.path.join(os.path.dirname(path), f".{os.path.basename(path)}.{os.getpid()}.tmp")
    try:
        if not os.access(path, os.W_OK) and os.path.exists(path):
            raise _failed(name, label("fingerprint", "read_only"))
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        descriptor = os.open(temporary, flags, 0o600)
        try:
            _fill(descriptor, os.stat(path), after)
            _compare(path, before, name)
            _compare(temporary, after, name)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
    except OSError as refused:
        raise _failed(name, refused.strerror or str(refused)) from refused


def _fill(descriptor: int, old: os.stat_result, data: bytes) -> None:
    """Write a new file with the old one's mode and owner."""
    with os.fdopen(descriptor, "wb") as file:
        if (old.st_uid, old.st_gid) != (os.geteuid(), os.getegid()):
            with suppress(PermissionError):
                os.fchown(descriptor, old.st_uid, old.st_gid)
        os.fchmod(descriptor, old.st_mode & 0o7777)
        file.write(data)
        file.flush()
        os.fsync(descriptor)


def _compare(path: str, data: bytes, name: str) -> None:
    """Read a file again: it must hold what we think."""
    with open(path, "rb") as file:
        if file.read() != data:
            raise _failed(name, label("fingerprint", "changed"))


def _failed(name: str, why: str) -> InputError:
    return InputError("APPROVAL_WRITE_FAILED", room="fingerprint", file=name, why=why)
