"""Driving the conversation of a review without a terminal."""

from collections.abc import Callable
from typing import Any

from mcpeak.review.dialogue import Dialogue
from mcpeak.review.draft import Draft
from mcpeak.review.effects import Ask, Edit, Effect, Load, Provide, Rerun, Say
from mcpeak.review.helper import Helper
from support.reviews import TOOLS, draft


class World:
    """Answers what the conversation wants: lines in order, the rest by function."""

    def __init__(
        self, *lines: str | None, edit: Any = None, load: Any = None, rerun: Any = None, provide: Any = None
    ) -> None:
        self.lines = list(lines)
        self.doers: dict[type, Any] = {Edit: edit, Load: load, Rerun: rerun, Provide: provide}
        self.said: list[str] = []
        self.effects: list[Effect] = []

    def __call__(self, effect: Effect) -> Any:
        self.effects.append(effect)
        if isinstance(effect, Say):
            self.said += [line.text for line in effect.lines]
            return None
        if isinstance(effect, Ask):
            self.said.append(effect.prompt)
            return self.lines.pop(0) if self.lines else None
        doer = self.doers[type(effect)]
        return doer(effect) if callable(doer) else doer


def talked(
    world: Callable[[Effect], Any],
    start: Draft | None = None,
    can_rerun: bool = False,
    helper: Helper | None = None,
) -> Draft | None:
    talk = Dialogue(start or draft(), TOOLS, can_rerun=can_rerun, helper=helper or Helper()).talk()
    heard: Any = None
    while True:
        try:
            heard = world(talk.send(heard))
        except StopIteration as ended:
            return ended.value


def cases_of(result: Draft | None) -> dict[str, Any]:
    assert result is not None
    return {each["id"]: each for each in result.cases}
