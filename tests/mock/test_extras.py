"""What a definition can say beyond the format: each key of a response, resources, prompts, lists in pages."""

from typing import Any

import pytest

from support.mocks import META, call, modern, play, request

OBJECT = {"type": "object"}
PROGRESS = "progressToken"


def mock(**response: Any) -> dict[str, Any]:
    return {"tools": [{"name": "t", "inputSchema": OBJECT}], "responses": [{"tool": "t"} | response]}


def one(definition: dict[str, Any], arguments: Any = None) -> dict[str, Any]:
    return play(definition, [call(1, "t", arguments)]).answers[1]


def test_content_goes_out_as_it_is_written() -> None:
    blocks = [
        {"type": "image", "data": "AA==", "mimeType": "image/png"},
        {"type": "resource_link", "uri": "a:b"},
    ]
    assert one(mock(content=blocks))["result"] == {"content": blocks}


def test_structured_content_is_mirrored_as_text() -> None:
    assert one(mock(structuredContent={"n": 12345678901234567890}))["result"] == {
        "content": [{"type": "text", "text": '{"n":12345678901234567000}'}],
        "structuredContent": {"n": 12345678901234567890},
    }


def test_a_tool_with_an_output_schema_gets_its_result_as_structured_content() -> None:
    """Clients of such a tool refuse an answer without it."""
    definition = mock(result={"n": 1})
    definition["tools"][0]["outputSchema"] = OBJECT
    assert one(definition)["result"]["structuredContent"] == {"n": 1}


def test_an_error_is_a_json_rpc_error() -> None:
    error = {"code": -32050, "message": "no", "data": {"a": 1}}
    assert one(mock(error=error))["error"] == error


def test_a_sequence_answers_in_turn_and_repeats_its_last() -> None:
    definition = mock(sequence=[{"result": 1}, {"error": {"code": 5, "message": "x"}}, {"result": 3}])
    answers = play(definition, [call(n, "t") for n in range(5)]).answers
    assert [list(answers[n])[-1] for n in range(5)] == ["result", "error", "result", "result", "result"]
    assert answers[4]["result"]["content"][0]["text"] == "3"


def test_when_answers_what_its_schema_accepts_and_the_first_wins() -> None:
    definition = mock(when={"properties": {"n": {"minimum": 10}}, "required": ["n"]}, result="big")
    definition["responses"] += [
        {"tool": "t", "when": {"required": ["n"]}, "result": "small"},
        {"tool": "t", "args": {"n": 11}, "result": "eleven"},
        {"tool": "t", "result": "any"},
    ]
    texts = [
        one(definition, args)["result"]["content"][0]["text"] for args in ({"n": 12}, {"n": 1}, {"n": 11}, {})
    ]
    assert texts == ['"big"', '"small"', '"eleven"', '"any"']


def test_placeholders_become_arguments_of_their_own_type() -> None:
    result = {"n": "{{n}}", "text": "n={{n}} m={{m}}", "deep": "{{o.list.1}}", "absent": "{{x}}"}
    answer = one(mock(result=result), {"n": 1.0, "m": {"a": None}, "o": {"list": [1, "two"]}})
    text = answer["result"]["content"][0]["text"]
    assert text == '{"n":1,"text":"n=1 m={\\"a\\":null}","deep":"two","absent":"{{x}}"}'


def test_template_false_keeps_placeholders() -> None:
    answer = one(mock(result="{{n}}", template=False), {"n": 1})
    assert answer["result"]["content"][0]["text"] == '"{{n}}"'


def test_a_delayed_answer_lets_others_pass() -> None:
    definition = mock(args={"slow": True}, result="slow", delayMs=150)
    definition["responses"].append({"tool": "t", "result": "fast"})
    played = play(definition, [call(1, "t", {"slow": True}), call(2, "t")])
    assert [message["id"] for message in played.messages] == [2, 1]


def test_a_cancelled_call_is_not_answered() -> None:
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    played = play(mock(result=1, delayMs=100), [call(1, "t"), cancel, request(2, "ping")])
    assert list(played.answers) == [2]


@pytest.mark.parametrize("token", [7, "p", 0])
def test_progress_is_told_under_the_token_of_the_call(token: Any) -> None:
    asked = request(1, "tools/call", {"name": "t", "_meta": {PROGRESS: token}})
    played = play(
        mock(result=1, progress=[{"progress": 1, "total": 2}, {"progress": 2, "afterMs": 1}]), [asked]
    )
    told = [message["params"] for message in played.messages if "method" in message]
    assert told == [{PROGRESS: token, "progress": 1, "total": 2}, {PROGRESS: token, "progress": 2}]


