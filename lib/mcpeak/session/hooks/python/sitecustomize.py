"""The hook of mcpeak-session for Python: every TCP connection of this process goes to the recorder instead.

Found through PYTHONPATH before any other code runs. It does nothing without the recorder's address and token.
It takes its own variables out of `os.environ` (the C environment keeps them, so that children get them),
patches `socket`, `ssl`, `subprocess` and a few others when they are first imported, and then makes way for
the sitecustomize that would have been found without it. It must run on any Python 3 and import nothing at
start that the interpreter has not loaded anyway.
"""

import os
import sys

_PREFIX = "MCPEAK_SESSION_"
_SEPARATOR = "\x1f"
_PREPENDED = {"NODE_OPTIONS": " ", "PYTHONPATH": os.pathsep}
_ours = {}
_names = {}
_addresses = {}
_sure = set()


def _take():
    """Take our variables out of os.environ and restore what was there; tell whether there were any."""
    if not os.environ.get(_PREFIX + "ADDRESS") or not os.environ.get(_PREFIX + "TOKEN"):
        return False
    for piece in os.environ.get(_PREFIX + "WAS", "").split(_SEPARATOR):
        name, given, was = piece.partition("=")
        value = os.environ.get(name, "")
        mark = _PREPENDED.get(name)
        if mark and was and value.endswith(mark + was):
            value = value[: -len(mark + was)]
        if name != _PREFIX + "WAS":
            _ours[name] = value
        _set(name, was if given else None)
    _set(_PREFIX + "WAS", None)
    return True


def _set(name, value):
    """Change os.environ without touching the C environment."""
    data, encode = os.environ._data, os.environ.encodekey
    if value is None:
        data.pop(encode(name), None)
    else:
        data[encode(name)] = os.environ.encodevalue(value)


def _ready():
    """Ask the recorder for its certificate, and wait until it is written; give its path."""
    import time

    path = _ours[_PREFIX + "CA"]
    if not os.path.exists(path):
        with open(path + ".wanted", "w"):
            pass
    for _ in range(2000):
        if os.path.exists(path):
            break
        time.sleep(0.005)
    return path


def _for_child(env):
    """Give the environment for a child: ours over its own, and what its own was."""
    _ready()
    if env is None:
        return None
    made = {os.fsdecode(name): os.fsdecode(value) for name, value in dict(env).items()}
    was = []
    for name, value in _ours.items():
        own = made.get(name)
        was.append(name if own is None else name + "=" + own)
        made[name] = value + _PREPENDED[name] + own if own and name in _PREPENDED else value
    made[_PREFIX + "WAS"] = _SEPARATOR.join(was)
    return made


def _is_left_alone(host, port):
    passed = _ours[_PREFIX + "PASS"].split(",")
    return host in passed or f"{host}:{port}" in passed


def _patch_os():
    def wrapped(real, place):
        def call(*args, **kwargs):
            if "env" in kwargs:
                kwargs["env"] = _for_child(kwargs["env"])
            else:
                args = (*args[:place], _for_child(args[place]), *args[place + 1 :])
            return real(*args, **kwargs)

        return call

    def waiting(real):
        def call(*args, **kwargs):
            _ready()
            return real(*args, **kwargs)

        return call

    for name in ("execve", "posix_spawn", "posix_spawnp"):
        if hasattr(os, name):
            setattr(os, name, wrapped(getattr(os, name), 2))
    for name in ("execv", "system"):
        setattr(os, name, waiting(getattr(os, name)))


def _patch_subprocess(module):
    real = module.Popen._execute_child

    def execute(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *rest):
        return real(self, args, executable, preexec_fn, close_fds, pass_fds, cwd, _for_child(env), *rest)

    module.Popen._execute_child = execute


