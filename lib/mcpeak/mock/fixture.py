"""The pytest fixture `mock_server`: `pytest_plugins = ["mcpeak.mock.fixture"]` in a conftest.py.

Rule of this file: the only one of the room that knows pytest.
"""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from mcpeak.mock.door import MockServer


@pytest.fixture
def mock_server() -> Iterator[Callable[..., MockServer]]:
    """Give a maker of started mocks; all of them end with the test.

    `mock_server(definition, protocol="auto", sessions=False)` takes what `MockServer` takes.
    """
    started: list[MockServer] = []

    def make(definition: Any = None, **manner: Any) -> MockServer:
        started.append(MockServer(definition, **manner).start())
        return started[-1]

    yield make
    for server in started:
        server.stop()
