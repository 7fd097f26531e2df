"""Jinja, set up once for our own frames and once for templates of users.

Rule of this file: the only one that imports jinja2, and only when a format needs it (48 ms).
"""

import os
from collections.abc import Callable, Iterator
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from mcpeak.command.failure import InputError
from mcpeak.messages import label
from mcpeak.report.paint import MARKS
from mcpeak.report.values import compact

HERE = os.path.join(os.path.dirname(__file__), "templates")


def ours(
    name: str, values: dict[str, Any], *, finalize: Callable[[Any], Any] | None = None, **filters: Any
) -> Iterator[bytes]:
    """Fill one of our own frames; everything is escaped for HTML where the name says HTML.

    Args:
        name: the frame.
        values: what it lays out.
        finalize: what every value goes through before it is escaped.
        filters: filters of this frame alone.
    """
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=".html" in name,  # noqa: S701 - the other frame is Markdown, which has filters of its own
        undefined=StrictUndefined,
        finalize=finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(say=_say, mark=MARKS.get)
    environment.filters.update(filters)
    template = environment.get_template(name)
    return _encoded(template.generate(values))


def user_template(path: str) -> Template:
    """Read a user's template into a sandbox: it can lay values out, and reach nothing else.

    Raises:
        InputError: the file cannot be read, or is no template.
    """
    environment = ImmutableSandboxedEnvironment(
        autoescape=path.removesuffix(".j2").endswith((".html", ".htm", ".xml")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.globals.update(say=_say, mark=MARKS.get)
    environment.filters["json"] = compact
    try:
        with open(path, encoding="utf-8") as file:
            return environment.from_string(file.read())
    except OSError as wrong:
        why = wrong.strerror or str(wrong)
        raise InputError("TEMPLATE_READ_FAILED", room="report", path=path, why=why) from wrong
    except (TemplateError, UnicodeDecodeError) as wrong:
        raise _invalid(path, wrong) from wrong


def theirs(path: str, values: dict[str, Any]) -> bytes:
    """Fill a user's template.

    Raises:
        InputError: as `user_template`; or the template asks for what is not there, or what it may not have.
    """
    template = user_template(path)
    try:
        text = template.render(values)
    except Exception as wrong:
        # Whatever goes wrong while it is filled, the template asked for it: it is not ours.
        raise _invalid(path, wrong) from wrong
    return text.encode("utf-8", "backslashreplace")


def _invalid(path: str, wrong: Exception) -> InputError:
    line = getattr(wrong, "lineno", None)
    why = str(wrong) if line is None else f"{wrong} (line {line})"
    return InputError("TEMPLATE_INVALID", room="report", path=path, why=why)


def _say(name: str, **values: Any) -> str:
    return label("report", name, **values)


def _encoded(pieces: Iterator[str]) -> Iterator[bytes]:
    for piece in pieces:
        yield piece.encode("utf-8", "replace")
