"""How to repeat just one case: the command line for it.

Rule of this file: pure; secrets were left out of the target by the run.
"""

from mcpeak.command.repeat import repeat_command
from mcpeak.report.tally import Case, Suite


def command(suite: Suite, case: Case) -> str:
    """Give the shell command that runs this case alone; nothing where file or server is not known."""
    return repeat_command(suite.source, case.id, suite.started.server.target)
