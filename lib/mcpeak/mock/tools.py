"""tools/list and tools/call: which response answers a call, and how it is told.

Rule of this file: pure; whatever takes time is a script for the edges. Source: CONTRACT §6; docs/mock.md.
"""

from typing import Any

from msgspec import UNSET

from mcpeak.mock import words
from mcpeak.mock.answers import Refusal, bad, good, notification
from mcpeak.mock.book import Entry, Tool
from mcpeak.mock.call import Call, page
from mcpeak.mock.definition import DEPTH, deeper_than
from mcpeak.mock.matching import key
from mcpeak.mock.replies import Reply, text
from mcpeak.mock.steps import Commit, Publish, Script, Send, Wait
from mcpeak.mock.vocabulary import LEVELS, kind_of
from mcpeak.protocol.errors import INVALID_PARAMS
from mcpeak.suite.nearest import nearest


def list_tools(call: Call) -> bytes:
    """Answer tools/list: every tool as the definition has it."""
    return page(call, "tools", call.book.definition.value["tools"])


def call_tool(call: Call) -> bytes | Script:
    """Answer tools/call: the result, or the script of one that takes time."""
    arguments = call.params.arguments
    tool = call.book.tools.get(call.params.name) if isinstance(call.params.name, str) else None
    if tool is None:
        raise _no_tool(call)
    if type(arguments) is not dict:
        arguments = _no_object(arguments)
    if deeper_than(arguments, DEPTH):
        return _failed(call, words.too_deep(tool.name))
    entry = tool.exact.get(key(arguments))
    if entry is None:
        found = _by_schema(call, tool, arguments)
        if isinstance(found, bytes):
            return found
        entry = found
    reply = _next_reply(call, entry)
    return reply.ready(modern=call.modern) or _thoughtful(call, reply, arguments)


def _by_schema(call: Call, tool: Tool, arguments: dict[str, Any]) -> Entry | bytes:
    """Find the response for arguments that none has exactly; or say why there is none."""
    violations = tool.checker.violations(arguments)
    if violations:
        return _failed(call, words.violation(tool.name, violations, arguments))
    for entry in tool.whens:
        if entry.wants(arguments):
            return entry
    if tool.default is not None:
        return tool.default
    registered = [entry.args for entry in tool.exact.values() if entry.args is not None]
    return _failed(call, words.miss(tool.name, arguments, registered, len(tool.whens)))


def _no_tool(call: Call) -> Refusal:
    name = call.string("name")
    near = nearest(name, call.book.tools)
    if near is not None:
        return Refusal(INVALID_PARAMS, words.plain("UNKNOWN_TOOL_NEAR", tool=name, near=near))
    there = ", ".join(call.book.tools) or "-"
    return Refusal(INVALID_PARAMS, words.plain("UNKNOWN_TOOL_CALLED", tool=name, tools=there))


def _no_object(arguments: object) -> dict[str, Any]:
    """Missing and null arguments are {}; anything else that is no object is refused."""
    if arguments is UNSET or arguments is None:
        return {}
    actual = words.kind(kind_of(arguments))
    raise Refusal(INVALID_PARAMS, words.plain("ARGUMENTS_NOT_OBJECT", actual=actual))


def _failed(call: Call, sentence: str) -> bytes:
    return call.result({"content": [text(sentence)], "isError": True})


def _next_reply(call: Call, entry: Entry) -> Reply:
    """Take the next step of a sequence; the last one repeats. A fault counts calls in the same way."""
    if len(entry.replies) == 1:
        return entry.replies[0]
    count = call.peer.counts.get(entry.place, 0)
    call.peer.counts[entry.place] = count + 1
    return entry.replies[min(count, len(entry.replies) - 1)]


def _thoughtful(call: Call, reply: Reply, arguments: dict[str, Any]) -> bytes | Script:
    """Answer where the answer depends on the call, or takes time."""
    from mcpeak.mock import rounds  # late: most answers are ready

    rounds.require(call, reply.spec.get("requires", {}))
    answers: dict[str, Any] = {}
    if reply.rounds and call.modern:
        pending = rounds.modern(call, reply.rounds, arguments)
        if pending.result is not None:
            return pending.result
        answers = pending.answers
    if reply.slow:
        return perform(call, reply, arguments, answers)
    if reply.error is not None:
        raise _error(reply, arguments, answers)
    return reply.result(arguments, answers, modern=call.modern)


def perform(call: Call, reply: Reply, arguments: dict[str, Any], answers: dict[str, Any]) -> Script:
    """Play an answer that takes time: questions, log, progress, news, the delay, the fault, the answer."""
    from mcpeak.mock import rounds

    spec = reply.spec
    try:
        if reply.rounds and not call.modern:
            answers = yield from rounds.legacy(call, reply.rounds, arguments)
        for line in spec.get("log", []):
            yield Wait(line.get("afterMs", 0))
            if call.log_level is not None and LEVELS.index(line["level"]) >= LEVELS.index(call.log_level):
                told = {name: line[name] for name in ("level", "logger", "data") if name in line}
                yield Send(notification("notifications/message", told))
        for progress in spec.get("progress", []):
            yield Wait(progress.get("afterMs", 0))
            if call.progress_token is not None:
                told = {"progressToken": call.progress_token} | {
                    k: v for k, v in progress.items() if k != "afterMs"
                }
                yield Send(notification("notifications/progress", told))
        for news in spec.get("notify", []):
            one: dict[str, Any] = {"method": news} if isinstance(news, str) else news
            yield Publish(one["method"], one.get("params", {}))
        yield Wait(spec.get("delayMs", 0))
        if reply.fault is not None and passed(call, f"reply {id(reply)}") >= reply.fault.after:
            yield Commit(reply.fault)
        if reply.error is not None:
            raise _error(reply, arguments, answers)
    except Refusal as wrong:
        if wrong.code == 0:
            return good(call.id, _failed(call, wrong.message))
        return bad(call.id, wrong)
    return good(call.id, reply.result(arguments, answers, modern=call.modern))


def passed(call: Call, name: str) -> int:
    """Count how often a fault was passed before."""
    count = call.peer.faults.get(name, 0)
    call.peer.faults[name] = count + 1
    return count


def _error(reply: Reply, arguments: dict[str, Any], answers: dict[str, Any]) -> Refusal:
    error = reply.filled_error(arguments, answers)
    return Refusal(error["code"], error["message"], error.get("data"))
