"""Texts that match a regular expression.

Rule of this file: natural texts first (`example` read along the expression, `1` for digits); each is a
proposal, checked by the caller.
"""

from collections.abc import Iterator

from mcpeak.schema.regex import MANY, Chars, Choice, Group, Part, Repeat, Sequence, Unreadable, parse

LIKED = "example"
ELSE = "1aA0-_ .,:/@#xyzXYZ23456789!\"$%&'()*+;<=>?[\\]^`{|}~\té한"
SURROGATES = (0xD800, 0xDFFF)
VARIANTS = 8
BUDGET = 10_000
"""Characters that one proposal may cost."""


def matching(expression: str, shortest: int) -> Iterator[str]:
    """Yield texts that should match, long enough where repetition allows; none for what is unreadable."""
    try:
        part = parse(expression)
    except Unreadable:
        return
    short, longer = _write(part, 0, 0), _write(part, 1, 0)
    if short is None:
        return
    growth = len(longer) - len(short) if longer is not None else 0
    missing = -(-(shortest - len(short)) // growth) if growth > 0 and shortest > len(short) else 0
    for variant in range(VARIANTS):
        for more in (missing, missing + 1, missing + 2, 0):
            text = _write(part, more, variant)
            if text is not None:
                yield text
                yield from _padded(text, shortest)


def _padded(text: str, shortest: int) -> Iterator[str]:
    """Yield longer texts around one: an expression without anchors matches within them too."""
    if len(text) < shortest <= BUDGET:
        rest = (LIKED * shortest)[: shortest - len(text)]
        yield text + rest
        yield rest + text


def _write(part: Part, more: int, variant: int) -> str | None:
    writer = _Writer(more, variant)
    try:
        writer.add(part)
    except (Unreadable, RecursionError):
        return None
    return "".join(writer.written)


class _Writer:
    def __init__(self, more: int, variant: int) -> None:
        self.more = more
        self.variant = variant
        self.written: list[str] = []
        self.groups: dict[str, str] = {}

    def add(self, part: Part) -> None:
        if len(self.written) > BUDGET:
            raise Unreadable
        if isinstance(part, Chars):
            self.written.append(self._char(part))
        elif isinstance(part, Sequence):
            for each in part.parts:
                self.add(each)
        elif isinstance(part, Choice):
            self.add(part.branches[self.variant % len(part.branches)])
        elif isinstance(part, Repeat):
            for _ in range(min(part.most, part.least + self._extra(part))):
                self.add(part.part)
        elif isinstance(part, Group):
            self._group(part)
        else:
            self.written.append(self.groups.get(part.name, ""))

    def _extra(self, part: Repeat) -> int:
        return self.more if part.most == MANY or part.most > part.least else 0

    def _group(self, group: Group) -> None:
        start = len(self.written)
        self.add(group.part)
        for name in group.names:
            self.groups[name] = "".join(self.written[start:])

    def _char(self, chars: Chars) -> str:
        place = len(self.written)
        liked = LIKED[(place + self.variant) % len(LIKED)]
        if chars.holds(liked):
            return liked
        fitting = [char for char in ELSE if chars.holds(char)]
        if fitting:
            return fitting[self.variant % len(fitting)]
        return _first(chars)


def _first(chars: Chars) -> str:
    if chars.negated:
        raise Unreadable
    for low, high in chars.ranges:
        code = SURROGATES[1] + 1 if SURROGATES[0] <= low <= SURROGATES[1] else low
        if code <= high:
            return chr(code)
    raise Unreadable
