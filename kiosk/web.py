"""The web side of a table: pages, API and live updates in one FastAPI application."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import json
import threading
import time
from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException

import engine
from engine import clock as engine_clock
from engine.cards import Seat
from kiosk.access import LOCKED_S, Access, Mode
from kiosk.errors import ConflictError, ForbiddenError, KioskError, NotFoundError, StoreError, TooManyAttemptsError
from kiosk.feed import FeedRunner
from kiosk.guard import Guard
from kiosk.live import CLOCKS, STATUS, Hub, encode
from kiosk.models import Clock, ClockList, Entry, State
from kiosk.plays import public
from kiosk.service import RunningTable
from kiosk.setup_models import NewMatch
from kiosk.sound import Speaker
from kiosk.store import Row
from kiosk.table import Update

if TYPE_CHECKING:
    from kiosk.enrolment import Enrolment
    from kiosk.recording.recorder import Recorder

PAGES: Final = Path(str(resources.files("kiosk"))) / "pages"
STATUS_S: Final = 1.0
ACTS: Final = 5
"""So many acts go with the state, for undoing one after the other."""
JUMP_S: Final = 5.0
"""The machine's clock may be put right by so much without anybody noticing."""
_STATUS: Final[tuple[tuple[type[KioskError], int], ...]] = (
    (TooManyAttemptsError, 429), (ForbiddenError, 403), (NotFoundError, 404), (ConflictError, 409), (StoreError, 503), (KioskError, 422),
)  # fmt: skip


def entry(row: Row) -> Entry:
    """A log entry for a page: without the evidence, which can be long."""
    return Entry(seq=row.seq, at=row.at, author=row.author, body={key: value for key, value in row.body.items() if key != "evidence"})


@dataclass
class Kiosk:
    """What the routes work on."""

    table: RunningTable
    access: Access
    speaker: Speaker | None = None
    feed: FeedRunner | None = None
    restored: Mapping[str, Any] | None = None
    lang: str = "zh"
    names: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    begin_match: Callable[[NewMatch, str], None] | None = None
    recorder: Recorder | None = None
    setup: tuple[Any, Any] | None = None
    calibration_file: Path | None = None
    enrolment: Enrolment | None = None
    hub: Hub = field(default_factory=Hub)
    _cache: tuple[int, str] = (-1, "")
    _last: str = ""
    _told_clocks: str = ""
    _wall: float = 0.0
    _jumped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def state(self, update: Update | None = None) -> State:
        """The state message, with the new entries of a step."""
        seq, shown = (update.seq, update.state) if update else self.table.shown()
        acts = self.table.acts(ACTS)
        rows = [entry(row) for row in update.rows] if update else []
        return State(seq=seq, state=public(shown, self.table.ruling_times()), undo=acts[0] if acts else None, acts=acts, entries=rows)

    def newest(self) -> tuple[int, str]:
        """The newest state message, encoded once for everybody who asks."""
        seq = self.table.seq
        with self._lock:
            if self._cache[0] == seq:
                return self._cache
        message = self.state()
        text = encode(message.model_dump())
        with self._lock:
            if message.seq > self._cache[0]:
                self._cache = (message.seq, text)
        return message.seq, text

    def on_update(self, update: Update) -> None:
        """Tell all pages about a step; called on the camera's thread, which is done with it once the words are handed over."""
        text, clocks = encode(self.state(update).model_dump()), self._news_of_clocks()
        self.hub.publish(text)
        if clocks is not None:
            self.hub.publish(clocks, CLOCKS)

    def clocks(self) -> ClockList:
        """The clocks that run, as pages count them on."""
        _, shown = self.table.shown()
        now, running = self.table.clocks()
        paused = bool(shown.get("clocks_stopped"))
        found = [
            Clock(
                kind=clock.limit.value, seat=clock.seat, limit_s=clock.seconds, warn_s=clock.warn,
                since=round(clock.since + engine_clock.held(clock.stops, clock.since, now), 3),
            )
            for clock in running
        ]  # fmt: skip
        if shown.get("turn") and not any(clock.kind == "play" for clock in found):
            since = self.table.turn_since()
            found.insert(0, Clock(kind="play", seat=Seat(shown["turn"]), since=round(since, 3), limit_s=0, warn_s=0))
        return ClockList(now=round(now, 3), paused=paused, running=found)

    def _news_of_clocks(self) -> str | None:
        """What pages are told of the clocks when others run than before."""
        message = self.clocks()
        key = encode(message.model_dump(exclude={"now"}))
        if key == self._told_clocks:
            return None
        self._told_clocks = key
        return encode(message.model_dump())

    def status(self) -> dict[str, Any]:
        """The thin line at the edge of the screen: camera, log, sound, viewers."""
        trouble = self.table.trouble()
        feed = dict(self.feed.status()) if self.feed is not None else None
        if feed is not None:
            feed["in_step"] = None if "desync" not in feed else feed["desync"] is None
        return {
            "type": "status",
            "camera": feed,
            "camera_lost": self.table.camera_lost(),
            "trouble": trouble.words() if trouble else None,
            "sound": dict(self.speaker.status()) if self.speaker else None,
            "viewers": self.hub.count(),
            "restored": dict(self.restored) if self.restored else None,
            "mode": "competition" if self.access.mode is Mode.COMPETITION else "home",
            "practice": self.access.mode is Mode.PRACTICE,
            "clock_jump": self._jumped,
            "record": self.recorder.status() if self.recorder else None,
        }

    def remember_volume(self, kind: str, value: float) -> None:
        """Keep a volume for the next start."""
        self.table.remember(f"volume.{kind}", str(value))

    def check_wall_clock(self, ahead: float) -> None:
        """Notice that the machine's clock was set.

        :param ahead: by how much it is ahead of a clock that only runs (s).
        """
        if self._wall and abs(ahead - self._wall) > JUMP_S:
            self._jumped = True
        self._wall = ahead

    async def watch(self) -> None:
        """Retry what the log could not take, and tell the pages how things are, once a second."""
        while True:
            await asyncio.sleep(STATUS_S)
            self.check_wall_clock(time.time() - time.monotonic())
            if self.table.trouble() is not None:
                await run_in_threadpool(self.table.retry)
            text = encode(self.status())
            if text != self._last:
                self._last = text
                self.hub.publish(text, STATUS)


