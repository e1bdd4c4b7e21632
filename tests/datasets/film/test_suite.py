"""The suite of films: what it covers, what a description may say, and that whole films are not made again."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from datasets.film.camera import Model
from datasets.film.layout import Habit
from datasets.film.light import Light
from datasets.film.make import FilmOrder
from datasets.film.style import Mishap, Quirk
from datasets.film.suite import SuiteError, SuiteFilm, is_whole, load_suite, make_suite, order_from, suite_file
from datasets.splits import seeds, split
from engine.cards import Seat
from engine.rulebook_toml import load

SUITE = load_suite()
PLANS = [suite_file().with_name(name) for name in ("later.toml", "third.toml", "fourth.toml", "fifth.toml", "sixth.toml", "matches.toml")]


def test_the_suite_covers_packs_habits_lights_cameras_tilts_and_mishaps() -> None:
    orders = [film.order for film in SUITE]
    assert len(orders) >= 24
    assert {load(order.rulebook).pack.decks for order in orders} == {2, 3, 4}
    assert {order.habit for order in orders} == set(Habit)
    assert {order.light for order in orders} == set(Light)
    assert {order.camera for order in orders} == set(Model)
    later = [film.order for plan in PLANS for film in load_suite(plan)]
    assert {order.mishap for order in (*orders, *later)} == set(Mishap)
    assert {quirk for order in orders for quirk in order.quirks} == set(Quirk)
    assert max(order.tilt for order in orders) == 25.0
    assert len({order.art for order in orders}) >= 8
    planted = Counter(order.offences > 0 for order in orders)
    assert planted[True] >= len(orders) // 2


def test_the_suite_shows_nothing_that_training_saw() -> None:
    held_out = set(split("held_out", "decks"))
    films, drawn = seeds("held_out", "film_seeds"), seeds("held_out", "drawn_seeds")
    shown = [*SUITE, *(film for plan in PLANS for film in load_suite(plan))]
    for film in shown:
        art = film.order.art
        assert art in held_out or int(art.removeprefix("drawn/")) in drawn
        assert film.order.seed in films
    assert len({film.order.seed for film in shown}) == len(shown)


def test_the_matches_begin_anywhere_and_show_several_deals() -> None:
    orders = [film.order for film in load_suite(suite_file().with_name("matches.toml"))]
    assert all(order.deals > 1 for order in orders)
    assert {order.habit for order in orders} == set(Habit)
    assert any(order.levels and order.declarer for order in orders)


def test_an_order_comes_back_from_its_plain_form() -> None:
    for film in SUITE:
        assert order_from(json.loads(json.dumps(film.order.to_json())), film.name) == film.order


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[film.a]\ncolour = 1", "unknown key 'colour'"),
        ("[film.a]\nhabit = 'throw'", "habit = 'throw'"),
        ("[film.a]\nhabit = 'stack'\nquirks = ['early-turn']", "early-turn does not go with the habit stack; expected turn"),
        ("[film.a]\nlevels = {E = '5'}", "no side 'E'"),
        ("[film.a]\ndeclarer = 'X'", "declarer = 'X'"),
        ("[film.a]\ndeals = 0", "deals = 0"),
        ("[defaults]\npace = 1", "no films"),
        ("[film", "plan.toml"),
    ],
)
def test_a_wrong_description_is_refused_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text(text, encoding="utf-8")
    with pytest.raises(SuiteError, match=r"film a|plan\.toml") as caught:
        load_suite(plan)
    assert words in str(caught.value)


def test_a_film_of_a_match_is_described_and_comes_back(tmp_path: Path) -> None:
    plan = tmp_path / "plan.toml"
    plan.write_text("[film.a]\ndeals = 3\ndeal = 2\nlevels = {EW = '5', NS = '10'}\ndeclarer = 'N'", encoding="utf-8")
    (film,) = load_suite(plan)
    assert film.order == FilmOrder(deals=3, deal=2, levels={"EW": "5", "NS": "10"}, declarer=Seat.N)
    assert order_from(json.loads(json.dumps(film.order.to_json())), "a") == film.order


def test_a_film_made_before_there_were_matches_is_whole(tmp_path: Path) -> None:
    film = SuiteFilm("a", FilmOrder(seed=3))
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "film.mp4").write_bytes(b"film")
    old = {key: value for key, value in film.order.to_json().items() if key not in ("deals", "deal", "levels", "declarer")}
    (tmp_path / "a" / "table.json").write_text(json.dumps({"film": old}), encoding="utf-8")
    assert is_whole(film, tmp_path)
    assert not is_whole(SuiteFilm("a", replace(film.order, deals=2)), tmp_path)


def test_a_whole_film_is_kept_and_one_of_another_order_made_anew(tmp_path: Path, plain_art: Path) -> None:
    order = FilmOrder(size=(320, 240), fps=5, tricks=1, per_reach=8, pace=0.4, seed=3, art=str(plain_art), habit=Habit.TURN)
    film = SuiteFilm("a", order)
    told: list[tuple[str, bool]] = []

    def begin(which: SuiteFilm, whole: bool) -> None:
        told.append((which.name, whole))

    assert not is_whole(film, tmp_path)
    make_suite([film], tmp_path, begin)
    made = (tmp_path / "a" / "film.mp4").stat().st_mtime_ns
    make_suite([film], tmp_path, begin)
    assert (tmp_path / "a" / "film.mp4").stat().st_mtime_ns == made
    other = SuiteFilm("a", replace(order, seed=4))
    make_suite([other], tmp_path, begin)
    assert told == [("a", False), ("a", True), ("a", False)]
    assert is_whole(other, tmp_path)
    (tmp_path / "a" / "film.mp4").unlink()
    assert not is_whole(other, tmp_path)
