"""Numbers of a suite text: which ones a double holds, and which ones Python and ECMAScript print alike.

The C reader calls these for each number, so what is common comes first.
"""

from typing import Final

from mcpeak.suite.canonical import EXACT

SURE_DIGITS: Final = 15  # so many significant digits always survive a double (IEEE 754 binary64)
_DIGITS: Final = 4300  # longer integers CPython refuses; a double ends far below
_ALIKE_FROM, _ALIKE_BELOW = 1e-4, 1e16  # here repr() and ECMA-262 print a fraction alike


class Numbers:
    """Reads numbers and remembers what is special about them.

    infinite: one was beyond a double (it is read as ±inf); inexact: one is not what a double makes of it;
    plain: all are printed alike by Python and ECMAScript.
    """

    def __init__(self) -> None:
        self.infinite = False
        self.inexact = False
        self.plain = True

    def integer(self, text: str) -> int | float:
        """Read an integer, exactly."""
        if len(text) <= SURE_DIGITS:
            return int(text)
        double = float(text)
        if double - double != 0:
            return self._beyond(double)
        value = int(text)
        self.inexact = self.inexact or value != double
        self.plain = self.plain and -EXACT <= value <= EXACT
        return value

    def fraction(self, text: str) -> int | float:
        """Read a number with fraction or exponent; 1.0 becomes 1."""
        value = float(text)
        if value - value != 0:
            return self._beyond(value)
        if len(text) > SURE_DIGITS or "e" in text or "E" in text:
            self.inexact = self.inexact or not is_held(text)
        if value.is_integer():
            if -EXACT <= value <= EXACT:
                return int(value)
            self.plain = False  # Python prints a point and a zero
        self.plain = self.plain and _ALIKE_FROM <= abs(value) < _ALIKE_BELOW
        return value

    def _beyond(self, value: float) -> float:
        self.infinite = True
        self.plain = False
        return value


def is_held(text: str) -> bool:
    """Tell whether a number as written is the number that a double makes of it, exactly or when printed."""
    double = float(text)
    if double - double != 0:
        return False
    if len(text) <= SURE_DIGITS and "e" not in text.lower():
        return True
    from decimal import Decimal, InvalidOperation  # late: only unusual numbers come here

    try:
        written = Decimal(text)
    except InvalidOperation:  # an exponent of more than 18 digits
        return False
    return written in (Decimal(repr(double)), Decimal(double))
