"""Every named difference names a vector that exists; whether it still differs, the vector tests tell."""

import json

import pytest

from support.differences import differences
from support.programs import DATA

NAMES = {
    "validation": ["suites", "rawFiles"],
    "fingerprint": ["vectors"],
    "schema_match": ["vectors", "bodyExtraction"],
}


@pytest.mark.parametrize("stem", sorted(NAMES))
def test_a_named_difference_names_a_vector_and_its_reason(stem):
    file = json.loads((DATA / f"vectors/{stem}.json").read_text("utf-8"))
    known = {vector["name"] for part in NAMES[stem] for vector in file[part]}
    named = differences(stem)
    assert {name.removeprefix("body: ") for name in named} <= known
    assert all(entry["reason"] for entry in named.values())
