"""Which recorded answer a request gets: the n-th same request the n-th answer, others in any order.

Rule of this file: no I/O; safe for threads, since every child asks from many at once.
"""

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from mcpeak.session.exchange import CONNECT, Exchange, Request
from mcpeak.session.matching import Form, form_of, line_of, pattern_of
from mcpeak.session.nearest import Difference, nearest
from mcpeak.session.rules import Rule


class Miss(NamedTuple):
    """A request that has no answer. `recorded`, `asked`: how often; `near`: the nearest recorded form."""

    form: Form
    recorded: int
    asked: int
    near: tuple[Form, list[Difference]] | None


class Ledger:
    """Gives recorded answers out, each once.

    Args:
        exchanges: what was recorded, in order.
        rules: how to compare.
        part: which start of the server in its run this is. Its own exchanges count; those of others are there
            for requests that it did not make when it was recorded.
    """

    def __init__(self, exchanges: Sequence[Exchange], rules: Sequence[Rule] = (), part: str = "") -> None:
        self._exchanges = exchanges
        self._rules = rules
        self._forms = {number: form_of(one.request, rules) for number, one in enumerate(exchanges)}
        own = [number for number, one in enumerate(exchanges) if one.part == part]
        known = {self._forms[number] for number in own}
        others = [number for number, form in self._forms.items() if form not in known]
        self._own = own or others
        self._numbers = sorted({*own, *others})
        self._waiting: dict[Form, list[int]] = {}
        for number in reversed(self._numbers):
            self._waiting.setdefault(self._forms[number], []).append(number)
        self._recorded = {form: len(numbers) for form, numbers in self._waiting.items()}
        patterns = {form: pattern_of(form) for form in self._recorded}
        self._patterns = {form: pattern for form, pattern in patterns.items() if pattern is not None}
        self._asked: dict[Form, int] = {}
        self._missed: dict[Form, None] = {}
        self._left = dict.fromkeys(self._numbers)
        self._failing = {one.request.target for one in exchanges if one.request.method == CONNECT}
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._own)

    def has_failure(self, target: str) -> bool:
        """Tell whether a connection to `host:port` failed when it was recorded."""
        return target in self._failing

    def connect(self, target: str) -> str | None:
        """Tell how a connection fails that failed when it was recorded; None when it is made.

        It fails where a failure is the next that is left of this target, so that a retry may succeed.
        """
        if target not in self._failing:
            return None
        with self._lock:
            for number in self._left:
                exchange = self._exchanges[number]
                if exchange.request.target == target:
                    if exchange.request.method != CONNECT:
                        return None
                    self._take(self._forms[number], number)
                    return exchange.error
        return None

    def answer(self, request: Request) -> Exchange | None:
        """Give the next answer to a redacted request; None is a miss, and counted."""
        asked = form_of(request, self._rules)
        with self._lock:
            form = asked if asked in self._recorded else self._like(asked) or asked
            self._asked[form] = self._asked.get(form, 0) + 1
            waiting = self._waiting.get(form)
            if not waiting:
                self._missed[form] = None
                return None
            number = waiting[-1]
            self._take(form, number)
            return self._exchanges[number]

    def take(self, request: Request, use: Callable[[Exchange], bytes | None]) -> bytes | None:
        """Take the next answer to a redacted request if `use` makes something of it; give that."""
        asked = form_of(request, self._rules)
        with self._lock:
            form = asked if asked in self._recorded else self._like(asked)
            waiting = self._waiting.get(form) if form is not None else None
            made = use(self._exchanges[waiting[-1]]) if waiting else None
            if form is not None and waiting and made is not None:
                self._asked[form] = self._asked.get(form, 0) + 1
                self._take(form, waiting[-1])
            return made

    def misses(self) -> list[Miss]:
        """Tell what was asked and not there, in an order that does not depend on who came first."""
        with self._lock:
            forms = [form for form in self._recorded if form.method != CONNECT]
            return [
                Miss(
                    form,
                    self._recorded.get(form, 0),
                    self._asked[form],
                    None if form in self._recorded else nearest(form, forms),
                )
                for form in sorted(self._missed)
            ]

    def used(self) -> list[int]:
        """Give the numbers of the exchanges that were given out."""
        with self._lock:
            return [number for number in self._numbers if number not in self._left]

    def unused(self) -> list[Exchange]:
        """Give the exchanges that nobody asked for, in their order."""
        with self._lock:
            left = [number for number in self._own if number in self._left]
            if len(left) == len(self._own) and len(self._left) < len(self._numbers):
                return []  # it is another server's part that was replayed
            return [self._exchanges[number] for number in left]

    def _take(self, form: Form, number: int) -> None:
        self._waiting[form].remove(number)
        del self._left[number]

    def _like(self, asked: Form) -> Form | None:
        """Find a recorded form in which a secret without a name was redacted; one with answers left first."""
        line = line_of(asked)
        found = [form for form, pattern in self._patterns.items() if pattern.fullmatch(line)]
        return next((form for form in found if self._waiting[form]), found[0] if found else None)


def by_url(exchanges: Iterable[Exchange]) -> list[tuple[str, str, int]]:
    """Count exchanges by method and URL, in order."""
    found: dict[tuple[str, str], int] = {}
    for exchange in exchanges:
        key = (exchange.request.method, exchange.request.url)
        found[key] = found.get(key, 0) + 1
    return [(method, url, count) for (method, url), count in found.items()]
