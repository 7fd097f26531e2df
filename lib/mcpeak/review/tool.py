"""An edge: reads a draft and its dry run, reviews it at the terminal, writes what was agreed."""

import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Raw

from mcpeak.command import exits
from mcpeak.command.boundary import bounded
from mcpeak.command.failure import Failure, InputError
from mcpeak.command.options import Parser, describe, program
from mcpeak.command.speech import add_manner
from mcpeak.command.stage import run_stage, stdin_lines
from mcpeak.command.target import add_target, split
from mcpeak.messages import label, say
from mcpeak.wire.json import dumps_line
from mcpeak.wire.reader import read
from mcpeak.wire.records import Notice, SuiteRecord
from mcpeak.wire.writer import Writer

if TYPE_CHECKING:
    from mcpeak.review.draft import Draft
    from mcpeak.review.effects import Effect
    from mcpeak.review.gather import Gathered
    from mcpeak.review.terminal import Terminal

NAME = "mcpeak-review"
OWN = ("--yes", "--provider", "--model")
"""Options that mcpeak-run does not know when a case is tried again."""


def parser(arguments: Sequence[str]) -> Parser:
    """Build the command line."""
    from mcpeak.review.providers import PROVIDERS

    made = program(NAME, "review", arguments)
    made.add_argument("--yes", action="store_true", help=describe("review", "yes"))
    made.add_argument("--provider", choices=tuple(PROVIDERS), help=describe("review", "provider"))
    made.add_argument("--model", metavar="MODEL", help=describe("review", "model"))
    made.add_argument("--reset-cmd", metavar="CMD", help=describe("review", "reset_cmd"))
    made.add_argument("--start-timeout", metavar="SECONDS", help=describe("review", "start_timeout"))
    add_target(made)
    add_manner(made)
    return made


def main(argv: Sequence[str] | None = None) -> int:
    """Review the draft on stdin; give the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    return bounded(NAME, lambda: _begin(arguments))


def _begin(arguments: list[str]) -> int:
    ours, command = split(arguments)
    given = parser(ours).parse_args(ours)
    return run_stage("review", lambda writer: _work(writer, given, _for_run(arguments, given, command)))


def _for_run(arguments: list[str], given: Namespace, command: list[str] | None) -> list[str] | None:
    """Give what mcpeak-run needs to reach the same server; None: no server was named."""
    if command is None and not (given.command or given.url or given.config):
        return None
    words: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if word == "--":
            return [*words, word, *rest]
        name, joined, _ = word.partition("=")
        if name not in OWN:
            words.append(word)
        elif name != "--yes" and not joined:
            next(rest, None)
    return words


def _work(writer: Writer, given: Namespace, server: list[str] | None) -> int:
    from mcpeak.review.gather import Gathered

    gathered = Gathered()
    for record, line in read(stdin_lines()):
        gathered.see(record, line)
    for record, line in gathered.onward:
        writer.forward(record, line)
    if gathered.failed:
        return exits.NO
    if len(gathered.suites) != 1:
        detail = "SEVERAL_DRAFTS" if gathered.suites else "NO_DRAFT"
        raise InputError("NOTHING_TO_REVIEW", room="review", detail=detail, count=len(gathered.suites))
    draft = _unasked(gathered) if given.yes else _asked(gathered, given, server)
    if draft is None:
        words = say("review", "REVIEW_CANCELLED")
        writer.write(
            Notice(severity="failure", code="REVIEW_CANCELLED", message=words.message, hint=words.hint)
        )
        return exits.NO
    if given.yes:
        _tell(writer, draft)
    writer.write(_record(gathered.suites[0], draft))
    return exits.GOOD


def _record(draft_record: SuiteRecord, draft: "Draft") -> SuiteRecord:
    digest = draft.fingerprint()
    return SuiteRecord(
        source=draft_record.source,
        suite=Raw(dumps_line(draft.approved())),
        fingerprint=digest,
        approval="matched",
        approved_fingerprint=digest,
    )


def _unasked(gathered: "Gathered") -> "Draft":
    """Keep what passed, and what did not as a defect of the server."""
    draft = gathered.draft()
    for name in draft.pending():
        draft = draft.defect(name)
    return draft


def _tell(writer: Writer, draft: "Draft") -> None:
    """Say what was decided unasked and may be wrong: refused guesses, and what nobody tried."""
    from mcpeak.review.guesses import few, fields, paths, refused, snippet

    names = refused(draft)
    if names:
        found = fields(draft, names)
        values = {"fields": paths(found), "snippet": snippet(found)}
        _warn(writer, "GUESS_REFUSED", count=len(names), cases=few(names), **values)
    if draft.held:
        tools = {case["operation"]["tool"]: None for case in draft.cases if case["id"] in draft.held}
        _warn(writer, "CASES_NOT_TRIED", count=len(draft.held), tools=few(list(tools)))


def _warn(writer: Writer, code: str, **values: object) -> None:
    words = say("review", code, **values)
    writer.write(Notice(severity="warning", code=code, message=words.message, hint=words.hint))


def _asked(gathered: "Gathered", given: Namespace, server: list[str] | None) -> "Draft | None":
    from mcpeak.review.dialogue import Dialogue
    from mcpeak.review.effects import Line
    from mcpeak.review.helper import Helper
    from mcpeak.review.terminal import Terminal

    try:
        terminal = Terminal(os.environ)
    except OSError as none:
        raise Failure("GENERATE_INTERACTIVE_REQUIRED", room="review", exit_code=exits.NO) from none
    helper = Helper(given.provider, given.model, _secrets(given))
    dialogue = Dialogue(gathered.draft(), gathered.tools, can_rerun=server is not None, helper=helper)
    try:
        return _converse(dialogue.talk(), terminal, server or [], os.environ)
    except KeyboardInterrupt:
        terminal.say([Line(""), Line(label("review", "cancelled"), "bad")])
        return None
    finally:
        terminal.close()


def _secrets(given: Namespace) -> tuple[str, ...]:
    """Give the values of the variables that the server gets."""
    names = [*given.env, *(pair.partition("=")[2] for pair in given.header_env)]
    return tuple(os.environ[name] for name in names if name in os.environ)


def _converse(
    talk: Any, terminal: "Terminal", server: list[str], environ: Mapping[str, str]
) -> "Draft | None":
    """Carry out what the conversation wants until it ends."""
    heard: Any = None
    while True:
        try:
            effect = talk.send(heard)
        except StopIteration as ended:
            agreed: Draft | None = ended.value
            return agreed
        heard = _carry_out(effect, terminal, server, environ)


def _carry_out(effect: "Effect", terminal: "Terminal", server: list[str], environ: Mapping[str, str]) -> Any:
    from mcpeak.review import editor, effects
    from mcpeak.review.provide import provide
    from mcpeak.review.rerun import rerun

    if isinstance(effect, effects.Say):
        return terminal.say(effect.lines)
    if isinstance(effect, effects.Ask):
        return terminal.ask(effect.prompt)
    if isinstance(effect, effects.Edit):
        return editor.edit(effect.text, terminal.descriptor, environ)
    if isinstance(effect, effects.Load):
        return editor.read_text(effect.path)
    if isinstance(effect, effects.Rerun):
        return rerun(effect.suite, server)
    return provide(effect.provider, effect.model, effect.request, environ)
