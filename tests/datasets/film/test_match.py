"""Films of several deals: the levels and declarers go on as the engine has it, and between two deals the table is cleared and the pack laid anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from datasets.film.layout import Habit
from datasets.film.make import FilmOrder, deals_of, scene_of, script_of, table_json
from datasets.film.script import Script
from datasets.film.sprites import Pose
from datasets.film.stage import Stage
from datasets.film.style import Quirk
from engine.cards import Seat
from engine.events import BottomShown, Buried, DealEnded, DealStarted, Drawn, Event, MatchStarted, Ruled, TrickClosed
from engine.referee import fold, is_derived, reckon, start, step
from engine.simulate import play_deal
from vision.compare import compare

TWO = FilmOrder(deals=2, per_reach=4, tricks=1, pace=0.6)
SEEDS = range(1, 6)


@cache
def _film(habit: Habit, seed: int, rulebook: str = TWO.rulebook, quirks: tuple[Quirk, ...] = (), tilt: float = 0.0) -> Script:
    order = replace(TWO, habit=habit, seed=seed, rulebook=rulebook, quirks=quirks, tilt=tilt)
    return script_of(order, deals_of(order))


def _of(kind: type[Event], events: Sequence[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


def _lying(script: Script, t: float) -> dict[int, Pose]:
    """What lies in the picture at a time, by number on the script."""
    last = {move.item: move for move in sorted(script.moves, key=lambda m: (m.t0, m.t1)) if move.t1 <= t}
    return {item: move.end for item, move in last.items() if not move.leaves}


def _starts(script: Script) -> list[DealStarted]:
    return [event for event in script.truth if isinstance(event, DealStarted)]


def test_a_film_of_one_deal_shows_the_deal_of_its_seed() -> None:
    (deal,) = deals_of(FilmOrder(seed=3, offences=1))
    assert deal == play_deal("official-2deck-shengji", 3, offences=1)


@pytest.mark.parametrize("rulebook", ["official-2deck-shengji", "cmec-2deck-510k", "union-3deck-3toK"])
def test_every_deal_begins_as_the_ones_before_have_left_it(rulebook: str) -> None:
    deals = deals_of(FilmOrder(rulebook=rulebook, seed=6, deals=3))
    log: list[Event] = []
    for number, deal in enumerate(deals, 1):
        begun = next(e for e in deal.events if isinstance(e, DealStarted))
        assert begun.deal == number
        if log:
            _, follows = step(fold(log), Drawn())
            due = next(e for e in follows if isinstance(e, DealStarted))
            assert (dict(begun.levels), begun.declarer) == (dict(due.levels), due.declarer)
            assert begun.declarer in (None, deal.declarer)
        log += [e for e in deal.events if not isinstance(e, Ruled)]
        state = fold(log)
        assert state.deal is not None
        found = reckon(state, state.deal)
        end = deal.events[-1]
        assert found is not None
        assert isinstance(end, DealEnded)
        assert (end.deal, dict(end.levels), end.next_declarer) == (number, dict(found.levels), found.next_declarer)
    assert [len(_of(MatchStarted, deal.events)) for deal in deals] == [1, 0, 0]
    assert len({deal.hands[Seat.E] for deal in deals}) == 3, "the same cards twice"


@pytest.mark.parametrize(
    ("rulebook", "seed"),
    [("official-2deck-shengji", 72), ("online-tractor", 76), ("school-2deck-2J-must", 75), ("nanning-4deck-nobottom", 5)],
)
def test_what_a_camera_could_tell_of_a_match_makes_its_whole_truth(rulebook: str, seed: int) -> None:
    truth = [event for deal in deals_of(FilmOrder(rulebook=rulebook, seed=seed, deals=3, offences=1)) for event in deal.events]
    state, told = start(rulebook), list[Event]()
    for event in truth:
        if is_derived(event) or (isinstance(event, DealStarted) and event.deal > 1):
            continue
        fact = replace(event, cards=()) if isinstance(event, Buried) else event
        state, follows = step(state, fact)
        told += [fact, *follows]
    report = compare(truth, told)
    assert report.perfect, report.text()
    assert (report.deals, report.offences) == (3, 3)


def test_offences_are_planted_in_each_deal() -> None:
    deals = deals_of(FilmOrder(seed=72, deals=2, offences=1))
    assert [len(deal.planted) for deal in deals] == [1, 1]
    assert [e.ruling.partition(".")[0] for deal in deals for e in deal.events if isinstance(e, Ruled)] == ["1", "2"]


def test_a_film_may_begin_in_the_middle_of_a_match(plain_art: Path) -> None:
    order = FilmOrder(seed=4, art=str(plain_art), size=(320, 240), levels={"EW": "5", "NS": "7"}, declarer=Seat.N, deal=3)
    deals = deals_of(order)
    assert (deals[0].declarer, deals[0].trump.level) == (Seat.N, "7")
    script = script_of(order, deals)
    assert _starts(script)[0] == DealStarted(t=1.0, source=_starts(script)[0].source, deal=3, levels={"EW": "5", "NS": "7"}, declarer=Seat.N)
    match = table_json(order, scene_of(order, script), deals)["match"]
    assert match == {"rulebook": "official-2deck-shengji", "deal": 3, "levels": {"EW": "5", "NS": "7"}, "declarer": "N"}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"levels": {"EW": "1"}}, "EW=1"),
        ({"levels": {"E": "5"}}, "no side 'E'"),
        ({"deals": 0}, "deals = 0"),
        ({"deal": 0}, "deal = 0"),
    ],
)
def test_a_match_that_cannot_be_is_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        deals_of(replace(FilmOrder(), **change))  # type: ignore[arg-type]


@pytest.mark.parametrize("habit", Habit)
def test_after_a_deal_nothing_is_left_on_the_table_but_the_whole_pack(habit: Habit) -> None:
    for seed in SEEDS:
        quirks = (Quirk.POINTS_OUT,) if habit is not Habit.STACK and seed % 2 else ()
        script = _film(habit, seed, quirks=quirks)
        again = _starts(script)[1].t
        shown = _of(BottomShown, script.truth)[0].t
        assert _lying(script, shown), "nothing lay there"
        assert _lying(script, again) == {}
        assert next(count for when, count in reversed(script.pile.steps) if when <= again) == 108
        assert next(count for when, count in reversed(script.pile.steps) if when <= again - 5 * TWO.pace) == 0


@pytest.mark.parametrize(("rulebook", "cards"), [("nanning-4deck-nobottom", 216), ("threedeck-to6", 162)])
def test_larger_packs_are_cleared_and_laid_too(rulebook: str, cards: int) -> None:
    for habit in Habit:
        script = _film(habit, 2, rulebook)
        again = _starts(script)[1].t
        assert _lying(script, again) == {}
        assert next(count for when, count in reversed(script.pile.steps) if when <= again) == cards


@pytest.mark.parametrize("habit", Habit)
def test_cards_that_are_cleared_leave_the_picture_by_its_border(habit: Habit) -> None:
    for seed in SEEDS:
        script = _film(habit, seed, tilt=20.0 if seed == 1 else 0.0)
        ended, again = _of(DealEnded, script.truth)[0].t, _starts(script)[1].t
        gone = [m for m in script.moves if m.leaves and ended < m.t1 < again and script.pile.pose.x != m.end.x]
        assert gone
        assert all(abs(m.end.x) > 790 or abs(m.end.y) > 460 for m in gone)


@pytest.mark.parametrize("habit", Habit)
def test_no_card_jumps_between_two_deals(habit: Habit) -> None:
    for seed in SEEDS:
        last: dict[int, tuple[float, Pose]] = {}
        for move in sorted(_film(habit, seed).moves, key=lambda m: (m.t0, m.t1)):
            if move.item in last:
                until, pose = last[move.item]
                assert move.t0 >= until - 1e-9, "two arms have one card"
                assert move.start == pose
            last[move.item] = (move.t1, move.end)


def test_tables_are_cleared_in_different_ways() -> None:
    arms, edges = set(), set()
    for habit in Habit:
        for seed in SEEDS:
            script = _film(habit, seed)
            ended, again = _of(DealEnded, script.truth)[0].t, _starts(script)[1].t
            lying = max((t for t, count in script.pile.steps if t < again), default=0.0)
            moved = {m.seat for m in script.moves if ended < m.t0 < lying - 3.0 * TWO.pace}
            arms.add(len(moved))
            edges.add(any(m.t1 < lying and not m.leaves and abs(m.end.x) > 450 and not m.end.face_up for m in script.moves if m.t0 > ended))
    assert len(arms) >= 2
    assert edges == {True, False}


def test_a_declarer_who_is_fixed_draws_first() -> None:
    fixed = 0
    for seed in SEEDS:
        script = _film(Habit.TURN, seed)
        begun = _starts(script)[1]
        first = min((s for s in script.strokes if s.t0 >= begun.t - 1 / TWO.fps and s.t1 > begun.t), key=lambda s: s.t0)
        if begun.declarer is not None:
            fixed += 1
            assert first.seat is begun.declarer
    assert fixed


def test_a_short_film_is_short_in_its_last_deal() -> None:
    script = _film(Habit.STACK, 1)
    starts = [e.t for e in _starts(script)]
    tricks = [e.t for e in _of(TrickClosed, script.truth)]
    assert sum(t < starts[1] for t in tricks) > 10
    assert sum(t > starts[1] for t in tricks) == 1
    assert len(_of(DealEnded, script.truth)) == 1


@pytest.mark.parametrize("habit", Habit)
def test_before_the_second_deal_the_table_looks_as_before_the_first(plain_art: Path, habit: Habit) -> None:
    order = replace(TWO, art=str(plain_art), habit=habit, seed=2, size=(320, 240), pace=0.4, per_reach=8)
    script = script_of(order, deals_of(order))
    before = _starts(script)[1].t - 1 / order.fps  # the pack lies and no hand is there yet
    at = round(2 * before)
    fps = at / before  # a picture of just this time
    stage = Stage(replace(script, duration=(at + 1) / fps), scene_of(order, script), fps, order.seed)
    frames = [frame[:240].astype(np.float32) for frame in stage.draw() if frame is not None]
    noise = float(np.abs(frames[1] - frames[0]).mean())
    assert float(np.abs(frames[at] - frames[0]).mean()) < 1.2 * noise
    over = round(_of(DealEnded, script.truth)[0].t * fps)
    assert float(np.abs(frames[over] - frames[0]).mean()) > 2.0 * noise
