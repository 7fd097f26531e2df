"""Every command in the README and in every page of docs/ is run, in order, in a folder with the examples."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from support.pages import Block, blocks
from support.programs import ROOT, environment

PAGES = [ROOT / "README.md", ROOT / "README.ko.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHELL_LANGUAGES = {"sh", "bash", "shell"}


def identity(page: Path) -> str:
    return str(page.relative_to(ROOT))


def is_korean(page: Path) -> bool:
    return page.parent.name == "ko" or page.name.endswith(".ko.md")


def korean_of(page: Path) -> Path:
    return page.with_suffix(".ko.md") if page.parent == ROOT else page.parent / "ko" / page.name


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    return tmp_path


def follow(block: Block, folder: Path, language: str) -> list[str]:
    """Do what a block says; give what went otherwise."""
    if "file" in block.notes:
        target = folder / block.notes["file"]
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block.text, "utf-8")
    if "not run" in block.notes or shutil.which(block.notes.get("needs", "sh")) is None:
        return []
    wanted = int(block.notes.get("exit", "0"))
    return [told for command in block.commands if (told := mistake(command, wanted, folder, language))]


def mistake(command: str, wanted: int, folder: Path, language: str) -> str | None:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment(MCPEAK_LANG=language),
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=100,
        check=False,
    )
    if done.returncode == wanted and b"Traceback" not in done.stderr:
        return None
    return (
        f"$ {command}\nexit {done.returncode}, not {wanted}\n{done.stdout.decode()}\n{done.stderr.decode()}"
    )


@pytest.mark.parametrize("page", PAGES, ids=identity)
def test_every_command_of_the_page_ends_as_it_says(page: Path, folder: Path):
    language = "ko" if is_korean(page) else "en"
    mistakes = [told for block in blocks(page) for told in follow(block, folder, language)]
    assert not mistakes, "\n\n".join(mistakes)


@pytest.mark.parametrize("page", PAGES, ids=identity)
def test_a_shell_block_that_is_not_run_says_why(page: Path):
    silent = [b.text for b in blocks(page) if b.language in SHELL_LANGUAGES and "not run" not in b.notes]
    assert not silent, "write it as a console block with `$ `, or say `<!-- not run: reason -->` above it"


@pytest.mark.parametrize("page", [page for page in PAGES if not is_korean(page)], ids=identity)
def test_every_page_is_there_in_korean_with_the_same_commands(page: Path):
    korean = korean_of(page)
    assert korean.exists()
    assert [b.commands for b in blocks(korean)] == [b.commands for b in blocks(page)]


@pytest.mark.parametrize("page", PAGES, ids=identity)
def test_every_link_to_a_file_leads_somewhere(page: Path):
    targets = re.findall(r"\]\(((?!https?:)[^)#]+)", page.read_text("utf-8"))
    lost = [target for target in targets if not (page.parent / target).exists()]
    assert not lost
