"""The small pure parts of a run: choosing cases, reading them, comparing eras, repeating a failure."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from mcpeak.command.redact import Redactor
from mcpeak.messages import label
from mcpeak.protocol.events import Answer, RpcError
from mcpeak.run.cases import read_assertions, read_case, read_suite
from mcpeak.run.choice import choose
from mcpeak.run.matrix import Seen, compare, essence
from mcpeak.run.repro import repro
from mcpeak.suite.read import read_suite as read_file
from support.running import case, suite


def read(value):
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return read_suite(read_file(data, "s.json").record())


def test_the_time_limit_is_the_cases_then_the_suites_then_ten_seconds():
    plain = read(suite(case("a", "t"), case("b", "t", timeoutMs=5)))
    limited = read(suite(case("a", "t"), defaultTimeoutMs=7))
    assert [plain.timeout_ms(read_case(raw)) for raw in plain.cases] == [10_000, 5]
    assert limited.timeout_ms(read_case(limited.cases[0])) == 7


@pytest.mark.parametrize("written", ["5000", "5000.0", "5e3"])
def test_a_time_limit_may_be_written_in_any_way(written):
    found = read(
        json.dumps(suite(case("a", "t"), defaultTimeoutMs=0))
        .replace('"defaultTimeoutMs": 0', f'"defaultTimeoutMs":{written}')
        .encode()
    )
    assert found.timeout_ms(read_case(found.cases[0])) == 5000


def test_what_msgspec_refuses_is_read_all_the_same():
    raw = Raw(
        b'{"id":"\\ud800","name":"n","operation":{"type":"callTool","tool":"t","input":{"x":"\\udfff"}},"assertions":[{"type":"isError","expected":true}]}'
    )
    found = read_case(raw)
    assert found.id == "\ud800"
    assert bytes(found.operation.input) == b'{"x":"\\udfff"}'
    assert [one.expected for one in read_assertions(found)] == [True]


@given(st.integers(1, 40), st.integers(1, 9))
def test_shards_are_a_partition_and_even(count, of):
    found = read(suite(*(case(f"c{number}", "t") for number in range(count))))
    shares = [[one.place for one in choose(found, (), (share, of))] for share in range(1, of + 1)]
    assert sorted(place for share in shares for place in share) == list(range(count))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_a_filter_is_a_glob_of_ids_in_their_case():
    found = read(suite(*(case(name, "t") for name in ("Ab", "ab", "abc", "x"))))
    assert [one.place for one in choose(found, ("ab*", "X"), None)] == [1, 2]


def test_what_belongs_to_an_era_is_no_difference():
    legacy = Answer(1, Raw(b'{"content":[]}'))
    modern = Answer(1, Raw(b'{"resultType":"complete","isError":false,"content":[],"_meta":{"x":1}}'))
    assert essence(legacy) == essence(modern)


def test_the_order_of_keys_is_no_difference():
    one, other = Answer(1, Raw(b'{"content":[],"a":1}')), Answer(1, Raw(b'{"a":1.0,"content":[]}'))
    assert essence(one) == essence(other)


def test_another_answer_or_verdict_is_a_difference():
    one = {"a": Seen("passed", b"x"), "b": Seen("passed", b"x"), "c": Seen("passed", b"x")}
    other = {"a": Seen("passed", b"x"), "b": Seen("failed", b"x"), "c": Seen("passed", b"y")}
    assert [(found.case, found.word) for found in compare(one, other)] == [
        ("b", "MATRIX_STATUS"),
        ("c", "MATRIX_ANSWER"),
    ]


def test_errors_are_compared_by_their_code():
    assert essence(Answer(1, None, RpcError(-1, "a"))) == essence(Answer(1, None, RpcError(-1, "b")))


PROBE = b'{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"v":"2026-07-28"}}}'
OPENING = [
    PROBE,
    b'{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}',
    b'{"jsonrpc":"2.0","method":"notifications/initialized"}',
]


def lines(era, opening, value):
    return [
        json.loads(line)
        for line in repro(opening, era, read_case(Raw(json.dumps(value).encode())), Redactor())
    ]


def test_a_legacy_failure_is_repeated_with_its_handshake_and_without_the_probe():
    found = lines("legacy", OPENING, case("a", "t", input={"n": 1}))
    assert [line["method"] for line in found] == ["initialize", "notifications/initialized", "tools/call"]
    assert found[-1]["params"] == {"name": "t", "arguments": {"n": 1}}


def test_a_modern_failure_is_repeated_in_one_line():
    (found,) = lines("modern", [PROBE], case("a"))
    assert found["method"] == "tools/list"
    assert found["params"] == {"_meta": {"v": "2026-07-28"}}


def test_a_secret_is_not_repeated():
    found = lines("legacy", OPENING, case("a", "t", input={"password": "x"}))
    assert found[-1]["params"]["arguments"] == {"password": "[REDACTED]"}


def test_a_request_that_is_too_long_is_not_repeated():
    value = read_case(Raw(json.dumps(case("a", "t", input={"x": "y" * 70_000})).encode()))
    assert repro(OPENING, "legacy", value, Redactor()) is None


@pytest.mark.parametrize("why", ["encoding", "number", "cut", "syntax", "empty", "id", "unended"])
def test_every_way_to_be_unreadable_has_words_for_all_programs(why):
    assert label("protocol", f"unreadable_{why}", at=3)
