"""A command that could not be started, in words."""

from mcpeak.link.client import ConnectFailed
from mcpeak.link.spawn import StartFailed
from mcpeak.messages import label


def not_started(failed: StartFailed) -> ConnectFailed:
    """Say why a command could not be started."""
    why = "missing_path" if failed.why == "missing" and "/" in failed.name else failed.why
    reason = label("link", f"why_{why}", reason=failed.reason)
    return ConnectFailed("PROCESS_START_FAILED", name=failed.name, why=reason)
