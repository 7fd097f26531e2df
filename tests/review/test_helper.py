"""The conversation with a provider: consent, proposals, questions, and answers that nobody should trust."""

import json
from typing import Any

import pytest

from mcpeak.review.draft import Draft
from mcpeak.review.effects import Failed, Provide
from mcpeak.review.helper import Helper
from mcpeak.review.proposal import MOST_CHANGES
from mcpeak.review.request import TASK
from support.reviews import TOOLS, case, draft
from support.talks import World, cases_of, talked


def proposing(*changes: dict[str, Any]) -> bytes:
    return json.dumps({"type": "changes", "changes": list(changes)}).encode()


def setting(name: str, value: Any, **more: Any) -> dict[str, Any]:
    return {"op": "setInput", "caseId": name, "input": value, "reason": "because"} | more


def asked(answer: Any, *lines: str | None, start: Draft | None = None) -> tuple[Draft | None, World]:
    world = World("a", *lines, provide=answer)
    return talked(world, start, helper=Helper("codex", "m")), world


SAVE = ("w", "y", "y")
EDITED = ("w", "y", "y", "y")


def requests(world: World) -> list[Provide]:
    return [effect for effect in world.effects if isinstance(effect, Provide)]


def test_nothing_is_sent_without_consent() -> None:
    for answer in ("", "n", "no", None):
        _, world = asked(b"", answer, "q")
        assert requests(world) == []


def test_consent_is_asked_with_all_facts() -> None:
    _, world = asked(b"", "n", "q")
    told = "\n".join(world.said)
    for fact in ("Codex", "model         m", "bytes", "time limit", draft().fingerprint()):
        assert fact in told


def test_the_provider_and_its_model_are_chosen_when_needed() -> None:
    world = World("a", "claude", "", "y", "q", provide=proposing())
    talked(world)
    assert [(each.provider, each.model) for each in requests(world)] == [("claude", "haiku")]


def test_an_unknown_provider_is_none() -> None:
    world = World("a", "sh -c x", "q")
    talked(world)
    assert requests(world) == []


def test_secrets_are_redacted_before_the_size_is_shown() -> None:
    start = Draft(draft().suite | {"cases": [case("c", {"apiKey": "sk-very-secret-value"})]}, {})
    _, world = asked(proposing(), "y", "q", start=start)
    [request] = requests(world)
    assert b"sk-very-secret-value" not in request.request
    assert b"[REDACTED]" in request.request
    assert f"  request       {len(request.request)} bytes, secrets redacted" in world.said


def test_values_of_variables_that_the_server_gets_are_kept_out() -> None:
    start = Draft(draft().suite | {"cases": [case("c", {"note": "it is hunter2hunter2"})]}, {})
    world = World("a", "y", "q", provide=proposing())
    talked(world, start, helper=Helper("codex", "m", ("hunter2hunter2",)))
    assert b"hunter2" not in requests(world)[0].request


def test_what_the_server_says_is_data_in_the_request() -> None:
    _, world = asked(proposing(), "y", "q")
    head, _, data = requests(world)[0].request.partition(b"\nDATA\n")
    assert head.decode() == TASK
    assert json.loads(data)["results"]["bad"]["notes"][1] == "  no such city: example"


def test_a_change_is_made_only_when_it_is_chosen() -> None:
    answer = proposing(setting("bad", {"city": "Seoul"}), setting("worse", {"x": 1}))
    result, world = asked(answer, "y", "1", *EDITED)
    assert cases_of(result)["bad"]["operation"]["input"] == {"city": "Seoul"}
    assert cases_of(result)["worse"]["operation"]["input"] == {}
    assert '+          "city": "Seoul"' in world.said


def test_all_changes_are_made_on_the_persons_word() -> None:
    answer = proposing(
        setting("bad", {"city": "Seoul"}),
        {"op": "drop", "caseId": "worse"},
        {"op": "add", "case": case("new")},
    )
    result, _ = asked(answer, "y", "all", "w", "y", "y")
    assert list(cases_of(result)) == ["good", "bad", "new"]


def test_changes_of_a_provider_are_undone_in_one_step() -> None:
    answer = proposing(setting("bad", {"city": "Seoul"}), {"op": "drop", "caseId": "worse"})
    result, _ = asked(answer, "y", "all", "u", *SAVE)
    assert result is not None
    assert result.suite == draft().suite


