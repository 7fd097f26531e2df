"""Canned answers: what is declared, which one is next, and schema defaults."""

import json

import pytest
from msgspec import Raw

from mcpeak.protocol.answers import Answering, Answers, Elicitation, Refusal

FORM = {
    "message": "?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "Kim"},
            "age": {"type": "integer"},
            "on": {"default": False},
        },
    },
}


def ask(answering: Answering, method: str, params: object = None) -> object:
    reply = answering.reply(method, json.dumps(params or {}).encode())
    return reply if isinstance(reply, Refusal) else json.loads(reply)


@pytest.mark.parametrize(
    ("answers", "declared"),
    [
        (Answers(), {}),
        (Answers(roots=b"[]"), {"roots": {}}),
        (Answers(sampling=(b"{}",)), {"sampling": {}}),
        (Answers(elicitation=(Elicitation("accept"),)), {"elicitation": {"form": {}}}),
        (
            Answers(elicitation=(Elicitation("accept"), Elicitation("decline", mode="url"))),
            {"elicitation": {"form": {}, "url": {}}},
        ),
    ],
)
def test_declared_is_exactly_what_can_be_answered(answers: Answers, declared: dict) -> None:
    assert json.loads(answers.capabilities()) == declared


def test_sampling_answers_come_in_order_and_the_last_repeats() -> None:
    answering = Answering(Answers(sampling=(b"1", b"2")))
    assert [ask(answering, "sampling/createMessage") for _ in range(3)] == [1, 2, 2]


def test_two_sessions_do_not_share_the_order() -> None:
    answers = Answers(sampling=(b"1", b"2"))
    assert [ask(Answering(answers), "sampling/createMessage") for _ in range(2)] == [1, 1]


def test_defaults_fill_what_the_content_lacks() -> None:
    answering = Answering(Answers(elicitation=(Elicitation("accept", {"age": Raw(b"3")}, defaults=True),)))
    assert ask(answering, "elicitation/create", FORM) == {
        "action": "accept",
        "content": {"name": "Kim", "on": False, "age": 3},
    }


def test_defaults_are_not_filled_unasked() -> None:
    answering = Answering(Answers(elicitation=(Elicitation("accept"),)))
    assert ask(answering, "elicitation/create", FORM) == {"action": "accept", "content": {}}


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_content_belongs_to_accept_only(action: str) -> None:
    answering = Answering(Answers(elicitation=(Elicitation(action, {"age": Raw(b"3")}),)))
    assert ask(answering, "elicitation/create", FORM) == {"action": action}


def test_undeclared_mode_is_refused_as_bad_params() -> None:
    answering = Answering(Answers(elicitation=(Elicitation("accept"),)))
    reply = ask(answering, "elicitation/create", {"mode": "url", "url": "https://example.org"})
    assert isinstance(reply, Refusal)
    assert reply.code == -32602


def test_params_of_the_wrong_shape_are_refused() -> None:
    answering = Answering(Answers(elicitation=(Elicitation("accept"),)))
    reply = ask(answering, "elicitation/create", {"requestedSchema": 7})
    assert isinstance(reply, Refusal)
