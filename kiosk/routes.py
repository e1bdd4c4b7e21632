"""The API of one table."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Query, Request, Response, WebSocket, WebSocketDisconnect
from fastapi.responses import JSONResponse
from starlette.concurrency import run_in_threadpool

from engine.cards import Card, Seat
from kiosk import models, phrases
from kiosk.access import COOKIE, COOKIE_AGE_S
from kiosk.errors import ForbiddenError, NotFoundError
from kiosk.guard import is_local
from kiosk.live import encode
from kiosk.plays import find_play, readings
from kiosk.sound import ALERT
from kiosk.suggest import suggest
from kiosk.web import Kiosk, entry

MOST_ENTRIES: Final = 500
SEND_S: Final = 10.0
"""A viewer that has taken nothing for so long is let go."""

router = APIRouter(prefix="/api", responses={403: {"model": models.Problem}, 422: {"model": models.Problem}})


def the_kiosk(request: Request) -> Kiosk:
    """The running table of this application."""
    kiosk: Kiosk = request.app.state.kiosk
    return kiosk


Table = Annotated[Kiosk, Depends(the_kiosk)]


def who(request: Request, kiosk: Table) -> str | None:
    """The asker as the log names it, or None for a looker-on."""
    client = request.client.host if request.client else ""
    return kiosk.access.author(client, local=is_local(client, request.headers), cookie=request.cookies.get(COOKIE))


def writer(author: Annotated[str | None, Depends(who)]) -> str:
    """The asker, who must have the right to change things.

    :raises ForbiddenError: when the asker may only look.
    """
    if author is None:
        raise ForbiddenError("只有裁判可以更改，请先输入裁判密码", "only the referee may change things; enter the referee's PIN first")
    return author


Author = Annotated[str, Depends(writer)]
Seq = Annotated[int, Query(ge=0, le=models.HIGHEST_SEQ)]


@router.get("/state")
def state(kiosk: Table) -> Response:
    """The whole state with the log's place."""
    return Response(kiosk.newest()[1], media_type="application/json", headers={"Cache-Control": "no-store"})


@router.get("/status")
def status(kiosk: Table) -> JSONResponse:
    """Camera, log, sound and viewers."""
    return JSONResponse(kiosk.status(), headers={"Cache-Control": "no-store"})


@router.get("/events")
def events(kiosk: Table, after: Seq = 0, limit: Annotated[int, Query(ge=1, le=MOST_ENTRIES)] = MOST_ENTRIES) -> models.Entries:
    """The log's entries behind a place, oldest first."""
    return models.Entries(seq=kiosk.table.seq, entries=[entry(row) for row in kiosk.table.rows(after, limit)])


@router.get("/me")
def me(kiosk: Table, author: Annotated[str | None, Depends(who)]) -> models.Me:
    """What the asker may do."""
    return models.Me(may_write=author is not None, author=author, mode=kiosk.access.mode.value, has_pin=kiosk.access.has_pin())


@router.post("/login")
def login(request: Request, response: Response, kiosk: Table, pin: models.Pin) -> models.Me:
    """Pair with the referee's PIN."""
    address = request.client.host if request.client else ""
    value = kiosk.access.pair(pin.pin, address)
    response.set_cookie(COOKIE, value, max_age=COOKIE_AGE_S, httponly=True, samesite="strict", secure=request.url.scheme == "https")
    return models.Me(may_write=True, author=f"referee@{address}", mode=kiosk.access.mode.value, has_pin=True)


@router.post("/logout")
def logout(response: Response) -> models.Done:
    """Forget the pairing of this browser."""
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return models.Done(seq=0)


@router.get("/suggestions")
def suggestions(
    kiosk: Table,
    trick: Annotated[int, Query(ge=0, le=60)],
    seat: Seat | None = None,
    index: Annotated[int, Query(ge=0, lt=models.MOST_CARDS)] = 0,
) -> models.Suggestions:
    """What a card may really be; trick 0 is the shown bottom."""
    _, shown = kiosk.table.shown()
    play = {"cards": (shown.get("bottom") or {}).get("cards") or []} if trick == 0 else find_play(shown, trick, seat or "")
    if play is None or index >= len(play["cards"]):
        raise NotFoundError("没有这张牌", "there is no such card")
    card = Card(play["cards"][index])
    found = suggest(card, readings(play, index), kiosk.table.cards_seen(), kiosk.table.decks())
    return models.Suggestions(cards=list(found))


@router.post("/correct")
def correct(kiosk: Table, author: Author, request: models.Correction) -> models.Done:
    """Put a play right."""
    update = kiosk.table.correct(request.trick, request.seat, [Card(c) for c in request.was], [Card(c) for c in request.cards], author)
    return models.Done(seq=update.rows[0].seq)


