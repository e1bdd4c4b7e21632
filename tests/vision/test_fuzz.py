"""Whatever lies on the table and whatever a person enters: the tracker fails at nothing, and tells nothing twice.

Seeded sequences of looks, of hands' edits and of faults, played against the engine itself; most looks are plays in turn, so that deals go on.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from engine.cards import FACES, SEATS, UNKNOWN, Card, Seat
from engine.events import CardsPlayed, Corrected, DealStarted, Event, ScoreSet, Source, TrumpFixed, Undone
from engine.referee import expectation
from tests.vision.refereed import Refereed
from tests.vision.test_plays import card, look
from vision.desync import Reason
from vision.looks import Look
from vision.table_card import TableCard
from vision.zones import SEAT_ZONES, Zone

RUNS = int(os.environ.get("TRICKWATCH_FUZZ_RUNS", "14"))
STEPS = 120
LOOP = 64
"""The pipeline asks no more often than this for facts in one picture."""
RULEBOOKS = (("official-2deck-shengji", 2), ("elimination-4deck-2toA", 4))


@dataclass
class Table:
    """One match that anything may happen to."""

    rng: random.Random
    rulebook: str
    decks: int
    t: float = 1.0
    lies: dict[Zone, list[TableCard]] = field(default_factory=dict)
    done: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.calm = self.rng.random() < 0.3
        self.game = Refereed(self.rulebook, decks=self.decks, declarer=self.rng.choice([None, Seat.N]))
        self.tracker = self.game.tracker
        self.tracker.record = lambda: self.game.state.deal

    # What lies there.

    def card(self, seat: str, along: float) -> TableCard:
        face = self.rng.choice(FACES) if self.rng.random() < 0.97 else UNKNOWN
        p = self.rng.choice([0.99, 0.97, 0.9, 0.6, 0.35])
        presence, ends = self.rng.choice([0.95, 0.9, 0.7, 0.4, 0.2]), self.rng.choice([1, 2, 2, 2])
        return card(str(face), seat, along, presence=presence, ends=ends, p=p, other=str(self.rng.choice(FACES)))

    def lay(self, seat: str, count: int) -> None:
        new = [self.card(seat, self.rng.uniform(-90, 90)) for _ in range(count)]
        old = [replace(c, fresh=False) for c in self.lies.get(Zone(seat), []) if self.rng.random() < 0.8]
        self.show(seat, new, old)

    def show(self, seat: str, new: list[TableCard], old: list[TableCard]) -> None:
        rng, zone = self.rng, Zone(seat)
        watched = self.tracker.watched(zone)
        touched = tuple(c for c in watched if rng.random() < 0.3)
        seen = look(seat, *new, *old, still=self.t, paper=rng.choice([0.0, 900.0, 4000.0]))
        seen = replace(
            seen, touched=touched, bare=tuple(c for c in touched if rng.random() < 0.5), frames=rng.choice([2, 3, 5]),
            loose_mm2=rng.choice([0.0, 0.0, 900.0]), occupied=rng.random() < 0.5, reverted=rng.random() < 0.1,
        )  # fmt: skip
        self.lies[zone] = [*new, *old]
        self.tracker.see(seen)

    def in_turn(self) -> None:
        expected = expectation(self.game.state)
        seat = expected.seat or self.rng.choice(SEATS)
        self.tracker.disturbed(Zone(seat.value))
        self.lay(seat.value, expected.count if expected.phase == "trick" and expected.count else self.rng.choice([1, 1, 1, 2, 2, 3, 4]))

    def anywhere(self) -> None:
        seat = self.rng.choice(SEATS).value
        if self.rng.random() < 0.7:
            self.tracker.disturbed(Zone(seat))
        self.lay(seat, self.rng.choice([0, 0, 1, 1, 2, 3, 7, 30]))

    def centre(self) -> None:
        self.tracker.see(look("centre", *(self.card("centre", 20 * k) for k in range(self.rng.choice([0, 0, 0, 8]))), still=self.t))
        self.tracker.see(Look(Zone.CENTRE, self.t, self.t, occupied=self.rng.random() < 0.5))

    def moved(self) -> None:
        zone = self.rng.choice(SEAT_ZONES)
        shift = self.rng.choice([4.0, 15.0, 60.0])
        self.show(
            zone.value, [replace(c, corners_mm=tuple((x + shift, y) for x, y in c.corners_mm), fresh=True) for c in self.lies.get(zone, [])], []
        )

    def cleared(self) -> None:
        for zone in SEAT_ZONES:
            if self.rng.random() < 0.8:
                self.tracker.disturbed(zone)
                watched = self.tracker.watched(zone)
                self.tracker.see(Look(zone, self.t, self.t, touched=watched, bare=watched, reverted=self.rng.random() < 0.5))
                self.lies[zone] = []

    def taken_up(self) -> None:
        zone = self.rng.choice(SEAT_ZONES)
        watched = self.tracker.watched(zone)
        self.tracker.disturbed(zone)
        self.tracker.see(Look(zone, self.t, self.t, touched=watched, bare=watched, reverted=True))
        self.lies[zone] = []

    def disturbed(self) -> None:
        self.tracker.disturbed(self.rng.choice(list(Zone)))

    def reviewed(self) -> None:
        zone = self.rng.choice(SEAT_ZONES)
        cards = [replace(c, n_best=self.card(zone.value, 0).n_best) if self.rng.random() < 0.3 else c for c in self.lies.get(zone, [])]
        cards += [self.card(zone.value, 50)] if self.rng.random() < 0.3 else []
        self.tracker.review(look(zone.value, *cards, still=self.t))

    def hand(self) -> None:
        self.tracker.hand(self.rng.choice(list(Zone)))

    def gap(self) -> None:
        self.t += self.rng.choice([3.0, 30.0, 300.0])

    # What a person enters.

    def faces(self, count: int) -> tuple[Card, ...]:
        return tuple(self.rng.choice([*FACES, UNKNOWN]) for _ in range(count))

    def some_play(self) -> tuple[int, Seat]:
        deal = self.game.state.deal
        tricks = (
            []
            if deal is None
            else [*(t for t in deal.tricks[-2:] if t.number > deal.base_trick), *([deal.current] if deal.current is not None else [])]
        )
        if not tricks or self.rng.random() < 0.1:
            return self.rng.randrange(deal.base_trick + 1 if deal is not None else 1, 27), self.rng.choice(SEATS)
        trick = self.rng.choice(tricks)
        return trick.number, self.rng.choice([play.seat for play in trick.plays] or list(SEATS))

    def corrected(self) -> None:
        trick, seat = self.some_play()
        cards = self.faces(self.rng.choice([0, 0, 1, 1, 2, 3, 6]))
        self.game.take(Corrected(t=self.t, source=Source.REFEREE, seat=seat, trick=trick, cards=cards, by="local", evidence={"corrected": True}))
        self.tracker.correct(seat, trick, cards)
        once = self.state()
        self.tracker.correct(seat, trick, cards)
        assert self.state() == once

    def entered(self) -> None:
        expected = expectation(self.game.state)
        if expected.phase == "trick" and expected.seat is not None:
            cards = self.faces(expected.count or self.rng.choice([1, 2]))
            fact = CardsPlayed(t=self.t, source=Source.REFEREE, seat=expected.seat, trick=expected.trick, cards=cards, evidence={"corrected": True})
            self.game.take(fact)
            self.tracker.recall()

    def undone(self) -> None:
        if self.game.state.facts:
            self.game.take(Undone(source=Source.REFEREE, t=self.t, target=self.rng.choice([place for place, _ in self.game.state.facts[-6:]])))
            self.tracker.recall()

    def scored(self) -> None:
        leader, end = self.rng.choice([None, *SEATS]), self.rng.random() < 0.2
        self.game.take(ScoreSet(source=Source.REFEREE, t=self.t, points=40, trick=self.rng.randrange(0, 25), leader=leader, end=end))
        self.tracker.recall()

    def trump(self) -> None:
        self.game.take(TrumpFixed(source=Source.REFEREE, t=self.t, trump=self.rng.choice(["2/H", "5/NT"]), declarer=self.rng.choice(SEATS)))
        self.tracker.recall()

    def next_deal(self) -> None:
        number = self.game.state.deal.number + 1 if self.game.state.deal is not None else 1
        self.game.take(
            DealStarted(source=Source.REFEREE, t=self.t, deal=number, levels={"EW": "3", "NS": "2"}, declarer=self.rng.choice([None, *SEATS]))
        )

    # What fails.

    def fault(self) -> None:
        lying, blind = self.tracker.lying, self.rng.random() < 0.3
        self.tracker.renew({} if blind else lying.known, {} if blind else lying.under)
        many = self.rng.random() < 0.2
        self.tracker.pause(self.t, Reason.FAULT, expectation(self.game.state), blind=blind, many=many, why={})

    def restarted(self) -> None:
        self.tracker.restart()
        self.tracker.recall()

    # What must hold.

    def state(self) -> object:
        told = self.tracker.told
        plays = [(seat, tuple(play.slots), len(play.cards)) for seat, play in told.plays.items()]
        return dict(told.ledger.readings), dict(told.ledger.faces), set(told.ledger.fixed), plays

    def told(self) -> list[Event]:
        """All facts that are due, as the pipeline asks for them."""
        out: list[Event] = []
        busy = {zone for zone in Zone if self.rng.random() < 0.15}
        for _ in range(LOOP):
            fact = self.tracker.facts(self.t, expectation(self.game.state), busy)
            self.tracker.take_settled()
            if fact is None:
                return out
            if isinstance(fact, CardsPlayed):
                self.verify_new(fact)
            self.game.take(fact)
            out.append(fact)
        raise AssertionError(f"facts without end: {out[-3:]}")

    def verify_new(self, fact: CardsPlayed) -> None:
        deal = self.game.state.deal
        where = deal.trick(fact.trick) if deal is not None else None
        assert where is None or where.play_of(fact.seat) is None, f"told twice: {fact}"
        assert fact.cards

    def verify(self) -> None:
        told = self.tracker.told
        assert set(told.ledger.faces) == set(told.ledger.readings)
        assert len(told.plays) <= len(SEATS)
        slots = Counter(slot for play in told.plays.values() for slot in play.slots)
        assert all(count == 1 for count in slots.values())
        for seat, play in told.plays.items():
            assert play.slots, seat
            assert len(play.cards) <= len(play.slots)
            assert all(slot in told.ledger.readings for slot in play.slots)
            assert all(slot[2] is seat for slot in play.slots)
        deal = self.game.state.deal
        for trick in () if deal is None else (*deal.tricks, *([deal.current] if deal.current is not None else [])):
            assert len({play.seat for play in trick.plays}) == len(trick.plays)

    def step(self) -> None:
        often: list[Callable[[], None]] = [self.in_turn] * 12 + [self.anywhere] * (1 if self.calm else 3) + [self.cleared] * 2
        seldom = [self.moved, self.taken_up, self.disturbed, self.reviewed, self.hand, self.centre, self.gap]
        by_hand = [self.corrected, self.corrected, self.entered, self.undone, self.fault]
        rare = [self.scored, self.trump, self.next_deal, self.restarted]
        act = self.rng.choice([*often * 2, *seldom * (1 if self.calm else 2), *([] if self.calm else [*by_hand, self.rng.choice(rare)])])
        self.done.append(act.__name__)
        act()
        for _ in range(self.rng.choice([1, 2, 4])):
            self.t += self.rng.choice([0.2, 0.5, 1.0, 2.0])
            self.told()
            self.verify()

    def begin(self) -> None:
        """Mostly a deal of which the declarer is known, so that tricks are played."""
        if self.rng.random() < 0.85:
            self.game.take(TrumpFixed(source=Source.REFEREE, trump="2/H", declarer=self.rng.choice(SEATS)))
            self.game.take(ScoreSet(source=Source.REFEREE, points=0, trick=0, leader=None))
            for seat in SEATS:
                self.tracker.disturbed(Zone(seat.value))


@pytest.mark.parametrize("seed", range(RUNS))
def test_nothing_that_happens_at_a_table_ends_the_reading(seed: int) -> None:
    rng = random.Random(seed)
    table = Table(rng, *rng.choice(RULEBOOKS))
    table.begin()
    try:
        for _ in range(STEPS):
            table.step()
    except Exception as error:
        error.add_note(f"after {' '.join(table.done[-12:])}")
        raise
