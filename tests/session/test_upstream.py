"""While recording, the user's own proxy is honoured; what is recorded is the API's, and needs no proxy."""

import shutil
import sys

import pytest
import trustme

from mcpeak.command.failure import InputError
from mcpeak.session import store
from mcpeak.session.upstream import Upstream, addresses, passwords
from support.proxies import proxy
from support.session_api import api, write_ca
from support.sessions import record, replay

PASSWORD = "user:Pr0xy-pässword"
SPELT = "user:Pr0xy-p%C3%A4ssword"
URLLIB = """
import sys, urllib.request
ask = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if {direct} else [])).open
for path in ("/json", "/json", "/mirror"):
    body = b"abc" if path == "/mirror" else None
    print(ask(sys.argv[1] + path, body, timeout=20).read())
"""
FETCH = "for (let n = 0; n < 3; n++) console.log(await (await fetch(process.argv[1] + '/json?' + n)).text());"
CLIENTS = {
    "a client that knows the proxy": [sys.executable, "-c", URLLIB.replace("{direct}", "False")],
    "one that knows of none": [sys.executable, "-c", URLLIB.replace("{direct}", "True")],
    "curl": ["sh", "-c", "for n in 1 2 3; do curl -sS $0/json?$n || exit 1; done"],
    "node": ["node", "--input-type=module", "--eval=" + FETCH],
}


def rehearsed(folder, command, scheme="http", password="", refuses=False, host="api.example", **env):
    """Record through a proxy an API that only the proxy can find, and replay; give what there is to see."""
    authority = trustme.CA() if scheme == "https" else None
    file = folder / "x.session"
    with api(authority, host) as live, proxy(live.port, password, refuses) as seen:
        own = f"http://{SPELT + '@' if password else ''}127.0.0.1:{seen.port}"
        env = {"HTTP_PROXY": own, "https_proxy": own, "HOME": str(folder), **env}
        options = ("--ca", str(write_ca(authority, folder))) if authority else ()
        recorded = record(file, *command, live.url, options=options, **env)
        hits = list(live.hits)
    replayed = replay(file, *command, live.url, **env)
    return recorded, replayed, seen, hits, store.load(str(file))


@pytest.mark.parametrize("password", ["", PASSWORD])
@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("client", CLIENTS)
def test_an_api_behind_a_proxy_is_recorded_as_itself(client, scheme, password, tmp_path):
    command = CLIENTS[client]
    if shutil.which(command[0]) is None or (client == "curl" and shutil.which("curl") is None):
        pytest.skip("not installed")
    recorded, replayed, seen, hits, kept = rehearsed(tmp_path, command, scheme, password)
    assert (recorded.code, recorded.err, recorded.records) == (0, "", [])
    assert (replayed.code, replayed.out, replayed.err, replayed.records) == (0, recorded.out, "", [])
    assert len(hits) == 3
    assert all(
        line.startswith("CONNECT " if scheme == "https" else ("GET http:", "POST http:"))
        for line in seen.lines
    )
    assert {one.request.url.partition("?")[0].rpartition("/")[0] for one in kept.exchanges} == {
        f"{scheme}://{one.request.target}" for one in kept.exchanges
    }
    assert {one.request.target.partition(":")[0] for one in kept.exchanges} == {"api.example"}


def test_the_password_is_nowhere_in_the_file(tmp_path):
    tell = "import base64, os; token = os.environ['HTTP_PROXY'].encode()\nimport urllib.request as u, sys\n"
    tell += "opener = u.build_opener(u.ProxyHandler({}))\n"
    tell += "print(opener.open(sys.argv[1] + '/mirror', token + base64.b64encode(token), timeout=20).read())"
    _, replayed, seen, _, _ = rehearsed(tmp_path, [sys.executable, "-c", tell], password=PASSWORD)
    assert replayed.out.count("REDACTED") == 2
    kept = (tmp_path / "x.session").read_bytes()
    assert "Proxy-Authorization".lower() not in kept.decode("latin-1").lower()
    for secret in (b"Pr0xy", SPELT.encode(), seen.headers[0]["proxy-authorization"].encode()[6:]):
        assert secret not in kept


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_proxy_that_refuses_is_told_and_replays_as_it_was(scheme, tmp_path):
    text = """
import sys, urllib.request, urllib.error
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
try:
    print(opener.open(sys.argv[1] + "/json", timeout=20).read())
except urllib.error.HTTPError as wrong:
    print(wrong.code)
except urllib.error.URLError as wrong:
    print("failed")
"""
    recorded, replayed, _, hits, kept = rehearsed(
        tmp_path, [sys.executable, "-c", text], scheme, refuses=True
    )
    assert hits == []
    assert recorded.out == {"http": "403\n", "https": "failed\n"}[scheme]
    assert recorded.codes() == {"http": [], "https": ["SESSION_NOT_RECORDED"]}[scheme]
    assert (replayed.out, replayed.records) == (recorded.out, [])
    assert len(kept.exchanges) == 1


