"""A wired command from its words to its verdict: read, plan, check, fork, judge."""

import signal
from functools import partial
from importlib import import_module

from mcpeak.command.boundary import bounded, tell
from mcpeak.front.arguments import parse
from mcpeak.front.fork import run_pipe
from mcpeak.front.outputs import check_outputs
from mcpeak.front.plan import Step, plan
from mcpeak.front.programs import NAME, check_built, launch, run_ours, shown
from mcpeak.front.stdout import show
from mcpeak.front.table import Command
from mcpeak.front.terminal import check_terminal
from mcpeak.front.verdict import killed, verdict
from mcpeak.messages import say

HELP = ("-h", "--help")


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
    given = parse(words, command, program)
    if given.has("--explain"):
        from mcpeak.front.explain import explain  # late, as help

        return show(explain(plan(given, command, program, shown), shown))
    steps = plan(given, command, program, launch)
    for step in steps:
        check_built(step.program)
    check_outputs(given, command)
    check_terminal(given, command)
    for module in command.preload:
        import_module(module)
    return _pipe(steps)


def _pipe(steps: list[Step]) -> int:
    ended = run_pipe([partial(_stage, step) for step in steps])
    for place, number in killed(ended):
        words = say("front", "STAGE_KILLED", signal=signal.Signals(number).name)
        tell(f"{NAME}-{steps[place].program}", "STAGE_KILLED", words.message, words.hint)
    return verdict(ended, [step.forgiven for step in steps])


def _stage(step: Step) -> int:
    return bounded(f"{NAME}-{step.program}", lambda: run_ours(step.program, step.arguments))
