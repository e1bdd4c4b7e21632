"""The API of one table: what is shown, and what the referee changes."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from engine.cards import Card, Seat
from kiosk import models, phrases
from kiosk.access import COOKIE, COOKIE_AGE_S
from kiosk.errors import NotFoundError, RefusedError
from kiosk.live_socket import MOST_ENTRIES
from kiosk.offences import offences_of
from kiosk.plays import find_play, public, readings
from kiosk.rights import Author, Looker, Table, who, writer
from kiosk.sound import ALERT, Kind
from kiosk.suggest import suggest
from kiosk.web import entry

router = APIRouter(prefix="/api", responses=models.ERRORS)

Seq = Annotated[int, Query(ge=0, le=models.HIGHEST_SEQ)]


@router.get("/state", response_class=Response, responses={200: {"model": models.State}})
def state(kiosk: Table, _: Looker) -> Response:
    """The whole state with the log's place."""
    return Response(kiosk.newest()[1], media_type="application/json", headers={"Cache-Control": "no-store"})


@router.get("/status", response_class=JSONResponse, responses={200: {"model": models.Status}})
def status(kiosk: Table, _: Looker) -> JSONResponse:
    """Camera, log, sound and viewers."""
    return JSONResponse(kiosk.status(), headers={"Cache-Control": "no-store"})


@router.get("/events")
def events(kiosk: Table, _: Looker, after: Seq = 0, limit: Annotated[int, Query(ge=1, le=MOST_ENTRIES)] = MOST_ENTRIES) -> models.Entries:
    """The log's entries behind a place, oldest first."""
    return models.Entries(seq=kiosk.table.seq, entries=[entry(row) for row in kiosk.table.rows(after, limit)])


@router.get("/clocks")
def clocks(kiosk: Table, _: Looker) -> models.ClockList:
    """The clocks that run."""
    return kiosk.clocks()


@router.get("/deals")
def deals(kiosk: Table, _: Looker) -> models.DealList:
    """The deals of the match in one line each, the one in hand last."""
    seq, shown = kiosk.table.shown()
    return models.DealList(seq=seq, deals=list(shown.get("deals") or ()))


@router.get("/deals/{deal}")
def one_deal(kiosk: Table, _: Looker, deal: Annotated[int, Path(ge=1, le=10000)]) -> models.OneDeal:
    """One deal in the form in which the deal in hand is shown."""
    seq, shown = kiosk.table.deal(deal)
    return models.OneDeal(seq=seq, deal=deal, state=public(shown, kiosk.table.ruling_times()))


@router.get("/offences")
def offences(kiosk: Table, _: Looker) -> models.Offences:
    """The offences that may be reported, as this match's rulebook prices them."""
    return models.Offences(offences=offences_of(kiosk.table.rules))


@router.get("/me")
def me(kiosk: Table, author: Looker) -> models.Me:
    """What the asker may do."""
    return models.Me(may_write=author is not None, author=author, mode=kiosk.access.mode.value, has_pin=kiosk.access.has_pin())


@router.post("/login")
def login(request: Request, response: Response, kiosk: Table, _: Looker, pin: models.Pin) -> models.Me:
    """Pair with the referee's PIN."""
    address = request.client.host if request.client else ""
    value = kiosk.access.pair(pin.pin, address)
    pair_browser(request, response, value)
    return models.Me(may_write=True, author=f"referee@{address}", mode=kiosk.access.mode.value, has_pin=True)


@router.post("/logout")
def logout(request: Request, response: Response, kiosk: Table, _: Looker) -> models.Done:
    """End the pairing of this browser, here and at the table."""
    mine = kiosk.access.sessions.find(request.cookies.get(COOKIE))
    if mine is not None:
        kiosk.access.sessions.close(mine.id)
        kiosk.hub.recheck()
    response.delete_cookie(COOKIE, httponly=True, samesite="strict")
    return models.Done(seq=kiosk.table.seq)


@router.get("/suggestions")
def suggestions(
    kiosk: Table,
    _: Looker,
    trick: Annotated[int, Query(ge=0, le=60)],
    deal: Annotated[int | None, Query(ge=1, le=10000)] = None,
    seat: Seat | None = None,
    index: Annotated[int, Query(ge=0, lt=models.MOST_CARDS)] = 0,
) -> models.Suggestions:
    """What a card may really be; trick 0 is the shown bottom."""
    shown = kiosk.table.shown()[1] if deal is None else kiosk.table.deal(deal)[1]
    play = {"cards": (shown.get("bottom") or {}).get("cards") or []} if trick == 0 else find_play(shown, trick, seat or "")
    if play is None or index >= len(play["cards"]):
        raise NotFoundError("没有这张牌", "there is no such card")
    card = Card(play["cards"][index])
    found = suggest(card, readings(play, index), kiosk.table.cards_seen(deal), kiosk.table.decks())
    return models.Suggestions(cards=list(found))


