"""``trickwatch replay``: a recording through today's program again."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.recorded import CANNOT, Folder, Match

if TYPE_CHECKING:
    from kiosk.recording.truth import Recorded

DIFFERENT: Final = 1
_WORDS: Final = {
    "same": ("相同", "same"),
    "better": ("现在正确", "right now, wrong then"),
    "worse": ("现在读错", "wrong now, right then"),
    "wrong": ("仍然读错", "wrong then and now"),
}


def register(app: typer.Typer) -> None:
    """Add the verb ``replay``."""
    app.command("replay")(replay)


def replay(
    match: Match = "last",
    folder: Folder = None,
    deal: Annotated[int | None, typer.Option(help="Only this deal. 第几局")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON line a play and a ruling that differ, and one a deal. 输出 JSON")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Also the plays that are the same. 相同的也列出")] = False,
    film: Annotated[Path | None, typer.Option(help="Only write film folders (film.mp4, table.json, truth.jsonl) into this folder. 导出影片")] = None,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program. 模型")] = None,
    deck: Annotated[Path | None, typer.Option(help="A deck file made by `trickwatch enroll`. 牌样")] = None,
) -> None:
    """Feed a recording through today's program again: what would be read and ruled differently, play by play.

    It is compared with the log as the referee has corrected it. The exit status is 0 when everything is right today, 1 when
    something is not, 2 when the recording cannot be replayed.
    """
    from engine.rulebook_toml import RulebookError
    from kiosk.errors import KioskError
    from vision.calibration import CalibrationError
    from vision.camera import SourceError
    from vision.enrol import EnrolError
    from vision.weights import WeightsError

    try:
        library, found = _open(match, folder, deal)
        if film is not None:
            from kiosk.recording.film import write_film

            for one in found:
                typer.echo(str(write_film(library, one, film / f"deal-{one.start.deal:02d}")))
            return
        right = True
        for one in found:
            right &= _replay_one(library, one, as_json=as_json, everything=everything, weights=weights, deck=deck)
    except (KioskError, RulebookError, CalibrationError, SourceError, WeightsError, EnrolError, OSError) as error:
        typer.echo(f"trickwatch replay: {error}", err=True)
        raise typer.Exit(CANNOT) from error
    if not right:
        raise typer.Exit(DIFFERENT)


def _open(match: str, folder: Path | None, deal: int | None) -> tuple[Any, list[Recorded]]:
    """The video and the deals of a recording."""
    from cli.recorded import opened
    from kiosk.recording import folder_of
    from kiosk.recording.library import Library
    from kiosk.recording.truth import deals_of, read_log, recorded

    _, state, path = opened(folder, match)
    events = [event for _, event in read_log(path)]
    numbers = deals_of(events) if deal is None else (deal,)
    return Library.open(folder_of(path)), [recorded(events, number, state.rules) for number in numbers]


def _replay_one(library: Any, deal: Recorded, *, as_json: bool, everything: bool, weights: Path | None, deck: Path | None) -> bool:
    """Replay one deal; says whether everything is right today."""
    from kiosk.recording.differences import compare_plays, compare_rulings, summary
    from kiosk.recording.film import write_film
    from models.evaluate_films import evaluate_film
    from vision.enrol import use_deck
    from vision.recogniser import Recogniser

    with tempfile.TemporaryDirectory(prefix="trickwatch-") as scratch:
        folder = write_film(library, deal, Path(scratch) / f"deal-{deal.start.deal:02d}")
        recogniser = Recogniser.load(weights)
        if deck is not None:
            use_deck(recogniser, deck)
        now = evaluate_film(folder, recogniser).events
    for play in compare_plays(deal, now):
        if play.kind != "same" or everything:
            _print(play.to_json(), as_json=as_json)
    rulings = list(compare_rulings(deal, now))
    for ruling in rulings:
        if ruling.truth != ruling.now or ruling.then != ruling.now or everything:
            _print(ruling.to_json(), as_json=as_json)
    counts = summary(deal, now)
    _print(counts, as_json=as_json)
    return not (counts["worse"] or counts["wrong"] or counts["rulings_differ"])


def _print(line: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(line, ensure_ascii=False))
        return
    match line["line"]:
        case "play":
            zh, en = _WORDS[line["kind"]]
            then, truth, now = (" ".join(line[key]) or "–" for key in ("then", "truth", "now"))
            typer.echo(f"第 {line['trick']} 墩 {line['seat']}  {zh} / {en}:  当时 then {then}  实际 truth {truth}  现在 now {now}")
        case "ruling":
            marks = "  ".join(
                f"{words} {'✓' if line[key] else '–'}" for key, words in (("then", "当时 then"), ("truth", "实际 truth"), ("now", "现在 now"))
            )
            typer.echo(f"第 {line['trick']} 墩 {line['seat']}  {line['offence']}:  {marks}")
        case _:
            typer.echo(
                f"第 {line['deal']} 局 / deal {line['deal']}: {line['plays']} plays, {line['same']} same, "
                f"{line['better']} better, {line['worse']} worse, "
                f"{line['wrong']} wrong; points then {line['points_then']}, truth {line['points']}, now {line['points_now']}"
            )
