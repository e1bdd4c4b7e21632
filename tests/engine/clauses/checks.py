"""What a clause makes the engine do, in one line a check; each check takes the rulebook that quotes the clause."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from engine import deal as deals
from engine import declare as declares
from engine import match as matches
from engine import referee
from engine.beat import winner
from engine.cards import Seat, Team, parse_card, parse_cards, parse_trump
from engine.clock import Limit, match_clock, overtimes, plays_on
from engine.competition import Result, match_points, standings
from engine.dealing import deal_out
from engine.dig import dig as dig_last
from engine.events import BottomTaken, Buried, CardsPlayed, DealStarted, MatchStarted, TrumpFixed
from engine.follow import can_follow
from engine.judge import answer, answer_line
from engine.kit import Breach
from engine.order import TRUMPS, adjacent, group, strength
from engine.penalty import propose
from engine.prng import SplitMix64
from engine.rulebook import Rulebook
from engine.rulebook_terms import Offender
from engine.rulebook_words import Language, lines_of
from engine.score import LevelError, hook
from engine.score import score as score_deal
from engine.shapes import read
from engine.throw import judge_throw

Check = Callable[[Rulebook], None]
Clauses = dict[str, list[Check]]


# --- the pack, the order of the cards, words ---------------------------------------------------------------------------------------------------


def decks(number: int) -> Check:
    """So many of a face may be shown, and not one more."""

    def check(rules: Rulebook) -> None:
        import json

        case = {"id": 1, "rulebook": rules.name, "trump": "5/H", "ask": "shapes", "cards": ["SA"] * number}
        assert answer(case)["units"][0][1] == number
        assert "SA" in answer_line(json.dumps({**case, "cards": ["SA"] * (number + 1)}))["error"]

    return check


def dealt(hand: int, bottom: int) -> Check:
    """A simulated deal gives everybody so many cards and leaves so many."""

    def check(rules: Rulebook) -> None:
        levels = {team: str(rules.levels.path[0]) for team in Team}
        out = deal_out(rules, SplitMix64(7), 2, levels, Seat.E)
        assert {len(cards) for cards in out.hands.values()} == {hand}
        assert len(out.bottom) == bottom

    return check


def no_bottom() -> Check:
    """The declarer cannot take a bottom."""

    def check(rules: Rulebook) -> None:
        deal = deals.start(rules, 2, {"EW": rules.levels.path[0], "NS": rules.levels.path[0]}, Seat.E)
        assert not deals.can_take(deal, Seat.E)

    return check


def told(key: str, zh: str) -> Check:
    """The rule in words says so, with the sheet's words beside it."""

    def check(rules: Rulebook) -> None:
        line = next(line for line in lines_of(rules, Language.ZH) if line.key == key)
        assert zh in line.value
        assert line.clause

    return check


def order(trump: str, cards: str) -> Check:
    """Trumps, each higher than the next."""

    def check(rules: Rulebook) -> None:
        faces = parse_cards(cards)
        assert {group(rules, parse_trump(trump), card) for card in faces} == {TRUMPS}
        places = [strength(rules, parse_trump(trump), card) for card in faces]
        assert places == sorted(set(places), reverse=True)

    return check


def trumps(trump: str, inside: str, outside: str = "") -> Check:
    """Which cards are trumps and which are not."""

    def check(rules: Rulebook) -> None:
        at = parse_trump(trump)
        assert all(group(rules, at, card) == TRUMPS for card in parse_cards(inside))
        assert all(group(rules, at, card) != TRUMPS for card in parse_cards(outside))

    return check


def neighbours(trump: str, low: str, high: str, wanted: bool = True) -> Check:
    """Whether two faces are neighbours in a tractor."""

    def check(rules: Rulebook) -> None:
        assert adjacent(rules, parse_trump(trump), parse_card(low), parse_card(high)) is wanted

    return check


def units(trump: str, cards: str, *wanted: tuple[str, int, int, str]) -> Check:
    """How a lead is read: kind, width, length, highest card."""

    def check(rules: Rulebook) -> None:
        found = [(u.kind.value, u.width, u.length, u.top) for u in read(rules, parse_trump(trump), parse_cards(cards))]
        assert found == list(wanted)

    return check


# --- tricks ------------------------------------------------------------------------------------------------------------------------------------


