"""Man pages for every program, laid out from the programs' own parsers (roff, man(7) macros). Pure."""

import argparse
from collections.abc import Iterable, Iterator

from mcpeak import __version__
from mcpeak.front.programs import NAME
from mcpeak.messages import label


def page(name: str, parser: argparse.ArgumentParser, others: Iterable[str]) -> str:
    """Lay out the page of one program; `others` are named under SEE ALSO."""
    summary, _, rest = (parser.description or "").partition("\n")
    lines = [
        f'.TH {name.upper()} 1 "" "mcpeak {__version__}" "mcpeak"',
        ".SH NAME",
        f"{_plain(name)} \\- {_plain(summary)}",
        ".SH SYNOPSIS",
        f".B {_plain(name)}",
        _plain(_usage(parser)),
        ".SH DESCRIPTION",
        *_paragraphs(rest or summary),
        *_options(parser),
        ".SH EXIT STATUS",
        *_exits(name),
        ".SH SEE ALSO",
        ", ".join(f".BR {_plain(other)} (1)"[4:] for other in others if other != name),
    ]
    return "\n".join(lines) + "\n"


def _usage(parser: argparse.ArgumentParser) -> str:
    words = parser.format_usage().split()
    return (
        " ".join(words[words.index(parser.prog.split()[-1]) + 1 :])
        if parser.prog.split()[-1] in words
        else ""
    )


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for group in parser._action_groups:  # noqa: SLF001 - argparse has no public list of its groups
        actions = [a for a in group._group_actions if a.help is not argparse.SUPPRESS]  # noqa: SLF001 - as above
        if actions:
            yield f'.SH "{_plain((group.title or label("front", "options")).upper())}"'
        for action in actions:
            yield from _option(action)


def _option(action: argparse.Action) -> Iterator[str]:
    if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001 - the commands of the front end
        for choice in action._choices_actions:  # noqa: SLF001 - as above
            yield from (".TP", f"\\fB{_plain(choice.dest)}\\fR", _plain(choice.help or ""))
        return
    value = action.metavar or ("" if action.nargs == 0 else action.dest.upper())
    names = [f"\\fB{_plain(option)}\\fR" for option in action.option_strings]
    shown = f" \\fI{_plain(str(value))}\\fR" if value else ""
    yield ".TP"
    yield (", ".join(names) + shown).strip()
    yield _plain((action.help or "").replace("%%", "%"))


def _exits(name: str) -> Iterator[str]:
    for line in label("front", "exits_wired" if name == NAME else "exits_single").splitlines():
        code, _, meaning = line.partition(" ")
        yield from (".TP", f"\\fB{_plain(code)}\\fR", _plain(meaning))


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.strip().split("\n\n"):
        yield ".PP"
        yield from (_plain(line) for line in paragraph.splitlines())


def _plain(text: str) -> str:
    """Escape what roff would read as its own: backslashes, leading dots and quotes, hyphens of options."""
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped
