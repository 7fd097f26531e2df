"""Write the table of docs/servers.md and docs/ko/servers.md from the records of `make test-real`.

The table stands between two comments; everything else on the pages is written by hand.
"""

import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
RECORDS = ROOT / "build" / "real" / "records"
SERVERS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("servers.toml").read_text("utf-8")
)
PAGES = {
    ROOT / "docs" / "servers.md": ("server", "reached", "protocol", "tools", "cases", "findings"),
    ROOT / "docs" / "ko" / "servers.md": ("서버", "연결", "프로토콜", "툴", "케이스", "발견한 점"),
}
TABLE = re.compile(r"(?<=<!-- table -->\n).*?(?=<!-- end of table -->)", re.DOTALL)


def records(name: str) -> list[dict[str, Any]]:
    """Give the records of one file, none if it was not run."""
    path = RECORDS / name
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def package(server: dict[str, Any]) -> str:
    """Name what was installed, or what the launcher fetched."""
    if "uses" in server:
        return package(SERVERS[server["uses"]])
    words = [*server.get("npm", []), *server.get("pip", [])]
    fetched = [word for word in server["command"][1:] if re.fullmatch(r"@?[\w/-]+@[\d.]+", word)]
    return "`, `".join(fetched or words)


def reached(server: dict[str, Any]) -> str:
    """Tell how the server is reached."""
    launcher = Path(server["command"][0]).name
    if launcher in ("npx", "uvx"):
        return f"stdio, {launcher}"
    if "url" not in server:
        return "stdio"
    way = "HTTP+SSE" if server["url"].endswith("/sse") else "HTTP"
    return f"{way} → {server['behind']}" if "behind" in server else way


def row(name: str, server: dict[str, Any]) -> list[str] | None:
    """Make one row, None where the server was not run in each of its eras."""
    runs = [records(f"{name}.{era}.ndjson") for era in server.get("eras", ["legacy"])]
    if not all(runs):
        return None
    started = [one for run in runs for one in run if one["type"] == "runStarted"]
    finished = [one for run in runs for one in run if one["type"] == "runFinished"]
    notices = {
        one["code"] for run in runs for one in run if one["type"] == "notice" and one["severity"] != "info"
    }
    ends = {end["process"]["endedBy"] for end in finished if end.get("process", {}).get("endedBy")}
    tools = sum(one["type"] == "tool" for one in records(f"{name}.tools.ndjson"))
    summary = finished[0]["summary"]
    stdio = "url" not in server
    found = [f"`{code}`" for code in sorted(notices)] + [f"ends on {end}" for end in sorted(ends) if stdio]
    return [
        f"{name}<br>`{package(server)}`",
        reached(server),
        ", ".join(one["server"]["protocolVersion"] for one in started),
        str(tools),
        f"{summary['passed']}/{summary['total']}",
        ", ".join(found) or "none",
    ]


def table(heads: tuple[str, ...], rows: list[list[str]]) -> str:
    """Lay the rows out in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> int:
    """Write both pages; exit 1 where a server has no records."""
    every = {name: row(name, server) for name, server in SERVERS.items()}
    rows = [line for line in every.values() if line is not None]
    for page, heads in PAGES.items():
        text = page.read_text("utf-8")
        made = table(heads, rows)
        if "/ko/" in page.as_posix():
            made = re.sub(r"ends on (\w+)", r"\1 후 종료", made).replace("| none |", "| 없음 |")
        page.write_text(TABLE.sub(lambda _, made=made: made, text), "utf-8")
    missing = [name for name, line in every.items() if line is None]
    sys.stdout.write(f"{len(rows)} servers; without records: {', '.join(missing) or 'none'}\n")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
