"""What a session makes of each kind of line, once it is open."""

import json

import pytest
from msgspec import Raw

from mcpeak.protocol.answers import Answers, Elicitation
from mcpeak.protocol.errors import OurMistake
from mcpeak.protocol.events import Answer, Asked, Late, Noise, Notification, Send, UnknownId, Unreadable
from mcpeak.protocol.messages import ClientInfo
from mcpeak.protocol.revisions import wish
from mcpeak.protocol.session import MAX_ROUNDS, Session
from support.protocol_server import PureServer

ME = ClientInfo("test", "0")


def opened(habit: str = "ts1", answers: Answers = Answers(), transport: str = "stdio") -> Session:  # noqa: B008 - an immutable value
    server = PureServer(habit)
    session = Session(wish("modern" if habit == "py2" else "legacy"), transport, ME, answers)
    (line,) = session.open()
    session.received(server.take(line)[0])
    return session


def answer(number: object, result: str = "{}") -> bytes:
    return b'{"jsonrpc":"2.0","id":%b,"result":%b}' % (json.dumps(number).encode(), result.encode())


def waiting(session: Session) -> int:
    return session.call("add", b"{}")[0]


def test_no_request_before_the_handshake() -> None:
    with pytest.raises(OurMistake):
        Session(wish(), "stdio", ME).call("add", b"{}")


def test_result_keeps_its_bytes() -> None:
    session = opened()
    number = waiting(session)
    raw = '{ "content" : [ ], "z":1.0,"a":1e2 }'
    (event,) = session.received(answer(number, raw))
    assert bytes(event.result) == raw.encode()


def test_carriage_return_and_byte_order_mark_are_tolerated() -> None:
    session = opened()
    (event,) = session.received(answer(waiting(session)) + b"\r")
    assert isinstance(event, Answer)
    (event,) = session.received(b"\xef\xbb\xbf" + answer(waiting(session)))
    assert isinstance(event, Answer)


def test_float_id_equal_to_ours_is_ours() -> None:
    session = opened()
    number = waiting(session)
    (event,) = session.received(answer(float(number)))
    assert event.id == number


@pytest.mark.parametrize("result", [r'{"t":"\ud800"}', "[" * 3000 + "]" * 3000, '{"n":1e999}', '"\\ud83d"'])
def test_valid_json_beyond_the_fast_decoder_is_an_answer(result: str) -> None:
    session = opened()
    number = waiting(session)
    (event,) = session.received(answer(number, result))
    assert (event.id, bytes(event.result)) == (number, result.encode())


@pytest.mark.parametrize(
    ("result", "why"),
    [
        (b'{"t":"caf\xe9"}', "encoding"),
        (b'{"v":NaN}', "number"),
        (b'{"v":-Infinity}', "number"),
        (b'{"v":01}', "syntax"),
        (b'{"v":[1,}', "syntax"),
        (b'{"v":"a\tb"}', "syntax"),
    ],
)
def test_unreadable_line_that_holds_a_waiting_id_ends_that_request(result: bytes, why: str) -> None:
    session = opened()
    number = waiting(session)
    line = b'{"jsonrpc":"2.0","id":%d,"result":%b}' % (number, result)
    (event,) = session.received(line)
    assert (type(event), event.id, event.why, event.line) == (Unreadable, number, why, line)
    assert not session.waits(number)


def test_cut_line_that_holds_a_waiting_id_ends_that_request() -> None:
    session = opened()
    number = waiting(session)
    (event,) = session.received(answer(number, '{"content":[{"text":"long')[:-1])
    assert (event.id, event.why) == (number, "cut")


def test_id_within_the_broken_result_is_not_taken_for_the_message() -> None:
    session = opened()
    first, second = waiting(session), waiting(session)
    (event,) = session.received(b'{"result":{"id":%d,"v":NaN},"id":%d}' % (first, second))
    assert event.id == second


@pytest.mark.parametrize(
    "line", [b"listening on stdio", b"{}", b"[]", b"42", b'{"level":"info"}', b"\xff\xfe\x00", b'{"id":']
)
def test_everything_else_is_noise(line: bytes) -> None:
    assert opened().received(line) == [Noise(line)]


@pytest.mark.parametrize("line", [b"", b"  \t", b"\r"])
def test_blank_line_is_nothing(line: bytes) -> None:
    assert opened().received(line) == []


def test_answer_without_result_and_error_is_unreadable() -> None:
    session = opened()
    number = waiting(session)
    (event,) = session.received(b'{"jsonrpc":"2.0","id":%d}' % number)
    assert (event.id, event.why) == (number, "empty")


