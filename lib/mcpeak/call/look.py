"""An edge: after a refusal, one look at the server's list, because the name may be mistyped."""

from mcpeak.command.text import clean, cut
from mcpeak.link.client import Client
from mcpeak.protocol.errors import PeerMistake
from mcpeak.protocol.events import Answer
from mcpeak.protocol.pages import Pages
from mcpeak.suite.nearest import nearest
from mcpeak.wire.json import JsonError, parse

LISTED = 500  # code points of a list of names


def misnamed(client: Client, tool: str, limit: float) -> tuple[str, dict[str, str]] | None:
    """Give the code and the values that say which tool was meant; None where it is listed."""
    names = _listed(client, limit)
    if not names or tool in names:
        return None
    near = nearest(tool, names)
    if near is not None:
        return "TOOL_NOT_THERE_NEAR", {"tool": clean(tool), "nearest": clean(near)}
    return "TOOL_NOT_THERE", {"tool": clean(tool), "tools": cut(clean(", ".join(names)), LISTED)}


def _listed(client: Client, limit: float) -> list[str]:
    pages, names = Pages(), []
    try:
        while not pages.done:
            outcome = client.wait(client.request("tools/list", pages.params), limit)
            if not isinstance(outcome, Answer) or outcome.result is None or outcome.problem is not None:
                return []
            pages.take(outcome.result)
        names = [parse(bytes(item))["name"] for item in pages.items]
    except (PeerMistake, JsonError, KeyError, TypeError):
        return []  # the refusal itself is told; the list was only for its sake
    return [name for name in names if isinstance(name, str)]
