"""One server at a time at a URL of this machine: what answers there must be the command that we start.

An edge. Without it a run is green against a server that somebody forgot, or against that of another run
(`make -j`, `--jobs`), while the command under test could not take its port and died unseen.
"""

import fcntl
import os
import stat
import tempfile
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from urllib.parse import urlsplit

from mcpeak.link.client import ConnectFailed
from mcpeak.link.http_net import Watch

LOOK = 1.0  # seconds that something at the port has to say its status
AGAIN = 0.05  # seconds between two looks whether another run is done
MOST = 600.0  # seconds that another run may keep the port
STARTING = frozenset({502, 503, 504})  # a proxy before the server that is yet to start


class Port:
    """The port of one URL, ours from `take` to `leave`. Other machines' ports are nobody's."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._url = url
        self._tls = parts.scheme == "https"
        self._host = parts.hostname or ""
        self._port = parts.port or (443 if self._tls else 80)
        self._path = parts.path or "/"
        self._name = os.path.join(tempfile.gettempdir(), f".mcpeak-{os.getuid()}-{self._port}.lock")
        self._held: int | None = None

    def take(self, watch: Watch) -> None:
        """Wait until no other run of ours serves there, and see that nobody else does.

        Raises:
            ConnectFailed: somebody does.
            Interrupted: a signal came while we waited.
        """
        if not _is_here(self._host):
            return
        end = watch.clock() + MOST
        while not self._lock() and watch.clock() < end:
            watch.pause(AGAIN)
        if self._answers():
            self.leave()
            raise ConnectFailed("PROCESS_START_FAILED", room="http", words="HTTP_PORT_TAKEN", url=self._url)

    def leave(self) -> None:
        """Let the next run have it."""
        held, self._held = self._held, None
        if held is not None:
            with suppress(OSError):
                os.unlink(self._name)
            os.close(held)

    def _lock(self) -> bool:
        """Take the lock; where there can be none, go without it."""
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            held = os.open(self._name, flags, 0o600)
        except OSError:
            return True
        if not stat.S_ISREG(os.fstat(held).st_mode) or os.fstat(held).st_uid != os.getuid():
            os.close(held)
            return True
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(held)
            return False
        if not self._is_ours(held):
            os.close(held)
            return False
        self._held = held
        return True

    def _is_ours(self, held: int) -> bool:
        """Tell whether the file is still the one of that name: who leaves takes the name away."""
        try:
            return os.path.samestat(os.fstat(held), os.stat(self._name))
        except OSError:
            return False

    def _answers(self) -> bool:
        """Tell whether anything but a proxy without its server answers there."""
        connection = HTTPConnection(self._host, self._port, timeout=LOOK)
        try:
            connection.connect()
        except OSError:
            return False
        try:
            if self._tls:
                return True
            connection.request("GET", self._path, headers={"Accept": "text/event-stream"})
            return connection.getresponse().status not in STARTING
        except (OSError, HTTPException):
            return True
        finally:
            connection.close()


def _is_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
