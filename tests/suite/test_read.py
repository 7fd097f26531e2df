"""From bytes to a suite or its issues: codes and paths as the vectors, places, words, speed's shortcuts."""

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpeak.messages import label
from mcpeak.suite.checks_schema import KEYWORDS
from mcpeak.suite.read import ReadSuite, one_line, read_suite
from mcpeak.suite.ways import WAYS
from mcpeak.wire.json import parse
from support.differences import differences
from support.programs import DATA

VECTORS = json.loads((DATA / "vectors/validation.json").read_text("utf-8"))
DIFFERENT = differences("validation")


def codes_and_paths(read):
    return [] if isinstance(read, ReadSuite) else [{"code": i.code, "path": i.path} for i in read]


@pytest.mark.parametrize("vector", VECTORS["suites"], ids=lambda v: v["name"])
def test_it_finds_what_the_vector_found_unless_the_difference_is_named(vector):
    read = read_suite(vector["suiteText"].encode("utf-8", "surrogatepass"), "x.json")
    same = codes_and_paths(read) == vector["issues"]
    assert same == (vector["name"] not in DIFFERENT)
    assert isinstance(read, ReadSuite) == (vector["valid"] and same)


RAW = [
    file
    for file in VECTORS["rawFiles"]
    if "bytesBase64" in file and file["errorCode"] != "SUITE_FORMAT_UNSUPPORTED"  # see test_files
]


@pytest.mark.parametrize("vector", RAW, ids=lambda v: v["name"])
def test_bytes_that_are_no_suite_have_the_code_of_the_vector(vector):
    read = read_suite(base64.b64decode(vector["bytesBase64"]), vector["file"])
    if vector["errorCode"] is None:
        assert isinstance(read, ReadSuite)
    elif vector["errorCode"] == "SUITE_VALIDATION_FAILED":
        assert codes_and_paths(read) == vector["issues"]
    else:
        assert codes_and_paths(read) == [{"code": vector["errorCode"], "path": "$"}]


SUITE = """{
  "schemaVersion": 1,
  "id": "s", "name": "이름",
  "cases": [
    { "id": "c", "name": "n", "operation": {"type": "callTool", "tool": "t", "input": %s},
      "assertions": [
        {"type": "isError", "expected": false},
        {"type": "bodyMatchesSchema", "schema": %s} ] }
  ]
}
"""


def suite(given="{}", schema='{"type": "object"}'):
    return read_suite((SUITE % (given, schema)).encode(), "s.json")


def test_cases_and_assertions_of_a_valid_suite_have_their_places():
    assert suite().positions == {
        "cases[0]": (5, 5),
        "cases[0].assertions[0]": (7, 9),
        "cases[0].assertions[1]": (8, 9),
    }


@pytest.mark.parametrize(
    ("text", "code", "path", "place"),
    [
        ('{"id":"😀",\n "한글" : 1}', "UNKNOWN_FIELD", "한글", (2, 2)),
        ('{\n"cases":\n  7}', "INVALID_TYPE", "cases", (3, 3)),
        ('\n {"cases":[]}', "MISSING_REQUIRED_FIELD", "id", (2, 2)),
        ('{"cases":[1,\n\n [ ]]}', "INVALID_TYPE", "cases[1]", (3, 2)),
        ('{"approval":{"cases":[{\n"id":"",\n"x":1}]}}', "UNKNOWN_FIELD", "approval.cases[0].x", (3, 1)),
        ('{"cases":[{"operation":{"type":"callTool",\n"input":{"a":[1,\n1e999]}}}]}', "INVALID_JSON_VALUE",
         "cases[0].operation.input.a[1]", (3, 1)),
        ('{"id":1,\n"id":2}', "INVALID_VALUE", "id", (2, 1)),
        ('{"id":1,\n"id":\n2}', "INVALID_TYPE", "id", (3, 1)),
        ('{"id":"a",}', "SUITE_JSON_INVALID", "$", (1, 11)),
    ],
)  # fmt: skip
def test_an_issue_has_line_and_column_of_what_is_wrong(text, code, path, place):
    issues = [issue for issue in read_suite(text.encode(), "s") if (issue.code, issue.path) == (code, path)]
    assert [(issue.line, issue.column) for issue in issues] == [place]


