"""``trickwatch watch``: the pipeline and the referee over a film, without a kiosk."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.texts import describe

if TYPE_CHECKING:
    from engine.events import Event
    from engine.rulebook import Rulebook
    from vision.calibration import Calibration
    from vision.pipeline import Pipeline
    from vision.recogniser import Recogniser

DEFAULT_RULEBOOK: Final = "official-2deck-shengji"
ENDED_EARLY: Final = 3
HABITS: Final = ("auto", "stack", "turn", "sweep")


def register(app: typer.Typer) -> None:
    """Add the verb ``watch``."""
    app.command("watch")(watch)


def watch(
    source: Annotated[str, typer.Argument(help="A film, a film folder, a device number, a URL or a folder of pictures. 影片、摄像头或图片文件夹")],
    rulebook: Annotated[str | None, typer.Option(help=f"A preset's name or a file; default: the film's, else {DEFAULT_RULEBOOK}. 规则")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one event a line as JSON. 每行一个事件")] = False,
    habit: Annotated[
        str, typer.Option(help="What players do with played cards: stack (they stay, the next on top), turn, sweep, or auto (any). 出过的牌怎样放")
    ] = "auto",
    deck: Annotated[Path | None, typer.Option(help="A deck file made by `trickwatch enroll`. 牌样")] = None,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program. 模型")] = None,
    calibration: Annotated[Path | None, typer.Option(help="A table.json to use instead of the film's own. 标定")] = None,
    realtime: Annotated[bool, typer.Option(help="Pace a film to its own clock. 按影片的时间播放")] = False,
    free: Annotated[bool, typer.Option(help="No rules: list every card that lies in the picture. 不用规则，只列出看到的牌")] = False,
    truth: Annotated[
        bool, typer.Option("--truth", help="Compare with the film folder's truth.jsonl at the end (on standard error). 与真值比对")
    ] = False,
) -> None:
    """Watch a table and print what happens, one event a line.

    The exit status is 0 when the film was followed to the end of a deal, 2 when it could not be watched, and 3 when it ended
    in the middle of a deal, broke off, or showed no play; the events so far are printed in any case. What else should be known (too few
    pictures, how the table was found) is said on standard error.
    """
    from engine.rulebook_toml import RulebookError, load
    from vision.calibration import CalibrationError
    from vision.camera import SourceError
    from vision.open_table import open_table
    from vision.weights import WeightsError

    if habit not in HABITS:
        _fail(f"没有习惯 {habit!r} / unknown habit {habit!r}; expected one of {', '.join(HABITS)}")
    try:
        table = _table_file(source, calibration)
        if free:
            _list(source, _recogniser(weights, deck), table, realtime=realtime, as_json=as_json)
            return
        name = rulebook or str((table.match if table else {}).get("rulebook") or DEFAULT_RULEBOOK)
        rules = load(name)
        pipeline = open_table(
            source,
            calibration=calibration,
            realtime=realtime,
            recogniser=_recogniser(weights, deck),
            decks=rules.pack.decks,
            deal=int((table.match if table else {}).get("deal") or 1),
            habit=habit,
            notice=_note,
        )
    except (SourceError, CalibrationError, RulebookError, WeightsError, ValueError) as error:
        _fail(str(error))
    try:
        _follow(pipeline, rules, table, as_json=as_json, truth=Path(source) / "truth.jsonl" if truth else None)
    except OSError as error:
        _unwritable(error)
    finally:
        pipeline.close()


def _fail(message: str) -> None:
    """Say why it cannot go on."""
    typer.echo(f"trickwatch watch: {message}", err=True)
    raise typer.Exit(2)


def _note(words: object) -> None:
    """Tell the person at the terminal; events go on."""
    typer.echo(f"trickwatch watch: {words}", err=True)


def _table_file(source: str, calibration: Path | None) -> Calibration | None:
    from vision.calibration import load
    from vision.open_table import table_file

    path = table_file(source, calibration)
    return load(path) if path is not None else None


def _recogniser(weights: Path | None, deck: Path | None) -> Recogniser:
    from vision.recogniser import Recogniser

    recogniser = Recogniser.load(weights)
    if deck is not None:
        from vision.enrol import use_deck

        use_deck(recogniser, deck)
    return recogniser


def _print(event: Event, *, as_json: bool) -> None:
    from engine.events import to_json

    typer.echo(json.dumps(to_json(event), ensure_ascii=False) if as_json else describe(event))
    sys.stdout.flush()


def _unwritable(error: OSError) -> None:
    """The output is closed (nobody reads on: end in silence) or full (say so)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # else what is left in the buffer fails once more at the end
    if not isinstance(error, BrokenPipeError):
        _fail(f"写不出结果：{error.strerror or error}；请清出磁盘空间 / the events cannot be written: {error.strerror or error}; free disk space")