def test_error_null_beside_a_result_is_a_result() -> None:
    session = opened()
    number = waiting(session)
    (event,) = session.received(b'{"id":%d,"result":{"a":1},"error":null}' % number)
    assert (event.error, bytes(event.result)) == (None, b'{"a":1}')


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ('{"code":-32602,"message":"bad","data":{"x":1}}', -32602, "bad"),
        ('{"code":"E","message":5}', 0, '{"code":"E","message":5}'),
        ('{"code":-32602.5,"message":null}', 0, '{"code":-32602.5,"message":null}'),
        ('"just text"', 0, '"just text"'),
        (r'{"code":-1,"message":"\ud800 x"}', -1, "\ufffd x"),
    ],
)
def test_error_of_any_shape_is_an_error(error: str, code: int, message: str) -> None:
    session = opened()
    number = waiting(session)
    (event,) = session.received(b'{"id":%d,"error":%b}' % (number, error.encode()))
    assert (event.id, event.result, event.error.code, event.error.message) == (number, None, code, message)


def test_late_answer_is_late_once_then_a_repetition() -> None:
    session = opened()
    number = waiting(session)
    line = session.cancel(number, "timed out")
    assert json.loads(line)["params"] == {"requestId": number, "reason": "timed out"}
    assert session.received(answer(number)) == [Late(number)]
    assert session.received(answer(number)) == [UnknownId(number, again=True)]


def test_second_answer_is_told_apart_from_an_unknown_id() -> None:
    session = opened()
    number = waiting(session)
    session.received(answer(number))
    assert session.received(answer(number)) == [UnknownId(number, again=True)]
    assert session.received(answer(9999)) == [UnknownId(9999, again=False)]
    assert session.received(answer(str(number))) == [UnknownId(str(number), again=False)]


def test_string_for_a_number_ends_the_request_that_it_means() -> None:
    session = opened()
    number = waiting(session)
    (event,) = session.received(answer(str(number)))
    assert (event.id, event.why) == (number, "id")
    assert not session.waits(number)


