"""The API of setting a table up: rulebooks, names, another match, the referee's PIN and pairing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Path, Request, Response
from fastapi.responses import RedirectResponse

from engine.cards import Card
from engine.rulebook import Rulebook, Words
from engine.rulebook_toml import RulebookError, RulebookRefusedError, load, names
from engine.rulebook_words import Language, applies, lines_of
from kiosk import models, setup_models
from kiosk.access import CODE_S, COOKIE
from kiosk.errors import KioskError, NotFoundError
from kiosk.rights import Author, Looker, Table
from kiosk.routes import pair_browser
from kiosk.web import Kiosk

if TYPE_CHECKING:
    from kiosk.enrolment import Enrolment
    from kiosk.setup import CameraSetup

router = APIRouter(responses=models.ERRORS)

_LONGEST_CODE: Final = 100


def _words(words: Words) -> models.Words:
    return models.Words(zh=words.zh, en=words.en)


def _playable() -> list[Rulebook]:
    """The presets that can be played."""
    out = []
    for name in names():
        try:
            out.append(load(name))
        except RulebookRefusedError:
            continue
    return out


@router.get("/api/rulebooks")
def rulebooks(_: Looker) -> setup_models.RulebookList:
    """The rulebooks that can be chosen."""
    found = [setup_models.RulebookName(name=r.name, title=_words(r.title), decks=r.pack.decks) for r in _playable()]
    return setup_models.RulebookList(rulebooks=found)


@router.get("/api/rulebooks/{name}")
def rulebook(_: Looker, name: Annotated[str, Path(max_length=80, pattern=r"^[\w-]+$")]) -> setup_models.RulebookText:
    """A rulebook in words, each rule with the quotes that it stands on."""
    if name not in names():
        raise NotFoundError(f"没有规则 {name}", f"there is no rulebook {name}")
    try:
        rules = load(name)
    except RulebookError as error:
        raise NotFoundError(f"规则 {name} 不能使用：{error}", f"the rulebook {name} cannot be used: {error}") from error
    parts = [
        setup_models.RulebookPart(
            key=zh.key, label=models.Words(zh=zh.label, en=en.label), value=models.Words(zh=zh.value, en=en.value), clauses=list(zh.clause),
            assumed=zh.assumed,
        )
        for zh, en in zip(lines_of(rules, Language.ZH), lines_of(rules, Language.EN), strict=True)
        if applies(rules, zh.key)
    ]  # fmt: skip
    return setup_models.RulebookText(name=rules.name, title=_words(rules.title), source=str(rules.source), parts=parts)


def _described(kiosk: Kiosk) -> setup_models.Setup:
    _, shown = kiosk.table.shown()
    lost = kiosk.table.camera_lost()
    problem = None if lost is None else KioskError(lost, lost)
    trick = (shown.get("trick") or shown.get("last_trick") or {}).get("number", 0)
    match: dict[str, Any] = {"names": dict(shown.get("names") or {}), "levels": dict(shown.get("levels") or {}), "deal": int(shown.get("deal") or 0)}
    table: dict[str, Any] = {"rulebook": kiosk.table.rulebook, "started": kiosk.table.started, "addresses": list(kiosk.addresses)}
    deck = None if kiosk.enrolment is None else kiosk.enrolment.describe()
    return setup_models.Setup(**_camera(kiosk).describe(problem), **match, **table, trick=int(trick), deck=deck)


def _camera(kiosk: Kiosk) -> CameraSetup:
    """The set-up of the camera that the table sees through now."""
    from kiosk.setup import CameraSetup

    feed = kiosk.feed.feed if kiosk.feed is not None else None
    if kiosk.setup is None or kiosk.setup[0] is not feed:
        kiosk.setup = (feed, CameraSetup(feed, kiosk.calibration_file))
    found: CameraSetup = kiosk.setup[1]
    return found


@router.get("/api/setup")
def setup(kiosk: Table, author: Author) -> setup_models.Setup:
    """How the table is set up."""
    del author
    return _described(kiosk)


@router.get("/api/setup/picture.jpg", response_class=Response, responses={200: {"content": {"image/jpeg": {}}}})
def raw_picture(kiosk: Table, author: Author) -> Response:
    """The camera's picture as it comes."""
    del author
    return Response(_camera(kiosk).picture(), media_type="image/jpeg", headers={"Cache-Control": "no-store"})


@router.post("/api/setup/checks")
def run_checks(kiosk: Table, author: Author, request: models.Nothing) -> setup_models.Setup:
    """Look whether picture, light, focus and markers will do."""
    del author, request
    _camera(kiosk).look()
    return _described(kiosk)


@router.post("/api/setup/markers")
def use_markers(kiosk: Table, author: Author, request: models.Nothing) -> setup_models.Setup:
    """Calibrate by the printed markers."""
    del author, request
    _camera(kiosk).use_markers()
    return _described(kiosk)