def _patch_socket(module):
    _, port, door = _ours[_PREFIX + "ADDRESS"].split(":")
    own = {("127.0.0.1", int(port)), ("127.0.0.1", int(door))}
    plain = module.socket.connect

    def target(sock, address):
        if sock.family not in (module.AF_INET, module.AF_INET6) or not sock.type & module.SOCK_STREAM:
            return None
        host = address[0] if isinstance(address[0], str) else bytes(address[0]).decode()
        host = host[7:] if host.startswith("::ffff:") else host  # noqa: FURB188 - Python 3.8 has no removeprefix
        host, number = _names.get(host, host), address[1]
        return None if (host, number) in own or not host or _is_left_alone(host, number) else (host, number)

    def connect(self, address):
        where = target(self, address)
        if where is None:
            return plain(self, address)
        return _through(module, plain, self, where, int(port))

    def connect_ex(self, address):
        try:
            connect(self, address)
        except module.gaierror:
            return 113
        except OSError as failed:
            return failed.errno or 110
        return 0

    module.socket.connect, module.socket.connect_ex = connect, connect_ex
    _patch_names(module, module)


def _patch_names(module, words):
    """Give names that would have to be looked up on a network an address that stands for them."""
    resolve, by_name, with_aliases = module.getaddrinfo, module.gethostbyname, module.gethostbyname_ex

    def getaddrinfo(host, port, family=0, type=0, proto=0, flags=0):  # noqa: A002 - the name of the original
        if not _is_name(words, host) or flags & words.AI_PASSIVE or type not in (0, words.SOCK_STREAM):
            return resolve(host, port, family, type, proto, flags)
        number = _number(words, port)
        address = _address(host)
        if family == words.AF_INET6:
            return [(words.AF_INET6, words.SOCK_STREAM, 6, "", ("::ffff:" + address, number, 0, 0))]
        return [(words.AF_INET, words.SOCK_STREAM, 6, "", (address, number))]

    def gethostbyname(host):
        return _address(host) if _is_name(words, host) else by_name(host)

    def gethostbyname_ex(host):
        return (host, [], [_address(host)]) if _is_name(words, host) else with_aliases(host)

    module.getaddrinfo, module.gethostbyname = getaddrinfo, gethostbyname
    module.gethostbyname_ex = gethostbyname_ex


def _is_name(module, host):
    """Tell whether a host would have to be looked up on a network."""
    if isinstance(host, bytes):
        host = host.decode("latin-1")
    if (
        not host
        or host == "localhost"
        or host.endswith(".localhost")
        or ":" in host
        or _is_left_alone(host, "")
    ):
        return False
    try:
        module.inet_aton(host)
    except OSError:
        return host != module.gethostname()
    return False


def _number(module, port):
    if port is None:
        return 0
    try:
        return int(port)
    except ValueError:
        return module.getservbyname(port if isinstance(port, str) else port.decode())


def _address(host):
    """Give a name an address of its own (RFC 2544 range), which stands for the name."""
    name = (host.decode("latin-1") if isinstance(host, bytes) else host).lower()
    if name not in _addresses:
        number = len(_addresses) + 1
        _addresses[name] = f"198.18.{number >> 8 & 255}.{number & 255}"
        _names[_addresses[name]] = name
    return _addresses[name]


def _through(module, plain, sock, where, port):
    """Connect through the recorder, and fail as the API would have failed."""
    limit, sure = sock.gettimeout(), where in _sure
    if not sure or limit == 0:
        sock.settimeout(limit or 30.0)
    try:
        plain(sock, ("127.0.0.1" if sock.family == module.AF_INET else "::ffff:127.0.0.1", port))
        words = ("MCPEAK", _ours[_PREFIX + "TOKEN"], "!" if sure else "?", where[0], str(where[1]))
        sock.sendall((" ".join(words) + "\n").encode())
        answer = b"sure\n" if sure else _line(module, sock)
    finally:
        if not sure or limit == 0:
            sock.settimeout(limit)
    if answer == b"sure\n":
        _sure.add(where)
    elif answer != b"ok\n":
        raise _failure(module, answer.decode().strip())


def _line(module, sock):
    """Read a line, and nothing of what comes after it."""
    answer = sock.recv(256, module.MSG_PEEK)
    answer = sock.recv(answer.find(b"\n") + 1)  # the recorder writes it at once
    if not answer:
        raise ConnectionResetError(104, os.strerror(104))
    return answer


