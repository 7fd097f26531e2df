"""What is tracked names no machine and no registry, and every exception to the linters has its reason."""

import re
import subprocess

from support.programs import ROOT

# written in pieces, so that this file does not find itself
FOLDERS = re.compile(rb"/(?:wo" rb"rk|fa" rb"rm|ro" rb"ot)/|/tm" rb"p/house")
HOSTS = re.compile(rb"https?://(?:registry|files|deb|pypi|npm)\.[a-z]")
SILENCED = re.compile(r"#\s*(?:noqa|type: ignore|pragma)\b[^#\n]*")
REASONED = re.compile(r"#\s*(?:noqa: [A-Z0-9, ]+|type: ignore\[[a-z, -]+\])\s*(?:-|#)\s*\S+")
BINARY = (".png", ".jpg", ".gz", ".db", ".woff2", ".ico")


def tracked():
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, timeout=60, check=True
    ).stdout
    paths = [ROOT / name for name in names.decode().split("\0") if name]
    return [path for path in paths if path.is_file() and path.suffix not in BINARY]


def lines(pattern):
    return [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        for number, line in enumerate(path.read_bytes().splitlines(), 1)
        if pattern.search(line)
    ]


def test_no_path_of_a_machine():
    assert lines(FOLDERS) == []


def test_no_host_of_a_registry():
    assert lines(HOSTS) == []


def test_every_silenced_warning_has_its_reason_on_its_line():
    silent = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        if path.suffix == ".py"
        and path.relative_to(ROOT).parts[0] in ("lib", "tests", "scripts", "bench")
        and "data" not in path.relative_to(ROOT).parts
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (found := SILENCED.search(line)) and not REASONED.search(line[found.start() :])
    ]
    assert silent == []


def test_nothing_is_left_unfinished_in_the_library():
    marks = re.compile(rb"\b(?:TO" rb"DO|FIX" rb"ME|XX" rb"X|NotImplementedError)\b")
    assert [place for place in lines(marks) if place.startswith(("lib/", "bin/"))] == []
