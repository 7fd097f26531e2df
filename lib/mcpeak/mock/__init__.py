"""Mock servers, for Python: `MockServer`, `ANY`, `assert_mock_definition` (CONTRACT §9).

Rule of this file: names only; each is imported when it is first asked for, so that the program starts lean.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcpeak.mock.door import ANY, MockDefinitionError, MockServer, ToolCall, assert_mock_definition

__all__ = ["ANY", "MockDefinitionError", "MockServer", "ToolCall", "assert_mock_definition"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(name)
    from mcpeak.mock import door

    return getattr(door, name)
