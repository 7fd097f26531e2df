"""APIs whose certificates nobody can trust: the child learns of it, live and replayed, unless told not to."""

import datetime as dt
import shutil
import sys

import pytest
import trustme

from mcpeak.session import store
from support.session_api import api, write_ca
from support.sessions import record, replay

ASK = """
import ssl, sys, urllib.request, urllib.error
context = ssl._create_unverified_context() if len(sys.argv) > 2 else None
for _ in range(2):
    try:
        print(urllib.request.urlopen(sys.argv[1] + "/json", context=context, timeout=20).read())
    except urllib.error.URLError as wrong:
        print(type(wrong.reason).__name__, "verify failed" in str(wrong.reason))
"""
FETCH = """
for (let n = 0; n < 2; n++)
  console.log(await fetch(process.argv[1] + "/json").then((answer) => answer.text(), (error) => "refused"));
"""
REFUSED = "SSLCertVerificationError True\n" * 2


class Expired:
    """A CA that is trusted, and whose certificates are out of date."""

    def __init__(self):
        self._ca = trustme.CA()
        self.cert_pem = self._ca.cert_pem

    def issue_cert(self, *names):
        past = dt.datetime.now(dt.UTC) - dt.timedelta(days=1)
        return self._ca.issue_cert(*names, not_after=past)


class ForOther(Expired):
    """A CA that is trusted, and whose certificates are for another host."""

    def issue_cert(self, *names):
        return self._ca.issue_cert("other.example")


def rehearsed(authority, folder, *words, options=(), ca=False):
    """Record and replay a program against an API with such certificates; give both runs and the recording."""
    file = folder / "x.session"
    with api(authority, host="localhost") as live:
        given = (*options, *(("--ca", str(write_ca(authority, folder))) if ca else ()))
        recorded = record(file, *words[:3], live.url, *words[3:], options=given)
    replayed = replay(file, *words[:3], live.url, *words[3:])
    return recorded, replayed, store.load(str(file))


PYTHON = (sys.executable, "-c", ASK)


def test_an_unknown_certificate_is_refused_live_and_replayed(tmp_path):
    recorded, replayed, kept = rehearsed(trustme.CA(), tmp_path, *PYTHON)
    assert (recorded.out, recorded.err, recorded.codes()) == (REFUSED, "", [])
    assert (replayed.out, replayed.err, replayed.codes()) == (REFUSED, "", [])
    assert [one.error for one in kept.exchanges] == ["tls", "tls"]


@pytest.mark.parametrize("authority", [Expired, ForOther])
def test_so_is_one_that_is_out_of_date_or_for_another_host(authority, tmp_path):
    recorded, replayed, _ = rehearsed(authority(), tmp_path, *PYTHON, ca=True)
    assert (recorded.out, replayed.out) == (REFUSED, REFUSED)


def test_insecure_takes_any_certificate(tmp_path):
    recorded, replayed, kept = rehearsed(trustme.CA(), tmp_path, *PYTHON, options=("--insecure",))
    assert recorded.out.count("path") == 2
    assert (replayed.out, replayed.codes()) == (recorded.out, [])
    assert [one.response.status for one in kept.exchanges] == [200, 200]


def test_a_child_that_does_not_ask_for_certificates_gets_its_answers(tmp_path):
    recorded, replayed, _ = rehearsed(trustme.CA(), tmp_path, *PYTHON, "unverified")
    assert recorded.out.count("path") == 2
    assert (replayed.out, replayed.codes()) == (recorded.out, [])


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_node_refuses_an_unknown_certificate_live_and_replayed(tmp_path):
    words = ("node", "--input-type=module", "--eval=" + FETCH)
    recorded, replayed, _ = rehearsed(trustme.CA(), tmp_path, *words)
    assert (recorded.out, replayed.out, replayed.codes()) == ("refused\n" * 2, "refused\n" * 2, [])


def test_an_api_without_tls_fails_as_it_did(tmp_path):
    with api(host="localhost") as live:
        words = (*PYTHON, live.url.replace("http:", "https:"))
        recorded = record(tmp_path / "x", *words)
    replayed = replay(tmp_path / "x", *words)
    assert "SSLError False" in recorded.out
    assert (replayed.out, replayed.codes()) == (recorded.out, [])
    assert [one.error for one in store.load(str(tmp_path / "x")).exchanges] == ["handshake", "handshake"]
