"""An edge: the suite file that a call is saved to; read, added to, checked, and only then replaced."""

import os
from typing import Any, NamedTuple

from mcpeak.call.case import added, identifier, new_suite
from mcpeak.command import exits
from mcpeak.command.failure import Failure, InputError
from mcpeak.command.save import save
from mcpeak.suite.read import ReadSuite, read_suite

_MARK = b"\xef\xbb\xbf"


class Kept(NamedTuple):
    """The id under which a case was saved, and whether the suite's approval no longer fits its content."""

    id: str
    stale: bool


def keep(path: str, server: str, case: dict[str, Any]) -> Kept:
    """Save a case to a suite file, a new one if there is none.

    Raises:
        InputError: the file is no valid suite. Failure: it cannot be written, or has a case of that id.
    """
    data = _read(path)
    if data is None:
        case = case | {"id": case["id"] or identifier(case["operation"]["tool"], set())}
        text, mark = new_suite(server.strip() or "MCP server", case), b""
    else:
        mark = _MARK if data.startswith(_MARK) else b""
        suite, text = _suite(path, data), data.removeprefix(_MARK).decode("utf-8")
        taken = {each["id"] for each in suite.value()["cases"]}
        case = case | {"id": case["id"] or identifier(case["operation"]["tool"], taken)}
        text = added(text, _last_case(text), case)
    made = mark + text.encode("utf-8", "backslashreplace")
    checked = read_suite(made, path)
    if not isinstance(checked, ReadSuite):
        raise Failure("CASE_NOT_VALID", room="call", exit_code=exits.NO, file=path, why=checked[0].message)
    save(path, made, replace=data is not None)
    return Kept(str(case["id"]), checked.approval == "mismatched")


def _read(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as refused:
        raise InputError(
            "SUITE_NOT_READ", room="call", file=path, why=os.strerror(refused.errno or 0)
        ) from refused


def _suite(path: str, data: bytes) -> ReadSuite:
    suite = read_suite(data, path)
    if isinstance(suite, ReadSuite):
        return suite
    first = suite[0]
    raise InputError("SUITE_NOT_VALID", room="call", file=path, where=first.path, why=first.message)


def _last_case(text: str) -> int:
    from mcpeak.suite.text import read_text

    return read_text(text).cases[-1]
