"""What a run of the wrapper has to say, as records: misses, what was not used, what went past.

Rule of this file: pure; the same facts give the same records in the same order.
"""

from collections.abc import Iterable, Sequence

from mcpeak.command.repeat import quoted
from mcpeak.messages import label, say
from mcpeak.session.escape import Escape
from mcpeak.session.exchange import Exchange
from mcpeak.session.ledger import Miss, by_url
from mcpeak.session.matching import Form
from mcpeak.session.nearest import Difference
from mcpeak.wire.records import Notice, Severity

_WORDS = {"broken": "SESSION_BROKEN", "proxy": "SESSION_PROXY_REFUSES", "unsendable": "SESSION_UNSENDABLE"}
_LISTED = 10  # calls that are named in one notice
_TOLD = 3  # differences that are named of one call


def notice(severity: Severity, code: str, word: str = "", **values: object) -> Notice:
    """Make a notice; `word` is the sentence's name where a code has several."""
    words = say("session", word or code, **values)
    return Notice(severity=severity, code=code, message=words.message, hint=words.hint)


def misses(found: Iterable[Miss]) -> list[Notice]:
    """Say which calls had no answer (CONTRACT §8)."""
    return [_miss(miss) for miss in found]


def _miss(miss: Miss) -> Notice:
    values = {"method": miss.form.method, "url": miss.form.url, "asked": _times(miss.asked)}
    if miss.recorded:
        return notice(
            "failure", "SESSION_MISS", "SESSION_MISS_AGAIN", recorded=_times(miss.recorded), **values
        )
    if miss.near is None:
        return notice("failure", "SESSION_MISS", "SESSION_MISS_EMPTY", **values)
    form, differences = miss.near
    told = "; ".join(difference_text(one) for one in differences[:_TOLD])
    more = len(differences) - _TOLD
    if more > 0:
        told += label("session", "more_differences", count=more)
    return notice("failure", "SESSION_MISS", near=_call(form), differences=told, **values)


def difference_text(one: Difference) -> str:
    """Say one difference: what was recorded, what was asked."""
    part = label("session", f"part_{one.part}", which=one.name)
    ours = label("session", "absent") if one.recorded is None else f"`{one.recorded}`"
    theirs = label("session", "absent") if one.asked is None else f"`{one.asked}`"
    return label("session", "difference", part=part, recorded=ours, asked=theirs)


def unused(left: Sequence[Exchange], total: int, severity: Severity, file: str) -> list[Notice]:
    """Say which recorded calls of a file nobody asked for; none of them at all is a notice of its own."""
    if not left:
        return []
    calls = [f"{method} {url}{f' ({count})' if count > 1 else ''}" for method, url, count in by_url(left)]
    listed, count = _listed(calls), len(left)
    if count == total:
        none = _at_least("warning", severity)
        return [notice(none, "SESSION_NOTHING_REPLAYED", count=total, calls=listed)]
    name = quoted(file)
    return [notice(severity, "SESSION_UNUSED", count=count, total=total, calls=listed, file=name)]


def added(count: int, file: str) -> Notice:
    """Say that calls were added to a file."""
    return notice("info", "SESSION_ADDED", count=count, file=quoted(file))


def nothing_recorded(*, escaped: bool, skipped: bool) -> Notice:
    """Say that nothing was recorded, with the most likely reason."""
    why = "why_escaped" if escaped else "why_skipped" if skipped else "why_silent"
    return notice("warning", "SESSION_NOTHING_RECORDED", why=label("session", why))


def escapes(seen: Iterable[Escape], *, replaying: bool) -> list[Notice]:
    """Say which connections went past the recorder."""
    severity: Severity = "failure" if replaying else "warning"
    word = "SESSION_ESCAPE_REPLAY" if replaying else ""
    return [
        notice(severity, "SESSION_ESCAPE", word, program=one.program, address=one.address) for one in seen
    ]


def skipped(targets: Iterable[tuple[str, str]], *, replaying: bool) -> list[Notice]:
    """Say which connections spoke something that is not recorded."""
    severity: Severity = "failure" if replaying else "warning"
    code = "SESSION_NOT_REPLAYED" if replaying else "SESSION_NOT_RECORDED"
    return [_skipped(severity, code, *one) for one in sorted(targets)]


def _skipped(severity: Severity, code: str, target: str, protocol: str) -> Notice:
    if protocol in _WORDS:
        return notice(severity, code, _WORDS[protocol], target=target)
    return notice(severity, code, target=target, protocol=label("session", f"protocol_{protocol}"))


def path_credentials(urls: Iterable[tuple[str, list[str]]]) -> list[Notice]:
    """Warn of paths that look as if they held a credential, without showing it."""
    shown: dict[str, None] = {}
    for url, segments in urls:
        for segment in segments:
            url = url.replace(segment, "…")  # noqa: PLW2901 - each segment goes, one after the other
        shown[url.partition("?")[0]] = None
    return [notice("warning", "SESSION_PATH_CREDENTIAL", url=url) for url in sorted(shown)]


def _times(count: int) -> str:
    return label("session", "once" if count == 1 else "times", count=count)


def _call(form: Form) -> str:
    return f"{form.method} {form.url}"


def _listed(calls: Sequence[str]) -> str:
    more = len(calls) - _LISTED
    return ", ".join(calls[:_LISTED]) + (label("session", "more_calls", count=more) if more > 0 else "")


def _at_least(least: Severity, given: Severity) -> Severity:
    order: tuple[Severity, ...] = ("info", "warning", "failure")
    return order[max(order.index(least), order.index(given))]