def follow(trump: str, lead: str, hand: str, **plays: bool) -> Check:
    """Which plays follow legally: ``S5S5=True`` means that S5 S5 is legal."""

    def check(rules: Rulebook) -> None:
        for text, wanted in plays.items():
            play = parse_cards(_spaced(text))
            assert can_follow(rules, parse_trump(trump), parse_cards(lead), parse_cards(hand), play) is wanted, text

    return check


def _spaced(text: str) -> str:
    """``S5S10LJ`` as ``S5 S10 LJ``."""
    import re

    return " ".join(re.findall(r"10|[SHDC](?:10|[2-9JQKA])|LJ|BJ", text))


def trick(trump: str, plays: Sequence[str], wins: int) -> Check:
    """Which of four plays wins."""

    def check(rules: Rulebook) -> None:
        assert winner(rules, parse_trump(trump), [parse_cards(play) for play in plays]) == wins

    return check


def throw(trump: str, lead: str, others: Sequence[str], played: str = "", fine: int | None = None) -> Check:
    """A throw that stands (``played`` is empty), or what must be led instead and the fine."""

    def check(rules: Rulebook) -> None:
        verdict = judge_throw(rules, parse_trump(trump), parse_cards(lead), [parse_cards(hand) for hand in others])
        assert verdict.stands is not bool(played)
        assert sorted(verdict.played) == sorted(parse_cards(played or lead))
        if fine is not None:
            assert verdict.penalty == fine

    return check


def dig(
    trump: str, last: Sequence[str], multiplier: int, points: int, *, leader: str = "N", declarer: str = "E", bottom: str = "S5 S10", burier: str = ""
) -> Check:
    """What the last trick digs: the multiplier and the points added to the attackers."""

    def check(rules: Rulebook) -> None:
        plays = [parse_cards(play) for play in last]
        buried = parse_cards(bottom) if rules.pack.bottom else ()
        found = dig_last(rules, parse_trump(trump), Seat(declarer), Seat(leader), plays, buried, Seat(burier) if burier else None)
        assert (found.multiplier, found.points) == (multiplier, points)

    return check


# --- the result and the levels -----------------------------------------------------------------------------------------------------------------


def score(
    points: int, stage: str, steps: int, *, declarers: str = "5", attackers: str = "4", after: tuple[str, str] | None = None, won: str | None = None
) -> Check:
    """The result of a deal: who has the stage, the steps, the levels (declarers, attackers) after, and who won the match."""

    def check(rules: Rulebook) -> None:
        found = score_deal(rules, points, {"declarers": declarers, "attackers": attackers})
        assert (found.stage.value, found.steps[stage]) == (stage, steps)
        if after is not None:
            assert (found.levels["declarers"], found.levels["attackers"]) == after
        assert (found.winner.value if found.winner else None) == won

    return check


def path(first: str, last: str, off: str = "") -> Check:
    """The match begins at the first level; the last one is on the path, another level is not."""

    def check(rules: Rulebook) -> None:
        state = referee.start(rules)
        assert set(state.levels.values()) == {first}
        score_deal(rules, 0, {"declarers": first, "attackers": last})
        if off:
            with pytest.raises(LevelError):
                score_deal(rules, 0, {"declarers": off, "attackers": first})

    return check


def hooked(trump: str, cards: str, to: str | None) -> Check:
    """Where a level card that wins the last trick for the attackers sends the declarers."""

    def check(rules: Rulebook) -> None:
        assert hook(rules, parse_trump(trump), True, parse_cards(cards)) == to

    return check


def hooked_levels(points: int, to: str, declarers: str, after: str) -> Check:
    """The declarers' level after a deal in which they were hooked."""

    def check(rules: Rulebook) -> None:
        found = score_deal(rules, points, {"declarers": declarers, "attackers": declarers}, to)
        assert found.levels["declarers"] == after

    return check


def next_declarer(stage: str, declarer: str, wanted: str | None) -> Check:
    """Who is declarer next when this side has the stage."""

    def check(rules: Rulebook) -> None:
        level = rules.levels.path[0]
        deal = deals.start(rules, 2, {"EW": level, "NS": level}, Seat(declarer))
        assert deals.next_declarer(deal, stage) == (Seat(wanted) if wanted else None)

    return check


# --- declaring ---------------------------------------------------------------------------------------------------------------------------------


