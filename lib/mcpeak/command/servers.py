"""The `mcpServers` file that desktop clients use, read for `--config FILE [--server NAME]`.

`${VAR}` and `${VAR:-default}` are filled in from our environment; what was filled in, and what stands under a
secret's name, is kept out of everything that we write. This module reads a file: an edge.
"""

import os
import re
from collections.abc import Sequence
from typing import Any

from mcpeak.command.failure import InputError
from mcpeak.command.reach import PASSED_ON, Command, Target
from mcpeak.command.redact import is_secret_name
from mcpeak.wire.json import JsonError, parse

_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


def read_servers(
    path: str, wanted: str | None, env: dict[str, str], secrets: Sequence[str], cwd: str | None
) -> list[Target]:
    """Make targets of a configuration file: the wanted server, or all of them in the file's order.

    Raises:
        InputError: the file cannot be read, has no such server, or names a variable that is not set.
    """
    servers = _servers(path)
    if wanted is not None and wanted not in servers:
        raise _wrong("CONFIG_SERVER_MISSING", path, name=wanted, names=", ".join(servers))
    names = list(servers) if wanted is None else [wanted]
    return [_Entry(path, name, servers[name], env, secrets, cwd).target() for name in names]


def _servers(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            value = parse(file.read().removeprefix(b"\xef\xbb\xbf"))
    except OSError as refused:
        raise _wrong("CONFIG_UNREADABLE", path, why=os.strerror(refused.errno or 0)) from refused
    except JsonError as wrong:
        raise _wrong("CONFIG_NOT_JSON", path, line=wrong.line, column=wrong.column) from wrong
    servers = value.get("mcpServers", value.get("servers")) if isinstance(value, dict) else None
    if not isinstance(servers, dict) or not servers:
        raise _wrong("CONFIG_WITHOUT_SERVERS", path)
    return servers


def _wrong(detail: str, path: str, **values: Any) -> InputError:
    return InputError("CONFIG_INVALID", room="link", detail=detail, file=path, **values)


class _Entry:
    """One server of the file."""

    def __init__(
        self, path: str, name: str, entry: Any, env: dict[str, str], secrets: Sequence[str], cwd: str | None
    ) -> None:
        self.path = path
        self.name = name
        self.entry = entry
        self.env = dict(env)
        self.secrets = list(secrets)
        self.cwd = cwd

    def target(self) -> Target:
        """Make its target."""
        if not isinstance(self.entry, dict):
            raise self._shape("{}")
        for key, value in self._texts("env").items():
            self.env[key] = value
        command = self._text("command")
        url = self._text("url")
        if not command and not url:
            raise self._shape("command")
        arguments = self.entry.get("args", [])
        if not isinstance(arguments, list) or not all(isinstance(word, str) for word in arguments):
            raise self._shape("args")
        argv = (command or "", *(self._filled(word) for word in arguments))
        started = Command(argv, self.env, self.cwd or self._text("cwd")) if command else None
        return Target(started, url, self._texts("headers"), tuple(self.secrets), self.name)

    def _text(self, key: str) -> str | None:
        value = self.entry.get(key)
        if value is not None and not isinstance(value, str):
            raise self._shape(key)
        return None if value is None else self._filled(value)

    def _texts(self, key: str) -> dict[str, str]:
        values = self.entry.get(key, {})
        if not isinstance(values, dict) or not all(isinstance(value, str) for value in values.values()):
            raise self._shape(key)
        filled = {name: self._filled(value) for name, value in values.items()}
        self.secrets += [value for name, value in filled.items() if is_secret_name(name)]
        return filled

    def _filled(self, text: str) -> str:
        return _VARIABLE.sub(self._variable, text)

    def _variable(self, found: re.Match[str]) -> str:
        value = os.environ.get(found[1], found[2])
        if value is None:
            raise _wrong("CONFIG_VARIABLE_MISSING", self.path, name=found[1], server=self.name)
        if found[1] in os.environ and found[1] not in PASSED_ON:
            self.secrets.append(value)
        return value

    def _shape(self, key: str) -> InputError:
        return _wrong("CONFIG_SHAPE", self.path, server=self.name, key=key)
