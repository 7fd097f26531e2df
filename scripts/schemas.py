"""Write `schemas/` from the record types: `schemas.py`, or `schemas.py --check` to find drift (exit 1).

The Structs of `mcpeak.wire` are the one source, but for the words of their fields (`schema_fields.toml`:
they would make the records too long to be read). `suite.schema.json` and `mock.schema.json` describe files
that people write; they have no Struct and are held to the programs' own checks by tests.
"""

import json
import sys
import tomllib
from pathlib import Path
from typing import Any

import msgspec

from mcpeak.wire import records

ROOT = Path(__file__).resolve().parent.parent
DIALECT = "https://json-schema.org/draft/2020-12/schema"
GENERATED = {
    "stream": (records.AnyRecord, "One line of the mcpeak stream, version 1"),
    "report": (records.RunnerReport, "RunnerReport, what `mcpeak-report --json` writes, version 1"),
}


WORDS: dict[str, dict[str, str]] = tomllib.loads((ROOT / "scripts" / "schema_fields.toml").read_text("utf-8"))


def described(name: str, part: dict[str, Any]) -> dict[str, Any]:
    """Give a type with the words of its fields, which stand first: an editor shows what comes first."""
    properties = part.get("properties", {})
    told = {
        field: {"description": words, **schema}
        for field, schema in properties.items()
        if (words := WORDS.get(name, {}).get(field) or WORDS["any"].get(field))
    }
    return {**part, "properties": {**properties, **told}} if properties else part


def schema_text(name: str) -> str:
    """Give the text of one generated schema, the same bytes every time."""
    kind, title = GENERATED[name]
    (top,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    document: dict[str, Any] = {
        "$schema": DIALECT,
        "title": title,
        **top,
        "$defs": {part: described(part, schema) for part, schema in sorted(parts.items())},
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def path_of(name: str) -> Path:
    """Say where a generated schema is kept."""
    return ROOT / "schemas" / f"{name}.schema.json"


def drifted() -> list[str]:
    """Name the schemas that are not what the Structs give."""
    return [
        name
        for name in GENERATED
        if not path_of(name).exists() or path_of(name).read_text("utf-8") != schema_text(name)
    ]


def main(words: list[str]) -> int:
    """Check or write."""
    if words == ["--check"]:
        for name in drifted():
            sys.stderr.write(f"{path_of(name).relative_to(ROOT)} is out of date: run `make schemas`\n")
        return 1 if drifted() else 0
    for name in GENERATED:
        path_of(name).write_text(schema_text(name), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
