"""An edge: an AI provider's command: one request in, one answer out, and nothing left of it.

Rule of this file: no shell, an empty temporary directory, few variables, a time limit, size limits, its
whole process group ended. What it says on stderr is not read; its answer is bytes that nobody trusts.
"""

import os
import selectors
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from time import monotonic

from mcpeak.review.effects import Failed
from mcpeak.review.providers import ANSWER_LIMIT, PROVIDERS, SECONDS, USUAL, Provider

PIECE = 65536


def provide(
    provider: str, model: str, request: bytes, environ: Mapping[str, str], seconds: float = SECONDS
) -> bytes | Failed:
    """Ask a provider. `seconds`: how long it may take."""
    chosen = PROVIDERS[provider]
    found = shutil.which(chosen.argv[0], path=environ.get("PATH"))
    if found is None or model.startswith("-"):
        return Failed("provider_missing", {"command": chosen.argv[0]})
    argv = [found, *(word.replace("{model}", model) for word in chosen.argv[1:])]
    folder = tempfile.mkdtemp(prefix="mcpeak-provider-")
    try:
        child = subprocess.Popen(  # noqa: S603 - the person's own command, without a shell
            argv,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env=_environment(chosen, environ),
            start_new_session=True,
        )
    except OSError as refused:
        shutil.rmtree(folder, ignore_errors=True)
        return Failed("provider_failed", {"why": os.strerror(refused.errno or 0)})
    try:
        return _exchange(child, request, seconds)
    finally:
        _end(child)
        shutil.rmtree(folder, ignore_errors=True)


def _environment(provider: Provider, environ: Mapping[str, str]) -> dict[str, str]:
    names = (*USUAL, *provider.env)
    return {name: environ[name] for name in names if name in environ} | {"TERM": "dumb", "NO_COLOR": "1"}


def _exchange(child: "subprocess.Popen[bytes]", request: bytes, seconds: float) -> bytes | Failed:
    """Write the request and read the answer side by side, within the limits."""
    deadline = monotonic() + seconds
    answer = bytearray()
    assert child.stdin is not None and child.stdout is not None  # noqa: S101, PT018 - both were asked for
    os.set_blocking(child.stdin.fileno(), False)
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdin, selectors.EVENT_WRITE, _writer(child, request))
        selector.register(child.stdout, selectors.EVENT_READ, None)
        while child.stdout in selector.get_map():
            left = deadline - monotonic()
            if left <= 0:
                return Failed("provider_late", {"seconds": f"{seconds:g}"})
            for key, _ in selector.select(left):
                if key.data is not None:
                    if not key.data():
                        selector.unregister(child.stdin)
                        child.stdin.close()
                else:
                    piece = os.read(child.stdout.fileno(), PIECE)
                    answer += piece
                    if not piece:
                        selector.unregister(child.stdout)
                    if len(answer) > ANSWER_LIMIT:
                        return Failed("provider_chatty", {"limit": str(ANSWER_LIMIT)})
    return _ended(child, bytes(answer), deadline)


def _writer(child: "subprocess.Popen[bytes]", request: bytes) -> Callable[[], bool]:
    """Make the function that writes the next piece of the request and tells whether more is left."""
    left = memoryview(request)

    def write() -> bool:
        nonlocal left
        assert child.stdin is not None  # noqa: S101 - as above
        try:
            left = left[os.write(child.stdin.fileno(), left[:PIECE]) :]
        except BlockingIOError:
            return True
        except BrokenPipeError:  # it reads no further: its answer decides
            return False
        return len(left) > 0

    return write


def _ended(child: "subprocess.Popen[bytes]", answer: bytes, deadline: float) -> bytes | Failed:
    try:
        code = child.wait(max(deadline - monotonic(), 0.1))
    except subprocess.TimeoutExpired:
        return Failed("provider_late", {"seconds": ""})
    return answer if code == 0 else Failed("provider_failed", {"why": str(code)})


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End whatever is left of it, its children included."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
