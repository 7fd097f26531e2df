"""Starting the wrapped command, and saying why it could not be started as mcpeak-run would have said it.

Rule of this file: an edge.
"""

import errno
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from mcpeak.command.failure import ServerError
from mcpeak.link.spawn import StartFailed
from mcpeak.messages import label
from mcpeak.session import wrapper
from mcpeak.session.environment import CA_VARIABLES, names_proxy

if TYPE_CHECKING:
    from mcpeak.session.authority import Authority
    from mcpeak.session.line import Desk
    from mcpeak.session.upstream import Upstream


def wrapped(
    command: Sequence[str],
    environ: Mapping[str, str],
    make: "Callable[[], tuple[Desk, Authority]]",
    passed: Sequence[str],
) -> wrapper.Finished:
    """Run a command with a recorder around it, see `wrapper.run`.

    Raises:
        ServerError: it cannot be started.
    """
    try:
        return wrapper.run(command, environ, make, passed)
    except StartFailed as failed:
        name, kind, reason = failed.name, failed.why, failed.reason
    except OSError as failed:
        kind = "format" if failed.errno == errno.ENOEXEC else "other"
        name, reason = command[0], failed.strerror or ""
    kind = "missing_path" if kind == "missing" and "/" in name else kind
    why = label("link", f"why_{kind}", reason=reason)
    raise ServerError("MCP_CONNECTION_FAILED", room="link", detail="PROCESS_START_FAILED", name=name, why=why)


def check_certificates(environ: Mapping[str, str], extra: Sequence[str]) -> None:
    """See that all CA files that were named can be read.

    Raises:
        InputError: one cannot.
    """
    if extra or any(environ.get(name) for name in CA_VARIABLES):
        from mcpeak.session.authority import Authority

        Authority(environ, extra).check()


def way_out(environ: Mapping[str, str]) -> "Upstream | None":
    """Give the way through the proxies of the user's environment; None where it names none.

    Raises:
        InputError: one is of a kind that cannot be used.
    """
    if not names_proxy(environ):
        return None
    from mcpeak.session.upstream import Upstream

    return Upstream(environ)