@pytest.mark.parametrize("data", [b"", b" \n\t", b"\xef\xbb\xbf"])
def test_an_empty_file_is_called_empty(data):
    (issue,) = read_suite(data, "s")
    assert issue.code == "SUITE_JSON_INVALID"
    assert "empty" in issue.message


def test_a_byte_order_mark_shifts_no_column():
    (issue,) = read_suite(b"\xef\xbb\xbf[]", "s")
    assert (issue.line, issue.column) == (1, 1)


def test_a_duplicate_key_names_both_lines():
    issues = read_suite(b'{"id":"a",\n\n"id":"a"}', "s")
    assert "`id`" in issues[0].message
    assert "line 1" in issues[0].hint
    assert "line 3" in issues[0].hint


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        (b'{"shcemaVersion":1}', "`schemaVersion`"),
        (b'{"cases":[{"timeout":1}]}', "`timeoutMs`"),
        (b'{"cases":[{"operation":{"type":"calltool"}}]}', "`callTool`"),
        (b'{"cases":[{"operation":{"type":"callTool","arguments":{}}}]}', "`input`"),
        (b'{"cases":[{"operation":{"type":"callTool"},"assertions":[{"type":"iserror"}]}]}', "`isError`"),
        (
            b'{"cases":[{"assertions":[{"type":"bodyMatchesSchema","schema":{"minlenght":1}}]}]}',
            "`minLength`",
        ),
        (b'{"cases":[{"assertions":[{"type":"bodyMatchesSchema","schema":{"type":"int"}}]}]}', None),
        (b'{"cases":[{"assertions":[{"type":"bodyMatchesSchema","schema":{"maxItems":1}}]}]}', None),
    ],
)
def test_a_mistyped_word_gets_the_nearest_right_one(text, suggested):
    hints = [issue.hint for issue in read_suite(text, "s")]
    assert any("Did you mean" in hint and (suggested or "") in hint for hint in hints) == bool(suggested)


@pytest.mark.parametrize(
    "schema",
    [
        '{"type":"string","minLength":3,"maxLength":2}',
        '{"type":"string","stringContains":"abc","maxLength":2}',
        '{"type":"number","minimum":3,"maximum":2}',
        '{"type":"integer","minimum":1.2,"maximum":1.8}',
        '{"type":"string","const":1}',
        '{"type":"string","enum":[1,null]}',
        '{"type":"object","required":["a"],"additionalProperties":false}',
        '{"type":"array","items":{"type":"integer","minimum":9007199254740993,"maximum":9007199254740992}}',
    ],
)
def test_a_schema_that_can_never_match_is_a_warning(schema):
    read = suite(schema=schema)
    assert [notice.code for notice in read.notices if notice.code != "NUMBER_NOT_EXACT"] == [
        "SCHEMA_NEVER_MATCHES"
    ]
    assert "cases[0].assertions[1].schema" in read.notices[-1].message


@pytest.mark.parametrize(
    "schema", ['{"type":"string","enum":[1,"a"]}', '{"type":"number","minimum":2,"maximum":2}', '{"const":1}']
)
def test_a_schema_that_can_match_is_no_warning(schema):
    assert suite(schema=schema).notices == []


def test_a_number_that_a_double_cannot_hold_is_a_warning_with_value_and_path():
    (notice,) = suite('{"a":[1, 9007199254740993]}').notices
    assert (notice.code, notice.path, notice.line) == ("NUMBER_NOT_EXACT", "cases[0].operation.input.a[1]", 5)
    assert "9007199254740993" in notice.message
    assert "9007199254740992" in notice.message


def test_the_record_holds_the_suite_as_written_on_one_line():
    record = suite('{"n": 1.0,\n\t"s": "\\ud800\\n"}').record()
    assert b'"input": {"n": 1.0,"s": "\\ud800\\n"}' in bytes(record.suite)
    assert b"\n" not in bytes(record.suite)


