"""The child's environment: the proxy's address for those who honour it, the hooks for those who do not.

Rule of this file: pure; it makes a mapping out of a mapping.
"""

import os
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

HOOKS = os.path.join(os.path.dirname(os.path.realpath(__file__)), "hooks")
OURS = ("MCPEAK_RECORDS_FD", "MCPEAK_RUN", "MCPEAK_SESSION_PART")
"""What mcpeak-run tells us and the child must not see."""
PLAIN = frozenset(("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"))
"""What every server gets (CONTRACT §4)."""
ADDRESS = "MCPEAK_SESSION_ADDRESS"
TOKEN = "MCPEAK_SESSION_TOKEN"  # noqa: S105 - the variable's name, not a token
CA = "MCPEAK_SESSION_CA"
PASS = "MCPEAK_SESSION_PASS"  # noqa: S105 - as above
WAS = "MCPEAK_SESSION_WAS"
"""What our variables were before: `NAME=value`, or `NAME` for one that was not there; for the hooks."""
SEPARATOR = "\x1f"
CA_VARIABLES = (
    "SSL_CERT_FILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "AWS_CA_BUNDLE",
    "GIT_SSL_CAINFO",
    "PIP_CERT",
    "DENO_CERT",
    "CARGO_HTTP_CAINFO",
    "NODE_EXTRA_CA_CERTS",
)
"""The variables by which runtimes and tools are told of a CA file; Node's is last."""
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy")
_URLISH = ("http://", "https://", "/", "./", "~")
_NO_PROXY = ("NO_PROXY", "no_proxy")


def names_proxy(environ: Mapping[str, str]) -> bool:
    """Tell whether an environment names a proxy of the user's."""
    return any(environ.get(name) for name in _PROXIES)


def own_proxies(environ: Mapping[str, str]) -> frozenset[tuple[str, int]]:
    """Tell where the proxies of the user's environment are."""
    if not names_proxy(environ):
        return frozenset()
    from mcpeak.session.upstream import addresses  # late: only where there is one

    return addresses(environ)


class Files(NamedTuple):
    """CA files: all that the child shall trust, and the run's own certificate alone."""

    bundle: str
    certificate: str

    @property
    def wanted(self) -> str:
        """The file that a hook makes to ask for the others."""
        return f"{self.certificate}.wanted"


def is_hooked(command: Sequence[str]) -> bool:
    """Tell whether a command loads a hook for sure: hooks wait for the CA files, others find them ready."""
    name = command[0].rpartition("/")[2]
    if re.fullmatch(r"python[\d.]*", name):
        return not any(re.match(r"-\w*[IE]", word) for word in command[1:3])  # those ignore PYTHONPATH
    return name == "node"


def child_environment(
    environ: Mapping[str, str],
    *,
    ports: tuple[int, int],
    token: str,
    files: Files,
    hooked: bool = False,
    passed: Sequence[str] = (),
) -> dict[str, str]:
    """Make the child's environment.

    Args:
        environ: ours.
        ports: the proxy's port and the hooks' door.
        token: the run's token.
        files: the CA files.
        hooked: the command loads a hook. Node reads its CA variable at once, before its hook could wait.
        passed: targets that are left alone (`--pass`).
    """
    hidden = (*OURS, "MCPEAK_LANG") if OURS[0] in environ else OURS  # mcpeak-run tells us its language
    made = {name: value for name, value in environ.items() if name not in hidden}
    proxy = f"http://mcpeak:{token}@127.0.0.1:{ports[0]}"
    fresh = dict.fromkeys(_PROXIES, proxy) | dict.fromkeys(_NO_PROXY, ",".join(passed))
    fresh |= dict.fromkeys(CA_VARIABLES[:-1] if hooked else CA_VARIABLES, files.bundle)
    fresh["NODE_OPTIONS"] = _joined(
        " ", f"--require {_quoted(os.path.join(HOOKS, 'node.cjs'))}", made.get("NODE_OPTIONS")
    )
    fresh["PYTHONPATH"] = _joined(os.pathsep, os.path.join(HOOKS, "python"), made.get("PYTHONPATH"))
    fresh |= {
        ADDRESS: f"127.0.0.1:{ports[0]}:{ports[1]}",
        TOKEN: token,
        PASS: ",".join(passed),
        CA: files.certificate,
    }
    was = [f"{name}={made[name]}" if name in made else name for name in [*fresh, WAS]]
    return made | fresh | {WAS: SEPARATOR.join(was)}


def known(environ: Mapping[str, str], *, heard: bool) -> list[str]:
    """Give the values of the environment that are secret wherever they stand.

    Under mcpeak-run everything but the plain variables was passed on by `--env` (CONTRACT §4); in a shell's
    environment only the name tells.
    """
    from mcpeak.command.secret_names import is_secret  # late: not before the command is started

    proxied = []
    if names_proxy(environ):
        from mcpeak.session.upstream import passwords  # late: only where there is one

        proxied = passwords(environ)
    return proxied + [
        value
        for name, value in environ.items()
        if is_secret(name)
        or (heard and name not in PLAIN and not name.startswith("MCPEAK_") and not value.startswith(_URLISH))
    ]


def _joined(mark: str, first: str, rest: str | None) -> str:
    return f"{first}{mark}{rest}" if rest else first


def _quoted(path: str) -> str:
    """Write a path as one word of NODE_OPTIONS (nodejs.org/api/cli.html: spaces in double quotes)."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"' if " " in path else escaped
