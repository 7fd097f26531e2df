"""What is told about a server besides its answers, and about cases that contradict its schemas."""

from support.running import case, suite

OBJECT = {"type": "structuredContentMatchesSchema", "schema": {"type": "object"}}


def test_an_answer_against_its_own_output_schema_is_a_finding(faults):
    answer = {"content": [], "structuredContent": {"sum": "three"}}
    run = faults(suite(case("a", "result", OBJECT, input={"result": answer})), mode="typed")
    notice = run.one("notice")
    assert (notice["code"], notice["case"]) == ("OUTPUT_SCHEMA_UNKEPT", "a")
    assert "sum" in notice["message"]
    assert run.code == 0


def test_an_answer_that_keeps_its_output_schema_is_none(faults):
    answer = {"content": [], "structuredContent": {"sum": 3}}
    assert faults(suite(case("a", "result", OBJECT, input={"result": answer})), mode="typed").notices() == []


def test_a_promised_structured_content_that_is_missing_is_a_finding(faults):
    run = faults(suite(case("list"), case("a", "result", input={"result": {"content": []}})), mode="typed")
    assert run.notices() == ["OUTPUT_SCHEMA_UNKEPT"]


def test_an_error_needs_no_structured_content(faults):
    failed = {"content": [{"type": "text", "text": "no"}], "isError": True}
    error = case("a", "result", {"type": "isError", "expected": True}, input={"result": failed})
    assert faults(suite(case("list"), error), mode="typed").notices() == []


def test_a_success_that_reads_like_an_error_is_a_finding(faults):
    answer = {"content": [{"type": "text", "text": "Error: missing arguments"}], "isError": False}
    run = faults(suite(case("a", "result", input={"result": answer})))
    assert run.notices() == ["ERROR_TEXT_IN_SUCCESS"]


def test_a_refusal_by_protocol_error_passes_with_a_note_of_its_code(faults):
    wanted = {"type": "isError", "expected": True}
    error = {"code": -32602, "message": "Invalid params: city"}
    run = faults(suite(case("a", "error", wanted, input=error)))
    assert run.statuses() == {"a": "passed"}
    assert "-32602" in run.one("notice")["message"]
    assert run.cases()["a"]["result"]["rejectionBasis"] == "verified"


def test_a_protocol_error_fails_a_case_that_expects_success(faults):
    error = {"code": -32000, "message": "no\nway", "data": {"why": "x"}}
    run = faults(suite(case("a", "error", input=error), case("b", "echo")))
    diagnostic = run.cases()["a"]["result"]["operation"]["diagnostic"]
    assert diagnostic["code"] == "OPERATION_FAILED"
    assert diagnostic["actual"] == error
    assert diagnostic["notes"] == ["no", "way"]
    assert run.statuses()["b"] == "passed"


def test_a_case_that_fails_is_compared_with_the_tool_it_calls(faults):
    unknown = case("a", "result", {"type": "isError", "expected": True}, input={"result": {}})
    finished = faults(suite(unknown)).one("runFinished")
    assert [(one["code"], one["caseId"]) for one in finished["findings"]] == [("TOOL_NOT_DECLARED", "a")]


def test_the_tool_of_a_case_that_fails_is_written_as_advertised(faults):
    run = faults(suite(case("a", "echo", {"type": "isError", "expected": True})))
    assert run.one("tool")["tool"] == {"name": "echo", "inputSchema": {"type": "object"}}


def test_nothing_is_asked_when_all_pass(faults):
    run = faults(suite(case("a", "echo"), case("b", "echo")), mode="counts")
    assert run.one("runFinished")["process"]["stderr"] == ["calls 2 lists 0"]


def test_a_failure_carries_the_lines_that_show_it_again(faults):
    run = faults(suite(case("a", "result", input={"result": [1], "password": "x"})))
    lines = run.cases()["a"]["repro"]
    assert ['"initialize"' in lines[0], "initialized" in lines[1], '"tools/call"' in lines[2]] == [True] * 3
    assert '"[REDACTED]"' in lines[2]


def test_a_passing_case_carries_none(faults):
    assert "repro" not in faults(suite(case("a", "echo"))).cases()["a"]


def test_the_servers_own_words_stand_under_the_is_error_failure(faults):
    answer = {"content": [{"type": "text", "text": "boom: disk full\n\nsecond line"}], "isError": True}
    both = (
        {"type": "structuredContentMatchesSchema", "schema": {"type": "object"}},
        {"type": "isError", "expected": False},
    )
    first, second = faults(suite(case("a", "result", *both, input={"result": answer}))).cases()["a"][
        "result"
    ]["assertions"]
    assert second["diagnostic"]["notes"] == ["boom: disk full", "second line"]
    assert "notes" not in first["diagnostic"]


def test_an_unknown_id_is_written_as_json(faults):
    run = faults(suite(case("a", "other-id", timeoutMs=200)))
    assert 'the id "mine"' in run.one("notice")["message"]


def test_a_code_of_the_servers_own_is_not_explained_by_answers_that_nobody_gave(faults):
    run = faults(suite(case("a", "error", input={"code": -1, "message": "no"})))
    assert "--answers" not in run.cases()["a"]["result"]["operation"]["diagnostic"]["hint"]
