"""What is in a session file: a SQLite database, made and read in memory. Schema: docs/sessions.md.

Rule of this file: it touches no file but through files.py, so no journal ever exists.
"""

import json
import sqlite3
from hashlib import sha256
from typing import Any

from mcpeak.command.failure import InputError
from mcpeak.session import files
from mcpeak.session.exchange import Chunk, Exchange, Headers, Recording, Request, Response

VERSION = "1"
_FORMAT = "mcpeak-session"
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE redactions (name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE rules (position INTEGER PRIMARY KEY, rule TEXT NOT NULL);
CREATE TABLE exchanges (
  id INTEGER PRIMARY KEY, part TEXT NOT NULL, method TEXT NOT NULL, url TEXT NOT NULL, target TEXT NOT NULL,
  request_headers TEXT NOT NULL, request_body, status INTEGER, reason TEXT, response_headers TEXT,
  trailers TEXT, complete INTEGER, error TEXT
);
CREATE TABLE chunks (
  exchange INTEGER NOT NULL REFERENCES exchanges (id), position INTEGER NOT NULL, at_ms REAL NOT NULL, data,
  PRIMARY KEY (exchange, position)
) WITHOUT ROWID;
"""


def save(path: str, recording: Recording) -> None:
    """Write a recording in place of what is there.

    Raises:
        InputError: the directory or the file cannot be written.
    """
    files.write(path, to_bytes(recording))


def load(path: str) -> Recording:
    """Read a session file, see `read`."""
    return read(path)[0]


def run_of(path: str) -> str | None:
    """Tell which run wrote a file; None when it is no session file."""
    try:
        return load(path).run
    except InputError:
        return None


def read(path: str) -> tuple[Recording, str]:
    """Read a session file; give its digest, too.

    Raises:
        InputError: there is none, or it is no session file of this version.
    """
    return parse(files.read(path), path)


def parse(data: bytes, path: str) -> tuple[Recording, str]:
    """Read a session file's bytes; give their digest, too.

    Raises:
        InputError: `path` is no session file of this version.
    """
    try:
        return from_bytes(data), sha256(data).hexdigest()
    except (sqlite3.Error, ValueError, KeyError, TypeError) as wrong:
        raise files.invalid(path, str(wrong)) from wrong


def to_bytes(recording: Recording) -> bytes:
    """Make the file's bytes: the same recording, the same bytes."""
    database = sqlite3.connect(":memory:", isolation_level=None)
    try:
        database.executescript(_SCHEMA)
        database.execute("BEGIN")
        _write(database, recording)
        database.execute("COMMIT")
        return database.serialize()
    finally:
        database.close()


def from_bytes(data: bytes) -> Recording:
    """Read the file's bytes.

    Raises:
        sqlite3.Error: no database, or another one.
        ValueError, KeyError, TypeError: a database of another version, or with other contents.
    """
    data = data[:18] + b"\1\1" + data[20:]  # a tool may have left it in WAL mode, which memory has not
    database = sqlite3.connect(":memory:")
    database.row_factory = sqlite3.Row
    try:
        database.deserialize(data)
        return _read(database)
    finally:
        database.close()


def _write(database: sqlite3.Connection, recording: Recording) -> None:
    meta = {
        "format": _FORMAT,
        "version": VERSION,
        "status": recording.status,
        "run": recording.run,
        "redact_paths": str(int(recording.paths)),
    }
    database.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
    database.executemany(
        "INSERT INTO redactions VALUES (?)", [(name,) for name in dict.fromkeys(recording.names)]
    )
    database.executemany("INSERT INTO rules VALUES (?, ?)", enumerate(recording.rules))
    for number, exchange in enumerate(recording.exchanges, 1):
        request, answer = exchange.request, exchange.response
        told: list[object] = [None] * 5
        if answer is not None:
            headers, trailers = _headers_out(answer.headers), _headers_out(answer.trailers)
            told = [answer.status, answer.reason, headers, trailers, int(answer.complete)]
        asked = [exchange.part, request.method, request.url, request.target, _headers_out(request.headers)]
        row = [number, *asked, _readable(request.body), *told, exchange.error]
        database.execute("INSERT INTO exchanges VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        chunks = answer.chunks if answer is not None else ()
        rows = [(number, place, chunk.at_ms, _readable(chunk.data)) for place, chunk in enumerate(chunks)]
        database.executemany("INSERT INTO chunks VALUES (?, ?, ?, ?)", rows)


def _read(database: sqlite3.Connection) -> Recording:
    meta = dict(database.execute("SELECT key, value FROM meta").fetchall())
    if meta.get("format") != _FORMAT or meta.get("version") != VERSION:
        raise ValueError(f"format {meta.get('format')!r}, version {meta.get('version')!r}")
    chunks: dict[int, list[Chunk]] = {}
    for row in database.execute("SELECT * FROM chunks ORDER BY exchange, position"):
        chunks.setdefault(row["exchange"], []).append(Chunk(row["at_ms"], _bytes(row["data"])))
    rows = database.execute("SELECT * FROM exchanges ORDER BY id")
    return Recording(
        tuple(_exchange(row, chunks.get(row["id"], [])) for row in rows),
        meta["status"],
        meta["run"],
        tuple(row["name"] for row in database.execute("SELECT name FROM redactions ORDER BY name")),
        tuple(row["rule"] for row in database.execute("SELECT rule FROM rules ORDER BY position")),
        meta["redact_paths"] == "1",
    )


def _exchange(row: sqlite3.Row, chunks: list[Chunk]) -> Exchange:
    headers = _headers_in(row["request_headers"])
    request = Request(row["method"], row["url"], headers, _bytes(row["request_body"]), row["target"])
    if row["status"] is None:
        return Exchange(request, None, row["error"] or "closed", row["part"])
    told, trailers = _headers_in(row["response_headers"]), _headers_in(row["trailers"])
    response = Response(row["status"], row["reason"], told, tuple(chunks), trailers, bool(row["complete"]))
    return Exchange(request, response, row["error"], row["part"])


def _headers_out(headers: Headers) -> str:
    return json.dumps(headers, ensure_ascii=False)


def _headers_in(text: str) -> Headers:
    return tuple((str(name), str(value)) for name, value in json.loads(text))


def _readable(data: bytes) -> str | bytes:
    """Keep text as text, so that any SQLite tool shows it; SQLite cuts text at NUL."""
    if b"\0" in data:
        return data
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _bytes(value: Any) -> bytes:
    return value.encode("utf-8") if isinstance(value, str) else bytes(value or b"")