def test_feedback_is_a_new_request_with_its_own_consent() -> None:
    answer = proposing(setting("bad", {"city": "Seoul"}))
    _, world = asked(answer, "y", "f", "use Korean cities", "y", "", "q")
    first, second = requests(world)
    assert b"use Korean cities" not in first.request
    assert b"use Korean cities" in second.request
    _, world = asked(answer, "y", "f", "more", "n", "q")
    assert len(requests(world)) == 1


def test_questions_are_shown_and_answered_in_a_new_request() -> None:
    answers = [json.dumps({"type": "questions", "questions": ["Which city?"]}).encode(), proposing()]
    world = World("a", "y", "Seoul", "y", "q", provide=lambda _: answers.pop(0))
    talked(world, helper=Helper("codex", "m"))
    assert "  Which city?" in world.said
    assert b'"answer":"Seoul"' in requests(world)[1].request.replace(b'": "', b'":"')


USELESS = [
    (b"", "no JSON object"),
    (b"I cannot help with that.", "no JSON object"),
    (b"\xff\xfe{", "no JSON object"),
    (b"{}", "not the form"),
    (b'{"type": "changes", "changes": {}}', "not the form"),
    (b'{"type": "questions", "questions": []}', "not the form"),
    (b'{"type": "questions", "questions": [{}]}', "not the form"),
    (json.dumps({"type": "changes", "changes": [{}] * (MOST_CHANGES + 1)}).encode(), "too many"),
    (b'{"type": "changes", "changes": ' + b"[" * 100_000, "no JSON object"),
]


@pytest.mark.parametrize(("answer", "why"), USELESS, ids=[why + str(n) for n, (_, why) in enumerate(USELESS)])
def test_an_answer_of_another_form_is_refused_as_a_whole(answer: bytes, why: str) -> None:
    result, world = asked(answer, "y", *SAVE)
    assert any("was not used: it" in line and why in line for line in world.said)
    assert result is not None
    assert result.suite == draft().suite


IMPOSSIBLE = [
    setting("nobody", {}),
    setting("bad", []),
    {"op": "add", "case": case("good")},
    {"op": "add", "case": {"id": "x"}},
    {"op": "add", "case": case("x", tool="rm")},
    {"op": "weaken", "caseId": "bad"},
    "text",
]


@pytest.mark.parametrize("change", IMPOSSIBLE, ids=range(len(IMPOSSIBLE)))
def test_a_change_that_cannot_be_is_refused_alone(change: Any) -> None:
    result, world = asked(proposing(change, setting("bad", {"city": "Seoul"})), "y", "all", *EDITED)
    assert any(line.startswith("  change 1 cannot be made") for line in world.said)
    assert cases_of(result)["bad"]["operation"]["input"] == {"city": "Seoul"}


def test_changes_that_are_wrong_together_stop_at_the_wrong_one() -> None:
    answer = proposing(*({"op": "drop", "caseId": name} for name in ("good", "bad", "worse")))
    result, world = asked(answer, "y", "all", *EDITED)
    assert list(cases_of(result)) == ["worse"]
    assert any(line.startswith("  change 3 cannot be made") for line in world.said)


def test_a_json_object_in_a_fence_between_words_is_found() -> None:
    answer = b"Sure!\n```json\n" + proposing(setting("bad", {"city": "Seoul"})) + b"\n```\nDone."
    result, _ = asked(answer, "y", "1", *EDITED)
    assert cases_of(result)["bad"]["operation"]["input"] == {"city": "Seoul"}


def test_a_failing_provider_changes_nothing() -> None:
    result, world = asked(Failed("provider_failed", {"why": "3"}), "y", *SAVE)
    assert any("command failed (3)" in line for line in world.said)
    assert result is not None
    assert result.suite == draft().suite


def test_a_request_beyond_the_limit_is_not_offered() -> None:
    start = Draft(draft().suite | {"cases": [case("c", {"x": "y" * 600_000})]}, {})
    _, world = asked(b"", "q", start=start)
    assert requests(world) == []
    assert any("more than the limit" in line for line in world.said)


def test_tools_without_a_case_are_not_sent() -> None:
    TOOLS["other"] = {"name": "other"}
    try:
        _, world = asked(proposing(), "y", "q")
    finally:
        del TOOLS["other"]
    assert b'"other"' not in requests(world)[0].request
