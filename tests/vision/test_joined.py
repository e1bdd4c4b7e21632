"""Pictures that begin in the middle of a deal: nobody is taken to have declared, the referee is asked, and reading goes on once it is known where."""

from __future__ import annotations

from dataclasses import replace

from engine.cards import Card, Seat
from engine.events import CardsPlayed, Declared, Desynced, Event, Resynced, Ruled, ScoreSet, Source, TrumpFixed
from engine.referee import expectation
from engine.rulebook_toml import load
from tests.vision.refereed import Refereed
from tests.vision.test_plays import card, look
from tests.vision.toy import ToyReader, ToySource, ToyTable, toy_calibration
from vision.pipeline import Pipeline
from vision.refereed import Table
from vision.zones import SEAT_ZONES, Zone

RULEBOOK = "official-2deck-shengji"


def laid(game: Refereed, plays: str, at: float = 10.0) -> list[Event]:
    out: list[Event] = []
    for k, (seat, face) in enumerate(play.split(":") for play in plays.split()):
        out += game.see(look(seat, card(face, seat), still=at + 2 * k))
    return out


def taken_up(game: Refereed, at: float) -> list[Event]:
    out: list[Event] = []
    for zone in SEAT_ZONES:
        game.tracker.disturbed(zone)
        watched = game.tracker.watched(zone)
        out += game.see(replace(look(zone.value, still=at, paper=0.0), touched=watched, bare=watched))
    return out


def joined(game: Refereed) -> None:
    told = laid(game, "E:SA N:S5 W:SK S:S8")
    assert [type(event) for event in told] == [Desynced]


def by_hand(game: Refereed, *facts: Event) -> list[Event]:
    for fact in facts:
        game.take(fact)
    game.tracker.recall()
    return game.told(100.0)


def test_three_seats_that_lay_cards_one_after_another_are_a_trick_and_no_declaration() -> None:
    game = Refereed(RULEBOOK)
    told = laid(game, "E:SA N:S5 W:SK S:S2")
    assert [type(event) for event in told] == [Desynced]
    assert isinstance(told[0], Desynced)
    assert told[0].reason == "joined"
    assert told[0].t < 15
    assert "declarer, trump, trick and who leads" in told[0].en
    assert laid(game, "N:D2 W:D2 S:LJ E:D4", 20.0) == []
    assert not game.alerts


def test_one_seat_that_shows_a_card_while_cards_are_drawn_is_no_trick() -> None:
    game = Refereed(RULEBOOK)
    told = laid(game, "E:SA N:S2 E:D7")
    assert [type(event) for event in told] == [Declared]


def test_declaration_and_overturning_by_three_seats_are_no_trick() -> None:
    game = Refereed(RULEBOOK)
    game.see(look("E", card("S2", "E"), still=10.0))
    game.see(look("N", card("H2", "N"), card("H2", "N", 24), still=13.0))
    told = game.see(look("W", card("LJ", "W"), card("LJ", "W", 24), still=16.0)) + game.told(25.0)
    assert [type(event) for event in told] == [Declared]


def test_level_cards_played_in_a_first_trick_accuse_nobody() -> None:
    game = Refereed(RULEBOOK)
    told = laid(game, "E:S2 N:H2 W:C7 S:D9")
    assert [type(event) for event in told] == [Declared, Desynced]
    assert not game.alerts


def test_wrong_overturning_while_the_pack_is_drawn_is_alerted_at_once() -> None:
    game = Refereed(RULEBOOK)
    for k in range(100):
        game.told(0.1 * k, [Zone.CENTRE])
    game.see(look("E", card("S2", "E"), still=10.0))
    game.see(look("N", card("H2", "N"), still=11.0))
    assert [alert.seat for alert in game.alerts] == [Seat.N]


def test_wrong_overturning_that_lies_there_without_a_trick_around_it_is_alerted_after_a_moment() -> None:
    game = Refereed(RULEBOOK)
    laid(game, "E:S2 N:H2")
    assert not game.alerts
    game.told(20.0)
    assert [alert.seat for alert in game.alerts] == [Seat.N]


