"""Events as lines: every kind goes out as JSON and comes back the same, and a wrong line is told what is wrong with it."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import referee
from engine.cards import FACES, SEATS, Card, Seat
from engine.events import KINDS, CameraMoved, DealStarted, Desynced, EventError, Resynced, Source, from_json, to_json
from engine.rulebook_toml import load
from engine.view import snapshot
from tests.engine.strategies import quick
from tests.engine.test_referee import opening_facts

CARDS = st.lists(st.sampled_from([*FACES, Card("??")]), max_size=5).map(tuple)
BY_TYPE: dict[Any, st.SearchStrategy[Any]] = {
    str: st.text(max_size=8),
    int: st.integers(-200, 400),
    float: st.floats(0, 1e5, allow_nan=False).map(lambda value: round(value, 3)),
    bool: st.booleans(),
    Seat: st.sampled_from(SEATS),
    Source: st.sampled_from(list(Source)),
    tuple[Card, ...]: CARDS,
}


def _values(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a field by its type; None where it may be left out; small tables for mappings."""
    if hint in BY_TYPE:
        return BY_TYPE[hint]
    arms = getattr(hint, "__args__", ())
    if type(None) in arms:
        return st.none() | st.one_of([_values(arm) for arm in arms if arm is not type(None)])
    if arms and arms[0] is str:
        return st.dictionaries(st.sampled_from(["EW", "NS", "E"]), BY_TYPE.get(arms[1], st.integers(0, 9)), max_size=2)
    raise AssertionError(f"no values for {hint!r}")


@pytest.mark.parametrize("name", sorted(KINDS))
@given(data=st.data())
@quick
def test_every_kind_of_event_comes_back_from_its_line(name, data):
    cls = KINDS[name]
    hints = get_type_hints(cls)
    event = cls(**{f.name: data.draw(_values(hints[f.name]), label=f.name) for f in fields(cls)})
    line = json.dumps(to_json(event), ensure_ascii=False)
    assert from_json(json.loads(line)) == event


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ({"v": 99, "event": "CameraBack", "gap": 1.0}, "version 99"),
        ({"v": 1, "event": "CardsFlown"}, "unknown event 'CardsFlown'; expected one of MatchStarted"),
        ({"v": 1, "event": "CameraBack", "gap": 1.0, "colour": 3}, "unknown field 'colour'"),
        ({"v": 1, "event": "CardsPlayed", "seat": "Q", "trick": 1, "cards": []}, "field 'seat' is wrong: 'Q'"),
        ({"v": 1, "event": "CardsPlayed", "seat": "E", "trick": 1, "cards": ["S99"]}, "field 'cards' is wrong"),
        ({"v": 1, "event": "CameraBack"}, "gap"),
        ({"v": 1, "event": "CameraBack", "gap": "long"}, "field 'gap' is wrong: 'long' \\(expected a number\\)"),
        ({"v": 1, "event": "DealStarted", "deal": True, "levels": {}}, "expected a whole number"),
        ({"v": 1, "event": "DealStarted", "deal": 1, "levels": "2"}, "expected a table"),
        ({"v": 1, "event": "CameraLost", "reason": None}, "expected a text"),
        ({"v": 1, "event": "Declared", "seat": "E", "cards": [], "face_down": 1}, "expected true or false"),
    ],
)
def test_a_line_that_is_no_event_is_told_why(line, says):
    with pytest.raises(EventError, match=says):
        from_json(line)


def test_a_camera_that_moved_changes_nothing_in_the_deal():
    state = referee.start(load("official-2deck-shengji"))
    for fact in opening_facts():
        state, _ = referee.step(state, fact)
    moved, derived = referee.step(state, CameraMoved(t=state.facts[-1][1].t, moved_mm=14.0, registered=False))
    assert (moved.deal, derived) == (state.deal, ())


@pytest.mark.parametrize("end", [Resynced(), DealStarted(deal=2, levels={"EW": "2", "NS": "2"})])
def test_a_table_that_does_not_fit_is_shown_until_it_fits_again(end):
    state = referee.fold(opening_facts())
    deal = state.deal
    state, _ = referee.step(state, Desynced(reason="trick", zh="请收走上一墩", en="clear the last trick"))
    assert snapshot(state)["desync"] == {"reason": "trick", "zh": "请收走上一墩", "en": "clear the last trick"}
    assert state.deal == deal
    state, _ = referee.step(state, end)
    assert snapshot(state)["desync"] is None