def bids(
    level: str,
    offers: Sequence[tuple[str, str]],
    accepted: str,
    trump: str | None = None,
    declarer: str | None = None,
    *,
    deal: int = 1,
    fixed: str | None = None,
    flipped: str | None = None,
    phase: str = "",
    t: float | None = None,
) -> Check:
    """Which declarations are accepted (``101``), and the trump and declarer that stand."""

    def check(rules: Rulebook) -> None:
        state = declares.begin(rules, deal, level, Seat(fixed) if fixed else None, parse_card(flipped) if flipped else None)  # type: ignore[arg-type]
        if phase:
            state = declares.advance(state, declares.Phase(phase), 0.0)
        told_ = ""
        for seat, cards in offers:
            came = declares.offer(state, Seat(seat), parse_cards(cards), t)
            state = came.state
            told_ += "1" if came.accepted else "0"
        assert told_ == accepted
        outcome = declares.finish(state)
        if trump is not None:
            assert str(outcome.trump) == trump
        if declarer is not None:
            assert outcome.declarer == Seat(declarer)

    return check


def nobody(bottom: str, trump: str | None, how: str, *, deal: int = 2, level: str = "5") -> Check:
    """What happens when nobody declares."""

    def check(rules: Rulebook) -> None:
        state = declares.begin(rules, deal, level, Seat.E if deal > 1 else None)  # type: ignore[arg-type]
        outcome = declares.finish(state, parse_cards(bottom))
        assert outcome.nobody is not None
        assert outcome.nobody.value == how
        assert (str(outcome.trump) if outcome.trump else None) == trump

    return check


def stirs(level: str, bid: tuple[str, str] | None, offers: Sequence[tuple[str, str]], accepted: str, trump: str | None = None) -> Check:
    """Which stirs of the buried bottom are accepted, and the trump after them; E is declarer."""

    def check(rules: Rulebook) -> None:
        state = declares.begin(rules, 2, level, Seat.E)  # type: ignore[arg-type]
        if bid is not None:
            state = declares.offer(state, Seat(bid[0]), parse_cards(bid[1])).state
            assert state.bids
        state = declares.advance(state, declares.Phase.BURIED)
        said = ""
        for seat, cards in offers:
            came = declares.stir(state, Seat(seat), parse_cards(cards))
            state = came.state
            said += "1" if came.accepted else "0"
        assert said == accepted
        if trump is not None:
            assert str(state.trump) == trump

    return check


# --- penalties, clocks, the match ----------------------------------------------------------------------------------------------------------------


def penalty(
    kind: str,
    *costs: tuple[str, int],
    also: Sequence[tuple[str, int]] = (),
    remedy: str = "",
    in_time: bool = True,
    later: int = 0,
    count: int = 1,
    offender: str = "any",
    **breach: Any,
) -> Check:
    """What is proposed for an offence in trick 3 that is found so many tricks later: alternatives, what comes on top, the remedy."""

    def check(rules: Rulebook) -> None:
        found = propose(rules, Breach(kind, "", "", **breach), trick=3, found_in=3 + later, count=count, offender=Offender.of(offender))
        assert [(cost.effect.value, cost.amount) for cost in found.costs] == list(costs)
        assert [(cost.effect.value, cost.amount) for cost in found.also] == list(also)
        assert found.in_time is in_time
        if remedy:
            assert found.remedy.value == remedy
        assert found.clause

    return check


def _started(rules: Rulebook) -> referee.MatchState:
    level = str(rules.levels.path[0])
    state = referee.start(rules)
    for event in (MatchStarted(t=0.0, rulebook=rules.name), DealStarted(t=1.0, deal=2, levels={"EW": level, "NS": level}, declarer=Seat.E)):
        state, _ = referee.step(state, event)
    return state


def bury_within(seconds: int) -> Check:
    """Burying takes at most so long."""

    def check(rules: Rulebook) -> None:
        for late in (0, 1):
            deal = deals.start(rules, 2, {"EW": rules.levels.path[0], "NS": rules.levels.path[0]}, Seat.E)
            events = (
                TrumpFixed(t=1.0, trump=f"{rules.levels.path[0]}/H", declarer=Seat.E),
                BottomTaken(t=10.0, seat=Seat.E),
                Buried(t=10.0 + seconds + late, seat=Seat.E, count=rules.pack.bottom),
            )
            for event in events:
                deal = deals.apply(deal, event)
            assert [(o.limit, o.seat, o.seconds) for o in overtimes(deal)] == [(Limit.BURY, Seat.E, seconds)] * late

    return check


