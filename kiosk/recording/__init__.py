"""Video beside the log: continuous segments, a clip a trick, a picture a play, and what is kept of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from kiosk.recording.folder import folder_of, place, set_aside

if TYPE_CHECKING:
    from kiosk.recording.keep import Keep
    from kiosk.recording.recorder import Recorder
    from kiosk.service import RunningTable

__all__ = ["folder_of", "place", "set_aside", "start"]


def start(feed: Any, table: RunningTable, folder: Path, keep: Keep | None = None, *, shift: float = 0.0) -> Recorder | None:
    """Record a feed that has pictures (``feed.source`` with ``taps``, ``feed.calibration``) beside a table's log; None where it has none.

    :param shift: what turns the feed's times into the table's (s).
    """
    source = getattr(feed, "source", None)
    taps = getattr(source, "taps", None)
    if source is None or taps is None:
        return None
    from kiosk.recording.recorder import Recorder

    def calibration() -> Any:  # asked for each time: it follows the markers when the camera is bumped
        return feed.calibration

    deal = int(table.shown()[1].get("deal") or 1)
    recorder = Recorder(folder, calibration, source=str(source.spec), keep=keep, shift=shift, deal=deal)
    recorder.start()
    table.listen(recorder.on_update)
    taps.append(recorder.frame)
    return recorder