def test_reading_goes_on_with_the_next_lead_once_the_referee_has_said_where() -> None:
    game = Refereed(RULEBOOK)
    joined(game)
    fixed = TrumpFixed(source=Source.REFEREE, trump="2/H", declarer=Seat.E)
    told = by_hand(game, fixed, ScoreSet(source=Source.REFEREE, points=20, trick=5, leader=Seat.E))
    assert [type(event) for event in told] == [Resynced]
    taken_up(game, 110.0)
    told = laid(game, "E:D5 N:D6 W:DK S:D8", 120.0)
    assert [(e.seat, e.trick, e.cards) for e in told if isinstance(e, CardsPlayed)] == [
        ("E", 6, ("D5",)), ("N", 6, ("D6",)), ("W", 6, ("DK",)), ("S", 6, ("D8",)),
    ]  # fmt: skip
    assert not game.alerts
    assert game.state.deal is not None
    assert game.state.deal.points == 20
    assert expectation(game.state).seat is Seat.W


def test_trump_alone_is_not_enough() -> None:
    game = Refereed(RULEBOOK)
    joined(game)
    assert by_hand(game, TrumpFixed(source=Source.REFEREE, trump="2/H", declarer=Seat.E)) == []
    assert game.tracker.desync.reason == "joined"


def test_next_deal_is_followed_from_its_pack_on() -> None:
    game = Refereed(RULEBOOK)
    joined(game)
    taken_up(game, 60.0)
    game.centre(70.0, occupied=False)
    game.centre(75.0, occupied=True)
    told: list[Event] = []
    for k, seat in enumerate("ENWS"):
        game.tracker.hand(Zone(seat))
        told += game.told(76.0 + k)
    assert [type(event) for event in told] == [Resynced]
    assert [type(event) for event in laid(game, "N:H2", 85.0)] == [Declared]


def followed(table: ToyTable) -> list[Event]:
    pipeline = Pipeline(ToySource(table.signals), toy_calibration(), ToyReader())  # type: ignore[arg-type]
    return list(Table(pipeline, load(RULEBOOK)).events())


def test_cards_that_lie_before_the_seats_in_the_first_picture_are_plays() -> None:
    table = ToyTable()
    table.put(None, 0, 0, "S")
    for seat, face in (("E", "SA"), ("N", "S5")):
        table.put(face, *table.at(seat, 0), seat)
    table.wait(1.0)
    for seat, face in (("W", "S2"), ("S", "D2")):
        table.lay(seat, [face])
        table.wait(1.0)
    events = followed(table)
    asked = [event for event in events if isinstance(event, Desynced)]
    assert [event.reason for event in asked] == ["joined"]
    assert asked[0].t < 0.2
    assert not [event for event in events if isinstance(event, Declared | Ruled)]


def test_one_card_that_lies_there_before_the_first_deal_is_no_trick() -> None:
    table = ToyTable()
    table.put(None, 0, 0, "S")
    table.put("SA", *table.at("E", 0), "E")
    table.wait(1.0)
    table.lay("W", ["S2"])
    table.wait(1.0)
    assert [type(event) for event in followed(table)][-1] is Declared


def test_camera_that_begins_in_a_trick_that_the_record_knows_goes_on_with_the_next_play() -> None:
    before = Refereed(RULEBOOK)
    before.take(TrumpFixed(source=Source.REFEREE, trump="2/H", declarer=Seat.E))
    before.take(ScoreSet(source=Source.REFEREE, points=0, trick=3, leader=Seat.E))
    before.take(CardsPlayed(seat=Seat.E, trick=4, cards=(Card("SA"),)))
    table = ToyTable()
    table.put("SA", *table.at("E", 0), "E")
    table.wait(1.0)
    for seat, face in (("N", "S5"), ("W", "SK"), ("S", "S8")):
        table.lay(seat, [face])
        table.wait(2.0)
    pipeline = Pipeline(ToySource(table.signals), toy_calibration(), ToyReader())  # type: ignore[arg-type]
    events: list[Event] = []
    for event in pipeline.facts(lambda: expectation(before.state), before.what_if, lambda: before.state.deal):
        before.take(event)
        events.append(event)
    assert [type(event) for event in events] == [Desynced, Resynced, CardsPlayed, CardsPlayed, CardsPlayed]
    assert isinstance(events[0], Desynced)
    assert events[0].reason == "begun"
    assert "played by E, N is next" in events[0].en
    assert before.state.deal is not None
    assert before.state.deal.tricks[-1].points == 15
    assert not before.alerts