def test_a_proxy_that_is_not_there_is_a_failed_connection(tmp_path):
    text = "import sys, urllib.request as u; u.build_opener(u.ProxyHandler({})).open('http://api.example/a')"
    given = {"HTTP_PROXY": "http://127.0.0.1:9", "HOME": str(tmp_path)}
    recorded = record(tmp_path / "x", sys.executable, "-c", text, **given)
    replayed = replay(tmp_path / "x", sys.executable, "-c", text, HOME=str(tmp_path))
    assert recorded.codes() == ["SESSION_NOT_RECORDED"]
    assert "api.example:80" in recorded.records[0]["message"]
    assert replayed.err == recorded.err
    assert replayed.codes() == ["SESSION_OF_FAILED_RUN"]


def test_what_no_proxy_names_and_this_machine_are_reached_directly(tmp_path):
    text = CLIENTS["one that knows of none"]
    for host, more in (("127.0.0.1", {}), ("localhost", {"NO_PROXY": "x.example"})):
        recorded, _, seen, hits, _ = rehearsed(tmp_path, text, host=host, **more)
        assert (recorded.code, len(hits), seen.lines) == (0, 3, [])
        (tmp_path / "x.session").unlink()


def test_a_proxy_of_another_kind_is_refused_before_anything_runs(tmp_path):
    ran = record(tmp_path / "x", "sh", "-c", "echo ran", HTTPS_PROXY="socks5://127.0.0.1:1080")
    assert (ran.code, ran.out, ran.records[0]["detail"]) == (3, "", "PROXY_UNUSABLE")
    assert "HTTPS_PROXY" in ran.records[0]["message"]


# --- the way itself ---


@pytest.mark.parametrize(
    ("environ", "scheme", "expected"),
    [
        ({"HTTP_PROXY": "http://p:1"}, "http", ("p", 1)),
        ({"HTTP_PROXY": "http://p:1"}, "https", None),
        ({"http_proxy": "http://p:1", "HTTP_PROXY": "http://q:1"}, "http", ("p", 1)),
        ({"ALL_PROXY": "http://p"}, "https", ("p", 80)),
        ({"https_proxy": "p:3128", "ALL_PROXY": "http://q"}, "https", ("p", 3128)),
        ({"HTTP_PROXY": "http://p:1", "NO_PROXY": "api.example"}, "http", None),
        ({"HTTP_PROXY": "http://p:1", "no_proxy": ".example"}, "http", None),
        ({"HTTP_PROXY": "http://p:1", "NO_PROXY": "*"}, "http", None),
        ({"HTTP_PROXY": "http://p:1", "NO_PROXY": "api.example:81"}, "http", ("p", 1)),
        ({"HTTP_PROXY": "", "ALL_PROXY": ""}, "http", None),
        ({"HTTP_PROXY": "http://[::1]:3128"}, "http", ("::1", 3128)),
    ],
)
def test_the_environment_is_read_as_others_read_it(environ, scheme, expected):
    found = Upstream(environ).way("api.example", 80).proxy(scheme)
    assert (found and found[:2]) == expected


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.9.9.9", "::1", "a.localhost"])
def test_this_machine_is_not_asked_for_at_a_proxy(host):
    assert Upstream({"ALL_PROXY": "http://p:1"}).way(host, 80).proxy("http") is None


@pytest.mark.parametrize("url", ["socks5://p:1", "https://p:1", "http://", "http://p:x", "http://[p"])
def test_what_cannot_be_used_is_told(url):
    with pytest.raises(InputError):
        Upstream({"ALL_PROXY": url})
    assert addresses({"ALL_PROXY": url}) == frozenset()


def test_passwords_are_found_as_they_are():
    environ = {
        "HTTP_PROXY": f"http://{SPELT}@p:1",
        "all_proxy": "socks5://t%20oken@p",
        "https_proxy": "http://p",
    }
    assert sorted(passwords(environ)) == ["Pr0xy-pässword", "t oken"]
