"""Every stage of every story still makes what its golden file holds (`make golden` after a wanted change)."""

import pytest

from streams.stories import FILES, HERE, STORIES, made


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("name", STORIES)
def test_a_stage_makes_its_golden_file(name, file):
    assert made(name, file).decode() == (HERE / name / file).read_text("utf-8")
