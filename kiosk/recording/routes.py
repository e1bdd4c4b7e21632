"""The running table's media: what there is, the files themselves (any part of them), and the picture of a play; not for lookers-on, since hands
may be seen in them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path
from fastapi.responses import FileResponse
from pydantic import BaseModel

from engine.cards import Seat
from kiosk.errors import NotFoundError
from kiosk.models import Problem
from kiosk.recording.library import Library
from kiosk.rights import Author, Table, writer

router = APIRouter(responses={403: {"model": Problem}, 404: {"model": Problem}, 422: {"model": Problem}})

Number = Annotated[int, Path(ge=1, le=10_000)]
_TYPES = {".mp4": "video/mp4", ".jpg": "image/jpeg"}


class Media(BaseModel):
    """The files, oldest first, and the times that no video shows (s of the table's clock)."""

    media: list[dict[str, Any]]
    gaps: list[tuple[float, float]]


def the_recordings(kiosk: Table) -> Library:
    """The running table's video folder."""
    from kiosk.recording.folder import folder_of

    return Library.open(folder_of(kiosk.table.store.path))


Recordings = Annotated[Library, Depends(the_recordings)]


def answer(library: Library, name: str) -> FileResponse:
    """A file of a library as a response; parts of it may be asked for.

    :raises NotFoundError: when there is no such file.
    """
    path = library.path(name)
    return FileResponse(path, media_type=_TYPES[path.suffix], headers={"Cache-Control": "private, max-age=60"})


@router.get("/api/media", dependencies=[Depends(writer)])
def media(
    recordings: Recordings, deal: int | None = None, trick: int | None = None,
    kind: Literal["segment", "clip", "still", "play", "thumb"] | None = None,
) -> Media:  # fmt: skip
    """What is recorded of the running match."""
    return Media(media=[medium.to_json() for medium in recordings.media(kind, deal, trick)], gaps=list(recordings.gaps()))


@router.get("/api/media/{name}", response_class=FileResponse, responses={200: {"content": {"video/mp4": {}, "image/jpeg": {}}}})
def medium(_: Author, recordings: Recordings, name: Annotated[str, Path(max_length=80)]) -> FileResponse:
    """A recorded file."""
    return answer(recordings, name)


@router.get("/api/evidence/plays/{deal}/{trick}/{seat}.jpg", response_class=FileResponse, responses={200: {"content": {"image/jpeg": {}}}})
def play(_: Author, recordings: Recordings, deal: Number, trick: Number, seat: Seat) -> FileResponse:
    """The picture that a play was read from, cut to its cards."""
    found = recordings.media("play", deal, trick, seat.value)
    if not found:
        raise NotFoundError("这次出牌没有照片", "there is no picture of this play")
    return answer(recordings, found[-1].name)
