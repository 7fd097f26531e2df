"""Why a case did not pass, put together once for every format.

Rule of this file: values and catalogue labels in, plain texts out; no marks, colours, markup, no cleaning.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import UNSET, Raw, Struct

from mcpeak.messages import label
from mcpeak.report.values import compact, difference, of_raw, short
from mcpeak.wire.records import AssertionResult, CaseFinished, Diagnostic, Violation

NOTES = 20  # lines of the server's own words
_TOLD = frozenset(  # codes whose sentence says already what was expected and what came
    {
        "BODY_EXTRACTION_FAILED",
        "STRUCTURED_CONTENT_MISSING",
        "CASE_TIMEOUT",
        "OPERATION_RESULT_UNAVAILABLE",
        "SERVER_EXITED",
        "TOOL_NOT_FOUND",
    }
)


class Difference(Struct, gc=False):
    """One place where the answer is not what the suite asks for. `path` starts at `$`; `lines`: a diff."""

    code: str
    path: str
    text: str
    lines: list[str]


class Reason(Struct, gc=False):
    """One thing that went wrong in a case. Texts are uncleaned.

    `number`: which assertion, from 0, or None for the call itself; `check`: that assertion's type.

    `place`: file:line:column in the suite file; `position`: line and column alone; `path`: into the suite.
    """

    code: str
    number: int | None
    check: str | None
    text: str
    hint: str
    place: str
    position: tuple[int, int] | None
    path: str
    expected: str | None
    actual: str | None
    lines: list[str]
    differences: list[Difference]
    left_out: int
    notes: list[str]
    notes_left_out: int


class Check(Struct, gc=False):
    """One assertion of a case and its verdict, in a few words."""

    text: str
    status: str


class _Where(NamedTuple):
    source: str
    position: tuple[int, int] | None
    path: str

    @property
    def place(self) -> str:
        if self.position is None:
            return f"{self.source} {self.path}"
        return f"{self.source}:{self.position[0]}:{self.position[1]}"


def reasons(source: str, case: CaseFinished) -> list[Reason]:
    """Give what went wrong, the call itself first; assertions that only could not be looked at are none."""
    found = []
    operation = case.result.operation.diagnostic
    if operation is not None:
        found.append(_reason(operation, None, None, _Where(source, case.position, f"cases[{case.index}]")))
    for number, assertion in enumerate(case.result.assertions):
        if assertion.status == "failed" and assertion.diagnostic is not None:
            where = _Where(
                source, _assertion_position(case, number), f"cases[{case.index}].assertions[{number}]"
            )
            found.append(_reason(assertion.diagnostic, number, _type(assertion.spec), where))
    return found


def checks(case: CaseFinished) -> list[Check]:
    """Give every assertion of a case with its verdict."""
    return [Check(_check(assertion), assertion.status) for assertion in case.result.assertions]


def failed_in_the_call(case: CaseFinished) -> bool:
    """Tell whether the call itself went wrong (JUnit: an error), not only what was asserted of its answer."""
    return case.result.operation.status not in ("completed", "notRun")


def _reason(diagnostic: Diagnostic, number: int | None, check: str | None, where: _Where) -> Reason:
    notes = diagnostic.notes or []
    expected, actual = _sides(diagnostic, check)
    violations = diagnostic.violations or []
    return Reason(
        code=diagnostic.code,
        number=number,
        check=check,
        text=diagnostic.message,
        hint=diagnostic.hint,
        place=where.place,
        position=where.position,
        path=where.path,
        expected=expected,
        actual=actual,
        lines=[] if violations else _lines(diagnostic.expected, diagnostic.actual),
        differences=[_difference(violation) for violation in violations],
        left_out=max((diagnostic.total_violations or 0) - len(violations), 0),
        notes=notes[:NOTES],
        notes_left_out=max(len(notes) - NOTES, 0),
    )


def _sides(diagnostic: Diagnostic, check: str | None) -> tuple[str | None, str | None]:
    if diagnostic.code in _TOLD or diagnostic.violations or _said_already(diagnostic):
        return None, None
    prefix = "isError: " if check == "isError" else ""
    return _side(diagnostic.expected, prefix), _side(diagnostic.actual, prefix)


def _said_already(diagnostic: Diagnostic) -> bool:
    """Tell whether a JSON-RPC error holds nothing beyond its code and the words that stand in the notes."""
    error = diagnostic.actual
    bare = (
        diagnostic.code == "OPERATION_FAILED"
        and isinstance(error, dict)
        and error.keys() <= {"code", "message"}
    )
    return bare and "\n".join(diagnostic.notes or []) == error.get("message", "")


def _side(value: Any, prefix: str) -> str | None:
    return None if value is UNSET else prefix + sized(value)


def sized(value: Any, full: int | None = None) -> str:
    """Write a value on one line; when it was cut, with its size.

    Args:
        value: any JSON value.
        full: the length of the whole text, when the value came cut already.
    """
    text, size = short(value)
    size = full or size
    return f"{text} ({label('report', 'characters', count=size)})" if size else text


def _difference(violation: Violation) -> Difference:
    values = {
        "expected": sized(violation.expected) if violation.expected is not UNSET else "",
        "actual": sized(violation.actual, violation.actual_chars) if violation.actual is not UNSET else "",
        "kind": kind(violation.actual),
        "type": violation.expected,
        "keys": ", ".join(violation.observed_keys or []) or label("report", "none"),
    }
    text = _sentence(violation.code, values)
    if violation.code != "CONST_MISMATCH":
        return Difference(violation.code, violation.path, text, [])
    wanted, found = violation.expected, violation.actual
    return Difference(violation.code, violation.path, _lengths(wanted, found, text), _lines(wanted, found))


def _lengths(expected: Any, actual: Any, text: str) -> str:
    """Begin a sentence with the lengths of two arrays where they differ: that explains the rest."""
    if not isinstance(expected, list) or not isinstance(actual, list) or len(expected) == len(actual):
        return text
    name = "violation_length_one" if len(actual) == 1 else "violation_length_many"
    return label("report", name, count=len(actual), wanted=len(expected), text=text)


def _lines(expected: Any, actual: Any) -> list[str]:
    """Give the lines of a difference below one that says which side is which; none where there is none."""
    lines = difference(expected, actual)
    return [label("report", "diff_sides"), *lines] if lines else []


def _sentence(code: str, values: dict[str, Any]) -> str:
    try:
        return label("report", f"violation_{code}", **values)
    except KeyError:  # a code of a newer version
        return label("report", "violation_other", code=code, **values)


def kind(value: Any) -> str:
    """Name the JSON type of a value."""
    if value is None or value is UNSET:
        return "null"
    for types, name in (
        ((bool,), "boolean"),
        ((int,), "integer"),
        ((float,), "number"),
        ((str,), "string"),
        ((list,), "array"),
    ):
        if isinstance(value, types):
            return name
    return "object"


def _check(assertion: AssertionResult) -> str:
    spec = _spec(assertion.spec)
    return " ".join(_words_of(spec))


def _words_of(spec: dict[str, Any]) -> Iterator[str]:
    yield str(spec.get("type", ""))
    for name in ("tool", "expected"):
        if name in spec:
            yield compact(spec[name])


def _spec(raw: Raw) -> dict[str, Any]:
    value = of_raw(raw)
    return value if isinstance(value, dict) else {}


def _type(raw: Raw) -> str:
    return str(_spec(raw).get("type", ""))


def _assertion_position(case: CaseFinished, number: int) -> tuple[int, int] | None:
    places = case.assertion_positions or []
    return places[number] if number < len(places) else case.position
