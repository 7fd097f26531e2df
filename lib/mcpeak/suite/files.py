"""The edge of this room: the one module that opens suite files."""

import os
from typing import Final

from mcpeak.suite.read import ReadSuite, read_suite
from mcpeak.wire.records import Issue

STDIN: Final = "-"
STDIN_SOURCE: Final = "<stdin>"


def read_file(name: str) -> ReadSuite | list[Issue]:
    """Read a suite file; `-` is standard input, whose name needs no `.json`.

    Returns:
        The suite, or all its issues; SUITE_READ_FAILED stands alone.
    """
    got = file_bytes(name)
    return [got] if isinstance(got, Issue) else read_suite(got, source_of(name))


def source_of(name: str) -> str:
    """Name a file as records do; standard input is `<stdin>`, bytes that are no UTF-8 become escapes."""
    if name == STDIN:
        return STDIN_SOURCE
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def file_bytes(name: str) -> bytes | Issue:
    """Read a suite file's bytes, or say why not."""
    try:
        if name == STDIN:
            return _all_of(0)
        if os.path.splitext(name)[1].lower() != ".json":
            return _no_json(name)
        with open(name, "rb") as file:
            return file.read()
    except (OSError, ValueError) as wrong:
        return _issue(name, "SUITE_READ_FAILED", why=_why(wrong))


def _all_of(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return file.read()


def _no_json(name: str) -> Issue:
    if os.path.isdir(name):
        words, folder = "SUITE_FORMAT_FOLDER", source_of(name.rstrip("/") or "/")
        return _issue(name, "SUITE_FORMAT_UNSUPPORTED", words, folder=folder)
    return _issue(name, "SUITE_FORMAT_UNSUPPORTED")


def _issue(name: str, code: str, words: str | None = None, **values: str) -> Issue:
    from mcpeak.suite.words import file_issue

    return file_issue(source_of(name), code, words or code, None, **values)


def _why(wrong: OSError | ValueError) -> str:
    from mcpeak.messages import label

    if isinstance(wrong, FileNotFoundError):
        return label("suite", "why_missing")
    if isinstance(wrong, IsADirectoryError):
        return label("suite", "why_directory")
    if isinstance(wrong, PermissionError):
        return label("suite", "why_denied")
    return getattr(wrong, "strerror", None) or str(wrong)
