"""How to repeat just one case: the command line for it.

Rule of this file: pure; secrets were left out of the target by the run.
"""

from mcpeak.report.tally import Case, Suite

_GLOB = "*?["
LONGEST = 1000  # code points of names that anybody would type or paste


def command(suite: Suite, case: Case) -> str:
    """Give the shell command that runs this case alone; nothing where file or server is not known."""
    target = suite.started.server.target
    if not target or suite.source in ("", "-", "<stdin>") or len(case.id) + len(suite.source) > LONGEST:
        return ""
    where = f"--url {quoted(target)}" if target.startswith(("http://", "https://")) else f"-- {target}"
    return f"mcpeak test {quoted(suite.source)} --filter {quoted(_exactly(case.id))} {where}"


def _exactly(key: str) -> str:
    """Make a glob that fits one id and no other."""
    return "".join(f"[{character}]" if character in _GLOB else character for character in key)


def quoted(word: str) -> str:
    """Quote a word for a POSIX shell."""
    safe = word and all((c.isalnum() and c.isascii()) or c in "@%+=:,./-_" for c in word)
    return word if safe else "'" + word.replace("'", "'\"'\"'") + "'"
