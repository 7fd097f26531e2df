"""Write the pages that are made, not written: `pages.py`, or `pages.py --check` to find drift (exit 1).

docs/errors.md and docs/ko/errors.md come from the message catalogue, docs/man/*.1 from the programs'
own parsers.
"""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mcpeak import messages
from mcpeak.front.manual import page
from mcpeak.front.parsers import parsers
from mcpeak.front.table import load
from mcpeak.messages import table

ROOT = Path(__file__).resolve().parent.parent
ROOMS = sorted(path.stem for path in (ROOT / "lib" / "mcpeak" / "messages" / "en").glob("*.toml"))
LAYOUT = {"label", "option"}
WORDS = {
    "en": {
        "title": "Error codes",
        "other": "한국어: [ko/errors.md](ko/errors.md)",
        "about": (
            "Every code that mcpeak says, from its message catalogue: what is said, the cause where it is\n"
            "not plain, and the remedy. A word in capitals, such as FILE, stands for a value.\n"
            "`mcpeak explain CODE` shows the same in the terminal.\n\n"
            "Codes never change with the language or within a version of the stream."
        ),
        "said": "Says",
        "cause": "Cause",
        "hint": "Remedy",
    },
    "ko": {
        "title": "오류 코드",
        "other": "English: [../errors.md](../errors.md)",
        "about": (
            "mcpeak 가 말하는 모든 코드입니다. 메시지 카탈로그에서 만들었으며 메시지, 원인, 해결 방법을\n"
            "담고 있습니다. FILE 처럼 대문자로 쓴 말은 값이 들어갈 자리입니다. 터미널에서는\n"
            "`mcpeak explain CODE` 가 같은 내용을 보여 줍니다.\n\n"
            "코드는 언어가 바뀌어도, 스트림 버전 안에서도 바뀌지 않습니다."
        ),
        "said": "메시지",
        "cause": "원인",
        "hint": "해결",
    },
}


def errors_page(language: str) -> str:
    """Lay out every code of the catalogue in one language, room by room."""
    words = WORDS[language]
    lines = [f"# {words['title']}", "", words["other"], "", words["about"], ""]
    for room in ROOMS:
        lines += _room(room, language, words)
    return "\n".join(lines).rstrip() + "\n"


def _room(room: str, language: str, words: dict[str, str]) -> Iterator[str]:
    codes = {code: entry for code, entry in table(room, language).items() if code not in LAYOUT}
    if codes:
        yield from (f"## {room}", "")
    for code, entry in codes.items():
        yield from (f"### {code}", "")
        yield from _entry(entry, words)
        yield ""


def _entry(entry: dict[str, Any], words: dict[str, str]) -> Iterator[str]:
    for key, name in (("message", "said"), ("cause", "cause"), ("hint", "hint")):
        if entry.get(key):
            yield f"* **{words[name]}:** {_shown(entry[key])}"


def _shown(sentence: str) -> str:
    """Show a sentence on one line, its placeholders in capitals, nothing left that Markdown would read."""
    bare = sentence.replace("{{", "\x01").replace("}}", "\x02")
    named = re.sub(r"\{(\w+)[^}]*\}", lambda found: found[1].upper(), bare)
    one_line = " ".join(named.replace("\x01", "{").replace("\x02", "}").split())
    return re.sub(
        r"`[^`]*`|[*_<>\[\]|]", lambda found: found[0] if len(found[0]) > 1 else f"\\{found[0]}", one_line
    )


def made() -> dict[Path, str]:
    """Make every page, the same bytes every time."""
    docs = ROOT / "docs"
    pages = {docs / "errors.md": errors_page("en"), docs / "ko" / "errors.md": errors_page("ko")}
    messages.use("en")
    every = parsers(load())
    man = {docs / "man" / f"{name}.1": page(name, parser, every) for name, parser in every.items()}
    return pages | man


def main(words: list[str]) -> int:
    """Check or write."""
    old = [path for path, text in made().items() if not path.exists() or path.read_text("utf-8") != text]
    if words == ["--check"]:
        for path in old:
            sys.stderr.write(f"{path.relative_to(ROOT)} is out of date: run `make pages`\n")
        return 1 if old else 0
    for path, text in made().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
