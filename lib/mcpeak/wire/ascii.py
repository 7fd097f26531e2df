"""Writing what msgspec's encoder refuses: lone surrogates, integers of any size, any depth. ASCII, one line.

Rule of this file: no recursion; Structs come out as msgspec would write them (names, tags, omitted fields).
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec
from msgspec import UNSET, Raw, Struct

_BEYOND_ASCII = re.compile("[^\x00-\x7f]")


class _Text(str):
    """JSON text that is ready to go out."""

    __slots__ = ()


def dumps_line(value: object) -> bytes:
    """Write any value or record as one line of ASCII JSON, whatever its depth.

    NaN and infinities become `null`, as msgspec writes them.

    Raises:
        TypeError: the value, or something in it, has no JSON form.
    """
    from json.encoder import encode_basestring_ascii  # late: 9 ms that only odd values should pay

    pieces: list[str] = []
    todo: list[Any] = [value]
    while todo:
        item = todo.pop()
        if type(item) is _Text:
            pieces.append(item)
        elif isinstance(item, dict):
            _push(todo, "{}", _members(((_key(key), item[key]) for key in item), encode_basestring_ascii))
        elif isinstance(item, Struct):
            _push(todo, "{}", _members(fields_of(item), encode_basestring_ascii))
        elif isinstance(item, list | tuple | set | frozenset):
            _push(todo, "[]", _elements(item))
        else:
            pieces.append(_scalar(item, encode_basestring_ascii))
    return "".join(pieces).encode("ascii")


def fields_of(record: Struct) -> Iterator[tuple[str, Any]]:
    """Yield a Struct's members under their JSON names, in order, leaving out what msgspec leaves out."""
    config = record.__struct_config__
    if config.tag is not None:
        yield config.tag_field or "type", config.tag
    fields = record.__struct_fields__
    defaults = record.__struct_defaults__
    optional = len(fields) - len(defaults)
    for place, (field, name) in enumerate(zip(fields, record.__struct_encode_fields__, strict=True)):
        value = getattr(record, field)
        default = defaults[place - optional] if place >= optional else msgspec.NODEFAULT
        if value is not UNSET and not (config.omit_defaults and _is_default(value, default)):
            yield name, value


def _is_default(value: object, default: Any) -> bool:
    factory = getattr(default, "factory", None)
    if factory is not None:
        return type(value) is factory and not value
    return value is default


def _push(todo: list[Any], brackets: str, content: Iterable[Any]) -> None:
    items = [_Text(brackets[0]), *content, _Text(brackets[1])]
    items.reverse()
    todo.extend(items)


def _members(pairs: Iterable[tuple[str, Any]], quote: Callable[[str], str]) -> Iterator[Any]:
    comma = ""
    for key, value in pairs:
        yield _Text(f"{comma}{quote(key)}:")
        yield value
        comma = ","


def _elements(values: Iterable[Any]) -> Iterator[Any]:
    comma = False
    for value in values:
        if comma:
            yield _Text(",")
        yield value
        comma = True


def _key(key: object) -> str:
    if isinstance(key, str):
        return key
    if isinstance(key, int | float) and not isinstance(key, bool):
        return str(key)
    raise TypeError("an object's keys must be strings")


def _scalar(value: object, quote: Callable[[str], str]) -> str:
    if isinstance(value, str):
        return quote(value)
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value) if value - value == 0 else "null"
    if isinstance(value, Raw):
        return _raw(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")


def _raw(value: Raw) -> str:
    """Keep the text of a Raw; line ends can only be white space, other letters only stand in strings."""
    text = bytes(value).decode("utf-8", "surrogatepass")
    return _BEYOND_ASCII.sub(_escaped, text).replace("\n", " ").replace("\r", " ")


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
