"""Opening a table: the source, and the calibration that belongs to it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision import calibration as tables
from vision.calibration import Calibration, CalibrationError
from vision.camera import Source
from vision.looks import CropReader
from vision.openers import SourceKind, kind_of
from vision.pipeline import DECKS, Pipeline
from vision.refit import other_shape, refit

TABLE_NAME: Final = "table.json"


def _silent(_: str) -> None:
    """Nobody is told."""


def open_table(
    spec: str,
    *,
    calibration: Calibration | Path | None = None,
    realtime: bool = False,
    recogniser: CropReader | None = None,
    decks: int = DECKS,
    deal: int = 1,
    habit: str = "auto",
    notice: Callable[[str], None] = _silent,
) -> Pipeline:
    """Open a source with the calibration that lies beside it.

    A film's ``table.json`` is taken, or the given one; else the markers in the first picture, at the places of the printed sheet; else the
    picture's middle square is taken for the playing square. Pictures that do not have the calibration's shape (turned, or cut) are fitted by
    the markers in them.

    :param calibration: a calibration or a file to use instead.
    :param notice: told, in both languages, what was taken where that is not the calibration named.
    :raises vision.camera.SourceError: when the source cannot be opened.
    :raises CalibrationError: when the calibration cannot be used.
    """
    source = Source(spec, realtime=realtime)
    try:
        table = calibration if isinstance(calibration, Calibration) else find_calibration(spec, calibration, source, notice)
        table = fitted(table, source, notice)
        if recogniser is None:
            from vision.recogniser import Recogniser

            recogniser = Recogniser.load()
        return Pipeline(source, table, recogniser, decks=decks, deal=deal, habit=habit)
    except BaseException:
        source.close()
        raise


def table_file(spec: str, path: Path | None = None) -> Path | None:
    """The file that says where the table lies: the one that is named, else that in a film's folder; None when there is none.

    What lies beside a device or a stream does not belong to it.
    """
    if path is not None:
        return path
    if kind_of(spec) not in (SourceKind.FILE, SourceKind.PICTURES):
        return None
    place = Path(spec)
    beside = (place if place.is_dir() else place.parent) / TABLE_NAME
    return beside if beside.is_file() else None


def find_calibration(spec: str, path: Path | None, source: Source, notice: Callable[[str], None] = _silent) -> Calibration:
    """The calibration of a source: a given file, the film's, by markers, or a guess.

    :raises CalibrationError: when a file that was named or found is broken.
    """
    file = table_file(spec, path)
    if file is not None:
        return tables.load(file)
    try:
        found, error = tables.from_markers(_grey(source), tables.standard_markers())
    except CalibrationError:
        notice(
            "没有 table.json，画面里也没有标记：把画面中间的正方形当作打牌区，座位可能不准；请先运行 trickwatch calibrate / "
            "no table.json and no markers in the picture: its middle square is taken for the playing square, and seats may be wrong; "
            "run `trickwatch calibrate` first"
        )
        return tables.whole_picture(source.size)
    notice(
        f"没有 table.json：按画面里的标记定位（±{error:.0f} mm，间距 1200x740 mm） / "
        f"no table.json: the table was found by the markers in the picture (±{error:.0f} mm, taken to lie 1200x740 mm apart)"
    )
    return found


def fitted(table: Calibration, source: Source, notice: Callable[[str], None] = _silent) -> Calibration:
    """The calibration for the source's pictures, measured anew by the markers in view where their shape is another.

    :raises CalibrationError: when the shape is another and the markers are not in view.
    """
    try:
        return table.scaled(source.size)
    except CalibrationError:
        found = refit(table, _grey(source))
        notice(f"{other_shape(table, source.size)}；已按标记重新定位 / measured anew by the markers")
        return found


def _grey(source: Source) -> tables.Image:
    return np.asarray(cv2.cvtColor(source.first, cv2.COLOR_BGR2GRAY), np.uint8)