@router.post("/api/setup/corners")
def use_corners(kiosk: Table, author: Author, request: setup_models.Corners) -> setup_models.Setup:
    """Calibrate by the corners of the playing square."""
    del author
    _camera(kiosk).use_corners(request.square)
    return _described(kiosk)


def _enrolment(kiosk: Kiosk) -> Enrolment:
    if kiosk.enrolment is None:
        raise NotFoundError("这个画面不能登记牌", "a deck cannot be enrolled from this source")
    return kiosk.enrolment


@router.post("/api/setup/deck")
def enrol_deck(kiosk: Table, author: Author, request: setup_models.DeckAct) -> setup_models.Setup:
    """A step of enrolling the deck in use; a look answers with the cards that are not sure, each with its picture and what it may be."""
    del author
    enrolment = _enrolment(kiosk)
    running = getattr(kiosk.feed.feed, "recogniser", None) if kiosk.feed is not None else None
    if request.do == "look":
        enrolment.look(_camera(kiosk).frames())
    elif request.do in ("keep", "forget"):
        (enrolment.keep if request.do == "keep" else enrolment.forget)(running)
    else:
        (enrolment.start if request.do == "start" else enrolment.cancel)()
    return _described(kiosk)


@router.post("/api/setup/deck/answer")
def answer_deck(kiosk: Table, author: Author, request: setup_models.DeckAnswer) -> setup_models.Setup:
    """Say what an unsure card is."""
    del author
    _enrolment(kiosk).answer(request.number, None if request.face is None else Card(request.face))
    return _described(kiosk)


@router.post("/api/setup/names")
def set_names(kiosk: Table, author: Author, request: setup_models.Names) -> models.Done:
    """Say who sits where."""
    return models.Done(seq=kiosk.table.set_names({seat.value: name for seat, name in request.names.items()}, author).rows[0].seq)


@router.post("/api/setup/match")
def new_match(kiosk: Table, author: Author, request: setup_models.NewMatch) -> models.Done:
    """Begin another match; the log of the last one is kept aside."""
    if kiosk.begin_match is None:
        raise NotFoundError("这里不能另开一场", "another match cannot be begun here")
    try:
        kiosk.begin_match(request, author)
    except (RulebookError, ValueError) as error:
        raise KioskError(f"无法开始：{error}", f"the match cannot be begun: {error}") from error
    return models.Done(seq=kiosk.table.seq)


@router.post("/api/setup/pin")
def set_pin(request: Request, response: Response, kiosk: Table, author: Author, new: setup_models.NewPin) -> models.Done:
    """Set the referee's PIN; other pairings end, the asker's goes on."""
    address = request.client.host if request.client else ""
    kiosk.access.set_pin(new.pin)
    if author != "local":
        pair_browser(request, response, kiosk.access.pair(new.pin, address))
    kiosk.hub.disconnect()
    return models.Done(seq=kiosk.table.seq)


@router.get("/api/pairings")
def pairings(request: Request, kiosk: Table, author: Author) -> setup_models.Pairings:
    """The browsers that are paired as the referee's."""
    del author
    mine = kiosk.access.sessions.find(request.cookies.get(COOKIE))
    found = kiosk.access.sessions.all()
    return setup_models.Pairings(
        pairings=[setup_models.Paired(id=one.id, address=one.address, since=one.since, mine=mine is not None and one.id == mine.id) for one in found]
    )


@router.post("/api/pairings/end")
def end_pairing(kiosk: Table, author: Author, request: setup_models.EndPairing) -> models.Done:
    """End one pairing (a tablet that was lost, say), or all of them; the browser may only look from then on."""
    del author
    if request.id is None:
        kiosk.access.sessions.close_all()
    else:
        kiosk.access.sessions.close(request.id)
    kiosk.hub.recheck()
    return models.Done(seq=kiosk.table.seq)


@router.post("/api/pairing")
def pairing(kiosk: Table, author: Author) -> setup_models.Pairing:
    """A code that pairs one more browser, once, to be shown as a QR code."""
    del author
    return setup_models.Pairing(path=f"/pair?code={quote(kiosk.access.code())}", expires_s=round(CODE_S))


@router.get("/pair", response_class=RedirectResponse, status_code=303)
def pair(request: Request, kiosk: Table, _: Looker, code: str = "") -> Response:
    """Use up a pairing code: the browser becomes a referee's and goes on to the referee's page."""
    address = request.client.host if request.client else ""
    try:
        value = kiosk.access.redeem(code[:_LONGEST_CODE], address)
    except KioskError:
        return RedirectResponse("/referee#pair-failed", 303)
    answer = RedirectResponse("/referee", 303)
    pair_browser(request, answer, value)
    return answer
