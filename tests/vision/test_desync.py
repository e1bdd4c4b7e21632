"""Desync: what is a misfit of table and model, and what only looks like one."""

from __future__ import annotations

from dataclasses import replace

from engine.events import CardsPlayed, TakenBack
from tests.vision.test_plays import ask, card, look, turn
from vision.plays import PlayTracker
from vision.zones import Zone


def test_trick_to_which_two_players_have_laid_again_after_a_take_back_was_not_taken_up() -> None:
    tracker = PlayTracker()
    for seat, first, second, still in (("E", "HA", "HK", 1.0), ("N", "H4", "H6", 6.0)):
        own, count = card(first, seat), None if seat == "E" else 1
        tracker.see(look(seat, own, still=still))
        assert isinstance(ask(tracker, still + 0.3, turn(seat, count)), CardsPlayed)
        tracker.disturbed(Zone(seat))
        tracker.see(replace(look(seat, still=still + 1.0, paper=0.0), touched=(own,), bare=(own,), reverted=True))
        after = turn(seat, count)
        assert isinstance(ask(tracker, still + 2.9, turn("N" if seat == "E" else "W", 1)), TakenBack)
        tracker.disturbed(Zone(seat))
        tracker.see(look(seat, card(second, seat), still=still + 3.5))
        assert isinstance(ask(tracker, still + 3.8, after), CardsPlayed)
    assert ask(tracker, 14.0, turn("W", 1)) is None
    assert tracker.desync.reason is None
