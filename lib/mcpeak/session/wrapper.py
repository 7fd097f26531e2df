"""Running the command between the recorder and its end: set up, start, wait, clean up.

Rule of this file: an edge; what is recorded or replayed is the desk's business. A command that loads a hook
is started before the recorder is loaded: both take their time at once, and the doors keep who comes early.
"""

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from mcpeak.session import child as processes
from mcpeak.session.doors import Doors
from mcpeak.session.environment import Files, child_environment, is_hooked, own_proxies
from mcpeak.session.folder import Folder
from mcpeak.session.tables import Glance

if TYPE_CHECKING:
    from mcpeak.session.authority import Authority
    from mcpeak.session.escape import Escape
    from mcpeak.session.line import Desk
    from mcpeak.session.proxy import Proxy

_LOOK = 0.01  # seconds between two looks whether the certificates are wanted


class Finished(NamedTuple):
    """How the command ended (its code, or minus its signal) and what went past the recorder."""

    code: int
    escapes: "list[Escape]"


def run(
    command: Sequence[str],
    environ: Mapping[str, str],
    make: "Callable[[], tuple[Desk, Authority]]",
    passed: Sequence[str] = (),
) -> Finished:
    """Run a command with a recorder around it.

    Args:
        command: what to run.
        environ: our environment.
        make: makes the recorder: what answers, and who makes certificates.
        passed: targets that are left alone.

    Raises:
        mcpeak.link.spawn.StartFailed: there is no such command.
        OSError: it cannot be run.
    """
    folder, doors, token = Folder(environ), Doors(), os.urandom(24).hex()
    files = Files(os.path.join(folder.path, "bundle.pem"), os.path.join(folder.path, "run.pem"))
    hooked = is_hooked(command)
    fresh = child_environment(
        environ, ports=doors.ports, token=token, files=files, hooked=hooked, passed=passed
    )
    process = processes.Child()
    writer: threading.Thread | None = None
    over = threading.Event()
    try:
        if hooked:
            process.start(command, fresh)
        glance = Glance()  # a hooked command needs longer than this to make a connection
        desk, authority = make()
        from mcpeak.session.proxy import Proxy  # late, as above

        if hooked:
            writer = threading.Thread(target=_write_when_wanted, args=(authority, files, over))
            writer.start()
        else:
            authority.write(files)
            process.start(command, fresh)
        proxy = Proxy(doors, desk, authority, token, own_proxies(environ))
        return _attended(process, proxy, token, passed, glance)
    finally:
        process.kill()
        doors.close()
        over.set()
        if writer is not None:
            writer.join()
        folder.remove()


def _attended(
    process: processes.Child,
    proxy: "Proxy",
    token: str,
    passed: Sequence[str],
    glance: Glance,
) -> Finished:
    """Serve the command until it has ended."""
    from mcpeak.session.escape import Watch, connections_of_tree

    watch = Watch(connections_of_tree, passed, is_worth_it=glance.is_worth_it)
    try:
        code = process.wait()
        escapes = watch.close()
        processes.end_rest(token)
        return Finished(code, escapes)
    finally:
        proxy.close()


def _write_when_wanted(authority: "Authority", files: Files, over: threading.Event) -> None:
    """Make the certificates once a hook asks for them: a server without HTTPS need not pay for them."""
    while not os.path.exists(files.wanted):
        if over.wait(_LOOK):
            return
    authority.write(files)