def _list(source: str, recogniser: Recogniser, table: Calibration | None, *, realtime: bool, as_json: bool) -> None:
    """Print the cards that lie in the pictures, without a game."""
    from vision.camera import Source
    from vision.listing import list_cards

    camera = Source(source, realtime=realtime)
    try:
        for event in list_cards(camera, recogniser, table):
            _print(event, as_json=as_json)
    except OSError as error:
        _unwritable(error)
    finally:
        camera.close()


def _follow(pipeline: Pipeline, rules: Rulebook, table: Calibration | None, *, as_json: bool, truth: Path | None) -> None:
    """Print events until the source ends, then what it came to."""
    from engine.events import Buried, CameraBack, CameraLost, CardsPlayed, DealEnded, Declared
    from engine.referee import expectation
    from vision.refereed import Table

    refereed = Table(pipeline, rules, table.match if table else None)
    begin = time.monotonic()
    seen: list[Event] = []
    broken, warned = False, False
    for event in refereed.events():
        seen.append(event)
        warned = _warn(pipeline, warned)
        broken = (broken or isinstance(event, CameraLost)) and not isinstance(event, CameraBack)
        _print(event, as_json=as_json)
    timing = pipeline.timing
    spent = time.monotonic() - begin
    typer.echo(
        f"{timing.frames} 帧 / frames, {timing.table_s:.1f} s; {spent:.1f} s ({timing.table_s / max(spent, 1e-6):.2f}x), "
        f"{timing.reads} 次识别 / readings, {timing.read_s:.1f} s",
        err=True,
    )
    if truth is not None:
        _compare(truth, seen, timing.table_s / max(spent, 1e-6))
    if not warned:
        _warn(pipeline, warned)
    if not any(isinstance(event, CardsPlayed | Declared | Buried) for event in seen):
        _note(
            "没有看到出牌、亮主或扣底：请用 trickwatch calibrate 检查画面和标定 / "
            "no play, declaration or burying was seen: check picture and calibration with `trickwatch calibrate`"
        )
        raise typer.Exit(ENDED_EARLY)
    left = expectation(refereed.state)
    if left.phase not in ("waiting", "ended") and not (left.phase in ("dealing", "declaring") and any(isinstance(e, DealEnded) for e in seen)):
        where = f"第 {left.trick} 墩 / trick {left.trick}" if left.phase == "trick" else left.phase
        say = f"视频在一副牌中途结束（{where}），以上事件已保留 / the film ended in the middle of a deal ({where}); the events so far stand"
        _note(say)
        raise typer.Exit(ENDED_EARLY)
    if broken:
        raise typer.Exit(ENDED_EARLY)


def _warn(pipeline: Pipeline, warned: bool) -> bool:
    """Say that too few pictures are seen, or that enough are seen again; gives whether they are too few."""
    slow = pipeline.status()["slow"]
    if slow is not None and not warned:
        _note(f"{slow['zh']} / {slow['en']}")
    elif slow is None and warned:
        _note("又跟得上了 / it keeps up again")
    return slow is not None


def _compare(truth: Path, seen: list[Event], speed: float) -> None:
    from vision.compare import TruthError, compare, read_events

    try:
        report = compare(read_events(truth), seen, speed)
    except TruthError as error:
        _fail(str(error))
        return
    typer.echo(report.text(), err=True)
