"""An answer, laid out for people, and what a case may expect of it. Pure."""

import json
from collections.abc import Iterator
from typing import Any

from mcpeak.command.text import clean
from mcpeak.messages import label
from mcpeak.wire.json import pretty


def lines(result: dict[str, Any]) -> Iterator[str]:
    """Show a tools/call result: its mark, its blocks in order, its structured content."""
    yield label("call", "refused" if result.get("isError") is True else "answered")
    content = result.get("content")
    for block in content if isinstance(content, list) else []:
        yield from _block(block)
    if _said_twice(result):
        yield label("call", "structured_same")
    elif "structuredContent" in result:
        yield label("call", "structured")
        yield from _pretty(result["structuredContent"])


def assertions(result: dict[str, Any]) -> list[dict[str, Any]]:
    """Give what holds of this answer and is likely to hold of the next: its outcome, and an object's keys."""
    refused = result.get("isError") is True
    found: list[dict[str, Any]] = [{"type": "isError", "expected": refused}]
    keys = None if refused else _keys(result.get("structuredContent"))
    if keys:
        found.append(
            {"type": "structuredContentMatchesSchema", "schema": {"type": "object", "required": keys}}
        )
    keys = None if refused else _keys(_body(result))
    if keys and not _said_twice(result):
        found.append({"type": "bodyMatchesSchema", "schema": {"type": "object", "required": keys}})
    return found


def _said_twice(result: dict[str, Any]) -> bool:
    """Tell whether the text is the structured content once more, as the protocol recommends."""
    from mcpeak.suite.equal import equal

    if "structuredContent" not in result:
        return False
    return equal(_body(result), result["structuredContent"])


def _keys(value: object) -> list[str] | None:
    return [key for key in value if key] if isinstance(value, dict) else None


def _body(result: dict[str, Any]) -> object:
    from mcpeak.suite.body import Body, body_of

    body = body_of(result.get("content"))
    return body.value if isinstance(body, Body) else None


def _block(block: object) -> Iterator[str]:
    if isinstance(block, dict) and isinstance(block.get("text"), str):
        yield from _text(block["text"])
    elif isinstance(block, dict) and isinstance(block.get("data"), str):
        kind, mime = clean(str(block.get("type"))), clean(str(block.get("mimeType", "?")))
        yield "  " + label("call", "binary", kind=kind, mime=mime, size=f"{len(block['data']):,}")
    else:
        yield from _pretty(block)


def _text(text: str) -> Iterator[str]:
    if text[:1] in ("{", "["):
        try:
            yield from _pretty(json.loads(text))
        except (ValueError, RecursionError):
            pass
        else:
            return
    yield from (f"  {clean(line)}" for line in text.splitlines())


def _pretty(value: object) -> Iterator[str]:
    return (f"  {clean(line)}" for line in pretty(value).splitlines())
