"""The canonical JSON of a suite and its digest (CONTRACT §2): ES2019 `JSON.stringify` with sorted keys.

RFC 8785 but for two points: lone surrogates stay as escapes, bigger integers are printed as their double.
Rule of this file: pure, no recursion; the fast way gives the same bytes as the careful one or is not taken.
"""

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from mcpeak.suite.order import sorted_keys

_sorted = msgspec.json.Encoder(order="sorted").encode
EXACT: Final = 2**53  # integers up to here are doubles
_TOGETHER = 256  # cases
_PLAIN_FROM, _PLAIN_BELOW = -7, 21  # ECMA-262 Number::toString: powers of ten written without an exponent


def fingerprint(suite: dict[str, Any], *, plain: bool = False) -> str:
    """Digest a parsed suite: SHA-256, lowercase hex, of its canonical form without `approval`.

    Args:
        suite: the suite's root object.
        plain: no key has a letter beyond U+FFFF, every integer is within ±2^53 and every other number
            is one that Python and ECMAScript print alike.

    Raises:
        ValueError: a number is beyond a double.
    """
    from hashlib import sha256

    digested = {key: suite[key] for key in suite if key != "approval"}
    if plain:
        try:
            digest = sha256()
            for piece in _pieces(digested):
                digest.update(piece)
            return digest.hexdigest()
        except (RecursionError, UnicodeEncodeError):
            pass  # the careful way knows what to do
    return sha256(canonical(digested)).hexdigest()


def _pieces(suite: dict[str, Any]) -> Iterator[bytes]:
    """Yield what `canonical` would write the fast way; of a large suite a part at a time."""
    mark = b"{"
    for key in sorted(suite):
        value = suite[key]
        yield mark + _sorted(key) + b":"
        if isinstance(value, list):
            for start in range(0, len(value), _TOGETHER):
                yield (b"," if start else b"[") + _sorted(value[start : start + _TOGETHER])[1:-1]
            yield b"]" if value else b"[]"
        else:
            yield _sorted(value)
        mark = b","
    yield b"}" if suite else b"{}"


def canonical(value: Any) -> bytes:
    """Write a JSON value canonically, as UTF-8.

    Args:
        value: what a JSON reader made: dict, list, str, int, float, bool, None.

    Raises:
        ValueError: a number is beyond a double.
    """
    from json.encoder import encode_basestring as quote  # ES2019's escapes, lone surrogates left as they are

    pieces: list[str] = []
    todo: list[Iterator[Any]] = [iter((value,))]
    closers: list[str] = [""]
    while todo:
        for part in todo[-1]:
            if type(part) is tuple:
                pieces.append(part[0])
            elif isinstance(part, dict):
                todo.append(_members(part, quote))
                closers.append("}")
                pieces.append("{")
                break
            elif isinstance(part, list):
                todo.append(_elements(part))
                closers.append("]")
                pieces.append("[")
                break
            else:
                pieces.append(quote(part) if isinstance(part, str) else _scalar(part))
        else:
            todo.pop()
            pieces.append(closers.pop())
    return "".join(pieces).encode("utf-8", "backslashreplace")


def number(value: float) -> str:
    """Print a number as ECMAScript does (ECMA-262 Number::toString).

    Raises:
        ValueError: the number is beyond a double.
    """
    if isinstance(value, int) and -EXACT <= value <= EXACT:
        return int.__repr__(value)
    try:
        double = float(value)
    except OverflowError:
        double = float("inf")
    if double - double != 0:
        raise ValueError("the number is beyond a double")
    return _double(double)


def _double(double: float) -> str:
    if double == 0:
        return "0"
    sign = "-" if double < 0 else ""
    mantissa, _, exponent = f"{abs(double)!r}e0".partition("e")
    whole, _, fraction = mantissa.partition(".")
    power = int(exponent.partition("e")[0]) + len(whole)
    digits = (whole + fraction).lstrip("0")
    power -= len(whole + fraction) - len(digits)
    digits = digits.rstrip("0")
    return sign + _placed(digits, power)


def _placed(digits: str, power: int) -> str:
    """Lay digits out as 0.DIGITS times 10^power, in the form that the standard chooses."""
    if len(digits) <= power <= _PLAIN_BELOW:
        return digits + "0" * (power - len(digits))
    if 0 < power <= _PLAIN_BELOW:
        return f"{digits[:power]}.{digits[power:]}"
    if _PLAIN_FROM < power - 1 < 0:
        return f"0.{'0' * -power}{digits}"
    point = "." if len(digits) > 1 else ""
    return f"{digits[0]}{point}{digits[1:]}e{power - 1:+d}"


def _members(value: dict[str, Any], quote: Any) -> Iterator[Any]:
    """Yield text (in a tuple) and values of an object by turns."""
    comma = ""
    for key in sorted_keys(value):
        yield (f"{comma}{quote(key)}:",)
        yield value[key]
        comma = ","


def _elements(value: list[Any]) -> Iterator[Any]:
    for place, part in enumerate(value):
        if place:
            yield (",",)
        yield part


def _scalar(value: Any) -> str:
    if value is None:
        return "null"
    if value is True or value is False:
        return "true" if value else "false"
    return number(value)