def play_within(seconds: int) -> Check:
    """A play takes at most so long."""

    def check(rules: Rulebook) -> None:
        for late in (0, 1):
            deal = deals.start(rules, 2, {"EW": rules.levels.path[0], "NS": rules.levels.path[0]}, Seat.E)
            events: list[Any] = [TrumpFixed(t=1.0, trump=f"{rules.levels.path[0]}/H", declarer=Seat.E)]
            if rules.pack.bottom:
                events += [BottomTaken(t=2.0, seat=Seat.E), Buried(t=3.0, seat=Seat.E, count=rules.pack.bottom)]
            events += [
                CardsPlayed(t=4.0, seat=Seat.E, trick=1, cards=parse_cards("SA")),
                CardsPlayed(t=4.0 + seconds + late, seat=Seat.N, trick=1, cards=parse_cards("S4")),
            ]
            for event in events:
                deal = deals.apply(deal, event)
            assert [(o.limit, o.seat, o.trick) for o in overtimes(deal)] == [(Limit.PLAY, Seat.N, 1)] * late

    return check


def match_lasts(minutes: int, *, final: bool = False, warning: int = 0) -> Check:
    """A match lasts so long, with a warning before its end."""

    def check(rules: Rulebook) -> None:
        state = _started(rules)
        clock = match_clock(state, minutes * 60.0 - 1, final=final)
        over = match_clock(state, minutes * 60.0 + 1, final=final)
        assert clock is not None
        assert over is not None
        assert (clock.up, over.up) == (False, True)
        if warning:
            before = match_clock(state, (minutes - warning) * 60.0 - 1)
            after = match_clock(state, (minutes - warning) * 60.0 + 1)
            assert before is not None
            assert after is not None
            assert (before.warning, after.warning) == (False, True)

    return check


def at_time(dealing: bool, playing: bool) -> Check:
    """Whether a deal goes on at time while it is being drawn, and once it is played."""

    def check(rules: Rulebook) -> None:
        state = _started(rules)
        late = rules.clocks.match_min * 60.0 + 60
        assert plays_on(state, late) is dealing
        level = rules.levels.path[0]
        events: list[Any] = [TrumpFixed(t=1.0, trump=f"{level}/H", declarer=Seat.E)]
        if rules.pack.bottom:
            events += [BottomTaken(t=2.0, seat=Seat.E), Buried(t=3.0, seat=Seat.E, count=rules.pack.bottom)]
        events.append(CardsPlayed(t=4.0, seat=Seat.E, trick=1, cards=parse_cards("SA")))
        for event in events:
            state, _ = referee.step(state, event)
        assert plays_on(state, late) is playing

    return check


def tie(winner_: str | None, why: str) -> Check:
    """Equal levels at time, EW on the stage: who wins, or what decides."""

    def check(rules: Rulebook) -> None:
        level = str(rules.levels.path[1])
        found = matches.at_time(rules, {"EW": level, "NS": level}, Team.EW)
        assert found.winner == (Team(winner_) if winner_ else None)
        assert found.why.value == why
        higher = str(rules.levels.path[2])
        assert matches.at_time(rules, {"EW": level, "NS": higher}, Team.EW).winner is Team.NS

    return check


def best_of(games: int) -> Check:
    """How many games win a match."""

    def check(rules: Rulebook) -> None:
        need = games // 2 + 1
        assert matches.best_of(rules, [Team.NS] * need) is Team.NS
        assert need == 1 or matches.best_of(rules, [Team.NS] * (need - 1)) is None

    return check


def points_for(result: str, points: int) -> Check:
    """The match points of a win, a draw, a loss or the opponents' forfeit."""

    def check(rules: Rulebook) -> None:
        levels = (str(rules.levels.path[1]), str(rules.levels.path[0]))
        played = {
            "win": Result(1, "a", "b", levels, "a"),
            "draw": Result(1, "a", "b", levels, None),
            "loss": Result(1, "a", "b", levels, "b"),
            "forfeit": Result(1, "a", "b", levels, "a", "b"),
        }[result]
        assert match_points(rules.match, played, "a") == points

    return check


def first_in(entrants: Sequence[str], results: Sequence[Result]) -> Check:
    """The standing of the entrants, best first."""

    def check(rules: Rulebook) -> None:
        assert [row.entrant for row in standings(rules, sorted(entrants), results)] == list(entrants)

    return check
