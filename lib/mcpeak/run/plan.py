"""What one run of one suite is made of."""

from typing import NamedTuple

from mcpeak.run.cases import Chosen, Suite
from mcpeak.wire.records import SuiteRecord


class Plan(NamedTuple):
    """What to run. `run`: its number in the stream; `suite`: `record` read; `chosen`: its cases that run.

    `era`: with `--matrix`, the one that this run is to speak.
    """

    run: int
    record: SuiteRecord
    suite: Suite
    chosen: list[Chosen]
    repeat: int | None = None
    era: str | None = None
