"""Running the command between the recorder and its end: set up, start, wait, clean up.

Rule of this file: an edge; what is recorded or replayed is the desk's business.
"""

import contextlib
import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from mcpeak.session import child as processes
from mcpeak.session.authority import Authority
from mcpeak.session.environment import child_environment
from mcpeak.session.escape import Escape, Watch, connections_of_tree
from mcpeak.session.line import Desk
from mcpeak.session.proxy import Proxy

_MODE = 0o700


class Finished(NamedTuple):
    """How the command ended (its code, or minus its signal) and what went past the recorder."""

    code: int
    escapes: list[Escape]


def run(
    command: Sequence[str],
    environ: Mapping[str, str],
    desk: Desk,
    authority: Authority,
    passed: Sequence[str] = (),
    look: Callable[[], list[Escape]] = connections_of_tree,
) -> Finished:
    """Run a command with a recorder around it.

    Raises:
        mcpeak.link.spawn.StartFailed: there is no such command.
        OSError: it cannot be run.
    """
    folder = _folder(environ)
    token = os.urandom(24).hex()
    proxy = Proxy(desk, authority, token)
    try:
        bundle, certificate = os.path.join(folder, "bundle.pem"), os.path.join(folder, "run.pem")
        authority.write_bundle(bundle)
        authority.write_certificate(certificate)
        fresh = child_environment(
            environ,
            port=proxy.port,
            door=proxy.door,
            token=token,
            bundle=bundle,
            certificate=certificate,
            passed=passed,
        )
        command_child = processes.Child()
        command_child.start(command, fresh)
        watch = Watch(look, passed)
        code = command_child.wait()
        escapes = watch.close()
        processes.end_rest()
        return Finished(code, escapes)
    finally:
        proxy.close()
        shutil.rmtree(folder, ignore_errors=True)


def _folder(environ: Mapping[str, str]) -> str:
    """Make a folder that only we can read."""
    for place in (environ.get("TMPDIR"), "/tmp", "."):  # noqa: S108 - the folder in it has a random name and mode 0700
        if place:
            folder = os.path.join(os.path.abspath(place), f"mcpeak-session-{os.urandom(8).hex()}")
            with contextlib.suppress(OSError):
                os.mkdir(folder, _MODE)
                return folder
    raise FileNotFoundError(place)
