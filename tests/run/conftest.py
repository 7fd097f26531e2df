"""The misbehaving server, and a run against it."""

from pathlib import Path

import pytest

from support.running import Ran, against

FAULTS = Path(__file__).parent / "servers" / "faults.py"


@pytest.fixture
def faults():
    """Run suites against servers/faults.py in a mode."""

    def run(
        *suites, mode: str = "good", options: tuple[str, ...] = (), args: tuple[str, ...] = (), **env: str
    ) -> Ran:
        return against(FAULTS, *suites, options=options, args=(mode, *args), **env)

    return run
