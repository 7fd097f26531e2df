"""What the reference reports, through the real pipe: validate | run | report (vectors/report.json).

A difference on purpose stands in tests/data/differences.toml, pinned: one that no longer occurs fails too.
Everywhere: our root element has no `skipped`, which the schema of Jenkins does not know there.
"""

import json
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support.differences import differences
from support.programs import BIN, DATA, environment

VECTORS = {
    vector["name"]: vector
    for vector in json.loads((DATA / "vectors" / "report.json").read_bytes())["vectors"]
}
DIFFERENCES = differences("report")
OWN = ("message", "hint", "notes")  # words are each tool's own
BLOCK = re.compile(
    r"(\n|^)\nmcpeak: the server process of .*: exit code (\w+), signal (\w+)(?:, ended by our \w+)?, "
    r"(?:last (?:(\d+) lines|(line)) of its stderr|nothing on its stderr)"
    r"(?:, (\d+) earlier lines? left out)?\n"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("node") is None, reason="the vectors' servers need Node"),
]


@pytest.mark.parametrize("name", VECTORS)
def test_the_pipe_reports_as_the_reference(name: str, tmp_path: Path) -> None:
    vector = VECTORS[name]
    named = DIFFERENCES.get(name, {})
    told = sorted(differing(wanted(vector), observed(vector, tmp_path)))
    machine = named.get("machine", [])  # what depends on the machine
    assert [each for each in told if each.split(":")[0] not in machine] == sorted(named.get("differs", []))


def test_every_named_difference_has_a_vector_and_a_reason() -> None:
    assert DIFFERENCES.keys() <= VECTORS.keys()
    assert all(
        entry["reason"] and (entry.get("differs") or entry.get("machine")) for entry in DIFFERENCES.values()
    )


def wanted(vector: dict[str, Any]) -> dict[str, Any]:
    """What the vector says, in the form that is compared."""
    block = vector["processDiagnosticsBlock"]
    return {
        "exitCode": vector["exitCode"],
        "errorCode": vector["stderrErrorCode"],
        "stderrEmpty": vector["stderrEmpty"],
        "stdoutEmpty": vector["stdoutEmpty"],
        "block": block
        and {
            key: block[key]
            for key in ("exitCode", "signal", "stderrLinesShown", "linesDropped", "precededByBlankLine")
        },
        "report": vector["report"] and without_words(vector["report"]),
        "junit": vector["junitStructure"]
        and re.sub(r' skipped="\d+"', "", vector["junitStructure"], count=1).splitlines(),
    }


def observed(vector: dict[str, Any], folder: Path) -> dict[str, Any]:
    """What our three programs say of the same suite and server."""
    done = pipe(vector, folder)
    errors = done.stderr.decode()
    code = re.search(r"error \[([A-Z_/]+)\]", errors)
    file = folder / "j.xml"
    return {
        "exitCode": done.returncode,
        "errorCode": code and code[1],
        "stderrEmpty": not errors,
        "stdoutEmpty": not done.stdout,
        "block": block_in(errors),
        "report": without_words(json.loads(done.stdout)) if done.stdout else None,
        "junit": structure(file.read_bytes()) if file.exists() else None,
    }


def pipe(vector: dict[str, Any], folder: Path) -> subprocess.CompletedProcess[bytes]:
    suite = folder / "suite.json"
    suite.write_text(json.dumps(vector["suite"]))
    server = vector["server"]
    command = server.get("command") or ["node", str(DATA / server["script"]), *server["args"]]
    command = [str(folder) if word == "DIRECTORY" else word for word in command]
    runs: list[str] = ["--start-timeout", "1"] if server.get("args") == ["mute"] else []
    reports = ["--junit", str(folder / "j.xml")]
    for option, value in zip(vector["extraArgs"][::2], vector["extraArgs"][1::2], strict=True):
        if option == "--junit":
            reports = []  # the vector's own path
        (runs if option == "--reset-cmd" else reports).extend([option, value])
    stages = (["validate", str(suite)], ["run", *runs, "--", *command], ["report", "--json", *reports])
    words = [[sys.executable, str(BIN / f"mcpeak-{stage}"), *rest] for stage, *rest in stages]
    return subprocess.run(
        ["bash", "-c", " | ".join(map(shlex.join, words))],
        env=environment(),
        capture_output=True,
        timeout=100,
        check=False,
    )


def without_words(report: dict[str, Any]) -> dict[str, Any]:
    """Leave out what is each tool's own: sentences, and the reference's `actual` of OPERATION_FAILED."""
    for case in report["cases"]:
        for holder in (case["operation"], *case["assertions"]):
            diagnostic = holder.get("diagnostic", {})
            for key in (*OWN, "actual") if diagnostic.get("code") == "OPERATION_FAILED" else OWN:
                diagnostic.pop(key, None)
    return report


def block_in(errors: str) -> dict[str, Any] | None:
    found = BLOCK.search(errors)
    if found is None:
        return None
    _, code, signal, shown, single, dropped = found.groups()
    return {
        "exitCode": None if code == "none" else int(code),
        "signal": None if signal == "none" else signal,
        "stderrLinesShown": 1 if single else int(shown or 0),
        "linesDropped": int(dropped or 0),
        "precededByBlankLine": True,
    }


def structure(file: bytes) -> list[str]:
    """Write our XML as the vectors do: names and counts, times 0; what they do not have is left out."""
    return ['<?xml version="1.0" encoding="UTF-8"?>', *elements(ET.fromstring(file), "")]


def elements(element: ET.Element, indent: str) -> Iterator[str]:
    if element.tag in ("properties", "system-err"):
        return
    kept = {key: value for key, value in element.attrib.items() if key not in ("file", "line")}
    kept |= {"time": "0"} if "time" in kept else {}
    kept |= {"message": "…"} if "message" in kept else {}
    head = element.tag + "".join(f' {key}="{shown(value)}"' for key, value in kept.items())
    inner = [line for child in element for line in elements(child, indent + "  ")]
    if inner:
        yield from (f"{indent}<{head}>", *inner, f"{indent}</{element.tag}>")
    else:
        yield (
            f"{indent}<{head}>…</{element.tag}>"
            if element.text and element.text.strip()
            else f"{indent}<{head}/>"
        )


def shown(value: str) -> str:
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def differing(was: Any, now: Any, path: str = "") -> Iterator[str]:
    """Name every place where two values differ: `path: was -> is`."""
    if isinstance(was, dict) and isinstance(now, dict):
        for key in sorted(was.keys() | now.keys()):
            yield from differing(was.get(key, ...), now.get(key, ...), f"{path}.{key}".removeprefix("."))
    elif isinstance(was, list) and isinstance(now, list) and len(was) == len(now):
        for index, (one, other) in enumerate(zip(was, now, strict=True)):
            yield from differing(one, other, f"{path}[{index}]")
    elif was != now or type(was) is not type(now):
        yield f"{path}: {text(was)} -> {text(now)}"


def text(value: Any) -> str:
    if value is ...:
        return "(none)"
    if isinstance(value, list | dict) and len(json.dumps(value)) > 200:
        return f"{len(value)} items"
    return json.dumps(value, ensure_ascii=False)
