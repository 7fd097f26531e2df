"""The conversation itself, driven without a terminal."""

import json

import pytest

from mcpeak.review.draft import Draft, Result
from mcpeak.review.effects import Edit, Failed, Load, Rerun
from mcpeak.review.guesses import paths, snippet
from support.reviews import TOOLS, case, suite
from support.talks import World, cases_of, talked


def test_begins_at_the_first_case_that_waits() -> None:
    world = World(None)
    talked(world)
    assert "✗ case 2 of 3: bad: failed" in world.said
    assert "    no such city: example" in world.said


def test_a_defect_is_kept_and_the_next_one_shown() -> None:
    world = World("d", "d", "w", "y")
    result = talked(world)
    assert result is not None
    assert result.statuses() == [
        {"id": "good", "status": "passed"},
        {"id": "bad", "status": "serverDefect"},
        {"id": "worse", "status": "serverDefect"},
    ]


@pytest.mark.parametrize("lines", [[], ["q"], [None], ["e", None], ["d", "d", "w", None], ["w", None]])
def test_input_that_ends_anywhere_keeps_nothing(lines: list[str | None]) -> None:
    world = World(*lines)
    assert talked(world) is None
    assert world.said[-1] == "The review was ended; nothing was saved."


def test_nothing_is_saved_without_the_last_yes() -> None:
    world = World("d", "d", "w", "no", "q")
    assert talked(world) is None
    assert any(line.startswith("fingerprint ") for line in world.said)


def test_the_last_question_shows_the_fingerprint_that_is_saved() -> None:
    world = World("d", "d", "w", "y")
    result = talked(world)
    assert result is not None
    assert f"fingerprint {result.fingerprint()}" in world.said
    assert result.approved()["approval"]["fingerprint"] == result.fingerprint()


def test_undecided_cases_are_asked_about_at_the_end() -> None:
    result = talked(World("w", "y", "y"))
    assert result is not None
    assert result.defects == {"bad", "worse"}


def test_undecided_cases_are_not_saved_unasked() -> None:
    assert talked(World("w", "n", "q")) is None


def test_another_input_is_shown_agreed_to_and_no_longer_passed_or_failed() -> None:
    world = World("e", '{"city": "Seoul"}', "y", "d", "n", "d", "w", "y", "y")
    result = talked(world)
    assert cases_of(result)["bad"]["operation"]["input"] == {"city": "Seoul"}
    assert '-          "city": "example"' in world.said
    assert '+          "city": "Seoul"' in world.said
    assert result is not None
    assert [each["id"] for each in result.statuses()] == ["good", "worse"]


@pytest.mark.parametrize("text", ["{", "[]", "3", '{"a": NaN}'])
def test_what_is_no_json_object_changes_nothing(text: str) -> None:
    world = World("e", text, "q")
    talked(world)
    assert any("no JSON object" in line for line in world.said)


def test_a_change_that_is_not_agreed_to_is_not_made() -> None:
    result = talked(World("e", '{"city": "Seoul"}', "n", "d", "d", "w", "y"))
    assert cases_of(result)["bad"]["operation"]["input"] == {"city": "example"}


def test_an_edited_case_is_tried_again() -> None:
    world = World("e", '{"city": "Seoul"}', "y", "y", "n", "d", "w", "y", rerun=Result("passed"))
    result = talked(world, can_rerun=True)
    assert result is not None
    assert {"id": "bad", "status": "passed"} in result.statuses()
    [again] = [effect for effect in world.effects if isinstance(effect, Rerun)]
    assert [each["id"] for each in again.suite["cases"]] == ["bad"]


def test_a_case_that_cannot_be_tried_says_why() -> None:
    world = World("r", "q", rerun=Failed("rerun_failed", {"why": "no server"}))
    talked(world, can_rerun=True)
    assert "The case could not be tried: no server" in world.said


def test_without_a_server_nothing_is_tried() -> None:
    world = World("r", "q")
    talked(world)
    assert "No server was named, so nothing can be tried." in world.said


def test_a_dropped_case_is_gone_and_can_be_had_back() -> None:
    result = talked(World("x", "y", "u", "x", "y", "d", "w", "y"))
    assert list(cases_of(result)) == ["good", "worse"] or list(cases_of(result)) == ["good", "bad"]


def test_the_last_case_cannot_be_dropped() -> None:
    world = World("x", "q")
    talked(world, Draft(suite(case("only")), {"only": Result("failed")}))
    assert "This is the only case left, and a suite needs one." in world.said


def test_undo_goes_back_step_by_step() -> None:
    world = World("e", '{"city": "A"}', "y", "e", '{"city": "B"}', "y", "u", "u", "u", "w", "y", "y")
    result = talked(world)
    assert cases_of(result)["bad"]["operation"]["input"] == {"city": "example"}
    assert "There is nothing to undo." in world.said


def test_the_editor_gets_the_case_and_its_text_is_taken() -> None:
    def edit(effect: Edit) -> str:
        return effect.text.replace("example", "Busan")

    result = talked(World("o", "y", "w", "y", "y", "y", edit=edit))
    assert cases_of(result)["bad"]["operation"]["input"] == {"city": "Busan"}


def test_the_whole_suite_can_be_edited_and_keeps_what_is_known_of_the_rest() -> None:
    def edit(effect: Edit) -> str:
        value = json.loads(effect.text)
        value["cases"][1]["operation"]["input"] = {"city": "Jeju"}
        value["name"] = "T"
        return json.dumps(value)

    result = talked(World("O", "y", "w", "y", "y", "y", edit=edit))
    assert result is not None
    assert result.suite["name"] == "T"
    assert result.results.keys() == {"good", "worse"}