def version() -> str:
    """A short hash of everything that a page is made of; a page that sees another one reloads itself."""
    digest = hashlib.sha256()
    for path in sorted((*PAGES.rglob("*"), *(PAGES.parent / "i18n").glob("*.json"))):
        if path.is_file():
            digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _problem(error: KioskError, kiosk: Kiosk) -> JSONResponse:
    status = next(code for kind, code in _STATUS if isinstance(error, kind))
    body: dict[str, Any] = dict(error.words())
    if isinstance(error, ConflictError):
        body["state"] = json.loads(kiosk.newest()[1])
    headers = {"Retry-After": str(round(LOCKED_S))} if isinstance(error, TooManyAttemptsError) else None
    return JSONResponse(body, status_code=status, headers=headers)


def create_app(kiosk: Kiosk, *, clock: Callable[[], float] = time.monotonic) -> FastAPI:
    """Build the application of one table."""
    from kiosk import live_socket, routes, setup_routes
    from kiosk.pages import routes as page_routes
    from kiosk.recording import routes as recording_routes
    from kiosk.review import routes as review_routes

    @contextlib.asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        kiosk.hub.attach(asyncio.get_running_loop())
        watch = asyncio.create_task(kiosk.watch())
        try:
            yield
        finally:
            kiosk.hub.attach(None)
            watch.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await watch

    app = FastAPI(title="trickwatch", version=engine.__version__, lifespan=life, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.state.kiosk = kiosk
    app.state.version = version()
    app.add_middleware(Guard, names=kiosk.names, clock=clock)

    @app.exception_handler(KioskError)
    async def refused(_: Request, error: KioskError) -> Response:
        return await run_in_threadpool(_problem, error, kiosk)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, error: RequestValidationError) -> Response:
        where = "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors()[:5])[:600]
        text = json.dumps({"zh": f"请求格式不对：{where}", "en": f"the request is malformed: {where}"}, ensure_ascii=True)
        return Response(text, status_code=422, media_type="application/json")

    @app.exception_handler(HTTPException)
    async def not_there(_: Request, error: HTTPException) -> Response:
        words = {404: ("没有这个页面", "there is no such page"), 405: ("不支持的操作", "this is not done that way")}
        zh, en = words.get(error.status_code, ("请求无法处理", str(error.detail)))
        return JSONResponse({"zh": zh, "en": en}, status_code=error.status_code, headers=dict(error.headers or {}))

    for router in (routes.router, setup_routes.router, live_socket.router, recording_routes.router, review_routes.router):
        app.include_router(router)
    app.include_router(page_routes.router)
    app.mount("/static", StaticFiles(directory=PAGES / "static"), name="static")
    kiosk.table.listen(kiosk.on_update)
    return app
