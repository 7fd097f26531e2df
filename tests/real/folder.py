"""Make ./work anew, as the servers' suites expect to find it: a text, a drawing, a git repository."""

import shutil
import subprocess
import sys
from pathlib import Path

GIT = ["git", "-c", "user.name=mcpeak", "-c", "user.email=mcpeak@example.org"]
DRAWING = (
    '<mxfile><diagram name="Page-1" id="a"><mxGraphModel><root><mxCell id="0"/></root></mxGraphModel>'
    "</diagram></mxfile>\n"
)


def make(work: Path) -> None:
    """Fill the folder; what was in it is gone."""
    shutil.rmtree(work, ignore_errors=True)
    repository = work / "repository"
    repository.mkdir(parents=True)
    (work / "hello.txt").write_text("hello\nworld\n")
    (work / "page.drawio").write_text(DRAWING)
    first = ["commit", "-q", "--allow-empty", "-m", "first"]
    for command in (["git", "init", "-q", "-b", "main"], [*GIT, *first]):
        subprocess.run(command, cwd=repository, check=True, timeout=30)


if __name__ == "__main__":
    make(Path.cwd() / "work")
    sys.exit(0)
