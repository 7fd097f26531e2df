"""Reading, checking, fingerprinting and matching suites; Python programs use `validate_suite`, `fingerprint`.

    from mcpeak.suite import Suite, validate_suite

    suite = validate_suite({"schemaVersion": 1, "id": "weather", …})
    if not isinstance(suite, Suite):
        for issue in suite:
            print(issue.code, issue.path, issue.message, issue.hint)

The names below come from `mcpeak.suite.door` when they are first used: importing this room costs nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcpeak.suite.door import InvalidSuite, Suite, fingerprint, validate_suite
    from mcpeak.wire.records import Issue, Notice

__all__ = ["InvalidSuite", "Issue", "Notice", "Suite", "fingerprint", "validate_suite"]


def __getattr__(name: str) -> Any:
    """Import a public name when it is asked for (PEP 562)."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from mcpeak.suite import door

    return getattr(door, name)


def __dir__() -> list[str]:
    """List the public names for people at a prompt."""
    return sorted([*globals(), *__all__])
