"""How to speak, from the command line: `--protocol`, `--roots`, `--answers`, `--ca`, `--proxy`.

An edge: it reads the answers file. Everything given is checked before any server starts.
"""

import os
from collections.abc import Sequence

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from mcpeak.command.failure import InputError, UsageError
from mcpeak.command.speech import add_manner
from mcpeak.link.client import Manner
from mcpeak.protocol.answers import Answers, Elicitation
from mcpeak.protocol.messages import quoted
from mcpeak.protocol.revisions import WISHES, wish

__all__ = ["add_manner", "answers_of", "manner_of", "read_answers"]
ACTIONS = ("accept", "decline", "cancel")
MODES = ("form", "url")


def manner_of(
    protocol: str | None = None,
    roots: Sequence[str] | None = None,
    answers: str | None = None,
    ca: str | None = None,
    proxy: str | None = None,
) -> Manner:
    """Make the manner of speaking; every argument is what its option gave.

    Raises:
        UsageError: an unknown protocol.
        InputError: a directory, an answers file or a certificate file that cannot be used.
    """
    try:
        wanted = wish(protocol or "auto")
    except ValueError:
        known = ", ".join(WISHES)
        raise UsageError(
            "CLI_USAGE", room="http", detail="PROTOCOL_UNKNOWN", word=protocol, known=known
        ) from None
    if ca is not None:
        _check_certificates(ca)
    given = Answers() if answers is None else read_answers(answers)
    if roots:
        given = given._replace(roots=_with_directories(given.roots, roots))
    return Manner(wanted, given, ca, proxy)


# -- the answers file


class _File(Struct, forbid_unknown_fields=True, gc=False):
    sampling: Raw | UnsetType = UNSET
    elicitation: Raw | UnsetType = UNSET
    roots: Raw | UnsetType = UNSET


class _Root(Struct, gc=False):
    uri: str
    name: str | None = None


class _Content(Struct, gc=False):
    type: str


class _Sampled(Struct, gc=False):
    role: str
    content: _Content | list[_Content]
    model: str


class _Text(Struct, forbid_unknown_fields=True, gc=False):
    text: str


def read_answers(path: str) -> Answers:
    """Read an answers file: `sampling` and `elicitation` hold one answer or a list of them, `roots` a list.

    A sampling answer is a whole result, or `{"text": "…"}` for short. An elicitation answer has `action`,
    `content`, `defaults` (fill in the schema's), `mode`.

    Raises:
        InputError: ANSWERS_UNREADABLE, ANSWERS_INVALID.
    """
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as wrong:
        raise InputError("ANSWERS_UNREADABLE", room="http", file=path, why=wrong.strerror) from wrong
    try:
        return answers_of(data)
    except (msgspec.DecodeError, ValueError, RecursionError) as wrong:
        raise InputError("ANSWERS_INVALID", room="http", file=path, why=str(wrong)) from wrong


def answers_of(data: bytes) -> Answers:
    """Make the answers of an answers file.

    Raises:
        ValueError, msgspec.DecodeError: what is wrong with it.
    """
    file = msgspec.json.decode(data, type=_File)
    roots = None
    if isinstance(file.roots, Raw):
        roots = bytes(file.roots)
        msgspec.json.decode(roots, type=list[_Root])
    return Answers(
        roots=roots,
        sampling=tuple(_sampled(raw) for raw in _several(file.sampling)),
        elicitation=tuple(_elicited(raw) for raw in _several(file.elicitation)),
    )


def _several(raw: Raw | UnsetType) -> list[Raw]:
    if isinstance(raw, UnsetType):
        return []
    return msgspec.json.decode(raw, type=list[Raw]) if bytes(raw).startswith(b"[") else [raw]


def _sampled(raw: Raw) -> bytes:
    try:
        text = msgspec.json.decode(raw, type=_Text).text
    except msgspec.ValidationError:
        msgspec.json.decode(raw, type=_Sampled)
        return bytes(raw)
    return (
        b'{"role":"assistant","content":{"type":"text","text":%b},"model":"canned","stopReason":"endTurn"}'
        % (quoted(text))
    )


def _elicited(raw: Raw) -> Elicitation:
    answer = msgspec.json.decode(raw, type=Elicitation)
    if answer.action not in ACTIONS:
        raise ValueError(f"elicitation.action: {', '.join(ACTIONS)}")
    if answer.mode not in MODES:
        raise ValueError(f"elicitation.mode: {', '.join(MODES)}")
    return answer


def _with_directories(given: bytes | None, directories: Sequence[str]) -> bytes:
    """Give the roots of the answers file and those of `--roots` as one raw list."""
    roots = [] if given is None else [bytes(raw) for raw in msgspec.json.decode(given, type=list[Raw])]
    for directory in directories:
        if not os.path.isdir(directory):
            raise InputError("ROOT_MISSING", room="http", directory=directory)
        roots.append(quoted({"uri": _uri(directory), "name": os.path.basename(os.path.abspath(directory))}))
    return b"[%b]" % b",".join(roots)


def _uri(directory: str) -> str:
    from urllib.parse import quote

    return "file://" + quote(os.path.abspath(directory).encode())


def _check_certificates(path: str) -> None:
    import ssl

    try:
        ssl.create_default_context().load_verify_locations(cafile=path)
    except OSError as wrong:
        why = wrong.strerror or str(wrong)
        raise InputError("CA_UNREADABLE", room="http", file=path, why=why) from wrong
