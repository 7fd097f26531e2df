"""One program recorded against an API and replayed without it."""

import sys
import textwrap

from mcpeak.session import store
from support.session_api import api
from support.sessions import record, replay

PYTHON = sys.executable
HEAD = """
import concurrent.futures, contextlib, http.client, json, os, sys, time, urllib.request, urllib.error
base = sys.argv[1]
host = base.partition("://")[2]
def ask(path, body=None, method=None, **headers):
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(base + path, body, names, method=method)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as wrong:
        return wrong.code, wrong.read(), wrong.headers
def said(text, slowly=False):
    import socket
    with socket.create_connection((host.split(":")[0], int(host.split(":")[1])), 20) as line:
        for piece in text if slowly else (text,):
            line.sendall(piece.encode())
            time.sleep(0.002 if slowly else 0)
        return line.makefile("rb").read()
def tell(*values):
    sys.stdout.write(repr(values) + "\\n")
"""


def program(text):
    """Give the command that runs a text after the head above."""
    return [PYTHON, "-c", HEAD + textwrap.dedent(text)]


def twice(text, folder, options=(), again=None, replay_options=(), **env):
    """Record a program, switch the API off, replay it; give both runs, the API and the recording."""
    file = folder / "x.session"
    with api() as live:
        recorded = record(file, *program(text), live.url, options=options, HOME=str(folder), **env)
    replayed = replay(
        file, *program(again or text), live.url, options=replay_options, HOME=str(folder), **env
    )
    return recorded, replayed, live, store.load(str(file))


def same(text, folder, **rest):
    """Record and replay a program, and see that it cannot tell the difference."""
    recorded, replayed, live, kept = twice(text, folder, **rest)
    assert (recorded.code, recorded.err, recorded.records) == (0, "", [])
    assert (replayed.code, replayed.out, replayed.err, replayed.records) == (0, recorded.out, "", [])
    assert recorded.out
    return live, kept
