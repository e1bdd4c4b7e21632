"""The API of recorded matches. Reading is for everybody at home and for the referee in a competition; thinking times are for the referee only."""

from __future__ import annotations

import json
import shutil
import tempfile
from functools import cache
from pathlib import Path as FilePath
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, FastAPI, Path, Query, Request, Response
from fastapi.responses import FileResponse, JSONResponse
from starlette.background import BackgroundTask

from engine.rulebook_toml import RulebookError, load
from kiosk.errors import ForbiddenError, NotFoundError
from kiosk.export.bundle import Kept
from kiosk.models import Problem
from kiosk.review import models, notes, statistics
from kiosk.review.archive import Found
from kiosk.review.library import Library
from kiosk.review.media import films, kept, one, unrecorded
from kiosk.review.rights import Owner, Reader, is_referee
from kiosk.rights import Author, Table, the_kiosk
from kiosk.rulebooks import files_of, rulebook_of

PAGE: Final = 40
AT_ONCE: Final = 4
"""So many logs that have changed are taken in before a page is answered, others afterwards."""
_FRESH: Final = {"Cache-Control": "no-store"}
_TYPES: Final = {".mp4": "video/mp4", ".webm": "video/webm", ".jpg": "image/jpeg", ".png": "image/png"}
_FORMS: Final = {
    "jsonl": "application/jsonl", "txt": "text/plain; charset=utf-8", "deals.csv": "text/csv; charset=utf-8", "tricks.csv": "text/csv; charset=utf-8",
    "pdf": "application/pdf", "twbundle": "application/zip",
}  # fmt: skip

router = APIRouter(prefix="/api/review", responses={403: {"model": Problem}, 404: {"model": Problem}, 422: {"model": Problem}})


def the_library(request: Request) -> Library:
    """The matches of this table's folder, with the running one."""
    app: FastAPI = request.app
    kiosk = the_kiosk(request)
    found: Library | None = getattr(app.state, "library", None)
    path = kiosk.table.store.path
    if found is None or found.folder != path.parent:
        if found is not None:
            found.close()
        found = app.state.library = Library.open(path.parent)
    found.attach(path, lambda: kiosk.table.match)
    return found


Matches = Annotated[Library, Depends(the_library)]
Name = Annotated[str, Path(pattern="^[0-9a-f]{16}$")]
File = Annotated[str, Path(pattern=r"^[A-Za-z0-9_][A-Za-z0-9_.-]{0,100}$")]
Lang = Annotated[str, Query(pattern="^(zh|en)$")]
Day = Annotated[str, Query(pattern=r"^$|^\d{4}-\d{2}-\d{2}$")]


def _json(value: Any) -> JSONResponse:
    return JSONResponse(value, headers=_FRESH)


def _match(found: Found) -> dict[str, Any]:
    return {
        "match": found.match, "started": found.started, "ended": found.ended, "rulebook": found.rulebook, "title": title_of(found.rulebook),
        "names": dict(found.names),
        "winner": found.winner, "deals": found.deals, "alerts": found.alerts,
    }  # fmt: skip


@cache
def title_of(book: str) -> dict[str, str]:
    """A rulebook's title in both languages; what the match calls it where it is none of the presets."""
    try:
        title = load(book).title
    except (RulebookError, OSError, UnicodeDecodeError):
        return {"zh": FilePath(book).stem, "en": FilePath(book).stem}
    return {"zh": title.zh, "en": title.en}


@router.get("/matches")
def matches(
    _: Reader, library: Matches, player: Annotated[str, Query(max_length=100)] = "", rulebook: Annotated[str, Query(max_length=100)] = "",
    since: Day = "", until: Day = "", after: Annotated[str, Query(max_length=80)] = "",
) -> JSONResponse:  # fmt: skip
    """Recorded matches, the newest first; ``after`` is the ``next`` of the page before."""
    problems = library.refresh(AT_ONCE)
    time, _, name = after.partition("|")
    found = library.archive.matches(
        player=player.strip(), rulebook=rulebook, since=since, until=until, after=(time, name) if name else None, limit=PAGE
    )
    more = f"{found[-1].started}|{found[-1].match}" if len(found) == PAGE else None
    books = [{"name": book, **title_of(book)} for book in library.archive.rulebooks()]
    return _json(
        {"matches": [_match(match) for match in found], "next": more, "rulebooks": books, "problems": problems, "running": library.running,
         "behind": library.behind}
    )  # fmt: skip


