"""How to repeat just one case: the command line for it, and the server as its user named it.

Rule of this file: pure; secrets were left out of the target by the run.
"""

from mcpeak.command.repeat import quoted, repeat_command, target_words
from mcpeak.report.tally import Case, Suite

RECORD, REPLAY = "--record-session ", "--session "


def command(suite: Suite, case: Case) -> str:
    """Give the shell command that runs this case alone; nothing where file or server is not known."""
    target, reached_by = suite.started.server.target, suite.started.reached_by
    return repeat_command(suite.source, case.id, target, _replayed(reached_by or target_words(target)))


def server_words(target: str) -> str:
    """Write a target as its user did: behind a recording the recording and the server, no wrapper of ours."""
    words = target_words(target)
    return words if words.startswith((RECORD, REPLAY)) else target


def _replayed(words: str) -> str:
    """Replay what a run recorded: the recording is there already, and holds what the case was answered."""
    before, _, rest = words.partition(RECORD)
    recording, found, server = rest.partition(" -- ")
    if not found:
        return words
    import shlex  # late: only behind a recording

    kept = " ".join(quoted(word) for word in shlex.split(recording) if word != "--force")
    return f"{before}{REPLAY}{kept} -- {server}"
