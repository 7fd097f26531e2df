"""subscriptions/listen (modern): what is granted first, then the news, until the client cancels.

Rule of this file: pure; the edges know who listens. Source: PROTOCOL.md §2.
"""

from typing import Any

from msgspec import Raw

from mcpeak.mock import words
from mcpeak.mock.answers import Refusal, good, notification
from mcpeak.mock.call import Call
from mcpeak.mock.steps import Listen, Script, Send
from mcpeak.protocol.errors import INVALID_PARAMS

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
LISTS = {
    "toolsListChanged": "notifications/tools/list_changed",
    "promptsListChanged": "notifications/prompts/list_changed",
    "resourcesListChanged": "notifications/resources/list_changed",
}
"""What a client may ask to hear of, and the notification that tells it."""


def listen(call: Call) -> Script:
    """Answer subscriptions/listen."""
    asked = call.params.notifications
    if not isinstance(asked, dict):
        kind = words.kind("object")
        raise Refusal(INVALID_PARAMS, words.plain("PARAM_MISSING", name="notifications", kind=kind))
    granted = [name for name in LISTS if asked.get(name) is True]
    wished = asked.get("resourceSubscriptions")
    uris = [uri for uri in wished if isinstance(uri, str)] if isinstance(wished, list) else []
    return _heard(call, granted, uris)


def _heard(call: Call, granted: list[str], uris: list[str]) -> Script:
    tag = {SUBSCRIPTION: Raw(call.id)}
    told: dict[str, Any] = dict.fromkeys(granted, True)
    if uris:
        told["resourceSubscriptions"] = uris
    yield Send(
        notification("notifications/subscriptions/acknowledged", {"notifications": told, "_meta": tag})
    )
    yield Listen(frozenset(LISTS[name] for name in granted), frozenset(uris), tag)
    return good(call.id, call.result({}, tag=tag))
