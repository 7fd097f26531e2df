"""The help pages, laid out from the table and the catalogue. Pure but for reading the catalogue."""

from typing import TYPE_CHECKING

from mcpeak.messages import label, language, table

if TYPE_CHECKING:  # the overview needs no table, and so no msgspec
    from mcpeak.front.table import Command, Option

INDENT = "  "


def overview() -> str:
    """Lay out `mcpeak help`: the commands, then the programs that they are made of."""
    return "\n".join(
        [
            label("front", "overview"),
            "",
            label("front", "commands"),
            *_columns(_labels("command_", "")),
            "",
            label("front", "words"),
            *_columns(_labels("word_", "")),
            "",
            label("front", "programs"),
            *_columns(_labels("program_", "mcpeak-")),
            "",
            label("front", "overview_end"),
            "",
        ]
    )


def _labels(beginning: str, name: str) -> list[tuple[str, str]]:
    labels: dict[str, str] = table("front", language())["label"]
    return [
        (name + key.removeprefix(beginning), text)
        for key, text in labels.items()
        if key.startswith(beginning)
    ]


def command_page(name: str, command: "Command") -> str:
    """Lay out `mcpeak help COMMAND`: usage, options by group, examples."""
    lines = [label("front", f"usage_{name}"), "", label("front", f"about_{name}")]
    groups: dict[str, list[tuple[str, str]]] = {}
    for option, described in command.options.items():
        groups.setdefault(described.group, []).append((_shape(option, described), sentence(described)))
    for group, rows in groups.items():
        lines += ["", label("front", f"group_{group}"), *_columns(rows)]
    return "\n".join([*lines, "", label("front", f"examples_{name}"), ""])


def _shape(name: str, option: "Option") -> str:
    value = "|".join(option.choices) or option.value
    names = f"{option.short}, {name}" if option.short else name
    shape = f"{names} {value}" if value else names
    return f"{shape} …" if option.repeat else shape


def sentence(option: "Option") -> str:
    """Find an option's sentence: in the room of the program that takes it, so that it is written once."""
    room, _, key = option.help.partition(".")
    known = table(room, language())
    text: str = known["option"][key] if key in known.get("option", {}) else known["label"][key]
    return text


def _columns(rows: list[tuple[str, str]]) -> list[str]:
    width = max(len(left) for left, _ in rows)
    return [f"{INDENT}{left.ljust(width)}{INDENT}{right}" for left, right in rows]