def test_no_progress_without_a_token() -> None:
    assert len(play(mock(result=1, progress=[{"progress": 1}]), [call(1, "t")]).messages) == 1


LOGGED = mock(
    result=1, log=[{"level": "info", "data": "i"}, {"level": "error", "data": {"e": 1}, "logger": "l"}]
)


def logged(messages: list[Any]) -> list[Any]:
    return [message["params"]["data"] for message in play(LOGGED, messages).messages if "method" in message]


def test_log_messages_follow_the_level_that_was_set() -> None:
    assert logged([call(1, "t")]) == ["i", {"e": 1}]
    assert logged([request(0, "logging/setLevel", {"level": "error"}), call(1, "t")]) == [{"e": 1}]


def test_a_modern_request_without_a_level_gets_no_log_messages() -> None:
    level = {"io.modelcontextprotocol/logLevel": "error"}
    assert logged([modern(1, "tools/call", name="t")]) == []
    assert logged([modern(1, "tools/call", level, name="t")]) == [{"e": 1}]


def test_a_missing_capability_is_told_as_an_object() -> None:
    answer = play(mock(result=1, requires={"sampling": {}}), [modern(1, "tools/call", name="t")]).answers[1]
    assert (answer["error"]["code"], answer["error"]["data"]) == (
        -32021,
        {"requiredCapabilities": {"sampling": {}}},
    )


ASKING = mock(
    ask=[
        {"who": {"method": "elicitation/create", "params": {"message": "Who, {{n}}?"}}},
        {"r": {"method": "roots/list"}},
    ],
    result="{{@who.content.name}} {{n}}",
)
CAN = {"io.modelcontextprotocol/clientCapabilities": {"elicitation": {}, "roots": {}}}
BOB = {"action": "accept", "content": {"name": "Bob"}}


def round_of(**params: Any) -> dict[str, Any]:
    return modern(1, "tools/call", CAN, name="t", arguments={"n": 5}, **params)


def test_the_modern_era_asks_by_input_required_round_after_round() -> None:
    first = play(ASKING, [round_of()]).answers[1]["result"]
    assert (first["resultType"], first["inputRequests"]["who"]["params"]) == (
        "input_required",
        {"message": "Who, 5?"},
    )
    told = {"inputResponses": {"who": BOB, "extra": {}}, "requestState": first["requestState"]}
    second = play(ASKING, [round_of(**told)]).answers[1]["result"]
    assert list(second["inputRequests"]) == ["r"]
    told = {"inputResponses": {"r": {"roots": []}}, "requestState": second["requestState"]}
    last = play(ASKING, [round_of(**told)]).answers[1]["result"]
    assert last["content"][0]["text"] == '"Bob 5"'


def test_a_request_state_fits_only_its_own_request() -> None:
    state = play(ASKING, [round_of()]).answers[1]["result"]["requestState"]
    other = modern(1, "tools/call", CAN, name="t", arguments={"n": 6}, requestState=state)
    for asked in (
        other,
        round_of(requestState=state + "x"),
        round_of(requestState=7),
        round_of(requestState=""),
    ):
        assert play(ASKING, [asked]).answers[1]["error"]["code"] == -32602


def test_the_same_round_gives_the_same_state() -> None:
    assert play(ASKING, [round_of()]).messages == play(ASKING, [round_of()]).messages


def test_a_client_that_cannot_be_asked_is_told_why() -> None:
    answer = play(ASKING, [modern(1, "tools/call", name="t", arguments={})]).answers[1]
    assert answer["error"]["data"] == {"requiredCapabilities": {"elicitation": {}}}


INIT = request(
    0, "initialize", {"protocolVersion": "2025-11-25", "capabilities": {"elicitation": {}, "roots": {}}}
)


def test_the_legacy_era_asks_by_requests_of_its_own() -> None:
    replies = [
        {"jsonrpc": "2.0", "id": f"mcpeak-mock-{n}", "result": r} for n, r in ((1, BOB), (2, {"roots": []}))
    ]
    played = play(ASKING, [INIT, call(1, "t", {"n": 5}), *replies])
    assert [message.get("method") for message in played.messages] == [
        None,
        "elicitation/create",
        "roots/list",
        None,
    ]
    assert played.answers[1]["result"]["content"][0]["text"] == '"Bob 5"'


def test_a_legacy_client_that_refuses_makes_the_call_fail() -> None:
    refusal = {"jsonrpc": "2.0", "id": "mcpeak-mock-1", "error": {"code": -1, "message": "no"}}
    answer = play(ASKING, [INIT, call(1, "t", {"n": 5}), refusal]).answers[1]
    assert answer["result"]["isError"] is True
    assert '"message":"no"' in answer["result"]["content"][0]["text"]


