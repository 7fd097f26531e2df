"""Make the README's terminal picture from a real run: an SVG of what mcpeak writes with colours on.

Usage: picture.py [LANGUAGE]; writes docs/terminal.svg, or docs/ko/terminal.svg.
"""

import codecs
import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory

from wcwidth import wcswidth

ROOT = Path(__file__).resolve().parent.parent
COMMAND = "mcpeak test first.suite.json -- python3 server.py"
SUITES = {
    "en": (
        "Weather server",
        "Seoul has weather",
        "Atlantis is refused",
        "Busan is above 30 °C",
        "Seoul",
        "Busan",
    ),
    "ko": (
        "날씨 서버",
        "서울 날씨를 조회한다",
        "없는 도시는 거절한다",
        "부산은 30도가 넘는다",
        "서울",
        "부산",
    ),
}
COLOURS = {
    "31": "#ff7b72",
    "32": "#7ee787",
    "33": "#e3b341",
    "34": "#79c0ff",
    "35": "#d2a8ff",
    "36": "#76e3ea",
    "90": "#8b949e",
}
CELL, LINE, MARGIN, COLUMNS = 8.4, 20, 20, 112
_STYLE = re.compile(r"\x1b\[([\d;]*)m")


def suite(language: str) -> str:
    """Write the suite of the picture: two cases that pass and one that does not."""
    name, first, second, third, known, other = SUITES[language]

    def case(key: str, title: str, city: str, *assertions: dict[str, object]) -> dict[str, object]:
        operation = {"type": "callTool", "tool": "get_weather", "input": {"city": city}}
        return {"id": key, "name": title, "operation": operation, "assertions": assertions}

    warm = {"type": "object", "properties": {"temperature": {"type": "number", "minimum": 30}}}
    cases = [
        case("seoul", first, known, {"type": "isError", "expected": False}),
        case("atlantis", second, "Atlantis", {"type": "isError", "expected": True}),
        case("busan", third, other, {"type": "bodyMatchesSchema", "schema": warm}),
    ]
    made = {"schemaVersion": 1, "id": "weather", "name": name, "cases": cases}
    return json.dumps(made, ensure_ascii=False, indent=2) + "\n"


def shown(folder: Path, language: str) -> str:
    """Run it for real, on a pseudo-terminal of the picture's width; give what the terminal got."""
    (folder / "first.suite.json").write_text(suite(language), "utf-8")
    (folder / "server.py").write_bytes((ROOT / "examples" / "weather" / "server.py").read_bytes())
    ours, server = COMMAND.split(" -- ")
    program = [sys.executable, str(ROOT / "bin" / "mcpeak"), *ours.split()[1:], "--lang", language]
    env = {name: value for name, value in os.environ.items() if name not in ("CI", "NO_COLOR", "COLUMNS")}
    env |= {
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "TERM": "xterm-256color",
    }
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    words = [*program, "--", *server.split()]
    with subprocess.Popen(words, cwd=folder, env=env, stdout=slave, stderr=subprocess.DEVNULL):
        os.close(slave)
        return "".join(_read(master)).replace("\r\n", "\n").replace(f" --lang {language}", "")


def _read(master: int) -> Iterator[str]:
    decode = codecs.getincrementaldecoder("utf-8")().decode
    while True:
        try:
            data = os.read(master, 4096)
        except OSError:  # Linux tells the end of a pseudo-terminal so
            return
        if not data:
            return
        yield decode(data)


def pieces(line: str) -> Iterator[tuple[str, str]]:
    """Cut a line at its colour codes: style attributes and text."""
    style = ""
    for place, part in enumerate(_STYLE.split(line)):
        if place % 2:
            style = attributes(part)
        elif part:
            yield style, part


def attributes(codes: str) -> str:
    """Turn the codes of one escape sequence into SVG attributes."""
    found = []
    for code in codes.split(";"):
        if code in COLOURS:
            found.append(f'fill="{COLOURS[code]}"')
        elif code == "1":
            found.append('font-weight="bold"')
        elif code == "2":
            found.append('opacity="0.65"')
    return " ".join(found)


def picture(text: str) -> str:
    """Draw the lines as a terminal window."""
    lines = [f"\x1b[90m$\x1b[0m {COMMAND}"]
    lines += text.rstrip("\n").split("\n")
    height = LINE * len(lines) + 2 * MARGIN + 24
    width = round(CELL * COLUMNS + 2 * MARGIN)
    drawn = []
    for row, line in enumerate(lines):
        column = 0
        for style, part in pieces(line):
            x, y = MARGIN + CELL * column, MARGIN + 40 + LINE * row
            drawn.append(f'<text x="{x:.1f}" y="{y}" xml:space="preserve" {style}>{escape(part)}</text>')
            column += max(wcswidth(part), 0)
    dots = "".join(
        f'<circle cx="{20 + 20 * i}" cy="18" r="6" fill="{c}"/>'
        for i, c in enumerate(("#ff5f56", "#ffbd2e", "#27c93f"))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(COMMAND)}">\n'
        f'<rect width="{width}" height="{height}" rx="10" fill="#0d1117"/>{dots}\n'
        '<g font-family="ui-monospace, SFMono-Regular, Menlo, monospace" font-size="14" fill="#e6edf3">\n'
        + "\n".join(drawn)
        + "\n</g>\n</svg>\n"
    )


def main(words: list[str]) -> int:
    """Draw the picture in one language."""
    language = words[0] if words else "en"
    with TemporaryDirectory() as folder:
        drawn = picture(shown(Path(folder), language))
    (ROOT / "docs" / ("ko" if language == "ko" else "") / "terminal.svg").write_text(drawn, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
