"""A processor that is too slow for the camera: nobody is accused of what was not seen, and what lies there long enough is read all the same."""

from __future__ import annotations

import random

import pytest

from engine.events import Desynced, Resynced
from tests.vision.slow import Film, follow

FILMS = {habit: Film(seed, tricks=2, habit=habit) for seed, habit in ((2, "sweep"), (3, "stack"))}


@pytest.mark.parametrize(("habit", "times"), [("sweep", 1), ("sweep", 3), ("stack", 6), ("sweep", 10)])
def test_processor_several_times_slower_reads_every_card_and_accuses_nobody(habit: str, times: int) -> None:
    film = FILMS[habit]
    seen = follow(film, times=times)
    assert (seen.false, seen.wrong, seen.unseen) == ((), {}, ())
    assert (seen.dropped > len(film.table.shots) / 5) == (times > 3)


@pytest.mark.parametrize("habit", FILMS)
def test_processor_so_slow_that_plays_pass_unseen_accuses_nobody_and_says_so(habit: str) -> None:
    seen = follow(FILMS[habit], times=16)
    assert seen.false == ()
    assert seen.wrong == {}
    assert not seen.unseen or any(isinstance(event, Desynced) for event in seen.events)


@pytest.mark.parametrize(("habit", "seed"), [("sweep", 0), ("stack", 1)])
def test_stalls_at_any_moment_accuse_nobody(habit: str, seed: int) -> None:
    film, rng = FILMS[habit], random.Random(seed)
    end = film.table.shots[-1].t
    seen = follow(film, stalls=sorted((rng.uniform(12, end - 3), 3.0) for _ in range(4)))
    assert seen.false == ()
    assert seen.wrong == {}


def test_stall_in_which_nothing_happened_is_not_told() -> None:
    film = FILMS["sweep"]
    seen = follow(film, stalls=[(film.table.shots[-1].t - 3.8, 3.0)])
    assert not any(isinstance(event, Desynced | Resynced) for event in seen.events)
    assert seen.unseen == ()
