"""The tables: anything absent is our mistake, everything in them leads somewhere."""

import pytest

from mcpeak.protocol.errors import OurMistake
from mcpeak.protocol.ledger import Ledger
from mcpeak.protocol.messages import ClientInfo
from mcpeak.protocol.opening import Opening
from mcpeak.protocol.revisions import wish
from mcpeak.protocol.states import READY, TABLES, State, Step

WISHES = {
    frozenset({"legacy"}): "legacy",
    frozenset({"modern"}): "modern",
    frozenset({"legacy", "modern"}): "auto",
}


def opening(eras: frozenset[str], state: State) -> Opening:
    made = Opening(wish(WISHES[eras]), ClientInfo("t", "0"), b"{}", Ledger())
    made.state = state
    return made


@pytest.mark.parametrize("eras", TABLES, ids=lambda eras: "+".join(sorted(eras)))
def test_step_that_the_table_lacks_is_our_mistake(eras: frozenset[str]) -> None:
    _, table = TABLES[eras]
    for state in State:
        for step in Step:
            if (state, step) not in table:
                with pytest.raises(OurMistake):
                    opening(eras, state).step(step)


@pytest.mark.parametrize("eras", TABLES, ids=lambda eras: "+".join(sorted(eras)))
def test_every_state_of_a_table_is_reached_and_ends_ready_or_failed(eras: frozenset[str]) -> None:
    first, table = TABLES[eras]
    reached = {State.NEW}
    while more := {after for (before, _), after in table.items() if before in reached} - reached:
        reached |= more
    assert {before for before, _ in table} <= reached
    assert (State.NEW, first) in table
    for state in reached - READY - {State.FAILED}:
        assert any(before is state for before, _ in table)


@pytest.mark.parametrize("eras", TABLES, ids=lambda eras: "+".join(sorted(eras)))
def test_no_table_leads_to_an_era_that_was_not_wished(eras: frozenset[str]) -> None:
    _, table = TABLES[eras]
    assert (State.LEGACY in table.values()) == ("legacy" in eras)
    assert (State.MODERN in table.values()) == ("modern" in eras)