def test_error_with_id_null_belongs_to_nobody() -> None:
    (event,) = opened().received(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse"}}')
    assert (event.id, event.error.code) == (None, -32700)


def test_answers_in_a_batch_are_answers() -> None:
    session = opened()
    first, second = waiting(session), waiting(session)
    events = session.received(b"[" + answer(second) + b", " + answer(first) + b"]")
    assert [event.id for event in events] == [second, first]


@pytest.mark.parametrize("number", ["0", '"srv-1"', "1.5", "null"])
def test_ping_is_answered_with_the_id_as_it_came(number: str) -> None:
    reply, asked = opened().received(b'{"jsonrpc":"2.0","id":%b,"method":"ping"}' % number.encode())
    assert reply == Send(b'{"jsonrpc":"2.0","id":%b,"result":{}}' % number.encode())
    assert asked == Asked("ping", refused=False)


@pytest.mark.parametrize("method", ["roots/list", "sampling/createMessage", "elicitation/create", "no/such"])
def test_undeclared_request_is_refused_at_once(method: str) -> None:
    session = opened()
    number = waiting(session)
    reply, asked = session.received(b'{"jsonrpc":"2.0","id":7,"method":%b}' % json.dumps(method).encode())
    assert json.loads(reply.data)["error"]["code"] == -32601
    assert asked.refused
    assert session.waits(number)


def test_modern_server_may_not_ask() -> None:
    session = opened("py2", Answers(roots=b"[]"))
    reply, _ = session.received(b'{"jsonrpc":"2.0","id":7,"method":"roots/list"}')
    assert json.loads(reply.data)["error"]["code"] == -32601


def test_notification_keeps_its_params() -> None:
    (event,) = opened().received(
        b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progress": 1}}'
    )
    assert isinstance(event, Notification)
    assert (event.method, bytes(event.params)) == ("notifications/progress", b'{"progress": 1}')


def test_modern_result_without_type_is_complete() -> None:
    session = opened("py2")
    (event,) = session.received(answer(waiting(session), '{"content":[]}'))
    assert event.problem is None


@pytest.mark.parametrize("kind", ['"task"', "7", "null", '"Complete"'])
def test_modern_result_of_unknown_type_is_a_problem(kind: str) -> None:
    session = opened("py2")
    (event,) = session.received(answer(waiting(session), f'{{"resultType":{kind}}}'))
    assert event.problem.code == "RESULT_TYPE_UNKNOWN"


def test_legacy_result_may_name_any_type() -> None:
    session = opened()
    (event,) = session.received(answer(waiting(session), '{"resultType":"task"}'))
    assert event.problem is None


def test_refused_version_is_retried_once_with_one_that_is_supported() -> None:
    session = opened("py2")
    number = waiting(session)
    refusal = (
        '{"id":%d,"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"x"}}}'
    )
    (again,) = session.received((refusal % number).encode())
    retry = json.loads(again.data)
    assert (again.id, retry["method"], retry["id"] > number) == (number, "tools/call", True)
    (event,) = session.received((refusal % retry["id"]).encode())
    assert (event.id, event.error.code) == (number, -32022)


def test_modern_http_cancel_sends_nothing() -> None:
    session = opened("py2", transport="http")
    number = waiting(session)
    assert session.cancel(number, "x") is None
    assert session.received(answer(number)) == [Late(number)]


ASKED = {"mode": "form", "message": "?", "requestedSchema": {"type": "object"}}
FORM = json.dumps({"k": {"method": "elicitation/create", "params": ASKED}})


def required(requests: str | None = FORM, state: str | None = '"st\\u0061te"') -> str:
    parts = ['"resultType":"input_required"']
    parts += [] if requests is None else ['"inputRequests":' + requests]
    parts += [] if state is None else ['"requestState":' + state]
    return "{" + ",".join(parts) + "}"


def accepting() -> Session:
    return opened("py2", Answers(elicitation=(Elicitation("accept", {"name": Raw(b'"x"')}),)))


def test_round_repeats_the_params_with_answers_state_and_a_new_id() -> None:
    session = accepting()
    number, line = session.call("add", b'{"a": 1}')
    (again,) = session.received(answer(number, required()))
    assert b'"requestState":"st\\u0061te"' in again.data
    first, second = json.loads(line), json.loads(again.data)
    assert second["id"] != first["id"]
    assert second["params"].pop("inputResponses") == {"k": {"action": "accept", "content": {"name": "x"}}}
    assert second["params"].pop("requestState") == "state"
    assert second["params"] == first["params"]


def test_last_round_answers_the_first_id() -> None:
    session = accepting()
    number = waiting(session)
    (again,) = session.received(answer(number, required()))
    (event,) = session.received(answer(json.loads(again.data)["id"], '{"resultType":"complete"}'))
    assert event.id == number


def test_state_does_not_survive_a_round_without_one() -> None:
    session = accepting()
    (again,) = session.received(answer(waiting(session), required()))
    (third,) = session.received(answer(json.loads(again.data)["id"], required(state=None)))
    assert "requestState" not in json.loads(third.data)["params"]


def test_state_alone_is_a_round() -> None:
    session = opened("py2")
    (again,) = session.received(answer(waiting(session), required(requests=None)))
    params = json.loads(again.data)["params"]
    assert (params["requestState"], "inputResponses" in params) == ("state", False)


def test_cancel_names_the_id_of_the_current_round() -> None:
    session = accepting()
    number = waiting(session)
    (again,) = session.received(answer(number, required()))
    line = session.cancel(number, "x")
    assert json.loads(line)["params"]["requestId"] == json.loads(again.data)["id"]


@pytest.mark.parametrize(
    ("result", "code"),
    [
        (required('{"r":{"method":"roots/list"}}'), "INPUT_REQUIRED_UNDECLARED"),
        (required("[]"), "INPUT_REQUIRED_INVALID"),
        (required(None, None), "INPUT_REQUIRED_INVALID"),
    ],
)
def test_round_that_cannot_be_answered_is_the_servers_mistake(result: str, code: str) -> None:
    session = accepting()
    (event,) = session.received(answer(waiting(session), result))
    assert event.problem.code == code


def test_list_may_not_ask_for_input() -> None:
    session = accepting()
    number, _ = session.request("tools/list")
    (event,) = session.received(answer(number, required()))
    assert event.problem.code == "INPUT_REQUIRED_NOT_ALLOWED"


def test_rounds_come_to_an_end() -> None:
    session = accepting()
    key = waiting(session)
    for _ in range(MAX_ROUNDS):
        (again,) = session.received(answer(key, required()))
        key = json.loads(again.data)["id"]
    (event,) = session.received(answer(key, required()))
    assert event.problem.code == "INPUT_ROUNDS_EXCEEDED"


def test_lost_session_opens_again_and_keeps_what_waits() -> None:
    session = opened(transport="http")
    number = waiting(session)
    (line,) = session.reopen()
    session.received(PureServer("ts1").take(line)[0])
    assert session.waits(number)
    assert waiting(session) > number


def test_a_log_line_with_our_id_is_noise_and_the_request_waits_on() -> None:
    """Loggers number their lines, too."""
    session = opened()
    number = waiting(session)
    log = b'{"level":"info","id":%d,"msg":"log"}' % number
    assert session.received(log) == [Noise(log)]
    assert isinstance(session.received(answer(number))[0], Answer)