@router.post("/correct")
def correct(kiosk: Table, author: Author, request: models.Correction) -> models.Done:
    """Put a play of any deal right, put a missed one in (nothing before), or take one out (no cards)."""
    was, cards = [Card(c) for c in request.was], [Card(c) for c in request.cards]
    update = kiosk.table.correct(request.trick, request.seat, was, cards, author, deal=request.deal, expected=request.expected)
    return models.Done(seq=update.rows[0].seq)


@router.post("/correct-bottom")
def correct_bottom(kiosk: Table, author: Author, request: models.BottomCorrection) -> models.Done:
    """Put the shown bottom right."""
    was, cards = [Card(c) for c in request.was], [Card(c) for c in request.cards]
    update = kiosk.table.correct_bottom(was, cards, author, deal=request.deal, expected=request.expected)
    return models.Done(seq=update.rows[0].seq)


@router.post("/play")
def play(kiosk: Table, author: Author, request: models.MissedPlay) -> models.Done:
    """Enter a play that the camera did not see."""
    update = kiosk.table.play(request.trick, request.seat, [Card(c) for c in request.cards], author)
    return models.Done(seq=update.rows[0].seq)


@router.post("/undo")
def undo(kiosk: Table, author: Author, request: models.Undo) -> models.Done:
    """Take back an entry, or the last one; an undo that is taken back undoes nothing."""
    return models.Done(seq=kiosk.table.undo(request.seq, author, expected=request.expected).rows[0].seq)


@router.post("/rulings")
def report(kiosk: Table, author: Author, request: models.Report) -> models.Reported:
    """Propose a ruling for an offence that a camera cannot see."""
    update, name = kiosk.table.report(request.kind, request.seat, author, trick=request.trick, deal=request.deal, why=request.why)
    return models.Reported(seq=update.rows[0].seq, ruling=name)


@router.post("/rulings/{ruling}")
def decide(kiosk: Table, author: Author, ruling: Annotated[str, Path(max_length=200)], request: models.Decision) -> models.Done:
    """Confirm or overrule a ruling, or put it off."""
    return models.Done(seq=kiosk.table.decide(ruling, request.decision, author, request.why, request.choice).rows[0].seq)


@router.post("/score")
def score(kiosk: Table, author: Author, request: models.Score) -> models.Done:
    """Set the score by hand, in the middle of a deal or at its end."""
    levels = {team.value: level for team, level in request.levels.items()}
    update = kiosk.table.set_score(
        request.points, request.trick, levels, request.leader, author,
        declarer=request.declarer, trump=request.trump, end=request.end, expected=request.expected,
    )  # fmt: skip
    return models.Done(seq=update.rows[0].seq)


@router.post("/clocks")
def change_clocks(kiosk: Table, author: Author, request: models.ClockChange) -> models.Done:
    """Stop all clocks, let them run again, or begin the match's clock anew."""
    return models.Done(seq=kiosk.table.set_clocks(request.do, author).rows[0].seq)


@router.post("/drawn")
def drawn(kiosk: Table, author: Author, request: models.Nothing) -> models.Done:
    """Say that the pack has been drawn."""
    del request
    return models.Done(seq=kiosk.table.drawn(author).rows[0].seq)


@router.post("/next-deal")
def next_deal(kiosk: Table, author: Author, request: models.NextDeal) -> models.Done:
    """Confirm the reckoning of a deal and begin the next."""
    return models.Done(seq=kiosk.table.next_deal(request.deal, author).rows[0].seq)


@router.post("/sound")
def sound(kiosk: Table, author: Author, request: models.Sound) -> models.Done:
    """Acknowledge alerts, mute, unmute or test the loudspeaker, or set a volume."""
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
    elif request.do == "volume":
        if request.kind is None or request.value is None:
            raise RefusedError("请给出种类和音量", "give a kind and a value")
        speaker.set_volume(Kind[request.kind.upper()], request.value)
        kiosk.remember_volume(request.kind, request.value)
    else:
        speaker.say((phrases.TEST,), ALERT)
    return models.Done(seq=kiosk.table.seq)


@router.get("/picture.jpg", response_class=Response, responses={200: {"content": {"image/jpeg": {}}}})
def picture(kiosk: Table, author: Author) -> Response:
    """The newest picture of the table from above; for the referee only, since hands could be seen in it."""
    del author
    found = kiosk.feed.feed.jpeg() if kiosk.feed is not None else None
    if found is None:
        raise NotFoundError("没有画面", "there is no picture")
    return Response(found, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


def pair_browser(request: Request, response: Response, value: str) -> None:
    """Give a browser the referee's cookie: no script reads it, no other site sends it, and over https it goes nowhere else."""
    response.set_cookie(COOKIE, value, max_age=COOKIE_AGE_S, httponly=True, samesite="strict", secure=request.url.scheme == "https")


__all__ = ["pair_browser", "router", "who", "writer"]