@router.post("/correct-bottom")
def correct_bottom(kiosk: Table, author: Author, request: models.BottomCorrection) -> models.Done:
    """Put the shown bottom right."""
    update = kiosk.table.correct_bottom([Card(c) for c in request.was], [Card(c) for c in request.cards], author)
    return models.Done(seq=update.rows[0].seq)


@router.post("/play")
def play(kiosk: Table, author: Author, request: models.MissedPlay) -> models.Done:
    """Enter a play that the camera did not see."""
    update = kiosk.table.play(request.trick, request.seat, [Card(c) for c in request.cards], author)
    return models.Done(seq=update.rows[0].seq)


@router.post("/undo")
def undo(kiosk: Table, author: Author, request: models.Undo) -> models.Done:
    """Take back an entry, or the last one."""
    return models.Done(seq=kiosk.table.undo(request.seq, author).rows[0].seq)


@router.post("/rulings/{ruling}")
def decide(kiosk: Table, author: Author, ruling: Annotated[str, Path(max_length=200)], request: models.Decision) -> models.Done:
    """Confirm or overrule a ruling, or put it off."""
    return models.Done(seq=kiosk.table.decide(ruling, request.decision, author, request.why, request.choice).rows[0].seq)


@router.post("/score")
def score(kiosk: Table, author: Author, request: models.Score) -> models.Done:
    """Set the score by hand."""
    levels = {team.value: level for team, level in request.levels.items()}
    return models.Done(seq=kiosk.table.set_score(request.points, request.trick, levels, request.leader, author).rows[0].seq)


@router.post("/next-deal")
def next_deal(kiosk: Table, author: Author, request: models.NextDeal) -> models.Done:
    """Confirm the reckoning of a deal and begin the next."""
    return models.Done(seq=kiosk.table.next_deal(request.deal, author).rows[0].seq)


@router.post("/sound")
def sound(kiosk: Table, author: Author, request: models.Sound) -> models.Done:
    """Acknowledge alerts, mute, unmute or test the loudspeaker."""
    del author
    speaker = kiosk.speaker
    if speaker is None:
        raise NotFoundError("这张桌子没有声音", "this table has no sound")
    if request.do == "acknowledge":
        speaker.acknowledge(request.ruling)
    elif request.do == "mute":
        speaker.mute()
    elif request.do == "unmute":
        speaker.mute(0)
    else:
        speaker.say((phrases.TEST,), ALERT)
    return models.Done(seq=kiosk.table.seq)


@router.get("/picture.jpg", response_class=Response)
def picture(kiosk: Table, author: Author) -> Response:
    """The newest picture of the table from above; for the referee only, since hands could be seen in it."""
    del author
    found = kiosk.feed.feed.jpeg() if kiosk.feed is not None else None
    if found is None:
        raise NotFoundError("没有画面", "there is no picture")
    return Response(found, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


@router.websocket("/live")
async def live(socket: WebSocket) -> None:
    """Everything that happens, from ``?after=SEQ`` on: missed entries first, then each step with the whole state.

    A viewer sends nothing; whoever sends garbage or takes nothing for a while is let go.
    """
    kiosk: Kiosk = socket.app.state.kiosk
    text = socket.query_params.get("after", "0")
    after = int(text) if text.isdecimal() and len(text) < 16 else 0
    await socket.accept()
    viewer = kiosk.hub.join()
    hearing = asyncio.create_task(_hear(socket))
    try:
        rows = await run_in_threadpool(kiosk.table.rows, after, MOST_ENTRIES)
        seq, newest = await run_in_threadpool(kiosk.newest)
        hello = {"type": "hello", "version": socket.app.state.version, "seq": seq, "reset": after > seq}
        await _send(socket, encode({**hello, "missed": [entry(row).model_dump() for row in rows] if after else []}))
        await _send(socket, newest)
        await _send(socket, encode(kiosk.status()))
        while not hearing.done():
            waiting = asyncio.ensure_future(viewer.queue.get())
            await asyncio.wait({waiting, hearing}, return_when=asyncio.FIRST_COMPLETED)
            if not waiting.done():
                waiting.cancel()
                break
            await _send(socket, waiting.result())
    except (WebSocketDisconnect, RuntimeError, TimeoutError, ConnectionError):
        pass
    finally:
        kiosk.hub.leave(viewer)
        hearing.cancel()
        with contextlib.suppress(asyncio.CancelledError, Exception):
            await hearing
        with contextlib.suppress(RuntimeError, WebSocketDisconnect):
            await socket.close(1008)


async def _send(socket: WebSocket, text: str) -> None:
    await asyncio.wait_for(socket.send_text(text), SEND_S)


async def _hear(socket: WebSocket) -> None:
    """Take the viewer's pings until it says anything else or goes."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect" or message.get("text") != "ping":
            return