LIBRARY: dict[str, Any] = {
    "tools": [],
    "resources": [
        {"uri": "a:1", "name": "one", "mimeType": "text/plain", "text": "1"},
        {"uri": "a:2", "name": "two", "blob": "AA=="},
    ],
    "resourceTemplates": [{"uriTemplate": "a:{id}/x", "name": "t", "text": "{{id}}"}],
    "prompts": [
        {
            "name": "p",
            "arguments": [{"name": "who", "required": True}],
            "messages": [{"role": "user", "content": {"type": "text", "text": "Hi {{who}}"}}],
        }
    ],
    "completions": {"who": ["Ann", "Bob", "Anton"]},
    "instructions": "Be kind.",
    "serverInfo": {"name": "lib"},
    "pageSize": 1,
}


def asked(method: str, **params: Any) -> Any:
    answer = play(LIBRARY, [request(1, method, params)]).answers[1]
    return answer.get("result", answer.get("error"))


def test_resources_are_listed_without_what_they_hold_page_by_page() -> None:
    first = asked("resources/list")
    assert first == {
        "resources": [{"uri": "a:1", "name": "one", "mimeType": "text/plain"}],
        "nextCursor": "1",
    }
    assert asked("resources/list", cursor="1") == {"resources": [{"uri": "a:2", "name": "two"}]}


@pytest.mark.parametrize("cursor", ["2", "x", "", "-1", "٣", 1, "99999999999999999999"])
def test_a_wrong_cursor_is_invalid(cursor: Any) -> None:
    assert asked("resources/list", cursor=cursor)["code"] == -32602


def test_resources_are_read_by_address_or_pattern() -> None:
    assert asked("resources/read", uri="a:2") == {"contents": [{"uri": "a:2", "blob": "AA=="}]}
    assert asked("resources/read", uri="a:9/x") == {"contents": [{"uri": "a:9/x", "text": "9"}]}


def test_an_unknown_resource_has_the_code_of_its_era() -> None:
    assert (asked("resources/read", uri="b:")["code"], asked("resources/read", uri="b:")["data"]) == (
        -32002,
        {"uri": "b:"},
    )
    assert play(LIBRARY, [modern(1, "resources/read", uri="b:")]).answers[1]["error"]["code"] == -32602


def test_prompts_are_filled_in() -> None:
    assert (
        asked("prompts/get", name="p", arguments={"who": "Bob"})["messages"][0]["content"]["text"] == "Hi Bob"
    )
    assert asked("prompts/get", name="p")["code"] == -32602
    assert asked("prompts/get", name="q")["code"] == -32602


def test_completions_begin_as_the_client_has_begun() -> None:
    told = asked("completion/complete", argument={"name": "who", "value": "An"})
    assert told == {"completion": {"values": ["Ann", "Anton"], "total": 2, "hasMore": False}}


def test_what_is_there_is_declared_and_nothing_else() -> None:
    told = asked("initialize", protocolVersion="2025-11-25")
    assert told["capabilities"] == {
        "tools": {},
        "resources": {"subscribe": True},
        "prompts": {},
        "completions": {},
    }
    assert (told["serverInfo"], told["instructions"]) == ({"name": "lib", "version": "0.0.0"}, "Be kind.")


def test_a_bare_definition_knows_no_other_methods() -> None:
    played = play(
        {"tools": []},
        [request(n, m) for n, m in enumerate(("resources/list", "prompts/list", "logging/setLevel"))],
    )
    assert {answer["error"]["code"] for answer in played.answers.values()} == {-32601}


def test_news_reach_those_who_listen_and_carry_their_subscription() -> None:
    listen = modern("s", "subscriptions/listen", notifications={"toolsListChanged": True})
    definition = mock(
        result=1, notify=["notifications/tools/list_changed", "notifications/prompts/list_changed"]
    )
    played = play(definition, [listen, modern(1, "tools/call", name="t")])
    tag = {"io.modelcontextprotocol/subscriptionId": "s"}
    assert [message.get("method") for message in played.messages] == [
        "notifications/subscriptions/acknowledged",
        "notifications/tools/list_changed",
        None,
    ]
    assert all(message["params"]["_meta"] == tag for message in played.messages[:2])


def test_every_modern_result_says_what_it_is_and_who_speaks() -> None:
    played = play(
        LIBRARY,
        [modern(1, "tools/list"), modern(2, "resources/read", uri="a:1"), modern(3, "server/discover")],
    )
    for answer in played.answers.values():
        assert {"resultType", "ttlMs", "cacheScope", "_meta"} <= set(answer["result"])
    assert META["io.modelcontextprotocol/protocolVersion"] in played.answers[3]["result"]["supportedVersions"]
