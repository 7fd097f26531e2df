"""How to run just one case again: the command line for it, the same wherever it is shown. Pure.

Rule of this file: it gets names and a target from which the secrets were left out, and no records.
"""

_GLOB = "*?["
LONGEST = 1000  # code points of names that anybody would type or paste
_WRAPPED = {"record": "--record-session", "replay": "--session"}


def repeat_command(source: str, case: str, target: str, words: str = "") -> str:
    """Give the shell command that runs this case alone; nothing where file or server is not known.

    Args:
        source: the suite file.
        case: the case's id.
        target: the server's command line or URL, as `ServerFacts.target` has it.
        words: the end of the line that reaches it, where its target alone does not.
    """
    if not target or source in ("", "-", "<stdin>") or len(case) + len(source) > LONGEST:
        return ""
    return f"mcpeak test {quoted(source)} --filter {quoted(_exactly(case))} {words or target_words(target)}"


def target_words(target: str) -> str:
    """Write a server as the end of a command line: `--url URL`, `-- COMMAND…`, or behind its recording."""
    if target.startswith(("http://", "https://")):
        return f"--url {quoted(target)}"
    return _session(target) or f"-- {target}"


def _session(target: str) -> str:
    """Give option, recording and server of a target that `mcpeak-session` wraps; "" for any other.

    For people a recording is an option, and the wrapper that it stands for is ours.
    """
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
