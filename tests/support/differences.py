"""Where we differ from a vector on purpose: `tests/data/differences.toml`, one table a vector."""

import tomllib
from typing import Any

from support.programs import DATA


def differences(stem: str) -> dict[str, dict[str, Any]]:
    """The named differences of one vector file, by vector name; each has a `reason`."""
    with (DATA / "differences.toml").open("rb") as file:
        return tomllib.load(file).get(stem, {})
