"""What a draft suite and its cases are called.

Rule of this file: pure. Case names do not follow the locale: same tools, same bytes (CONTRACT §7).
"""

from mcpeak import messages
from mcpeak.generate.draft import Namer
from mcpeak.generate.slug import slug

ENDS = (".json", ".suite", ".mcpeak")


def case_namer(language: str) -> Namer:
    """Make the function that names cases in one language."""
    labels = messages.table("generate", language)["label"]

    def name(kind: str, tool: str, field: str | None) -> str:
        """Name a case by its kind, tool and field."""
        text: str = labels[f"case_{kind}"]
        return text.format(tool=tool, field=field)

    return name


def stem(path: str) -> str:
    """Give a file's name without folder and endings: `a/weather.suite.json` is `weather`."""
    name = path.rpartition("/")[2]
    for end in ENDS:
        if name.endswith(end) and name != end:
            name = name[: -len(end)]
    return name


def suite_names(suite_id: str | None, name: str | None, path: str | None, server: str) -> tuple[str, str]:
    """Choose id and name: as given, else from the file, else from the server."""
    base = stem(path) if path else server
    chosen = suite_id if suite_id is not None else slug(base, "suite")
    return chosen, name if name is not None else base or chosen
