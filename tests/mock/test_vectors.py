"""vectors/mock.json: what the reference answered, but for the listed differences."""

import datetime as dt
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mcpeak.mock import ANY, MockDefinitionError, MockServer
from support.differences import differences
from support.mocks import play, request
from support.programs import DATA, run

VECTORS = json.loads((DATA / "vectors" / "mock.json").read_text("utf-8"))
BETTER = differences("mock")
USED: set[str] = set()
KINDS = {
    "miss": "no response is registered",
    "schemaViolation": "the arguments do not match the tool's inputSchema",
}


def calls_of(vector: dict[str, Any]) -> list[bytes]:
    lines = []
    for number, one in enumerate(vector["calls"]):
        arguments = "" if one["argumentsText"] is None else f',"arguments":{one["argumentsText"]}'
        params = f'{{"name":{json.dumps(one["tool"])}{arguments}}}'
        lines.append(f'{{"jsonrpc":"2.0","id":{number},"method":"tools/call","params":{params}}}'.encode())
    return lines


def as_recorded(answer: dict[str, Any]) -> dict[str, Any]:
    """Bring an answer of ours into the form of the vectors: prose replaced by its kind and line count."""
    if "error" in answer:
        return {"jsonrpcError": {"code": answer["error"]["code"]}}
    result = answer["result"]
    text = result["content"][0]["text"]
    for kind, sentence in KINDS.items():
        if result.get("isError") and sentence in text.splitlines()[0]:
            told = [{"type": "text", "text": f"<mock diagnostic: {kind}>"}]
            return result | {
                "content": told,
                "diagnosticKind": kind,
                "diagnosticLines": len(text.splitlines()),
            }
    return result


def expected(recorded: dict[str, Any]) -> dict[str, Any]:
    error = recorded.get("jsonrpcError")
    return {"jsonrpcError": {"code": error["code"]}} if error else recorded


@pytest.mark.parametrize("vector", VECTORS["vectors"], ids=lambda vector: vector["name"])
def test_calls_are_answered_as_recorded(vector: dict[str, Any]) -> None:
    """Each call gets the recorded result, or what the list of differences pins."""
    played = play(vector["definition"], calls_of(vector))
    ours = {
        "exit": played.exit,
        "stderrNotice": bool(played.stderr),
        "answers": [as_recorded(played.answers[n]) for n in range(len(vector["calls"]))]
        if not played.exit
        else [],
    }
    recorded = {
        "exit": vector["exit"]["code"],
        "stderrNotice": vector["stderrNotice"],
        "answers": [expected(one["response"]) for one in vector["calls"]],
    }
    better = BETTER.get(vector["name"])
    if better is None:
        assert ours == recorded
    else:
        assert ours != recorded, "a listed difference no longer occurs"
        assert {key: ours[key] for key in better if key in ours} == {
            key: better[key] for key in better if key in ours
        }


@pytest.mark.parametrize("vector", VECTORS["definitions"], ids=lambda vector: vector["name"])
def test_definitions_are_accepted_or_refused_as_recorded(vector: dict[str, Any]) -> None:
    """A refused definition ends with exit 3 (the reference: 1) and words; an accepted one lists its tools."""
    text = vector["definition"]
    if text.endswith("..."):
        leaf = '{"a":' * 512 + "1" + "}" * 512
        text = text.removesuffix("...") + f',"args":{leaf},"result":1}}]}}'
    played = play(text, [request(1, "tools/list")])
    ours = played.exit == 0
    better = BETTER.get(f"definition {vector['name']}")
    assert ours == (vector["accepted"] if better is None else better["accepted"])
    assert better is None or better["accepted"] != vector["accepted"], "a listed difference no longer occurs"
    if ours:
        assert played.answers[1]["result"] == (vector["toolsList"] or {"tools": []})
    else:
        assert (played.exit, len(played.stderr.splitlines())) == (3, 2)


