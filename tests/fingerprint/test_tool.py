"""mcpeak-fingerprint: lines like sha256sum's, comparison with the approval block, approval in place."""

import json
import os
import stat

import pytest

from mcpeak.suite.canonical import canonical, fingerprint
from mcpeak.wire.json import parse
from support.programs import DATA, run

GOOD = (DATA / "cases/validate-many-files/good.json").read_bytes()
HEX = fingerprint(json.loads(GOOD))
OTHER = "0" * 64


def call(*arguments, **rest):
    return run("mcpeak-fingerprint", *arguments, **rest)


def approved(digest=HEX):
    return GOOD.replace(
        b'"defaultTimeoutMs"', b'"approval": {"fingerprint": "%s"}, "defaultTimeoutMs"' % digest.encode()
    )


@pytest.fixture
def folder(tmp_path):
    for name, data in {
        "good.json": GOOD,
        "matched.json": approved(),
        "mismatched.json": approved(OTHER),
        "bad.json": b"{}",
        "double.json": GOOD.replace(b'"id": "g"', b'"id": "g", "id": "g"'),
    }.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_each_file_gets_its_line(folder):
    done = call("good.json", "matched.json", "mismatched.json", cwd=folder)
    lines = [f"{HEX}  {name}.json" for name in ("good", "matched", "mismatched")]
    assert (done.returncode, done.stdout.decode().splitlines(), done.stderr) == (0, lines, b"")


def test_the_digest_is_the_one_of_the_canonical_text():
    done = run("mcpeak-fingerprint", stdin=canonical(json.loads(GOOD)))
    assert done.stdout.decode() == f"{HEX}  -\n"


def test_a_name_with_a_line_end_is_escaped_like_sha256sum_does(folder):
    (folder / "a\\\nb.json").write_bytes(GOOD)
    assert call("a\\\nb.json", cwd=folder).stdout.decode() == f"\\{HEX}  a\\\\\\nb.json\n"


@pytest.mark.parametrize("name", ["bad.json", "double.json", "none.json"])
def test_what_is_no_valid_suite_has_no_fingerprint(folder, name):
    done = call(name, "good.json", cwd=folder)
    assert (done.returncode, done.stdout.decode()) == (3, f"{HEX}  good.json\n")
    assert name.encode() in done.stderr


@pytest.mark.parametrize(
    ("options", "names", "code"),
    [
        (("--check",), ("matched", "good"), 0),
        (("--check",), ("matched", "mismatched", "good"), 1),
        (("--check", "--require-approval"), ("matched",), 0),
        (("--check", "--require-approval"), ("matched", "good"), 1),
        (("--require-approval",), ("good",), 1),
    ],
)
def test_check_says_how_each_file_stands(folder, options, names, code):
    words = {"matched": "matched", "mismatched": "mismatched", "good": "absent"}
    done = call(*options, *[f"{name}.json" for name in names], cwd=folder)
    assert done.stdout.decode().splitlines() == [f"{name}.json: {words[name]}" for name in names]
    assert done.returncode == code
    assert bool(done.stderr) == bool(code)


def test_a_mismatch_names_both_digests_and_the_way_out(folder):
    told = call("--check", "mismatched.json", cwd=folder).stderr.decode()
    assert OTHER in told
    assert HEX in told
    assert "mcpeak-fingerprint --approve" in told


def test_approve_writes_the_block_and_only_that(folder):
    done = call("--approve", "good.json", "matched.json", "mismatched.json", cwd=folder)
    words = ["good.json: approved", "matched.json: matched", "mismatched.json: approved"]
    assert (done.returncode, done.stdout.decode().splitlines()) == (0, words)
    assert (folder / "mismatched.json").read_bytes() == approved()
    assert call("--require-approval", "good.json", "matched.json", cwd=folder).returncode == 0
    assert len(list(folder.iterdir())) == 5, "no temporary file is left"


def test_approve_keeps_mark_line_ends_mode_and_symbolic_links(folder):
    path = folder / "good.json"
    path.write_bytes(b"\xef\xbb\xbf" + GOOD.replace(b"\n", b"\r\n"))
    path.chmod(0o640)
    (folder / "link.json").symlink_to("good.json")
    assert call("--approve", "link.json", cwd=folder).returncode == 0
    assert (folder / "link.json").is_symlink()
    data = path.read_bytes()
    assert data.startswith(b"\xef\xbb\xbf{")
    assert data.count(b"\n") == data.count(b"\r\n")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert call("--check", "--require-approval", "good.json", cwd=folder).returncode == 0


def test_approve_mends_a_placeholder(folder):
    (folder / "good.json").write_bytes(approved("…"))
    assert call("--approve", "good.json", cwd=folder).returncode == 0
    assert (folder / "good.json").read_bytes() == approved()


@pytest.mark.parametrize("name", ["bad.json", "double.json"])
def test_approve_leaves_an_invalid_suite_alone(folder, name):
    before = (folder / name).read_bytes()
    done = call("--approve", name, cwd=folder)
    assert (done.returncode, done.stdout) == (3, b"")
    assert (folder / name).read_bytes() == before


def test_approve_of_standard_input_goes_on_to_stdout():
    done = call("--approve", "-", stdin=approved(OTHER))
    assert (done.returncode, done.stdout) == (0, approved())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_file_that_cannot_be_written_is_named_and_unharmed(folder):
    (folder / "good.json").chmod(0o444)
    done = call("--approve", "good.json", "mismatched.json", cwd=folder)
    assert done.returncode == 3
    assert b"APPROVAL_WRITE_FAILED" in done.stderr
    assert done.stdout == b"mismatched.json: approved\n"


def test_json_gives_records(folder):
    done = call("--json", "--check", "mismatched.json", "bad.json", cwd=folder)
    begin, record, notice, *issues, end = [parse(line) for line in done.stdout.splitlines()]
    assert (begin["stage"], end["stage"], end["counts"]["issues"]) == (
        "fingerprint",
        "fingerprint",
        len(issues),
    )
    assert record == {
        "type": "fingerprint",
        "source": "mismatched.json",
        "fingerprint": HEX,
        "approval": "mismatched",
        "approvedFingerprint": OTHER,
    }
    assert (notice["severity"], notice["code"]) == ("failure", "FINGERPRINT_MISMATCHED")
    assert done.returncode == 3


def test_an_inexact_number_is_a_warning_with_its_path():
    suite = DATA / "cases/fingerprint-above-2-53/a.json"
    done = call(str(suite))
    assert done.returncode == 0
    assert b"NUMBER_NOT_EXACT" in done.stderr
    assert b"cases[0].operation.input" in done.stderr


@pytest.mark.parametrize("other", ["--check", "--require-approval"])
def test_approve_and_check_exclude_each_other(other):
    done = call("--approve", other, "x.json")
    assert (done.returncode, done.stdout) == (2, b"")


def test_nothing_at_all_is_red():
    done = call(stdin=b"")
    assert (done.returncode, done.stdout) == (3, b"")
    assert b"NOTHING_GIVEN" in done.stderr
