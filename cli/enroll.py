"""``trickwatch enroll``: teach the reader the deck in use."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.cards import Card
    from vision.enrol import Sample


def register(app: typer.Typer) -> None:
    """Add the verb ``enroll``."""
    app.command("enroll")(enroll)


def enroll(
    deck: Annotated[Path, typer.Argument(help="Deck file to write; `read`, `watch` and `evaluate` take it with --deck. 牌样文件")],
    images: Annotated[
        list[Path] | None, typer.Argument(help="Pictures of the deck spread out, each face at most once a picture. 摊开的牌的照片")
    ] = None,
    camera: Annotated[str | None, typer.Option(help="Camera (number or address) to take the picture with instead. 用摄像头拍")] = None,
    answer: Annotated[list[str] | None, typer.Option(help="Name an unsure card: 3=H10; 3=- leaves it out. May be repeated. 指明认不准的牌")] = None,
    sheet: Annotated[Path | None, typer.Option(help="Picture of the unsure cards, numbered; default: beside the deck file. 认不准的牌的图")] = None,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program. 模型")] = None,
    card_width: Annotated[float | None, typer.Option(min=8.0, help="Width of a card in pixels, if known. 牌宽（像素）")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON. 输出 JSON")] = False,
) -> None:
    """Learn the deck in use from pictures of its 54 faces, spread out in any order.

    Cards that are unsure are asked for where somebody sits at the terminal; otherwise they are listed, numbered, and can be named with --answer.
    """
    from vision import enrol
    from vision.recogniser import Recogniser
    from vision.stills import PictureError
    from vision.weights import WeightsError

    try:
        recogniser = Recogniser.load(weights)
        samples = [sample for picture in _pictures(images or [], camera) for sample in enrol.collect(recogniser, picture, card_width)]
        named = _answers(answer or [])
        samples, unsure = _settle(samples, named, ask=sys.stdin.isatty() and not as_json, sheet=sheet or deck.with_suffix(".unsure.png"))
        made = enrol.fit(recogniser.reader, samples)
        enrol.save(made, deck)
    except (WeightsError, PictureError, enrol.EnrolError) as error:
        typer.echo(f"trickwatch enroll: {error}", err=True)
        raise typer.Exit(2) from error
    _tell(deck, samples, unsure, as_json=as_json)


def _pictures(images: Sequence[Path], camera: str | None) -> Iterable[Any]:
    from vision.enrol import EnrolError
    from vision.stills import load

    if camera is None and not images:
        raise EnrolError("没有图片 / no picture: give pictures of the spread deck, or --camera")
    yield from (load(path) for path in images)
    if camera is not None:
        yield _sharpest(camera)


def _sharpest(camera: str) -> Any:
    """Take some frames and keep the sharpest."""
    import cv2

    from vision.enrol import EnrolError

    source = cv2.VideoCapture(int(camera) if camera.isdigit() else camera)
    try:
        frames = []
        for _ in range(20):
            got, frame = source.read()
            if got:
                frames.append(frame)
    finally:
        source.release()
    if not frames:
        raise EnrolError(f"摄像头没有画面 / the camera gives no picture: {camera}; is it plugged in, and not in use by another program?")
    return max(frames[len(frames) // 2 :], key=lambda frame: cv2.Laplacian(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var())


def _answers(texts: Sequence[str]) -> dict[int, Card | None]:
    from engine.cards import NotationError, parse_card
    from vision.enrol import EnrolError

    out: dict[int, Card | None] = {}
    for text in texts:
        number, _, face = text.partition("=")
        try:
            out[int(number)] = None if face.strip() == "-" else parse_card(face)
        except (ValueError, NotationError) as error:
            raise EnrolError(f"不明白的回答 / not an answer: {text!r}; expected NUMBER=CARD like 3=H10, or 3=- to leave it out ({error})") from error
    return out


def _settle(samples: Sequence[Sample], named: dict[int, Card | None], *, ask: bool, sheet: Path) -> tuple[list[Sample], list[tuple[int, Sample]]]:
    """Name the unsure cards by the answers given, or ask; give all samples and those still unsure with their numbers."""
    from engine.cards import NotationError, parse_card
    from vision import enrol

    settled = [sample for sample in samples if sample.sure]
    unsure = [(number, sample) for number, sample in enumerate((s for s in samples if not s.sure), 1)]
    still: list[tuple[int, Sample]] = []
    if unsure:
        _draw(unsure, sheet)
    for number, sample in unsure:
        if number in named:
            face = named[number]
            if face is not None:
                settled.append(enrol.answer(sample, face))
            continue
        if ask:
            text = typer.prompt(f"{number} ({sheet.name}): {sample.face}?  [Enter = {sample.face}, - = 跳过 / skip]", default=sample.face)
            try:
                settled.append(enrol.answer(sample, parse_card(text)))
                continue
            except NotationError as error:
                if text.strip() != "-":
                    typer.echo(f"  {error}", err=True)
        still.append((number, sample))
    return settled, still


def _draw(unsure: Sequence[tuple[int, Sample]], sheet: Path) -> None:
    """Write the unsure cards' patches side by side, numbered."""
    import cv2
    import numpy as np

    tiles = []
    for number, sample in unsure:
        patch = cv2.resize(sample.patches[0], None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC)
        tile = np.full((patch.shape[0] + 26, patch.shape[1] + 8, 3), 255, np.uint8)
        tile[22 : 22 + patch.shape[0], 4 : 4 + patch.shape[1]] = patch
        cv2.putText(tile, f"{number}: {sample.face}?", (4, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
        tiles.append(tile)
    blank = np.full_like(tiles[0], 255)
    rows = [tiles[k : k + 9] + [blank] * (9 - len(tiles[k : k + 9])) for k in range(0, len(tiles), 9)]
    picture = cv2.vconcat([cv2.hconcat(row) for row in rows])
    try:
        sheet.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    except OSError as error:
        typer.echo(f"trickwatch enroll: 无法写入 / cannot write {sheet}: {error.strerror or error}", err=True)


def _tell(deck: Path, samples: Sequence[Sample], unsure: Sequence[tuple[int, Sample]], *, as_json: bool) -> None:
    from engine.cards import FACES

    learnt = {sample.face for sample in samples}
    missing = [face for face in FACES if face not in learnt]
    if as_json:
        doubts = [
            {"number": n, "guess": s.face, "probability": round(s.probability, 3), "corners_px": s.seen.to_json()["corners_px"]} for n, s in unsure
        ]
        typer.echo(json.dumps({"deck": str(deck), "learnt": sorted(learnt, key=FACES.index), "missing": missing, "unsure": doubts}))
        return
    typer.echo(f"{deck}: 已登记 / learnt {len(learnt)} / {len(FACES)}")
    if missing:
        typer.echo(f"没有看到 / not seen: {' '.join(missing)}")
    for number, sample in unsure:
        typer.echo(f"不确定 / unsure {number}: {sample.face} ({sample.probability:.2f}); --answer {number}=CARD")
