"""Pre-render the spoken clips with espeak-ng: ``python -m kiosk.render_clips`` (``--missing``: only those that are not there).

The clips are part of the distribution, so that speech needs no synthesiser at a club. Run again after :mod:`kiosk.phrases` changed.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Final

import numpy as np
import soundfile

from kiosk.phrases import LANGUAGES, everything
from kiosk.synth import speak

CLIPS: Final = Path(__file__).parent / "clips"
RATE: Final = 24000
"""A rate that Opus knows (Hz)."""


def render(target: Path = CLIPS, *, again: bool = True) -> int:
    """Write every clip as mono Opus in Ogg and drop clips that are no longer named; gives their number.

    :param again: also those that are there.
    """
    count = 0
    for lang in LANGUAGES:
        folder = target / lang
        folder.mkdir(parents=True, exist_ok=True)
        wanted = {f"{piece.key}.ogg" for piece in everything()}
        for old in folder.glob("*.ogg"):
            if old.name not in wanted:
                old.unlink()
        for piece in everything():
            if not again and (folder / f"{piece.key}.ogg").is_file():
                continue
            data = speak(piece.words(lang), lang)
            if data is None:
                raise SystemExit("espeak-ng is not installed: apt-get install espeak-ng")
            samples, rate = soundfile.read(io.BytesIO(data), dtype="float32")
            loud = np.flatnonzero(np.abs(samples) > 0.005)
            samples = samples[loud[0] : loud[-1] + rate // 12] if loud.size else samples
            at = np.arange(0, len(samples), rate / RATE)
            even = np.interp(at, np.arange(len(samples)), samples).astype("float32")
            even *= 0.95 / max(float(np.abs(even).max()), 1e-6)
            soundfile.write(folder / f"{piece.key}.ogg", even, RATE, format="OGG", subtype="OPUS", compression_level=0.95)
            count += 1
    return count


if __name__ == "__main__":
    print(f"{render(again='--missing' not in sys.argv)} clips in {CLIPS}")