@router.get("/matches/{match}")
def match_of(_: Reader, library: Matches, match: Name) -> JSONResponse:
    """A match with its deals, its comments, and what was reviewed."""
    library.refresh(AT_ONCE)
    found = library.archive.match(match)
    archive = library.archive
    return _json(
        {**_match(found), "head": found.head, "entries": found.entries, "list": archive.deals(match), "comments": notes.comments(archive, match),
         "reviewed": notes.reviewed(archive, match)}
    )  # fmt: skip


@router.get("/matches/{match}/deals/{place}")
def deal_of(reader: Reader, library: Matches, match: Name, place: Annotated[int, Path(ge=0, le=10_000)]) -> Response:
    """One deal (by its place in the match, from 0): tricks, steps, curve, inbox, lessons, the hands once it is over, and what was recorded of it."""
    found = library.archive.match(match)
    span, view, tempo = library.archive.deal_text(match, place)
    log = library.path_of(found)
    files = [*kept(log, span.deal), *films(log, span.t0, span.t1)]
    media = [{"file": item.path.name, "kind": item.kind, "trick": item.trick, "seat": item.seat, "t0": item.t0, "t1": item.t1} for item in files]
    head = {
        "match": match, "place": place, "names": dict(found.names), "rulebook": found.rulebook, "media": media,
        "unrecorded": unrecorded(files, span.t0, span.t1, open_end=not span.over),
    }  # fmt: skip
    thinking = tempo if is_referee(reader) else "null"
    text = f'{json.dumps(head, ensure_ascii=False)[:-1]}, "tempo": {thinking}, {view[1:]}'  # the view is JSON text already
    return Response(text, media_type="application/json", headers=_FRESH)


@router.get("/matches/{match}/inbox")
def inbox_of(_: Reader, library: Matches, match: Name) -> JSONResponse:
    """Everything to look at in a match, with a flag for what was reviewed."""
    archive = library.archive
    archive.match(match)
    seen = notes.reviewed(archive, match)
    return _json({"items": [{**item, "reviewed": seen.get(item["item"])} for item in archive.inbox(match)]})


@router.get("/matches/{match}/media/{file}")
def medium_of(reader: Reader, library: Matches, match: Name, file: File) -> FileResponse:
    """A picture or a clip of a match; while its deal is played for the referee only, since hands could be seen in it."""
    found = library.archive.match(match)
    item = one(library.path_of(found), file)
    if item is None:
        raise NotFoundError("没有这个画面", "there is no such picture")
    if not is_referee(reader) and not _played(library, match, item):
        raise ForbiddenError("本局还在进行，只有裁判可以看", "the deal is being played; only the referee may look")
    return FileResponse(item.path, media_type=_TYPES.get(item.path.suffix, "application/octet-stream"))


def _played(library: Library, match: str, item: Kept) -> bool:
    """Whether everything that a file shows belongs to deals that are over."""
    if item.deal is not None:
        return any(span.deal == item.deal and span.over for span in library.archive.spans(match))
    library.refresh()  # a deal that has just begun counts
    spans = library.archive.spans(match)
    return any(span.over for span in spans) and not any((item.t1 or 0.0) > span.t0 for span in spans if not span.over)


