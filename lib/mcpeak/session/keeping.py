"""From what happened to what is kept: secrets out, then into the file, beside what the same run kept before.

Rule of this file: an edge only towards session files.
"""

from collections.abc import Sequence

from mcpeak.session import clean, files, notices, store
from mcpeak.session.exchange import Exchange, Recording
from mcpeak.session.redact import Redactor, suspicious_segments
from mcpeak.wire.records import Notice


def keep(path: str, fresh: Recording, known: Sequence[str]) -> list[Notice]:
    """Write a recording, after what other servers of the same run have written."""
    redactor = Redactor(fresh.names, paths=fresh.paths, known=known)
    with files.locked(path):
        before = _earlier(path, fresh.run)
        cleaned = cleanse(fresh.exchanges, redactor)
        status = "failed" if "failed" in (fresh.status, before.status if before else "") else fresh.status
        kept = (*(before.exchanges if before else ()), *cleaned)
        store.save(path, fresh._replace(exchanges=kept, status=status))
    return _path_warnings(cleaned, fresh.paths)


def _earlier(path: str, run: str) -> Recording | None:
    if not run or store.run_of(path) != run:
        return None
    return store.load(path)


def add(path: str, fresh: Sequence[Exchange], known: Sequence[str]) -> list[Notice]:
    """Add new exchanges to a recording (`--allow-new`)."""
    with files.locked(path):
        before = store.load(path)
        cleaned = cleanse(fresh, Redactor(before.names, paths=before.paths, known=known))
        store.save(path, before._replace(exchanges=(*before.exchanges, *cleaned)))
    told = [notices.added(len(cleaned), path)]
    return told + _path_warnings(cleaned, before.paths)


def cleanse(exchanges: Sequence[Exchange], redactor: Redactor) -> tuple[Exchange, ...]:
    """Take all secrets out: first learn them from every exchange, then look for them in every exchange."""
    for exchange in exchanges:
        clean.learn(exchange, redactor)
    return tuple(clean.clean(exchange, redactor) for exchange in exchanges)


def _path_warnings(exchanges: Sequence[Exchange], paths: bool) -> list[Notice]:
    if paths:
        return []
    found = [(one.request.url, suspicious_segments(one.request.url)) for one in exchanges]
    return notices.path_credentials((url, segments) for url, segments in found if segments)
