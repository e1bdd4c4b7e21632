"""``trickwatch read``: cards in still pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from vision.recogniser import Recogniser


def register(app: typer.Typer) -> None:
    """Add the verb ``read``."""
    app.command("read")(read)


def read(
    images: Annotated[list[Path], typer.Argument(help="Pictures (JPEG, PNG, WebP, BMP). 照片")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON line a picture instead of drawing. 每张一行 JSON")] = False,
    out: Annotated[Path | None, typer.Option(help="Folder for the annotated pictures; default: beside each picture. 标注图的文件夹")] = None,
    weights: Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program. 模型")] = None,
    deck: Annotated[Path | None, typer.Option(help="A deck file made by `trickwatch enroll`. 牌样")] = None,
    least: Annotated[float, typer.Option(min=0.0, max=1.0, help="Leave out cards less sure than this. 最低把握")] = 0.3,
    card_width: Annotated[float | None, typer.Option(min=8.0, help="Width of a card in pixels, if known. 牌宽（像素）")] = None,
) -> None:
    """Read the cards in pictures.

    Prints a line a picture (--json) or writes an annotated copy. A picture that cannot be read gets an error line; the others
    are read all the same, and the exit status is 2.
    """
    from vision.enrol import EnrolError
    from vision.stills import PictureError, load
    from vision.weights import WeightsError

    try:
        recogniser = _open(weights, deck)
    except (WeightsError, EnrolError) as error:
        typer.echo(f"trickwatch read: {error}", err=True)
        raise typer.Exit(2) from error
    failed = False
    for path in images:
        try:
            image = load(path)
        except PictureError as error:
            failed = True
            if as_json:
                typer.echo(json.dumps({"image": str(path), "error": str(error)}, ensure_ascii=False))
            else:
                typer.echo(f"trickwatch read: {error}", err=True)
            continue
        cards = recogniser.read(image, card_width, least=least)
        if as_json:
            line: dict[str, Any] = {"image": str(path), "size": [image.shape[1], image.shape[0]], "cards": [card.to_json() for card in cards]}
            typer.echo(json.dumps(line, ensure_ascii=False))
        else:
            typer.echo(f"{path}: {len(cards)}  {' '.join(card.card for card in cards)}")
            failed |= not _draw(path, out, image, cards)
    if failed:
        raise typer.Exit(2)


def _open(weights: Path | None, deck: Path | None) -> Recogniser:
    from vision.recogniser import Recogniser

    recogniser = Recogniser.load(weights)
    if deck is not None:
        from vision.enrol import use_deck

        use_deck(recogniser, deck)
    return recogniser


def _draw(path: Path, out: Path | None, image: Any, cards: Any) -> bool:
    """Write the annotated copy; tell whether that went well."""
    import cv2

    from vision.annotate import annotate

    target = (out or path.parent) / f"{path.stem}.read.png"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        encoded = cv2.imencode(".png", annotate(image, cards))[1]
        target.write_bytes(encoded.tobytes())
    except OSError as error:
        typer.echo(f"trickwatch read: 无法写入 / cannot write {target}: {error.strerror or error}", err=True)
        return False
    typer.echo(f"  -> {target}")
    return True
