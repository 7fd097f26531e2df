"""A wired command from its words to its verdict: read, plan, check, fork, judge."""

import signal
from functools import partial
from importlib import import_module
from typing import NamedTuple

from mcpeak.command import exits
from mcpeak.command.boundary import bounded, tell, to_stderr
from mcpeak.command.stdout import show
from mcpeak.front.arguments import Given, check, read
from mcpeak.front.fork import run_pipe
from mcpeak.front.outputs import check_outputs
from mcpeak.front.plan import Step, plan
from mcpeak.front.programs import NAME, check_built, launch, run_ours, shown
from mcpeak.front.project import expand, read_project
from mcpeak.front.table import Command
from mcpeak.front.terminal import check_terminal
from mcpeak.front.verdict import killed, verdict
from mcpeak.messages import label, say

HELP = ("-h", "--help")


class Asked(NamedTuple):
    """What the command line says, what holds together with the project's file, and that file's name."""

    line: Given
    together: Given
    file: str | None


def help_page(name: str, command: Command) -> str:
    """Give the help of a command."""
    from mcpeak.front.help import command_page  # late: a run needs no help

    return command_page(name, command)


def run_command(name: str, words: list[str], command: Command) -> int:
    """Run a command, or show what it would run; give its verdict.

    Raises:
        Failure: the command line is wrong, a report could not be written, a stage is not there: nothing ran.
    """
    ours = words[: words.index("--")] if "--" in words else words
    if any(word in HELP for word in ours):
        return show(help_page(name, command))
    program = f"{NAME} {name}"
    given = asked(words, command, program).together
    check(given, command, program)
    if given.has("--explain"):
        from mcpeak.front.explain import explain  # late, as help

        return show(explain(plan(given, command, program, shown), shown))
    steps = _remembering(given, command, program)
    for step in steps:
        check_built(step.program)
    check_outputs(given, command)
    check_terminal(given, command)
    for module in command.preload:
        import_module(module)
    return _again_and_again(steps, given, command) if given.has("--watch") else _pipe(steps)


def _remembering(given: Given, command: Command, program: str) -> list[Step]:
    """Plan the run, only of what failed last time if asked, and let what fails now be written down."""
    memory = command.remembers
    if memory is None:
        return plan(given, command, program, launch)
    from mcpeak.front.memory import narrowed, place, recall

    path = place()
    if given.has(memory.by):
        known = recall(path)
        if known is None:
            to_stderr(label("front", "nothing_failed") + "\n")
        else:
            given = narrowed(given, known, memory.choose)
    steps = plan(given, command, program, launch)
    extra = [memory.option, path] if path else []
    return [
        step._replace(arguments=[*extra, *step.arguments]) if step.program == memory.stage else step
        for step in steps
    ]


def _again_and_again(steps: list[Step], given: Given, command: Command) -> int:
    """Run now, and again after each change of what the run depends on, until interrupted."""
    from mcpeak.front import watch  # late: for people at work, not for CI

    last: set[str] = set()
    written = [value for name, value in given.options if value and command.options[name].writes]
    while True:
        files = watch.watched(given.files, given.command or [], written)
        before = watch.facts(files)  # as the run finds them: what changes meanwhile counts too
        code = _pipe(steps)
        if code not in (exits.GOOD, exits.NO):
            return code
        meanwhile = watch.changed(files, before)
        before = watch.settled(files, before, meanwhile & last)  # twice in a row: the server writes it itself
        last = meanwhile
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        to_stderr(label("front", "watching", count=len(files)) + "\n")
        watch.wait_for_change(files, before)


def asked(words: list[str], command: Command, program: str) -> Asked:
    """Read the command line, and what the project's own file adds to it."""
    line = read(words, command, program)
    project = read_project() if _asks_project(line, command) else None
    if project is None:
        return Asked(line, line, None)
    from mcpeak.front.settings import given_by, merged, target_of  # late: few have such a file

    told = project.settings if command.project == "all" else target_of(project.settings, command)
    settings = given_by(told, command, project.where, expand)
    return Asked(line, merged(line, settings, command), project.file)


def _asks_project(line: Given, command: Command) -> bool:
    if command.project == "target":
        return not any(line.has(name) for name in command.targets)
    return command.project == "all" and not line.has("--no-project")


def _pipe(steps: list[Step]) -> int:
    ended = run_pipe([partial(_stage, step) for step in steps])
    for place, number in killed(ended):
        words = say("front", "STAGE_KILLED", signal=signal.Signals(number).name)
        tell(f"{NAME}-{steps[place].program}", "STAGE_KILLED", words.message, words.hint)
    return verdict(ended, [step.forgiven for step in steps])


def _stage(step: Step) -> int:
    return bounded(f"{NAME}-{step.program}", lambda: run_ours(step.program, step.arguments))
