"""The report as one page (`--html`): no network, no script; what a server or suite said is only ever text.

Rule of this file: tally in, bytes out; the template lays out, what it is given is cleaned and cut here.
"""

import os
from collections.abc import Iterator
from typing import Any

from markupsafe import Markup, escape

from mcpeak import __version__
from mcpeak.command.text import clean
from mcpeak.messages import label
from mcpeak.report.tally import Tally
from mcpeak.report.templating import HERE, ours
from mcpeak.report.view import view
from mcpeak.report.width import cut_middle

TEXT = 20_000  # code points of any one text


def document(tally: Tally, *, timings: bool) -> Iterator[bytes]:
    """Yield the pieces of the page."""
    values = view(tally, timings=timings)
    with open(os.path.join(HERE, "style.css"), encoding="utf-8") as file:
        style = Markup(file.read())  # noqa: S704 - our own file, no text of anybody else
    names = dict.fromkeys(suite["name"] for suite in values["suites"])
    more = {"title": next(iter(names)) if len(names) == 1 else "mcpeak", "style": style, "summary": _summary}
    return ours(
        "report.html.j2", {**values, **more, "product_version": __version__}, finalize=_shown, ticks=_ticks
    )


def _summary(counts: dict[str, int], total: int) -> str:
    kept = {name: count for name, count in counts.items() if count or name in ("passed", "failed")}
    words = ", ".join(label("report", f"count_{name}", count=count) for name, count in kept.items())
    return label("report", "total", words=words, count=total)


def _ticks(text: str) -> Markup:
    """Set what stands between backticks as code."""
    parts = escape(_shown(text)).split("`")
    coded = (Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(parts))
    return Markup("").join(coded)


def _shown(value: Any) -> Any:
    """Make a text fit to be shown: cut, and without characters that hide or reorder others."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return "\n".join(clean(line) for line in cut_middle(value, TEXT).split("\n"))
