import os

import pytest

from mcpeak.command.places import obstacle
from mcpeak.messages import label


@pytest.mark.parametrize(("name", "reason"), [("missing/a", "no_folder"), (".", "is_folder")])
def test_a_place_that_is_none_is_named(tmp_path, name, reason):
    assert obstacle(str(tmp_path / name)) == label("command", reason)


def test_a_new_file_an_old_one_and_a_device_are_fine_and_not_touched(tmp_path):
    (tmp_path / "old").write_text("x")
    assert [obstacle(path) for path in (str(tmp_path / "new"), str(tmp_path / "old"), "/dev/null")] == [
        None
    ] * 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission_is_named(tmp_path):
    tmp_path.chmod(0o500)
    assert obstacle(str(tmp_path / "new")) == label("command", "not_writable")
