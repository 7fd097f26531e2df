"""Canonical JSON and fingerprints, as the reference computes them; the fast way equals the careful one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.suite.canonical import EXACT, canonical, fingerprint, number
from mcpeak.suite.read import ReadSuite, read_suite
from mcpeak.wire.json import parse
from support.differences import differences
from support.programs import DATA

VECTORS = json.loads((DATA / "vectors/fingerprint.json").read_text("utf-8"))["vectors"]
DIFFERENT = differences("fingerprint")
SUITE = {
    "schemaVersion": 1,
    "id": "s",
    "name": "n",
    "cases": [
        {
            "id": "c",
            "name": "cn",
            "operation": {"type": "callTool", "tool": "t", "input": {"n": "N"}},
            "assertions": [{"type": "isError", "expected": False}],
        }
    ],
}
BMP = st.text(st.characters(max_codepoint=0xFFFF, codec=None))
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-EXACT, EXACT)
    | st.text(st.characters(codec=None))
    | st.floats(1e-4, 1e15).filter(lambda x: not x.is_integer()),
    lambda inner: st.lists(inner) | st.dictionaries(BMP, inner),
    max_leaves=20,
)


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["name"])
def test_it_gives_the_bytes_and_the_digest_of_the_vector(vector):
    suite = parse(vector["suite"].encode("utf-8", "surrogatepass"))
    bare = {key: value for key, value in suite.items() if key != "approval"}
    assert canonical(bare).decode("utf-8") == vector["canonical"]
    assert fingerprint(suite) == vector["fingerprint"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda v: v["name"])
def test_a_file_has_the_digest_of_the_vector_unless_the_difference_is_named(vector):
    read = read_suite(vector["suite"].encode("utf-8", "surrogatepass"), "s.json")
    same = isinstance(read, ReadSuite) and read.fingerprint == vector["fingerprint"]
    assert same == (vector["name"] not in DIFFERENT)


@given(st.dictionaries(BMP, PLAIN))
def test_a_part_at_a_time_gives_the_same_digest(suite):
    assert fingerprint(suite, plain=True) == fingerprint(suite)


@pytest.mark.parametrize("cases", [0, 1, 255, 256, 257, 600])
def test_parts_meet_without_a_seam(cases):
    suite = {**SUITE, "cases": SUITE["cases"] * cases}
    assert fingerprint(suite, plain=True) == fingerprint(suite)


@pytest.mark.parametrize("text", ["9.5e15", "9007199254740994.0", "-9007199254740994e0", "9.9e15"])
def test_a_whole_number_between_2_53_and_1e16_has_no_point_however_it_is_written(text):
    """Python prints `9500000000000000.0`: such a suite may not take the fast way."""
    digests = set()
    for number_text in (text, str(int(float(text)))):
        suite = json.dumps(SUITE).replace('"N"', number_text)
        digests.add(read_suite(suite.encode(), "s.json").fingerprint)
    assert len(digests) == 1


@given(PLAIN)
def test_canonical_json_is_read_back_as_the_same_value(value):
    assert json.loads(canonical(value)) == value


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_printed_number_is_the_same_double(value):
    assert float(number(value)) == value


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1"),
        (-0.0, "0"),
        (1e20, "100000000000000000000"),
        (1e21, "1e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (1.5e300, "1.5e+300"),
        (1e-6, "0.000001"),
        (1.5e-6, "0.0000015"),
        (1e-7, "1e-7"),
        (-1.25e-9, "-1.25e-9"),
        (5e-324, "5e-324"),
        (2**53 + 1, "9007199254740992"),
        (-(10**22), "-1e+22"),
        (18446744073709551616, "18446744073709552000"),
    ],
)
def test_numbers_are_printed_as_ecmascript_does(value, text):
    assert number(value) == text


@pytest.mark.parametrize("value", [float("inf"), float("nan"), 10**400])
def test_a_number_beyond_a_double_has_no_canonical_form(value):
    with pytest.raises(ValueError, match="beyond a double"):
        canonical([value])


def test_keys_are_sorted_by_utf16_units():
    assert canonical({"\ufb33": 1, "😀": 2, "a": 3}).decode() == '{"a":3,"😀":2,"\ufb33":1}'


def test_depth_does_not_hurt():
    value = []
    for _ in range(100_000):
        value = [value]
    assert canonical(value) == b"[" * 100_001 + b"]" * 100_001
    assert fingerprint({"a": value}, plain=True) == fingerprint({"a": value})
