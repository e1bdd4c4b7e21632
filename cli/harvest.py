"""``trickwatch harvest``: training pictures from a recording and the referee's corrections."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer

from cli.recorded import Folder, Match

QUALITY: Final = 95


def register(app: typer.Typer) -> None:
    """Add the verb ``harvest``."""
    app.command("harvest")(harvest)


def harvest(
    match: Match,
    out: Annotated[Path, typer.Option(help="Folder for the pictures; `train --photos` takes it. 输出文件夹")],
    folder: Folder = None,
    corrected: Annotated[bool, typer.Option("--corrected", help="Only plays that the referee put right. 只要更正过的")] = False,
) -> None:
    """Cut labelled training pictures out of a recording.

    Each picture shows the cards of one play, everything around them is painted over; the labels are what the referee let stand.
    """
    import cv2

    from cli.recorded import guarded, opened
    from engine.cards import BIG_JOKER, FACES, LITTLE_JOKER
    from kiosk.recording import folder_of
    from kiosk.recording.harvest import harvest as pictures
    from kiosk.recording.harvest import plays_told, yolo
    from kiosk.recording.library import Library
    from kiosk.recording.truth import deals_of, read_log, recorded
    from models.photo_sets import CLASSES, face_of

    def action() -> None:
        _, state, path = opened(folder, match)
        numbers = {card: number for number, name in enumerate(CLASSES) if (card := face_of(name)) is not None}
        assert set(numbers) >= {*FACES, BIG_JOKER, LITTLE_JOKER}
        library = Library.open(folder_of(path))
        events = [event for _, event in read_log(path)]
        images, labels = out / path.stem / "images", out / path.stem / "labels"
        images.mkdir(parents=True, exist_ok=True)
        labels.mkdir(parents=True, exist_ok=True)
        told = made = put_right = 0
        for number in deals_of(events):
            deal = recorded(events, number, state.rules)
            told += plays_told(deal.told)
            for example in pictures(library, deal):
                if corrected and not example.corrected:
                    continue
                ok, data = cv2.imencode(".jpg", example.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
                if ok:
                    (images / f"{example.name}.jpg").write_bytes(data.tobytes())
                    (labels / f"{example.name}.txt").write_text(yolo(example, numbers), "utf-8")
                    made, put_right = made + 1, put_right + example.corrected
        typer.echo(
            f"{out / path.stem}: {made} 张图片，其中更正过 {put_right}，共 {told} 次出牌 / {made} pictures ({put_right} put right) of {told} plays"
        )

    guarded(action)
