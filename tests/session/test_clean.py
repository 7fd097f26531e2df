import base64
import gzip
import hashlib

from mcpeak.session.clean import clean
from mcpeak.session.coding import decode
from mcpeak.session.exchange import Chunk, Exchange, Request, Response, header
from mcpeak.session.redact import Redactor

BODY = b'{"token": "abcdefgh1234", "n": 1}'
CLEAN = b'{"token": "[REDACTED]", "n": 1}'


def answer(*chunks, headers=()):
    pieces = tuple(Chunk(float(place), data) for place, data in enumerate(chunks))
    return Exchange(Request("GET", "http://h/"), Response(200, "OK", headers, pieces))


def cleaned(*chunks, headers=()):
    return clean(answer(*chunks, headers=headers), Redactor()).response


def test_the_length_is_that_of_what_is_kept():
    response = cleaned(BODY, headers=(("Content-Length", str(len(BODY))),))
    assert (response.body, header(response.headers, "content-length")) == (CLEAN, str(len(CLEAN)))


def test_a_body_without_secrets_keeps_its_bytes():
    packed = gzip.compress(b'{"n": 1}')
    response = cleaned(packed, headers=(("Content-Encoding", "gzip"), ("Content-Length", str(len(packed)))))
    assert response.body == packed


def test_a_body_with_a_coding_keeps_its_coding():
    packed = gzip.compress(BODY)
    response = cleaned(packed, headers=(("Content-Encoding", "gzip"), ("Content-Length", str(len(packed)))))
    assert decode(response.body, "gzip") == CLEAN
    assert header(response.headers, "content-length") == str(len(response.body))


def test_chunks_stay_chunks_even_when_a_secret_crosses_their_border():
    response = cleaned(b'data: {"token": "abcd', b'efgh1234"}\n\n', b"data: end\n\n")
    assert [chunk.at_ms for chunk in response.chunks] == [0.0, 1.0, 2.0]
    assert response.body == b'data: {"token": "[REDACTED]"}\n\ndata: end\n\n'
    assert response.chunks[2].data == b"data: end\n\n"


def test_digests_are_made_again():
    before = base64.b64encode(hashlib.sha256(BODY).digest()).decode()
    after = base64.b64encode(hashlib.sha256(CLEAN).digest()).decode()
    md5 = base64.b64encode(hashlib.md5(BODY).digest()).decode()
    headers = (
        ("Repr-Digest", f"sha-256=:{before}:"),
        ("Content-MD5", md5),
        ("X-Amz-Checksum-Crc64nvme", "AAAA"),
    )
    response = cleaned(BODY, headers=headers)
    assert header(response.headers, "repr-digest") == f"sha-256=:{after}:"
    assert header(response.headers, "content-md5") == base64.b64encode(hashlib.md5(CLEAN).digest()).decode()
    assert header(response.headers, "x-amz-checksum-crc64nvme") is None


def test_the_length_of_a_head_answer_stays():
    response = cleaned(headers=(("Content-Length", "1234"), ("Content-Encoding", "gzip")))
    assert header(response.headers, "content-length") == "1234"


def test_a_binary_body_stays_as_it_is():
    data = bytes(range(256)) * 20
    assert cleaned(data).body == data
