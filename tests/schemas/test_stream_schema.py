"""What the programs really write is what stream.schema.json describes."""

import json

import jsonschema
import pytest

from mcpeak.wire.json import parse
from support.programs import DATA, ROOT, run

SCHEMA = jsonschema.Draft202012Validator(
    json.loads((ROOT / "schemas" / "stream.schema.json").read_text("utf-8"))
)
CASES = DATA / "cases"
FILES = [
    "validate-many-files/good.json",
    "validate-many-files/also-bad.json",
    "validate-many-files/bad.json",
    "suite-duplicate-key/suite.json",
    "fingerprint-above-2-53/a.json",
    "none.json",
]


@pytest.mark.parametrize("words", [["mcpeak-validate"], ["mcpeak-fingerprint", "--json", "--check"]])
def test_every_record_of_the_suite_programs_fits_the_schema(words):
    done = run(*words, *FILES, cwd=CASES)
    records = [parse(line) for line in done.stdout.splitlines()]
    assert len(records) > len(FILES)
    assert [error.message for record in records for error in SCHEMA.iter_errors(record)] == []


def test_a_line_of_another_shape_does_not_fit():
    assert not SCHEMA.is_valid({"type": "issue", "source": "s"})
    assert not SCHEMA.is_valid({"type": "suite"})
