"""How to repeat just one case: the command line for it.

Rule of this file: pure; secrets were left out of the target by the run.
"""

from mcpeak.report.tally import Case, Suite

_GLOB = "*?["
LONGEST = 1000  # code points of names that anybody would type or paste
_WRAPPED = {"record": "--record-session", "replay": "--session"}


def command(suite: Suite, case: Case) -> str:
    """Give the shell command that runs this case alone; nothing where file or server is not known."""
    target = suite.started.server.target
    if not target or suite.source in ("", "-", "<stdin>") or len(case.id) + len(suite.source) > LONGEST:
        return ""
    return f"mcpeak test {quoted(suite.source)} --filter {quoted(_exactly(case.id))} {_where(target)}"


def _where(target: str) -> str:
    """Name the server as `mcpeak test` takes it; a recording is an option there, not a wrapper."""
    if target.startswith(("http://", "https://")):
        return f"--url {quoted(target)}"
    return _session(target) or f"-- {target}"


def _session(target: str) -> str:
    """Give option, recording and server of a target that `mcpeak-session` wraps; "" for any other."""
    before, mark, server = target.partition(" -- ")
    if not mark or "mcpeak-session" not in before:
        return ""
    import shlex  # late: only behind a wrapper

    try:
        words = shlex.split(before)
    except ValueError:  # a quoted ` -- ` within a word
        return ""
    at = next((i for i, word in enumerate(words) if word.rpartition("/")[2] == "mcpeak-session"), len(words))
    action, rest = next(iter(words[at + 1 :]), ""), words[at + 2 :]
    if action not in _WRAPPED or not rest:
        return ""
    *options, path = rest
    return " ".join([_WRAPPED[action], *map(quoted, [path, *options]), "--", server])


def _exactly(key: str) -> str:
    """Make a glob that fits one id and no other."""
    return "".join(f"[{character}]" if character in _GLOB else character for character in key)


def quoted(word: str) -> str:
    """Quote a word for a POSIX shell."""
    safe = word and all((c.isalnum() and c.isascii()) or c in "@%+=:,./-_" for c in word)
    return word if safe else "'" + word.replace("'", "'\"'\"'") + "'"