@given(st.recursive(st.integers() | st.text(), lambda i: st.lists(i) | st.dictionaries(st.text(), i)))
def test_one_line_changes_no_value(value):
    for text in (json.dumps(value, indent="\t"), json.dumps(value, ensure_ascii=False, indent=2)):
        for ends in ("\n", "\r\n", "\r"):
            line = one_line(text.replace("\n", ends).encode("utf-8"))
            assert parse(line) == value
            assert b"\n" not in line


@pytest.mark.parametrize("depth", [2_000, 4_900])
def test_deep_suites_are_read(depth):
    nested = "[" * depth + "]" * depth
    assert isinstance(suite('{"a":' + nested + "}"), ReadSuite)
    schema = '{"type":"array","items":' * depth + '{"type":"null"}' + "}" * depth
    assert isinstance(suite(schema=schema), ReadSuite)


@pytest.mark.parametrize("opening", ["[", '{"a":', '{"type":"array","items":'])
def test_absurd_depth_is_one_clean_issue(opening):
    closing = "]" if opening == "[" else "}"
    text = opening * 200_000 + "1" + closing * 200_000
    for read in (suite(text), suite(schema=text), read_suite(text.encode(), "s")):
        assert [issue.code for issue in read] == ["SUITE_JSON_INVALID"]
        assert read[0].line


def test_an_endless_name_is_cut_in_the_sentence():
    (*_, unknown) = read_suite(b'{"%s":1}' % (b"x" * 100_000), "s")[-2:-1]
    assert len(unknown.message) < 200
    assert unknown.path == "x" * 100_000


@pytest.mark.parametrize("keyword", sorted(WAYS))
def test_a_word_of_json_schema_that_is_not_ours_comes_with_the_way_out(keyword: str):
    case = {
        "id": "c",
        "name": "c",
        "operation": {"type": "callTool", "tool": "t", "input": {}},
        "assertions": [{"type": "bodyMatchesSchema", "schema": {"type": "array", keyword: 1}}],
    }
    suite = {"schemaVersion": 1, "id": "s", "name": "s", "cases": [case]}
    issues = read_suite(json.dumps(suite).encode(), "s")
    assert isinstance(issues, list)
    assert issues[0].code == "UNSUPPORTED_SCHEMA_KEYWORD"
    assert issues[0].hint.startswith(label("suite", WAYS[keyword]))


def test_no_word_of_ours_is_among_those_that_are_missing():
    assert WAYS.keys().isdisjoint(KEYWORDS)


@pytest.mark.parametrize(
    ("place", "again"),
    [
        ('"name":"n"', '"n\\u0061me":"z"'),
        ('"x":1', '"\\u0078":2'),
        ('"x":1', '"\\u0078":2}],"y":[{"z":1'),
        ('"😀":1', '"\\ud83d\\uDE00":2'),
        ('"\\ud800":1', '"\\uD800":2'),
        ('"a/b":1', '"a\\/b":2'),
    ],
)
def test_a_duplicate_key_is_one_however_it_is_written_and_wherever(place, again):
    text = (
        '{"schemaVersion":1,"id":"s","name":"n","cases":[{"id":"a","name":"n","operation":{"type":"callTool",'
        '"tool":"t","input":{"deep":[{"x":1,"😀":1,"\\ud800":1,"a/b":1}]}},'
        '"assertions":[{"type":"isError","expected":true}]}]}'
    )
    assert isinstance(read_suite(text.encode(), "x.json"), ReadSuite)
    (issue,) = read_suite(text.replace(place, f"{place},{again}", 1).encode(), "x.json")
    assert issue.code == "INVALID_VALUE"
    assert "stands twice" in issue.message


@pytest.mark.parametrize("kind", ["calTool", "listTools"])
def test_a_field_of_another_operation_is_not_just_to_be_removed(kind):
    """Most often the type is what is misspelt."""
    text = f'{{"cases":[{{"operation":{{"type":"{kind}","tool":"t"}}}}]}}'
    (issue,) = [each for each in read_suite(text.encode(), "s") if each.code == "UNKNOWN_FIELD"]
    assert "belongs to the type `callTool`" in issue.hint