def _failure(module, reason):
    import errno

    if reason == "refused":
        return ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
    if reason == "dns":
        return module.gaierror(module.EAI_NONAME, "Name or service not known")
    if reason == "timeout":
        return TimeoutError(errno.ETIMEDOUT, os.strerror(errno.ETIMEDOUT))
    return OSError(errno.EHOSTUNREACH, os.strerror(errno.EHOSTUNREACH))


def _patch_http(module):
    """Let plain clients ask the recorder on a line that stays."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path.insert(0, here)  # for this one import; it was taken out to make way
    try:
        import _mcpeak_asking
    finally:
        sys.path.remove(here)
    _mcpeak_asking.patch(module, _ours, _sure, _is_left_alone)


def _patch_greendns(module):
    """Keep eventlet from asking name servers by itself; its sockets are Python's."""
    _patch_names(module, module.socket)


def _patch_ssl(module):
    """Let every context for clients trust the run's certificate, whatever it trusts besides."""

    def wrapped(real, place):
        def wrap(self, *args, **kwargs):
            serves = kwargs.get("server_side", args[place] if len(args) > place else False)
            if (
                not serves
                and self.verify_mode != module.CERT_NONE
                and not getattr(self, "_mcpeak_trusts", False)
            ):
                self.load_verify_locations(cafile=_ready())
                self._mcpeak_trusts = True
            return real(self, *args, **kwargs)

        return wrap

    module.SSLContext.wrap_socket = wrapped(module.SSLContext.wrap_socket, 1)
    module.SSLContext.wrap_bio = wrapped(module.SSLContext.wrap_bio, 2)


def _patch_resolver(module):
    """Keep aiohttp from asking name servers by itself."""
    module.DefaultResolver = module.ThreadedResolver


def _patch_uvloop(module):
    """Let uvloop connect with Python's sockets: its own are out of reach."""
    import socket

    real = module.Loop.create_connection

    async def create_connection(self, factory, host=None, port=None, *, sock=None, **rest):
        if sock is None and host is not None:
            sock = await self.run_in_executor(None, socket.create_connection, (host, port))
            sock.setblocking(False)
            if rest.get("ssl") and not rest.get("server_hostname"):
                rest["server_hostname"] = host
            for name in (
                "family",
                "proto",
                "flags",
                "local_addr",
                "happy_eyeballs_delay",
                "interleave",
                "all_errors",
            ):
                rest.pop(name, None)
            host = port = None
        return await real(self, factory, host, port, sock=sock, **rest)

    module.Loop.create_connection = create_connection


_PATCHES = {
    "socket": _patch_socket,
    "ssl": _patch_ssl,
    "http.client": _patch_http,
    "subprocess": _patch_subprocess,
    "aiohttp.resolver": _patch_resolver,
    "uvloop": _patch_uvloop,
    "gevent.socket": _patch_socket,
    "gevent.ssl": _patch_ssl,
    "eventlet.green.ssl": _patch_ssl,
    "eventlet.support.greendns": _patch_greendns,
}


class _Finder:
    """Patches modules right after their first import."""

    def find_spec(self, name, path=None, target=None):
        """Find a module as the others do, and see to it that it is patched."""
        patch = _PATCHES.get(name)
        if patch is None:
            return None
        for finder in sys.meta_path:
            spec = None if finder is self else finder.find_spec(name, path, target)
            if spec is not None:
                _patched(spec, patch)
                return spec
        return None


def _patched(spec, patch):
    run = spec.loader.exec_module

    def exec_module(module):
        run(module)
        patch(module)

    spec.loader.exec_module = exec_module


def _make_way():
    """Import the sitecustomize that would have been found without us."""
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != here]
    ourselves = sys.modules.pop("sitecustomize")
    try:
        import sitecustomize  # noqa: F401 - somebody else's
    except ImportError as missing:
        if missing.name != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault(
            "sitecustomize", ourselves
        )  # the import system looks for it once we are through


if _take():
    _patch_os()
    sys.meta_path.insert(0, _Finder())
    for _name, _patch in _PATCHES.items():
        if _name in sys.modules:
            _patch(sys.modules[_name])
_make_way()
