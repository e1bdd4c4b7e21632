"""The script of a film: order, stillness, habits and mishaps."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from datasets.film.camera import bumped, hang
from datasets.film.choreography import write_script
from datasets.film.hands import Grip
from datasets.film.layout import Habit
from datasets.film.make import FilmOrder, with_bump_measured
from datasets.film.quirks import TAKE_BACKS, with_take_backs
from datasets.film.script import Blank, Gone, Script
from datasets.film.sprites import Pose
from datasets.film.style import GAP, Mishap, Quirk, Style
from engine.cards import Card, Seat, points_of
from engine.events import (
    BottomShown,
    BottomTaken,
    Buried,
    CameraBack,
    CameraLost,
    CameraMoved,
    CardsPlayed,
    DealStarted,
    Declared,
    Event,
    TakenBack,
    TrickClosed,
)
from engine.kit import Kit
from engine.rulebook_toml import load
from engine.simulate import play_deal

DEAL = play_deal("official-2deck-shengji", 3, offences=1)
PLAYS = sum(isinstance(e, CardsPlayed) for e in DEAL.events)


def _script(habit: Habit = Habit.STACK, *, mishap: Mishap = Mishap.NONE, seed: int = 1, tricks: int | None = None) -> Script:
    return write_script(DEAL.events, Style(habit=habit, mishap=mishap), np.random.default_rng(seed), tricks)


def _bare(event: Event) -> Event:
    """An event without its time, its cards in one order."""
    out = replace(event, t=0.0)
    if isinstance(out, CardsPlayed | Declared | Buried | BottomShown):
        out = replace(out, cards=tuple(sorted(out.cards)))
    return out


def _face_up(script: Script, t: float) -> list[Card]:
    """The faces that lie open on the table at a time, by number."""
    lying: dict[int, Pose | None] = {}
    for move in sorted(script.moves, key=lambda m: (m.t0, m.t1)):
        if move.t1 <= t:
            lying[move.item] = None if move.leaves else move.end
    return [script.faces[item] for item, pose in sorted(lying.items()) if pose is not None and pose.face_up]


@pytest.mark.parametrize("habit", Habit)
def test_the_truth_is_the_deal_with_rising_times(habit: Habit) -> None:
    script = _script(habit)
    assert [_bare(e) for e in script.truth] == [_bare(e) for e in DEAL.events]
    times = [e.t for e in script.truth]
    assert times == sorted(times)
    assert times[-1] < script.duration


def test_the_same_seed_gives_the_same_script_and_another_seed_another() -> None:
    assert _script(seed=4) == _script(seed=4)
    assert _script(seed=4) != _script(seed=5)


@pytest.mark.parametrize("habit", Habit)
def test_a_play_counts_when_it_lies_still_and_the_hand_is_gone(habit: Habit) -> None:
    script = _script(habit)
    for play in (e for e in script.truth if isinstance(e, CardsPlayed)):
        began = float(play.evidence["began"]) - 0.001
        own = [s for s in script.strokes if s.seat is play.seat and began <= s.t0 < play.t]
        assert own, "nobody laid the play"
        at_rest = max(own, key=lambda s: s.t1)
        assert at_rest.t1 <= play.t
        assert max(abs(at_rest.end[0]), abs(at_rest.end[1])) > 420
        laid = [m for m in script.moves if m.seat is play.seat and began <= m.t0 < play.t]
        assert len({m.item for m in laid}) == len(play.cards)
        assert max(m.t1 for m in laid) < play.t
        assert not any(m.t0 < play.t < m.t1 for m in script.moves), "something still moves when the play counts"


@pytest.mark.parametrize("habit", Habit)
def test_a_card_is_where_its_last_move_left_it(habit: Habit) -> None:
    last: dict[int, object] = {}
    for move in sorted(_script(habit).moves, key=lambda m: (m.t0, m.t1)):
        if move.item in last:
            assert move.start == last[move.item]
        last[move.item] = move.end


@pytest.mark.parametrize("habit", Habit)
def test_what_lies_before_the_players_before_a_lead(habit: Habit) -> None:
    script = _script(habit)
    closed = [e.t for e in script.truth if isinstance(e, TrickClosed)]
    leads = [float(e.evidence["began"]) for e in script.truth if isinstance(e, CardsPlayed) and e.trick == 4][:1]
    poses = {}
    for move in sorted(script.moves, key=lambda m: (m.t0, m.t1)):
        if move.t1 <= leads[0]:
            poses[move.item] = None if move.leaves else move.end
    shown = [p for p in poses.values() if p is not None and p.face_up and max(abs(p.x), abs(p.y)) > 100]
    played = sum(len(e.cards) for e in script.truth if isinstance(e, CardsPlayed) and e.t <= closed[2])
    assert len(shown) == (played if habit is Habit.STACK else 0)
    if habit is not Habit.STACK:
        backs = [p for p in poses.values() if p is not None and not p.face_up and max(abs(p.x), abs(p.y)) > 100]
        zone = [p for p in backs if max(abs(p.x), abs(p.y)) < 400]
        assert len(zone) == (played if habit is Habit.TURN else 0)


def test_a_short_film_ends_after_its_tricks() -> None:
    script = _script(tricks=2)
    assert [e.trick for e in script.truth if isinstance(e, TrickClosed)] == [1, 2]
    assert not any(isinstance(e, BottomShown) for e in script.truth)


def test_the_pile_shrinks_card_by_card_to_the_bottom_and_is_taken() -> None:
    script = _script()
    counts = [n for _, n in script.pile.steps]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] == 108
    assert 8 in counts
    assert counts[-1] == 0
    taken = next(e for e in script.truth if isinstance(e, BottomTaken))
    assert script.pile.steps[-1][0] < taken.t


def test_a_reinforced_declaration_stays_and_an_overturned_one_goes_back() -> None:
    s2, h2 = Card("S2"), Card("H2")
    bids = [Declared(seat=Seat.E, cards=(s2,)), Declared(seat=Seat.E, cards=(s2,)), Declared(seat=Seat.N, cards=(h2, h2))]
    start = next(i for i, e in enumerate(DEAL.events) if isinstance(e, DealStarted))
    first = next(i for i, e in enumerate(DEAL.events) if isinstance(e, BottomTaken))
    script = write_script([*DEAL.events[: start + 1], *bids, *DEAL.events[first:]], Style(habit=Habit.TURN), np.random.default_rng(2), 1)
    times = [e.t for e in script.truth if isinstance(e, Declared)]
    assert _face_up(script, times[0]) == [s2]
    assert _face_up(script, times[1]) == [s2, s2]
    assert _face_up(script, times[2]) == [s2, s2, h2, h2]
    assert _face_up(script, next(e.t for e in script.truth if isinstance(e, BottomTaken)) - 3.0) == [h2, h2]


def test_a_stirred_bottom_is_taken_up_and_buried_again() -> None:
    end = next(i for i, e in enumerate(DEAL.events) if isinstance(e, Buried)) + 1
    buried = DEAL.events[end - 1]
    assert isinstance(buried, Buried)
    joker = Card("BJ")
    stir = [Declared(seat=Seat.W, cards=(joker, joker)), BottomTaken(seat=Seat.W), replace(buried, seat=Seat.W)]
    script = write_script([*DEAL.events[:end], *stir, *DEAL.events[end:]], Style(habit=Habit.TURN), np.random.default_rng(2), 1)
    lead = next(e for e in script.truth if isinstance(e, CardsPlayed))
    lying: dict[int, Pose | None] = {}
    for move in sorted(script.moves, key=lambda m: (m.t0, m.t1)):
        if move.t1 <= float(lead.evidence["began"]):
            lying[move.item] = None if move.leaves else move.end
    assert len([p for p in lying.values() if p is not None and not p.face_up]) == 8
    assert not [p for p in lying.values() if p is not None and p.face_up]


def test_who_stirs_with_the_cards_that_he_has_declared_with_shows_them_again() -> None:
    end = next(i for i, e in enumerate(DEAL.events) if isinstance(e, Buried)) + 1
    first = next(i for i, e in enumerate(DEAL.events) if isinstance(e, BottomTaken))
    joker, buried = Card("BJ"), replace(DEAL.events[end - 1], seat=Seat.W)
    show = Declared(seat=Seat.W, cards=(joker, joker))
    stir = [replace(show), BottomTaken(seat=Seat.W), buried]
    events = [*DEAL.events[:first], show, *DEAL.events[first:end], *stir, *DEAL.events[end:]]
    script = write_script(events, Style(habit=Habit.TURN), np.random.default_rng(2), 1)
    told = [type(e) for e in script.truth if isinstance(e, Declared | BottomTaken | Buried)]
    assert told[-6:] == [Declared, BottomTaken, Buried, Declared, BottomTaken, Buried]
    again = [e.t for e in script.truth if isinstance(e, Declared)][-1]
    assert _face_up(script, again) == [joker, joker]


@pytest.mark.parametrize(("mishap", "how"), [(Mishap.UNPLUG, Gone.BLACK), (Mishap.FREEZE, Gone.FROZEN), (Mishap.ABSENT, Gone.ABSENT)])
def test_a_camera_sees_nothing_between_lost_and_back(mishap: Mishap, how: Gone) -> None:
    script = _script(mishap=mishap)
    lost = next(e for e in script.truth if isinstance(e, CameraLost))
    back = next(e for e in script.truth if isinstance(e, CameraBack))
    assert back.gap == GAP
    assert script.blanks == (Blank(pytest.approx(lost.t, abs=0.1), pytest.approx(back.t, abs=0.1), how),)


def test_a_dropped_card_is_taken_back_and_played_later() -> None:
    script = _script(mishap=Mishap.DROP)
    back = next(e for e in script.truth if isinstance(e, TakenBack))
    later = [e for e in script.truth if isinstance(e, CardsPlayed) and e.seat is back.seat and e.t > back.t]
    assert any(back.cards[0] in e.cards for e in later)


def test_at_home_hands_rest_on_cards_and_cards_drop_several_times() -> None:
    script = _script(mishap=Mishap.HOME)
    assert len([s for s in script.strokes if s.grip is Grip.FLAT]) >= 3
    assert len([e for e in script.truth if isinstance(e, TakenBack) and e.evidence.get("dropped")]) >= 2


def test_a_play_counts_only_when_a_resting_hand_is_gone() -> None:
    script = _script(mishap=Mishap.REST)
    resting = [s for s in script.strokes if s.grip is Grip.FLAT]
    assert resting
    for stroke in resting:
        begun = [e for e in script.truth if isinstance(e, CardsPlayed) and float(e.evidence["began"]) < stroke.t1]
        assert begun[-1].seat is stroke.seat
        assert begun[-1].t >= stroke.t1


def test_a_bump_happens_between_tricks() -> None:
    script = _script(mishap=Mishap.BUMP)
    assert script.bump is not None
    assert not any(m.t0 < script.bump < m.t1 for m in script.moves)
    moved = next(e for e in script.truth if isinstance(e, CameraMoved))
    assert moved.t == pytest.approx(script.bump, abs=0.1)
    order = FilmOrder(seed=3, mishap=Mishap.BUMP, size=(320, 240))
    camera = hang(order.picture, 0.0, np.random.default_rng(1))
    scene = SimpleNamespace(camera=camera, after_bump=bumped(camera, np.random.default_rng(2)))
    told = next(e for e in with_bump_measured(script, scene).truth if isinstance(e, CameraMoved))  # type: ignore[arg-type]
    assert 15 < told.moved_mm < 60


def test_left_and_right_hands_come_from_their_own_side() -> None:
    script = next(s for s in (_script(seed=n, tricks=1) for n in range(40)) if s.left_handed)
    seat = next(iter(script.left_handed))
    if seat in (Seat.N, Seat.S):
        sign = -1.0 if seat is Seat.S else 1.0
        assert all(s.shoulder[0] * sign > 0 for s in script.strokes if s.seat is seat)
    else:
        sign = 1.0 if seat is Seat.E else -1.0
        assert all(s.shoulder[1] * sign > 0 for s in script.strokes if s.seat is seat)


def _quirky(habit: Habit, *quirks: Quirk, seed: int = 1) -> Script:
    return write_script(DEAL.events, Style(habit=habit, quirks=frozenset(quirks)), np.random.default_rng(seed))


def test_cards_taken_back_are_laid_lifted_and_another_of_the_same_suit_is_played() -> None:
    kit = Kit(load("official-2deck-shengji"), DEAL.trump)
    events = with_take_backs(DEAL.events, kit.group, np.random.default_rng(4))
    script = write_script(events, Style(habit=Habit.STACK), np.random.default_rng(4))
    told = list(script.truth)
    backs = [k for k, e in enumerate(told) if isinstance(e, TakenBack)]
    assert 1 <= len(backs) <= TAKE_BACKS
    for k in backs:
        first, back, second = told[k - 1 : k + 2]
        assert isinstance(first, CardsPlayed)
        assert isinstance(back, TakenBack)
        assert isinstance(second, CardsPlayed)
        assert first.seat is back.seat is second.seat
        assert first.cards == back.cards != second.cards
        assert kit.group(first.cards[0]) == kit.group(second.cards[0])
        assert first.t < back.t < second.t
        later = [e for e in told[k + 2 :] if isinstance(e, CardsPlayed) and e.seat is back.seat]
        assert any(back.cards[0] in e.cards for e in later), "the card taken back is never played"
    assert Counter(_face_up(script, script.duration)) == Counter(_face_up(_script(Habit.STACK), 1e9))


def test_early_turners_turn_before_the_trick_is_complete() -> None:
    script = _quirky(Habit.TURN, Quirk.EARLY_TURN)
    flips = [m for m in script.moves if m.start.face_up and not m.end.face_up]
    early = 0
    for closed in (e for e in script.truth if isinstance(e, TrickClosed)):
        last = max((e for e in script.truth if isinstance(e, CardsPlayed) and e.trick == closed.trick), key=lambda e: e.t)
        first = min(e.t for e in script.truth if isinstance(e, CardsPlayed) and e.trick == closed.trick)
        early += any(first < m.t0 < float(last.evidence["began"]) for m in flips)
    assert early >= 2


@pytest.mark.parametrize("seed", [0, 6, 7])
def test_who_has_just_taken_his_card_back_has_nothing_to_turn_early(seed: int) -> None:
    kit = Kit(load("official-2deck-shengji"), DEAL.trump)
    events = with_take_backs(DEAL.events, kit.group, np.random.default_rng(seed))
    style = Style(habit=Habit.TURN, quirks=frozenset((Quirk.EARLY_TURN, Quirk.TAKE_BACK)))
    script = write_script(events, style, np.random.default_rng(seed))
    assert sum(isinstance(e, TrickClosed) for e in script.truth) == sum(isinstance(e, TrickClosed) for e in DEAL.events)


def test_a_look_back_turns_cards_up_and_down_again() -> None:
    script = _quirky(Habit.TURN, Quirk.LOOK_BACK)
    bottom = next(e.t for e in script.truth if isinstance(e, BottomShown))
    up = [m for m in script.moves if not m.start.face_up and m.end.face_up and m.t1 < bottom - 3]
    assert up
    ends = {m.item: m.end for m in sorted(script.moves, key=lambda m: m.t0)}
    assert not any(ends[m.item].face_up for m in up)


def test_one_player_of_each_side_gathers_its_tricks() -> None:
    script = _quirky(Habit.SWEEP, Quirk.ONE_SIDE)
    gatherers = {m.seat for m in script.moves if m.start.face_up and not m.end.face_up}
    assert gatherers <= {Seat.E, Seat.N}


def test_the_attackers_point_cards_lie_beside_the_bottom() -> None:
    script = _quirky(Habit.TURN, Quirk.POINTS_OUT)
    declarer = next(e.seat for e in script.truth if isinstance(e, BottomTaken))
    bottom = next(e.t for e in script.truth if isinstance(e, BottomShown)) - 4
    ends = {m.item: m.end for m in sorted(script.moves, key=lambda m: m.t0) if m.t1 < bottom}
    heap = [script.faces[item] for item, pose in ends.items() if pose.face_up and abs(pose.x + 90) < 30 and abs(pose.y) < 100]
    won = [e for e in script.truth if isinstance(e, TrickClosed) and e.winner.team is not declarer.team]
    last = max(e.trick for e in script.truth if isinstance(e, TrickClosed))
    assert points_of(heap) == sum(e.points for e in won if e.trick != last) > 0
