"""Looking into video files, and copying their pictures without coding them anew."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Cut:
    """A piece of a video file: its first picture is at ``t0`` (s) of the table's clock."""

    path: Path
    t0: float


def span(path: Path) -> float | None:
    """How long a video is (s), from its first to its last picture; None when no picture of it can be had."""
    import av

    try:
        with av.open(str(path)) as film:
            stream = film.streams.video[0]
            first = last = None
            for packet in film.demux(stream):
                if packet.pts is not None and packet.size:
                    at = float(packet.pts * packet.time_base)
                    first, last = (at if first is None else first), at
            if first is None or last is None:
                return None
            return last - first
    except (av.FFmpegError, OSError, IndexError):
        return None


def copy(cuts: Sequence[Cut], target: Path, t0: float, t1: float) -> tuple[float, float] | None:
    """Copy the pictures between two times into one film, from the last key picture before ``t0``; it is on the disk when this returns.

    :param cuts: pieces in order. Gaps between them stay gaps in the film's clock; a piece of another picture size is left out.
    :returns: the times of the first and last picture, or None when there is none (then no file is left).
    :raises OSError: when it cannot be written.
    """
    with ExitStack() as films:  # a picture that was read is only good while its film is open
        return _copy(_wanted(cuts, t0, t1, films), target, t0)


def _copy(pictures: Iterator[tuple[float, Any]], target: Path, t0: float) -> tuple[float, float] | None:
    import av

    unfinished = target.with_name(target.name + ".new")
    begin: float | None = None
    end = t0
    out: Any = None
    stream: Any = None
    try:
        for at, packet in pictures:
            source = packet.stream.codec_context
            if begin is None:
                begin = at
                out = av.open(str(unfinished), "w", format="mp4", options={"movflags": "faststart"})
                stream = out.add_stream_from_template(packet.stream)
                size = (source.width, source.height)
            elif (source.width, source.height) != size:
                continue
            packet.pts = packet.dts = round((at - begin) / packet.time_base)
            packet.stream = stream
            out.mux(packet)
            end = at
        if begin is None:
            return None
        out.close()
        settle(unfinished)
        unfinished.replace(target)
    except BaseException:
        if out is not None:
            with suppress(av.FFmpegError, OSError):
                out.close()
        unfinished.unlink(missing_ok=True)
        raise
    return begin, end


def _wanted(cuts: Sequence[Cut], t0: float, t1: float, films: ExitStack) -> Iterator[tuple[float, Any]]:
    """The coded pictures between two times, from the last key picture before them."""
    held: list[tuple[float, Any]] = []
    begun = False
    for cut in cuts:
        for at, packet in _packets(cut, films):
            if at > t1:
                break
            if not begun and at <= t0:
                held = [(at, packet)] if packet.is_keyframe else [*held, (at, packet)]
            elif begun or held or packet.is_keyframe:
                begun = True
                yield from held
                held = []
                yield at, packet
    if held and held[0][1].is_keyframe:
        yield from held


def _packets(cut: Cut, films: ExitStack) -> Iterator[tuple[float, Any]]:
    """The pictures of a piece with their times; a piece that breaks off ends there. Its film stays open."""
    import av

    try:
        film = films.enter_context(av.open(str(cut.path)))
        first = None
        for packet in film.demux(film.streams.video[0]):
            if packet.pts is None or not packet.size:
                continue
            at = float(packet.pts * packet.time_base)
            first = at if first is None else first
            yield cut.t0 + at - first, packet
    except (av.InvalidDataError, av.EOFError, IndexError, FileNotFoundError):
        return


def settle(path: Path) -> None:
    """Wait until a file is on the disk."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
