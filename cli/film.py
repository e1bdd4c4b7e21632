"""``trickwatch film``: a dealt and played game as a video with its truth, or a whole suite of them."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from datasets.film.suite import SuiteFilm

_Term = TypeVar("_Term", bound=StrEnum)


def register(app: typer.Typer) -> None:
    """Add the verb ``film``."""
    app.command("film")(film)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{3,4})x(\d{3,4})", text.strip().lower())
    if match is None:
        raise typer.BadParameter(f"{text!r} 不是尺寸，应写成 1920x1080 / {text!r} is no size; expected WIDTHxHEIGHT like 1920x1080")
    width, height = int(match[1]), int(match[2])
    if width % 4 or height % 4 or width < 320 or height < 240:
        raise typer.BadParameter(
            f"{text!r}：宽和高须为 4 的倍数，至少 320x240 / {text!r}: width and height must be multiples of 4 and at least 320x240"
        )
    return width, height


def _levels(texts: list[str]) -> dict[str, str]:
    """Levels by side out of texts like ``EW=5``."""
    out = {}
    for text in texts:
        match = re.fullmatch(r"\s*(EW|NS)\s*=\s*(\S+)\s*", text, re.IGNORECASE)
        if match is None:
            raise typer.BadParameter(f"{text!r}：应写成 EW=5 或 NS=5 / {text!r}: expected EW=5 or NS=5", param_hint="--level")
        out[match[1].upper()] = match[2]
    return out


def film(
    out: Annotated[Path | None, typer.Option(help="Folder for film.mp4, truth.jsonl and table.json.", file_okay=False)] = None,
    rulebook: Annotated[str, typer.Option(help="Rulebook: name of a preset or a TOML file; it says how many packs.")] = "official-2deck-shengji",
    seed: Annotated[int, typer.Option(min=0, help="The same seed, art and options give the same film.")] = 1,
    art: Annotated[
        str | None, typer.Option(help="Card art: a folder of pictures, a theme file or a deck's name; default: a deck that training never saw.")
    ] = None,
    habit: Annotated[str, typer.Option(help="What happens to a trick's cards: stack, turn or sweep.")] = "stack",
    quirk: Annotated[list[str] | None, typer.Option(help="Also: take-back, early-turn, look-back, one-side, points-out; may be repeated.")] = None,
    offences: Annotated[int, typer.Option(min=0, max=3, help="Offences to plant in each deal.")] = 0,
    offence_kind: Annotated[list[str] | None, typer.Option(help="Kinds: suit, pair, tractor, shape; may be repeated. Default: all.")] = None,
    camera: Annotated[str, typer.Option(help="1080p, 4k (shrunk to 1080p as cheap cameras do) or 720p.")] = "1080p",
    size: Annotated[str | None, typer.Option(help="Another size of the picture.")] = None,
    fps: Annotated[int, typer.Option(min=3, max=60, help="Frames a second.")] = 15,
    light: Annotated[str, typer.Option(help="even, lamp (from one side), dim or window (with a wandering shadow).")] = "even",
    tilt: Annotated[float, typer.Option(min=0.0, max=25.0, help="Degrees by which the camera looks from one side.")] = 0.0,
    mishap: Annotated[
        str, typer.Option(help="none, bump, rest (hands on cards), drop, home (both); 20 s of nothing: unplug (black), freeze, absent (no frames).")
    ] = "none",
    tricks: Annotated[int | None, typer.Option(min=1, help="Stop after so many tricks of the last deal.")] = None,
    pace: Annotated[float, typer.Option(min=0.4, max=3.0, help="Factor on all times; less is quicker.")] = 1.0,
    draw: Annotated[int, typer.Option(min=1, max=8, help="Cards drawn in one reach while dealing.")] = 1,
    deals: Annotated[int, typer.Option(min=1, max=20, help="Deals of one match that follow each other.")] = 1,
    deal: Annotated[int, typer.Option(min=1, help="The first one's number in the match.")] = 1,
    level: Annotated[list[str] | None, typer.Option(help="A side's level before it, like EW=5; may be repeated. Default: the first.")] = None,
    declarer: Annotated[str | None, typer.Option(help="Its declarer, E, N, W or S, where that is fixed beforehand.")] = None,
    quality: Annotated[int, typer.Option(min=10, max=40, help="x264's rate factor; less is better and larger.")] = 25,
    preset: Annotated[str, typer.Option(help="x264's preset, from ultrafast to slow.")] = "ultrafast",
    suite: Annotated[Path | None, typer.Option(help="Render the whole film suite into this folder; films that are whole are kept.")] = None,
    only: Annotated[list[str] | None, typer.Option(help="With --suite: only the film of this name; may be repeated.")] = None,
    plan: Annotated[Path | None, typer.Option(help="With --suite: another description than datasets/film/suite.toml.")] = None,
) -> None:
    """Render a film of a dealt and played game, with every event's time beside it.

    The folder can be given to `trickwatch watch`. Files appear only when they are whole.
    """
    from datasets.art import ArtError
    from engine.rulebook_toml import RulebookError

    if (suite is None) == (out is None):
        raise typer.BadParameter(
            "请给出 --out（一部影片）或 --suite（全套） / give --out FOLDER for one film, or --suite FOLDER for all of the suite"
        )
    try:
        if suite is not None:
            _suite(suite, plan, only or [])
            return
        assert out is not None
        _one(
            out, rulebook=rulebook, seed=seed, art=art, habit=habit, quirks=quirk or [], offences=offences, kinds=offence_kind or [],
            camera=camera, size=size, fps=fps, light=light, tilt=tilt, mishap=mishap, tricks=tricks, pace=pace, draw=draw, quality=quality,
            preset=preset, deals=deals, deal=deal, level=level or [], declarer=declarer,
        )  # fmt: skip
    except (ArtError, RulebookError, OSError, ValueError) as error:
        typer.echo(f"trickwatch film: {error}", err=True)
        raise typer.Exit(2) from error


def _one(
    out: Path, *, seed: int, art: str | None, habit: str, quirks: list[str], kinds: list[str], camera: str, size: str | None, light: str,
    mishap: str, draw: int, level: list[str], declarer: str | None, **rest: Any,
) -> None:  # fmt: skip
    """Render one film."""
    from datasets.film.camera import Model
    from datasets.film.layout import Habit
    from datasets.film.light import Light
    from datasets.film.make import FilmOrder, deals_of, make_film
    from datasets.film.style import Mishap, Quirk
    from datasets.splits import split
    from engine.cards import Seat
    from engine.offences import Offence

    decks = split("held_out", "decks")
    deck = art if art is not None else decks[seed % len(decks)]
    if deck in split("train", "decks"):
        typer.echo(f"trickwatch film: the recogniser has seen {deck} in training; for a fair film take one of {', '.join(decks)}", err=True)
    order = FilmOrder(
        seed=seed, art=deck, habit=_member(Habit, habit, "--habit"), quirks=tuple(_member(Quirk, q, "--quirk") for q in quirks),
        kinds=tuple(_member(Offence, k, "--offence-kind") for k in kinds) or tuple(Offence), camera=_member(Model, camera, "--camera"),
        size=_size(size) if size is not None else None, light=_member(Light, light, "--light"), mishap=_member(Mishap, mishap, "--mishap"),
        per_reach=draw, levels=_levels(level), declarer=_member(Seat, declarer, "--declarer") if declarer is not None else None, **rest,
    )  # fmt: skip
    planted, wanted = sum(len(done.planted) for done in deals_of(order)), order.offences * order.deals
    if planted < wanted:
        typer.echo(f"trickwatch film: the cards of seed {seed} allow only {planted} of {wanted} offences; take another seed", err=True)
    with _progress(f"film {seed} ({habit}, {deck})") as step:
        script = make_film(order, out, step)
    typer.echo(f"{out}: {script.duration:.0f} s, {len(script.truth)} events")


def _suite(folder: Path, plan: Path | None, only: list[str]) -> None:
    """Render the films of a suite that are not whole yet."""
    from datasets.film.suite import SuiteError, load_suite, make_suite

    suite = load_suite(plan)
    unknown = set(only) - {film.name for film in suite}
    if unknown:
        raise SuiteError(f"no film {', '.join(sorted(unknown))} in the suite; expected {', '.join(film.name for film in suite)}")
    chosen = [film for film in suite if not only or film.name in only]
    begun = time.monotonic()

    def begin(film: SuiteFilm, whole: bool) -> Callable[[int, int], None]:
        at = chosen.index(film) + 1
        typer.echo(f"{at}/{len(chosen)} {film.name}{': whole' if whole else ''}  ({time.monotonic() - begun:.0f} s)")
        return lambda done, total: _tenth(film.name, done, total)

    make_suite(chosen, folder, begin)
    typer.echo(f"{folder}: {len(chosen)} films are whole")


def _member(kind: type[_Term], text: str, option: str) -> _Term:
    """The member of an enumeration that a text names."""
    try:
        return kind(text)
    except ValueError:
        known = ", ".join(member.value for member in kind)
        raise typer.BadParameter(f"{text!r}：应为 {known} 之一 / {text!r}: expected one of {known}", param_hint=option) from None


@contextmanager
def _progress(title: str) -> Iterator[Callable[[int, int], None]]:
    """Progress on the error stream: a bar on a terminal, a line for every tenth otherwise."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda done, total: _tenth(title, done, total)
        return
    with Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _tenth(title: str, done: int, total: int) -> None:
    if done * 10 // total != (done - 1) * 10 // total:
        typer.echo(f"{title}: {done} of {total} frames", err=True)