@router.get("/matches/{match}/export/{form}")
def export_of(_: Reader, library: Matches, match: Name, form: Annotated[str, Path(max_length=20)], lang: Lang = "zh") -> Response:
    """A match as a file: jsonl, txt, deals.csv, tricks.csv, pdf, twbundle."""
    from engine import referee
    from kiosk.export import bundle, record, score_sheet, tables, text
    from kiosk.review.logs import read_log

    if form not in _FORMS:
        raise NotFoundError(f"没有这种格式 {form}", f"there is no form {form}; expected one of {' '.join(_FORMS)}")
    path = library.path_of(library.archive.match(match))
    log = read_log(path)
    head = {"Content-Disposition": f'attachment; filename="{match}.{form}"', **_FRESH}
    if form == "jsonl":
        return Response("".join(record.lines(log)), media_type=_FORMS[form], headers=head)
    state = referee.fold(log.events, rulebook_of(path, log.rulebook))
    if form == "twbundle":
        folder = FilePath(tempfile.mkdtemp(prefix="trickwatch-"))
        target = folder / f"{match}.twbundle"
        bundle.write(target, log, state, media=kept(path), rulebook=files_of(path, log.rulebook))
        return FileResponse(target, media_type=_FORMS[form], headers=head, background=BackgroundTask(shutil.rmtree, folder, ignore_errors=True))
    content: str | bytes
    match form:
        case "pdf":
            content = score_sheet.score_sheet(log, state, lang)
        case "txt":
            content = text.match_text(state)
        case "deals.csv":
            content = tables.deals(state).encode("utf-8-sig")
        case _:
            content = tables.tricks(state).encode("utf-8-sig")
    return Response(content, media_type=_FORMS[form], headers=head)


@router.post("/matches/{match}/reviewed")
def review_item(author: Author, library: Matches, match: Name, request: models.Reviewed) -> JSONResponse:
    """Flag an item of the inbox as reviewed, or take the flag off."""
    library.archive.match(match)
    notes.mark(library.archive, match, request.item, author, reviewed=request.reviewed)
    return _json({"reviewed": notes.reviewed(library.archive, match)})


@router.post("/matches/{match}/comments")
def add_comment(author: Author, library: Matches, match: Name, request: models.Comment) -> JSONResponse:
    """Write a comment."""
    library.archive.deal(match, request.deal)
    seat = str(request.seat) if request.seat else None
    notes.comment(library.archive, match, request.deal, request.text, author, trick=request.trick, seat=seat)
    return _json({"comments": notes.comments(library.archive, match)})


@router.post("/matches/{match}/comments/{number}/delete")
def delete_comment(author: Author, library: Matches, match: Name, number: Annotated[int, Path(ge=1)]) -> JSONResponse:
    """Delete a comment: one's own, or any for the referee."""
    found = next((c for c in notes.comments(library.archive, match) if c["id"] == number), None)
    if found is not None and found["by"] != author and not is_referee(author):
        raise ForbiddenError("只能删除自己的评论", "only your own comments")
    notes.remove(library.archive, match, number)
    return _json({"comments": notes.comments(library.archive, match)})


@router.get("/statistics")
def figures(_: Reader, library: Matches) -> JSONResponse:
    """Figures by player and pair, of those who agreed; and the names that could."""
    library.refresh(AT_ONCE)
    names = [row["name"] for row in library.archive.ask("SELECT DISTINCT name FROM seat WHERE name IS NOT NULL ORDER BY name")]
    return _json({**statistics.statistics(library.archive), "names": names})


@router.post("/consent")
def consent(_: Author, library: Matches, request: models.Consent) -> JSONResponse:
    """Count a player in the statistics, or no longer."""
    library.refresh()
    statistics.agree(library.archive, request.name, request.agreed)
    return _json(statistics.statistics(library.archive))


@router.post("/forget")
def forget(_: Owner, library: Matches, kiosk: Table, request: models.Forget) -> JSONResponse:
    """Delete a person's name from every log; the chains stay whole."""
    store = kiosk.table.store
    count = library.forget(request.name, store)
    if request.name in (kiosk.table.shown()[1].get("names") or {}).values():
        kiosk.table.renew(lambda: store)
    return _json({"logs": count})
