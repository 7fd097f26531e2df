"""The careful walk against the standard library's reader, on everything that hypothesis thinks of."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.protocol.careful import bad_utf8, scan, without_lone_surrogates

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)
objects = st.dictionaries(st.text(st.characters(exclude_categories=["Cs"], exclude_characters='"\\')), values)


@given(objects, st.booleans(), st.sampled_from([None, 2]))
def test_members_are_slices_that_hold_the_values(value: dict, ascii_only: bool, indent: int | None) -> None:
    line = json.dumps(value, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    if bad_utf8(line) >= 0:
        return
    seen = scan(line)
    assert seen.why == ""
    if ascii_only:
        return  # keys are then escaped, which the walk leaves as it is
    expected = {key: item for key, item in value.items() if json.dumps(key, ensure_ascii=False)[1:-1] == key}
    assert {key: json.loads(seen.members[key]) for key in expected} == expected


def strictly_json(data: bytes) -> bool:
    def refuse(word: str) -> None:
        raise ValueError(word)

    try:
        json.loads(data.decode("utf-8"), parse_constant=refuse)
    except ValueError:
        return False
    return True


@given(st.text(alphabet='{}[]:,"\\ \t\nnulltrefas0123456789.eE+-uNI') | values.map(json.dumps))
def test_agrees_with_the_standard_library_on_what_is_json(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    assert (scan(data).why == "") == strictly_json(data)


@given(objects.map(lambda value: json.dumps(value).encode()), st.data())
def test_cut_anywhere_is_cut_or_broken_and_never_a_crash(line: bytes, data: st.DataObject) -> None:
    seen = scan(line[: data.draw(st.integers(0, len(line) - 1))])
    assert seen.why in ("cut", "syntax")


@given(st.binary(max_size=60))
def test_any_bytes_give_a_verdict(line: bytes) -> None:
    assert (scan(line).why == "") == strictly_json(line.removeprefix(b"\xef\xbb\xbf"))


@given(st.binary(max_size=40))
def test_first_bad_byte_is_named(data: bytes) -> None:
    try:
        data.decode()
        expected = -1
    except UnicodeDecodeError as wrong:
        expected = wrong.start
    assert bad_utf8(data) == expected


@pytest.mark.parametrize("piece", [1, 2, 3, 5])
def test_character_cut_by_a_piece_is_whole(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpeak.protocol.careful._PIECE", piece)
    assert bad_utf8("é漢😀é漢😀".encode()) == -1
    assert bad_utf8("é漢😀".encode() + b"\xf0\x9f") == len("é漢😀".encode())
    assert bad_utf8("é漢".encode() + b"\xf0\x9fa") == len("é漢".encode())


def test_depth_is_no_limit() -> None:
    line = b'{"id":1,"result":' + b'[{"a":' * 100_000 + b"0" + b"}]" * 100_000 + b"}"
    assert scan(line).why == ""


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        (rb'"\ud800"', rb'"\ufffd"'),
        (rb'"\ud83d\ude00"', rb'"\ud83d\ude00"'),
        (rb'"\\ud800"', rb'"\\ud800"'),
        (rb'"\ude00\ud83d"', rb'"\ufffd\ufffd"'),
        (rb'"\ud83d\ud83d\ude00"', rb'"\ufffd\ud83d\ude00"'),
    ],
)
def test_only_lone_surrogates_are_replaced(raw: bytes, clean: bytes) -> None:
    assert without_lone_surrogates(raw) == clean
