"""The fingerprint goes into a suite's own text: nothing else of it moves."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.suite.approval import with_fingerprint
from mcpeak.suite.text import read_text

DIGEST = "ab" * 32
OTHER = "cd" * 32


def marked(text):
    return with_fingerprint(read_text(text), DIGEST)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{"name":"n","cases":[]}', '{"name":"n","approval":{"fingerprint":"@"},"cases":[]}'),
        ('{ "name": "n", "cases": [] }', '{ "name": "n", "approval": {"fingerprint": "@"}, "cases": [] }'),
        ('{"id":1, "name":"n"}', '{"id":1, "name":"n", "approval":{"fingerprint":"@"}}'),
        (
            '{\n  "name": "n",\n  "cases": []\n}\n',
            '{\n  "name": "n",\n  "approval": {\n    "fingerprint": "@"\n  },\n  "cases": []\n}\n',
        ),
        (
            '{\r\n\t"cases" : [],\r\n\t"name" : "n"\r\n}',
            '{\r\n\t"cases" : [],\r\n\t"name" : "n",@\r\n}'.replace(
                "@", '\r\n\t"approval" : {\r\n\t\t"fingerprint" : "@"\r\n\t}'
            ),
        ),
        ('{\n"name":"n"\n}', '{\n"name":"n",\n"approval":{\n"fingerprint":"@"\n}\n}'),
    ],
)
def test_a_missing_block_is_put_behind_the_name_in_the_files_own_style(before, after):
    assert marked(before) == after.replace("@", DIGEST)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{ "cases":[1] ,"fingerprint" :  "@" }', '{ "cases":[1] ,"fingerprint" :  "@" }'),
        ('{"x":{"fingerprint":1},"fingerprint":null}', '{"x":{"fingerprint":1},"fingerprint":"@"}'),
        ('{"fingerprint":{"a":[]},"b":2}', '{"fingerprint":"@","b":2}'),
        ("null", '{"fingerprint": "@"}'),
        ("{}", '{"fingerprint": "@"}'),
    ],
)
def test_an_old_fingerprint_is_replaced_and_its_block_kept(old, new):
    text = '{"approval" : %s\n,"name":"n"}'
    assert marked(text % old.replace("@", OTHER)) == text % new.replace("@", DIGEST)


@given(
    st.dictionaries(st.text(), st.integers() | st.text() | st.lists(st.text()), max_size=4),
    st.sampled_from([None, 0, 1, 4, "\t"]),
    st.sampled_from(["\n", "\r\n"]),
)
def test_an_inserted_block_is_the_only_change(fields, indent, ends):
    fields = {key: value for key, value in fields.items() if key != "approval"} | {"name": "n"}
    text = json.dumps(fields, indent=indent, ensure_ascii=False).replace("\n", ends)
    after = marked(text)
    assert json.loads(after) == fields | {"approval": {"fingerprint": DIGEST}}
    same = next(place for place, letter in enumerate(after) if text[place : place + 1] != letter)
    assert after.endswith(text[same:])
