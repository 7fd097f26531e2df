"""Resources, prompts and completions: what a definition may hold besides tools.

Rule of this file: pure. Source: PROTOCOL.md §1 (resource not found), §2.
"""

import re
from collections.abc import Callable
from typing import Any

from mcpeak.mock import rounds, words
from mcpeak.mock.answers import Refusal, bad, good
from mcpeak.mock.call import Call, page
from mcpeak.mock.placeholders import fill
from mcpeak.mock.steps import Script
from mcpeak.protocol.errors import INVALID_PARAMS, RESOURCE_NOT_FOUND

_HELD = ("text", "blob")
_VARIABLE = re.compile(r"\\\{([A-Za-z0-9_]+)\\\}")
_MOST = 100  # values of one completion (specification: completion)


def list_resources(call: Call) -> bytes:
    """Answer resources/list."""
    return page(call, "resources", [_without(item, _HELD) for item in _items(call, "resources")])


def list_templates(call: Call) -> bytes:
    """Answer resources/templates/list."""
    return page(
        call, "resourceTemplates", [_without(item, _HELD) for item in _items(call, "resourceTemplates")]
    )


def read_resource(call: Call) -> bytes:
    """Answer resources/read: the resource of that address, else the first template that fits it."""
    uri = call.string("uri")
    for item in _items(call, "resources"):
        if item["uri"] == uri:
            return _contents(call, uri, item)
    for item in _items(call, "resourceTemplates"):
        found = _pattern(item["uriTemplate"]).fullmatch(uri)
        if found is not None:
            return _contents(call, uri, fill(item, found.groupdict()))
    code = INVALID_PARAMS if call.modern else RESOURCE_NOT_FOUND
    raise Refusal(code, words.plain("UNKNOWN_RESOURCE", uri=uri), {"uri": uri})


def subscribe(call: Call) -> bytes:
    """Answer resources/subscribe and resources/unsubscribe (legacy)."""
    call.string("uri")
    return call.result({})


def list_prompts(call: Call) -> bytes:
    """Answer prompts/list."""
    return page(call, "prompts", [_without(item, ("messages", "ask")) for item in _items(call, "prompts")])


def get_prompt(call: Call) -> bytes | Script:
    """Answer prompts/get: its messages, the placeholders filled."""
    name = call.string("name")
    prompts = {item["name"]: item for item in _items(call, "prompts")}
    if name not in prompts:
        there = ", ".join(prompts) or "-"
        raise Refusal(INVALID_PARAMS, words.plain("UNKNOWN_PROMPT", name=name, prompts=there))
    prompt = prompts[name]
    given = call.params.arguments
    arguments: dict[str, Any] = given if isinstance(given, dict) else {}
    for argument in prompt.get("arguments", []):
        if argument.get("required") and argument.get("name") not in arguments:
            raise Refusal(
                INVALID_PARAMS, words.plain("PROMPT_ARGUMENT", name=name, argument=argument.get("name"))
            )
    asked = prompt.get("ask", [])
    questions = asked if isinstance(asked, list) else [asked]
    if questions and not call.modern:
        return _ask_for_prompt(call, prompt, questions, arguments)
    pending = rounds.modern(call, questions, arguments) if questions else rounds.Pending(None, {})
    return pending.result or _messages(call, prompt, arguments, pending.answers)


def _ask_for_prompt(
    call: Call, prompt: dict[str, Any], questions: list[Any], arguments: dict[str, Any]
) -> Script:
    try:
        answers = yield from rounds.legacy(call, questions, arguments)
    except Refusal as wrong:
        return bad(call.id, wrong)
    return good(call.id, _messages(call, prompt, arguments, answers))


def _messages(call: Call, prompt: dict[str, Any], arguments: dict[str, Any], asked: dict[str, Any]) -> bytes:
    shown = {key: prompt[key] for key in ("description", "messages") if key in prompt}
    return call.result(fill(shown, arguments, asked))


def complete(call: Call) -> bytes:
    """Answer completion/complete: the values of `completions` that begin as the client has begun."""
    argument = call.params.argument
    if not isinstance(argument, dict) or not isinstance(argument.get("name"), str):
        raise Refusal(
            INVALID_PARAMS, words.plain("PARAM_MISSING", name="argument", kind=words.kind("object"))
        )
    known: dict[str, Any] = call.book.definition.value.get("completions", {})
    begun = argument.get("value")
    values = [
        v
        for v in known.get(argument["name"], [])
        if str(v).startswith(begun if isinstance(begun, str) else "")
    ]
    told = {"values": values[:_MOST], "total": len(values), "hasMore": len(values) > _MOST}
    return call.result({"completion": told})


def _items(call: Call, key: str) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = call.book.definition.value.get(key, [])
    return items


def _without(item: dict[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: part for key, part in item.items() if key not in keys}


def _contents(call: Call, uri: str, item: dict[str, Any]) -> bytes:
    held = {key: item[key] for key in ("mimeType", *_HELD, "_meta") if key in item}
    if "text" not in held and "blob" not in held:
        held["text"] = ""
    return call.result({"contents": [{"uri": uri} | held]}, cached=True)


def _pattern(template: str) -> re.Pattern[str]:
    """Make a pattern of a URI template's simple expansions (RFC 6570, level 1)."""
    return re.compile(_VARIABLE.sub(lambda found: f"(?P<{found[1]}>[^/]+)", re.escape(template)))


METHODS: dict[str, dict[str, Callable[[Call], bytes | Script]]] = {
    "resources": {
        "resources/list": list_resources,
        "resources/templates/list": list_templates,
        "resources/read": read_resource,
        "resources/subscribe": subscribe,
        "resources/unsubscribe": subscribe,
    },
    "prompts": {"prompts/list": list_prompts, "prompts/get": get_prompt},
    "completions": {"completion/complete": complete},
}
"""The methods that each capability brings; those of resources/subscribe are legacy only."""
