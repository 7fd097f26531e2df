import threading

from mcpeak.session.exchange import Exchange, Request, Response, connection_failure
from mcpeak.session.ledger import Ledger
from mcpeak.session.rules import parse


def call(url, number=0, part="", method="GET"):
    return Exchange(Request(method, url, target="h:80"), Response(200, str(number), ()), part=part)


def ask(ledger, url):
    found = ledger.answer(Request("GET", url))
    return found and found.response.reason


def test_the_nth_same_request_gets_the_nth_answer():
    ledger = Ledger([call("http://h/a", 1), call("http://h/b", 2), call("http://h/a", 3)])
    assert [ask(ledger, "http://h/a"), ask(ledger, "http://h/a"), ask(ledger, "http://h/b")] == [
        "1",
        "3",
        "2",
    ]


def test_once_more_than_recorded_is_a_miss_with_its_counts():
    ledger = Ledger([call("http://h/a")])
    assert [ask(ledger, "http://h/a"), ask(ledger, "http://h/a"), ask(ledger, "http://h/a")] == [
        "0",
        None,
        None,
    ]
    (miss,) = ledger.misses()
    assert (miss.form.url, miss.recorded, miss.asked, miss.near) == ("http://h/a", 1, 3, None)


def test_what_was_never_recorded_names_its_nearest():
    ledger = Ledger([call("http://h/a?q=1")])
    ask(ledger, "http://h/a?q=2")
    (miss,) = ledger.misses()
    assert (miss.recorded, miss.asked, miss.near[0].url) == (0, 1, "http://h/a?q=1")


def test_misses_are_told_in_an_order_of_their_own():
    ledger = Ledger([])
    for url in ("http://h/b", "http://h/a"):
        ask(ledger, url)
    assert [miss.form.url for miss in ledger.misses()] == ["http://h/a", "http://h/b"]


def test_parallel_requests_each_get_one_answer():
    ledger = Ledger([call("http://h/a", number) for number in range(200)])
    got = []

    def work():
        got.extend(ask(ledger, "http://h/a") for _ in range(25))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(int, got)) == list(range(200))


def test_a_failed_connection_fails_in_its_turn():
    ledger = Ledger([connection_failure("h:80", "refused"), call("http://h/a")])
    assert [ledger.connect("h:80"), ledger.connect("h:80")] == ["refused", None]
    assert ask(ledger, "http://h/a") == "0"
    assert ledger.connect("h:80") is None


def test_a_failed_connection_after_an_answer_waits_for_it():
    ledger = Ledger([call("http://h/a"), connection_failure("h:80", "refused")])
    assert ledger.connect("h:80") is None
    ask(ledger, "http://h/a")
    assert ledger.connect("h:80") == "refused"


def test_a_secret_without_a_name_is_known_by_what_surrounds_it():
    ledger = Ledger([call("http://h/bot[REDACTED]/send", 1), call("http://h/bot[REDACTED]/get", 2)])
    assert [ask(ledger, "http://h/bot123/get"), ask(ledger, "http://h/bot9/send")] == ["2", "1"]
    assert ask(ledger, "http://h/bot9/other") is None


def test_each_part_of_a_run_has_its_own_answers():
    kept = [call("http://h/a", 1, "0"), call("http://h/a", 2, "1"), call("http://h/b", 3, "1")]
    assert [ask(Ledger(kept, part=part), "http://h/a") for part in ("0", "1")] == ["1", "2"]
    assert ask(Ledger(kept, part="0"), "http://h/b") == "3"


def test_what_other_parts_recorded_does_not_count_as_unused():
    ledger = Ledger([call("http://h/a", 1, "0"), call("http://h/b", 2, "1")], part="0")
    assert [one.request.url for one in ledger.unused()] == ["http://h/a"]
    ask(ledger, "http://h/a")
    assert (ledger.unused(), ledger.used(), len(ledger)) == ([], [0], 1)


def test_a_single_suite_of_a_recording_of_several_is_replayed_alone():
    ledger = Ledger([call("http://h/a", 1, "0"), call("http://h/b", 2, "1")], part="0")
    assert ask(ledger, "http://h/b") == "2"
    assert ledger.unused() == []


def test_rules_hold_for_both_sides():
    ledger = Ledger([call("http://h/a?ts=1")], [parse("ignore query ts")])
    assert ask(ledger, "http://h/a?ts=2") == "0"
