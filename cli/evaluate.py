"""``trickwatch evaluate``: how well the recogniser reads, and the model card that says so."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Final

import typer

_SPEED_PICTURES: Final = 12
"""Pictures among which the one for measuring speed is chosen."""


def register(app: typer.Typer) -> None:
    """Add the verb ``evaluate``, and its parts ``enroll``, ``films`` and ``stills``."""
    from cli.evaluate_enroll import enroll
    from cli.evaluate_films import films
    from cli.evaluate_stills import stills

    group = typer.Typer(invoke_without_command=True)
    group.callback()(evaluate)
    group.command("enroll")(enroll)
    group.command("films")(films)
    group.command("stills")(stills)
    app.add_typer(group, name="evaluate")


def evaluate(
    ctx: typer.Context,
    photos: Annotated[list[Path] | None, typer.Option(help="Folder of labelled photo sets (SET/images, SET/labels); may be repeated.")] = None,
    rendered: Annotated[int, typer.Option(min=0, help="Pictures of each rendered set.")] = 100,
    only: Annotated[list[str] | None, typer.Option("--set", help="Only the set of this name; may be repeated.")] = None,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program.")] = None,
    deck: Annotated[Path | None, typer.Option(help="A deck file made by `trickwatch enroll`.")] = None,
    card: Annotated[Path | None, typer.Option(help="Model card to write the figures into, e.g. models/MODEL_CARD.md.")] = None,
    worst: Annotated[Path | None, typer.Option(help="Folder for the pictures with most errors of each set.")] = None,
    speed: Annotated[bool, typer.Option(help="Measure speeds.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a set instead of tables.")] = False,
) -> None:
    """Measure the recogniser on labelled photographs and on rendered scenes with art that training never saw."""
    if ctx.invoked_subcommand is not None:
        return
    from models import evaluate as work
    from models import evaluate_speed, report
    from models.measure import Outcome, Tally
    from models.photo_sets import PhotoSetError, photo_sets
    from models.rendered_sets import rendered_sets
    from vision.enrol import EnrolError, use_deck
    from vision.recogniser import Recogniser
    from vision.weights import WeightsError

    try:
        recogniser = Recogniser.load(weights)
        if deck is not None:
            use_deck(recogniser, deck)
        sets = {name: examples for root in photos or [] for name, examples in photo_sets(root).items()}
    except (WeightsError, EnrolError, PhotoSetError) as error:
        typer.echo(f"trickwatch evaluate: {error}", err=True)
        raise typer.Exit(2) from error
    drawn = rendered_sets(rendered) if rendered else {}
    unknown = [name for name in only or [] if name not in {**sets, **drawn}]
    if unknown:
        typer.echo(f"trickwatch evaluate: no set {unknown[0]!r}; there are {', '.join({**sets, **drawn})}", err=True)
        raise typer.Exit(2)
    sets, drawn = ({name: examples for name, examples in some.items() if not only or name in only} for some in (sets, drawn))
    results: dict[str, work.SetResult] = {}
    worst_photos = work.WorstPictures()
    for name, examples in {**sets, **drawn}.items():
        keeper = work.WorstPictures()
        seen = [keep for keep, wanted in ((keeper, worst), (worst_photos, card is not None and name in sets)) if wanted]

        def show(done: int, name: str = name, total: int = len(examples)) -> None:
            if done % 10 == 0 or done == total:
                typer.echo(f"\r{name}: {done}/{total}", nl=done == total, err=True)

        results[name] = work.run_set(recogniser, name, examples, keep=work.each(seen), progress=show)
        if worst:
            keeper.write(worst / name.replace(" ", "_"))
        if as_json:
            t = results[name].tally
            line = {"set": name, "pictures": t.pictures, "indices": t.indices, **{o.value: round(t.share(o), 5) for o in Outcome}}
            line |= {"cards": t.cards, "on_label": round(t.on_label, 5), "false": t.false}
            if results[name].wrong_labels:
                right = Tally.of(results[name].put_right)
                line |= {"wrong_labels": results[name].wrong_labels, "put_right": {o.value: round(right.share(o), 5) for o in Outcome}}
            typer.echo(json.dumps(line))
    speeds = None
    if speed:
        speeds = evaluate_speed.measure_speed(recogniser, evaluate_speed.eight_cards(rendered_sets(_SPEED_PICTURES)["clear"]))
        if as_json:
            typer.echo(json.dumps({"speed": asdict(speeds)}))
    command = f"trickwatch evaluate --rendered {rendered}" + "".join(f" --photos PHOTOS/{root.name}" for root in photos or [])
    command += "".join(f" --set {shlex.quote(name)}" for name in only or [])
    text = report.report([results[name] for name in sets], [results[name] for name in drawn], speeds, command)
    if not as_json:
        typer.echo(text)
    if card is not None:
        work.write_card(card, text, list(results.values()), worst_photos)
        typer.echo(f"-> {card}", err=True)
