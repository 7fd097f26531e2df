import gzip
import zlib

import pytest

from mcpeak.session.coding import Undecodable, acceptable, decode, encode

TEXT = b'{"a": 1}' * 50


@pytest.mark.parametrize(
    "coding", ["gzip", "x-gzip", "deflate", "br", "zstd", "identity", "", "gzip, br", None]
)
def test_a_coding_comes_off_and_goes_on_again(coding):
    assert decode(encode(TEXT, coding), coding) == TEXT


def test_raw_deflate_is_read_too():
    machine = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    assert decode(machine.compress(TEXT) + machine.flush(), "deflate") == TEXT


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
def test_an_empty_body_with_a_coding_is_empty(coding):
    """HEAD and 204 carry the header without a body."""
    assert decode(b"", coding) == b""


@pytest.mark.parametrize(("data", "coding"), [(b"no", "gzip"), (b"no", "br"), (b"no", "zstd"), (b"x", "dcb")])
def test_what_cannot_be_read_says_so(data, coding):
    with pytest.raises(Undecodable):
        decode(data, coding)


def test_a_bomb_is_not_unpacked(monkeypatch):
    monkeypatch.setattr("mcpeak.session.coding.LARGEST", 1000)
    with pytest.raises(Undecodable):
        decode(gzip.compress(b"\0" * 100_000), "gzip")


def test_only_codings_that_can_be_looked_into_are_asked_for():
    assert acceptable("gzip, dcb, br;q=0.5, *") == "gzip, br;q=0.5, identity"
    assert acceptable("dcz") == "identity"
