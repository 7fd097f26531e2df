"""The certificate authority of one run: what the child is shown in place of the API's own certificates.

Rule of this file: an edge. Its key lives in memory and dies with the process; only its certificate is
written, beside those that the child trusts anyway. Nothing is made before something asks for it.
"""

import os
import threading
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mcpeak.command.failure import InputError
from mcpeak.session.environment import CA_VARIABLES, Files

if TYPE_CHECKING:
    import ssl  # and late, where it is used: 5 ms that only HTTPS should pay


class Authority:
    """Makes certificates for any name.

    Args:
        environ: the environment as the child would have had it: its CA files stay trusted.
        extra: further CA files that the API's certificates may come from (`--ca`).
        insecure: take any certificate of the API (`--insecure`).
    """

    def __init__(
        self, environ: Mapping[str, str], extra: Sequence[str] = (), *, insecure: bool = False
    ) -> None:
        self._files = [*extra, *dict.fromkeys(environ[name] for name in CA_VARIABLES if environ.get(name))]
        self._insecure = insecure
        self._lock = threading.Lock()
        self._authorities: dict[bool, Any] = {}
        self._contexts: dict[tuple[str, bool], ssl.SSLContext] = {}
        self._upstream: dict[bool, ssl.SSLContext] = {}

    def write(self, files: Files) -> None:
        """Write what the child shall trust; the run's own certificate last: the hooks wait for it."""
        pieces = [self._system(), *(_read(file) for file in self._files), self.certificate()]
        _write(files.bundle, b"\n".join(pieces))
        _write(f"{files.certificate}.new", self.certificate())
        os.rename(f"{files.certificate}.new", files.certificate)

    def certificate(self) -> bytes:
        """Give this run's CA certificate as PEM."""
        pem: bytes = self._authority(trusted=True).cert_pem.bytes()
        return pem

    def context(self, name: str, *, trusted: bool = True) -> "ssl.SSLContext":
        """Give the context with which we are `name` to the child.

        Args:
            name: host name or address.
            trusted: false where the API's own certificate could not be trusted either.
        """
        import ssl

        authority = self._authority(trusted=trusted)
        with self._lock:
            context = self._contexts.get((name, trusted))
            if context is None:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
                context.set_alpn_protocols(["http/1.1"])
                authority.issue_cert(name).configure_cert(context)
                self._contexts[name, trusted] = context
            return context

    def upstream(self, *, checked: bool = True) -> "ssl.SSLContext":
        """Give the context with which we are the child to the API."""
        import ssl

        checked = checked and not self._insecure
        with self._lock:
            if checked not in self._upstream:
                context = ssl.create_default_context()
                for file in self._files:
                    context.load_verify_locations(cafile=file)
                if not checked:
                    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
                context.set_alpn_protocols(["http/1.1"])
                self._upstream[checked] = context
            return self._upstream[checked]

    def check(self) -> None:
        """See that all CA files can be read.

        Raises:
            InputError: one cannot.
        """
        import ssl

        for file in self._files:
            try:
                ssl.create_default_context().load_verify_locations(cafile=file)
            except (OSError, ssl.SSLError) as wrong:
                raise InputError(
                    "EXTERNAL_SESSION_FAILED",
                    room="session",
                    detail="CA_UNREADABLE",
                    path=file,
                    why=wrong.strerror or str(wrong),
                ) from wrong

    def _authority(self, *, trusted: bool) -> Any:
        with self._lock:
            if trusted not in self._authorities:
                import trustme  # late: 80 ms that only HTTPS should pay

                self._authorities[trusted] = trustme.CA(organization_name="mcpeak-session")
            return self._authorities[trusted]

    @staticmethod
    def _system() -> bytes:
        import ssl

        paths = ssl.get_default_verify_paths()
        for path in (paths.cafile, "/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/cert.pem"):
            if path and os.path.exists(path):
                return _read(path)
        import certifi

        return _read(certifi.where())


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def _write(path: str, data: bytes) -> None:
    with open(path, "wb", opener=_private) as file:
        file.write(data)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_EXCL, 0o600)
