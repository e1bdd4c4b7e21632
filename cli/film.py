"""``trickwatch film``: a dealt and played game as a video with its truth."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer


def register(app: typer.Typer) -> None:
    """Add the verb ``film``."""
    app.command("film")(film)


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{3,4})x(\d{3,4})", text.strip().lower())
    if match is None:
        raise typer.BadParameter(f"{text!r} is no size; expected WIDTHxHEIGHT like 1920x1080")
    width, height = int(match[1]), int(match[2])
    if width % 4 or height % 4 or width < 320 or height < 240:
        raise typer.BadParameter(f"{text!r}: width and height must be multiples of 4 and at least 320x240")
    return width, height


def film(
    out: Annotated[Path, typer.Option(help="Folder for film.mp4, truth.jsonl and table.json.", file_okay=False)],
    rulebook: Annotated[str, typer.Option(help="Rulebook: name of a preset or a TOML file.")] = "official-2deck-shengji",
    seed: Annotated[int, typer.Option(min=0, help="The same seed and art give the same film.")] = 1,
    art: Annotated[
        str | None, typer.Option(help="Card art: a folder of pictures, a theme file or a deck's name; default: a deck that training never saw.")
    ] = None,
    habit: Annotated[str, typer.Option(help="What happens to a trick's cards: stack, turn or sweep.")] = "stack",
    offences: Annotated[int, typer.Option(min=0, max=3, help="Offences to plant.")] = 0,
    size: Annotated[str, typer.Option(help="Size of the picture.")] = "1920x1080",
    fps: Annotated[int, typer.Option(min=3, max=60, help="Frames a second.")] = 15,
    light: Annotated[str, typer.Option(help="even, side (a lamp), dim or window (a wandering shadow).")] = "even",
    tilt: Annotated[float, typer.Option(min=0.0, max=30.0, help="Degrees by which the camera looks from one side.")] = 0.0,
    mishap: Annotated[str, typer.Option(help="none, bump, cover (a hand rests on cards), unplug or drop.")] = "none",
    tricks: Annotated[int | None, typer.Option(min=1, help="Stop after so many tricks.")] = None,
    pace: Annotated[float, typer.Option(min=0.4, max=3.0, help="Factor on all times; less is quicker.")] = 1.0,
    draw: Annotated[int, typer.Option(min=1, max=8, help="Cards drawn in one reach while dealing.")] = 1,
    quality: Annotated[int, typer.Option(min=10, max=40, help="x264's rate factor; less is better and larger.")] = 25,
    preset: Annotated[str, typer.Option(help="x264's preset, from ultrafast to slow.")] = "ultrafast",
) -> None:
    """Render a film of a dealt and played game, with every event's time beside it.

    The folder can be given to `trickwatch watch`. Files appear only when they are whole.
    """
    from datasets.art import ArtError
    from datasets.film.choreography import Mishap
    from datasets.film.layout import Habit
    from datasets.film.light import Light
    from datasets.film.make import FilmOrder, make_film
    from datasets.splits import split
    from engine.rulebook_toml import RulebookError, load

    decks = split("held_out", "decks")
    deck = art if art is not None else decks[seed % len(decks)]
    if deck in split("train", "decks"):
        typer.echo(f"trickwatch film: the recogniser has seen {deck} in training; for a fair film take one of {', '.join(decks)}", err=True)
    order = FilmOrder(
        rulebook=rulebook, seed=seed, art=deck, habit=_member(Habit, habit, "--habit"), offences=offences, size=_size(size), fps=fps,
        light=_member(Light, light, "--light"), tilt=tilt, mishap=_member(Mishap, mishap, "--mishap"), tricks=tricks, pace=pace,
        per_reach=draw, quality=quality, preset=preset,
    )  # fmt: skip
    try:
        load(rulebook)
        with _progress(f"film {seed} ({habit}, {deck})") as step:
            script = make_film(order, out, step)
    except (ArtError, RulebookError, OSError) as error:
        typer.echo(f"trickwatch film: {error}", err=True)
        raise typer.Exit(2) from error
    typer.echo(f"{out}: {script.duration:.0f} s, {len(script.truth)} events")


def _member(kind: Any, text: str, option: str) -> Any:
    """The member of an enumeration that a text names."""
    try:
        return kind(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r}; expected one of {', '.join(member.value for member in kind)}", param_hint=option) from None


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
