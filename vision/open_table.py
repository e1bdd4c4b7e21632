"""Opening a table: the source, and the calibration that belongs to it."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from vision import calibration as tables
from vision.calibration import Calibration, CalibrationError
from vision.camera import Source
from vision.looks import CropReader
from vision.pipeline import DECKS, Pipeline


def open_table(
    spec: str,
    *,
    calibration: Calibration | Path | None = None,
    realtime: bool = False,
    recogniser: CropReader | None = None,
    decks: int = DECKS,
    deal: int = 1,
    habit: str = "auto",
) -> Pipeline:
    """Open a source with the calibration that lies beside it.

    A film folder's ``table.json`` is taken; else the markers in the first picture, at the places of the printed sheet; else the
    picture's middle square is taken for the playing square.

    :param calibration: a calibration or a file to use instead.
    :raises vision.camera.SourceError: when the source cannot be opened.
    :raises CalibrationError: when the calibration cannot be used.
    """
    source = Source(spec, realtime=realtime)
    try:
        table = calibration if isinstance(calibration, Calibration) else find_calibration(spec, calibration, source)
        if recogniser is None:
            from vision.recogniser import Recogniser

            recogniser = Recogniser.load()
        return Pipeline(source, table, recogniser, decks=decks, deal=deal, habit=habit)
    except BaseException:
        source.close()
        raise


def find_calibration(spec: str, path: Path | None, source: Source) -> Calibration:
    """The calibration of a source: a given file, the film folder's, by markers, or a guess.

    :raises CalibrationError: when a file that was named or found is broken.
    """
    beside = [Path(spec) / "table.json", Path(spec).with_name("table.json")]
    for candidate in [path] if path is not None else [p for p in beside if p.is_file()]:
        return tables.load(candidate)
    grey = np.asarray(cv2.cvtColor(source.first, cv2.COLOR_BGR2GRAY), np.uint8)
    try:
        return tables.from_markers(grey, tables.standard_markers())[0]
    except CalibrationError:
        return tables.whole_picture(source.size)
