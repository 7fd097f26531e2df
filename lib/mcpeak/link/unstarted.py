"""A command that could not be started, in words."""

from mcpeak.link.client import ConnectFailed
from mcpeak.link.spawn import StartFailed
from mcpeak.messages import label


def not_started(failed: StartFailed) -> ConnectFailed:
    """Say why a command could not be started."""
    why = "missing_path" if failed.why == "missing" and "/" in failed.name else failed.why
    reason = label("link", f"why_{why}", reason=failed.reason)
    one_word = failed.why == "missing" and " " in failed.name.strip()
    words = "PROCESS_START_ONE_WORD" if one_word else None
    return ConnectFailed("PROCESS_START_FAILED", words=words, name=failed.name, why=reason)