@pytest.mark.parametrize("vector", VECTORS["protocolNegotiation"], ids=lambda vector: vector["requested"])
def test_initialize_negotiates_as_recorded(vector: dict[str, Any]) -> None:
    params = {
        "protocolVersion": vector["requested"],
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "0"},
    }
    played = play({"tools": []}, [request(0, "initialize", params)])
    assert played.answers[0]["result"] == vector["result"]


def test_ping_unknown_methods_and_calls_without_params() -> None:
    """Recorded as `misc`; a call without params is -32602 (better than -32603)."""
    played = play({"tools": []}, [request(2, "ping"), request(7, "tools/call"), request(9, "no/such")])
    assert played.answers[2]["result"] == VECTORS["misc"][0]["result"]
    assert (
        played.answers[7]["error"]["code"] == BETTER["misc 7"]["code"] != VECTORS["misc"][1]["error"]["code"]
    )
    assert played.answers[9]["error"]["code"] == VECTORS["misc"][2]["error"]["code"]


def test_a_garbage_line_gets_no_answer_and_the_next_one_does() -> None:
    played = play({"tools": []}, [b"garbage", request(10, "ping")])
    assert played.messages == [VECTORS["afterGarbageLine"]["pingAfter"]]
    assert played.exit == VECTORS["afterGarbageLine"]["exit"]["code"]


@pytest.mark.parametrize("vector", VECTORS["cli"], ids=lambda vector: " ".join(vector["args"]) or "nothing")
def test_the_command_line_fails_where_the_references_does(vector: dict[str, Any], tmp_path: Path) -> None:
    """With codes that tell usage (2) from a bad file (3); help goes to stdout."""
    arguments = [str(tmp_path) if word == "DIRECTORY" else word for word in vector["args"]]
    done = run("mcpeak-mock", *arguments)
    assert bool(done.returncode) == bool(vector["exitCode"])
    better = BETTER.get(f"cli {' '.join(vector['args'])}", {})
    recorded = {key: vector[key] for key in ("stdoutEmpty", "stderrEmpty")}
    assert {"stdoutEmpty": not done.stdout, "stderrEmpty": not done.stderr} == recorded | {
        key: better[key] for key in recorded if key in better
    }


ON: dict[str, Callable[[MockServer], object]] = {
    "on ANY": lambda mock: mock.on("t", ANY, 1),
    "on unknown tool": lambda mock: mock.on("u", ANY, 1),
    "on NaN": lambda mock: mock.on("t", {"n": float("nan")}, 1),
    "on Date": lambda mock: mock.on("t", {"n": dt.date(2026, 1, 1)}, 1),
    "on cycle": lambda mock: mock.on("t", CYCLE, 1),
    "on isError": lambda mock: mock.on("t", {"n": 1}, {"x": 1}, is_error=True),
}
CYCLE: dict[str, Any] = {}
CYCLE["self"] = CYCLE


@pytest.mark.parametrize(("name", "outcome"), VECTORS["streamableHttp"]["on"], ids=str)
def test_the_library_door_takes_and_refuses_as_recorded(name: str, outcome: str) -> None:
    """Python has no sparse arrays and no undefined; the others behave alike."""
    if name not in ON:
        pytest.skip("a value that Python does not have")
    mock = MockServer({"tools": [{"name": "t", "inputSchema": {}}]})
    if outcome == "ok":
        ON[name](mock)
    else:
        with pytest.raises(MockDefinitionError):
            ON[name](mock)


def test_every_listed_difference_names_a_vector() -> None:
    """A difference whose vector is gone must not stay in the list."""
    names = {vector["name"] for vector in VECTORS["vectors"]}
    names |= {f"definition {vector['name']}" for vector in VECTORS["definitions"]}
    names |= {f"http {one['name']}" for one in VECTORS["streamableHttp"]["requests"]} | {"misc 7"}
    names |= {f"cli {' '.join(one['args'])}" for one in VECTORS["cli"]}
    assert set(BETTER) <= names
    assert all(one["reason"] for one in BETTER.values())
