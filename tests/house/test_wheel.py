"""What a user installs: the package whole, every program executable. Built once."""

import subprocess
import sys
import tarfile
import zipfile

import pytest

from support.programs import BIN, ROOT

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]
LIB = ROOT / "lib"
PROGRAMS = sorted(path.name for path in BIN.iterdir())


def build(kind, folder):
    """Build without isolation: the builder is one of our own tools, and no test may need the network."""
    command = [
        sys.executable,
        "-m",
        "build",
        "--no-isolation",
        f"--{kind}",
        "--outdir",
        str(folder),
        str(ROOT),
    ]
    subprocess.run(command, capture_output=True, timeout=100, check=True)
    return next(folder.iterdir())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    with zipfile.ZipFile(build("wheel", tmp_path_factory.mktemp("wheel"))) as file:
        yield file


def test_the_package_is_whole(wheel):
    """hatchling honours .gitignore, so one careless line there would build a wheel without us in it."""
    tracked = subprocess.run(
        ["git", "ls-files", "lib"], cwd=ROOT, capture_output=True, timeout=60, check=True
    )
    wanted = {
        name.removeprefix("lib/") for name in tracked.stdout.decode().splitlines() if (ROOT / name).exists()
    }
    assert sorted(wanted - set(wheel.namelist())) == []


def test_nothing_but_the_package_its_programs_and_its_facts_is_in_it(wheel):
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top.split("-")[0] for top in tops} == {"mcpeak"}


def test_every_program_is_a_script_that_can_be_executed(wheel):
    scripts = {
        info.filename: info.external_attr >> 16
        for info in wheel.infolist()
        if ".data/scripts/" in info.filename
    }
    assert sorted(name.rpartition("/")[2] for name in scripts) == PROGRAMS
    assert {mode & 0o777 for mode in scripts.values()} == {0o755}


def test_the_source_distribution_holds_what_its_tests_need(tmp_path):
    with tarfile.open(build("sdist", tmp_path)) as file:
        members = {member.name.split("/", 1)[1]: member.mode for member in file.getmembers()}
    assert {
        "Makefile",
        "README.md",
        "LICENSE",
        "tests/data/vectors/cli.json",
        "schemas/stream.schema.json",
    } <= set(members)
    assert all(members[f"bin/{name}"] & 0o111 for name in PROGRAMS)
