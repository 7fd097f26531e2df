"""What the value of an option must look like, by the `kind` that the table gives it. Pure."""

from collections.abc import Callable

from mcpeak.command.failure import UsageError
from mcpeak.front.table import Option
from mcpeak.messages import label

DIGITS = 9  # more is a slip of the finger, and Python refuses to read very many


def check_value(name: str, value: str, option: Option, program: str) -> None:
    """Refuse a value that its stage could not use, before anything starts.

    Raises:
        UsageError: it does not look as it must.
        InputError: RESET_COMMAND_FAILED: it is no list of words.
    """
    if option.kind == "words":
        from mcpeak.command.reset import words_of  # late: one rare option needs it

        words_of(value)
    elif not _fits(value, option):
        expected = ", ".join(option.choices) or label("front", f"kind_{option.kind}")
        raise UsageError(
            "CLI_USAGE",
            room="front",
            detail="OPTION_VALUE_WRONG",
            program=program,
            option=name,
            value=value,
            expected=expected,
        )


def _fits(value: str, option: Option) -> bool:
    if option.choices:
        return value in option.choices
    return _KINDS.get(option.kind, bool)(value)


def _whole(value: str) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= DIGITS


def _positive_number(value: str) -> bool:
    whole, _, fraction = value.partition(".")
    digits = whole + fraction
    return digits.isascii() and digits.isdigit() and bool(whole) and float(value) > 0


def _share(value: str) -> bool:
    index, _, of = value.partition("/")
    return _whole(index) and _whole(of) and 1 <= int(index) <= int(of)


_KINDS: dict[str, Callable[[str], bool]] = {
    "any": lambda _: True,
    "count": _whole,
    "positive": lambda value: _whole(value) and int(value) > 0,
    "number": _positive_number,
    "share": _share,
    "json": lambda value: value.endswith(".json"),
}
"""What a value of each kind looks like; of any other it must not be empty."""