def test_an_edit_that_is_no_valid_suite_is_refused_with_the_reason() -> None:
    world = World("o", "q", edit='{"id": ""}')
    talked(world)
    assert "This would not be a valid suite:" in world.said
    assert any(line.startswith("  cases[1].") for line in world.said)


def test_a_failing_editor_changes_nothing() -> None:
    world = World("o", "q", edit=Failed("editor_failed", {"editor": "vi"}))
    talked(world)
    assert any("editor `vi`" in line for line in world.said)


def test_a_file_goes_through_the_same_diff_and_consent() -> None:
    loaded = json.dumps(suite(case("good"), case("new")) | {"approval": {"fingerprint": "0" * 64}})
    world = World("f", "other.json", "y", "w", "y", "y", load=loaded)
    result = talked(world)
    assert list(cases_of(result)) == ["good", "new"]
    assert result is not None
    assert "approval" not in result.suite
    assert [effect.path for effect in world.effects if isinstance(effect, Load)] == ["other.json"]


def test_a_number_shows_that_case() -> None:
    world = World("3", "9", "q")
    talked(world)
    assert "✗ case 3 of 3: worse: failed" in world.said
    assert "There is no such case; they are numbered 1 to 3." in world.said


def test_the_list_shows_each_case_and_what_is_doubtful() -> None:
    doubtful = Draft(suite(case("a", expected=True)), {"a": Result("passed", (), True, "boom")})
    world = World("l", "1", "q")
    talked(world, doubtful)
    assert "   1 ✓ a  (the error may be a crash)" in world.said
    assert world.said[world.said.index("  the server's answer:") + 1] == "    boom"
    assert any("1 cases expect an error" in line for line in world.said)


def test_an_unknown_word_is_named_and_changes_nothing() -> None:
    world = World("what", "q")
    talked(world)
    assert "`what` is not known here; `h` shows what can be typed." in world.said


def test_a_key_that_answers_nothing_is_told_and_asked_again() -> None:
    world = World("e", '{"city": "A"}', "d", "y", "q", "y")
    talked(world)
    assert any(line.startswith("`d` is neither y nor n") for line in world.said)
    assert len([line for line in world.said if line.startswith("make this change?")]) == 2


def test_an_edited_case_waits_until_it_is_tried() -> None:
    world = World("e", '{"city": "A"}', "y", "n", "d", "w", "n", "q", "y")
    assert talked(world) is None
    assert any(line.startswith("1 cases were changed and not tried") for line in world.said)


def test_leaving_with_changes_asks_once() -> None:
    result = talked(World("d", "q", "n", "d", "w", "y"))
    assert result is not None
    assert result.defects == {"bad", "worse"}


def test_undo_says_what_it_undid() -> None:
    world = World("d", "u", "q")
    talked(world)
    assert "Undone: bad is no longer kept as a defect of the server." in world.said


def test_an_input_that_does_not_fit_is_told_and_still_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    schema = {"type": "object", "properties": {"city": {"type": "string"}}}
    monkeypatch.setitem(TOOLS, "t", {"name": "t", "inputSchema": schema})
    world = World("e", '{"city": 5}', "y", "q", "y")
    talked(world)
    assert "This input does not fit the inputSchema of t, though the case expects success:" in world.said
    assert "  city: expected string, got 5 (integer)" in world.said


def test_destructive_tools_are_asked_about_before_they_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(TOOLS, "t", {"name": "t", "annotations": {"destructiveHint": True}})
    held = Draft(suite(case("a"), case("b")), {}, held=frozenset(("a", "b")))
    world = World("n", "1", "r", "n", "q", rerun=Result("passed"))
    talked(world, held, can_rerun=True)
    assert not [effect for effect in world.effects if isinstance(effect, Rerun)]
    world = World("y", "w", "y", rerun=Result("passed"))
    result = talked(world, held, can_rerun=True)
    assert result is not None
    assert [each["status"] for each in result.statuses()] == ["passed", "passed"]


def test_a_refused_guess_shows_what_belongs_in_the_fixtures() -> None:
    start = Draft(suite(case("a", {"id": "x"})), {"a": Result("failed", refused=True)}, guesses={"a": ["id"]})
    world = World("q")
    talked(world, start)
    assert any("no real value known for t.id" in line for line in world.said)
    assert '    {"t": {"id": "REAL VALUE"}}' in world.said


def test_all_changes_are_shown_on_request() -> None:
    world = World("c", "e", '{"city": "Seoul"}', "y", "c", "q")
    talked(world)
    assert "Nothing changes." in world.said
    assert world.said.count('+          "city": "Seoul"') == 2


def test_a_case_that_passed_is_no_defect() -> None:
    world = World("1", "d", "q")
    talked(world)
    assert "The case that is shown has not failed." in world.said


def test_a_value_that_many_tools_want_stands_in_the_fixtures_once() -> None:
    found = {tool: ["path"] for tool in ("a", "b", "c", "d", "e", "f")} | {"g": ["path", "id"]}
    assert snippet(found) == '{"*": {"path": "REAL VALUE"}, "g": {"id": "REAL VALUE"}}'
    assert paths(found) == "a.path, b.path, c.path, d.path, e.path, …"
