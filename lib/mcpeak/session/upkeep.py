"""Looking at a session file and keeping it in order: inspect, prune, redact.

Rule of this file: an edge; files in, text on stdout out.
"""

import argparse
import json
from collections.abc import Iterator, Mapping

from mcpeak.command.boundary import to_stderr
from mcpeak.command.failure import InputError
from mcpeak.command.text import clean
from mcpeak.messages import label
from mcpeak.session import files, store, usage
from mcpeak.session.exchange import Exchange, Recording
from mcpeak.session.keeping import cleanse
from mcpeak.session.redact import Redactor
from mcpeak.wire.writer import to_descriptor


def inspect(given: argparse.Namespace, environ: Mapping[str, str]) -> None:
    """Show what a session file holds."""
    del environ
    recording = store.load(given.file)
    lines = _as_json(recording) if given.json else _as_text(recording)
    to_descriptor(1)("".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace"))


def prune(given: argparse.Namespace, environ: Mapping[str, str]) -> None:
    """Drop what the last replay did not use.

    Raises:
        InputError: no replay of this file is known.
    """
    files.check_writable(given.file)
    with files.locked(given.file):
        recording, mark = store.read(given.file)
        used = usage.last(environ, given.file, mark)
        if used is None:
            raise InputError(
                "EXTERNAL_SESSION_FAILED", room="session", detail="REPLAY_UNKNOWN", path=given.file
            )
        kept = tuple(recording.exchanges[number] for number in used)
        pruned = recording._replace(exchanges=kept)
        if len(kept) < len(recording.exchanges):
            store.save(given.file, pruned)
    usage.keep(environ, given.file, store.read(given.file)[1], range(len(kept)))
    _say("pruned", dropped=len(recording.exchanges) - len(kept), kept=len(kept))


def redact(given: argparse.Namespace, environ: Mapping[str, str]) -> None:
    """Take further secrets out of a session file."""
    del environ
    files.check_writable(given.file)
    with files.locked(given.file):
        before = store.load(given.file)
        names = tuple(dict.fromkeys([*before.names, *given.redact]))
        paths = before.paths or given.redact_paths
        exchanges = cleanse(before.exchanges, Redactor(names, paths=paths))
        after = before._replace(exchanges=exchanges, names=names, paths=paths)
        if after != before:
            store.save(given.file, after)
    changed = sum(one != other for one, other in zip(before.exchanges, exchanges, strict=True))
    _say("redacted", changed=changed, total=len(exchanges))


def _say(word: str, **values: object) -> None:
    to_stderr(label("session", word, **values) + "\n")


def _as_text(recording: Recording) -> Iterator[str]:
    yield label(
        "session",
        "head",
        count=len(recording.exchanges),
        status=label("session", f"status_{recording.status}"),
    )
    for rule in recording.rules:
        yield f"--match {clean(rule)!r}"
    for name in recording.names:
        yield f"--redact {clean(name)}"
    width = len(str(len(recording.exchanges)))
    for number, exchange in enumerate(recording.exchanges, 1):
        part = f" [{exchange.part}]" if exchange.part else ""
        request = exchange.request
        yield clean(f"{number:>{width}}{part}  {request.method} {request.url}  {_outcome(exchange)}")


def _outcome(exchange: Exchange) -> str:
    response = exchange.response
    if response is None:
        return label("session", f"error_{exchange.error}")
    kind = next((value for name, value in response.headers if name.lower() == "content-type"), "")
    size = label("session", "size", count=len(response.body))
    cut = "" if response.complete else f" {label('session', 'incomplete')}"
    return f"{response.status} {kind.partition(';')[0]} {size}{cut}".replace("  ", " ")


def _as_json(recording: Recording) -> Iterator[str]:
    for number, exchange in enumerate(recording.exchanges, 1):
        yield json.dumps(_plain(number, exchange), ensure_ascii=True)


def _plain(number: int, exchange: Exchange) -> dict[str, object]:
    request, response = exchange.request, exchange.response
    told: dict[str, object] = {
        "id": number,
        "part": exchange.part,
        "method": request.method,
        "url": request.url,
        "requestHeaders": [list(pair) for pair in request.headers],
        "requestBody": _text(request.body),
        "error": exchange.error,
    }
    if response is not None:
        told |= {
            "status": response.status,
            "reason": response.reason,
            "responseHeaders": [list(pair) for pair in response.headers],
            "chunks": [[chunk.at_ms, _text(chunk.data)] for chunk in response.chunks],
            "complete": response.complete,
        }
    return told


def _text(data: bytes) -> str | dict[str, str]:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        import base64

        return {"base64": base64.b64encode(data).decode()}
