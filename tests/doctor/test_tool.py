"""mcpeak-doctor as a user starts it."""

import re
import tomllib

import pytest

from mcpeak import __version__
from mcpeak.doctor.tool import PACKAGES
from support.programs import ROOT, run


def test_a_checkout_is_healthy_and_says_its_version():
    done = run("mcpeak-doctor")
    assert (done.returncode, done.stderr) == (0, b"")
    assert f"mcpeak: {__version__}" in done.stdout.decode()


def test_every_dependency_of_the_package_is_checked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert sorted(re.split(r"[<>=!~\[ ]", each)[0] for each in project["dependencies"]) == sorted(PACKAGES)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_it_speaks_both_languages(language: str):
    done = run("mcpeak-doctor", "--lang", language, PATH="/nowhere")
    assert ("없음" in done.stdout.decode()) == (language == "ko")
