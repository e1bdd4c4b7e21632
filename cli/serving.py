"""Serving a table: log, referee, pages, loudspeaker, recorder and source together, from the first word to the last."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer

if TYPE_CHECKING:
    from engine.cards import Seat
    from kiosk.feed import Feed, FeedRunner
    from kiosk.recording.recorder import Recorder
    from kiosk.service import RunningTable
    from kiosk.sound import Speaker
    from kiosk.store import Store
    from kiosk.web import Kiosk

BAD_SOURCE: Final = 2
BAD_PORT: Final = 3
BAD_LOG: Final = 4
"""Exit statuses: the pictures, the port, or the log cannot be used; 1 is anything else."""
_LAST_WORDS_S: Final = 15.0
_CAMERA_AGAIN_S: Final = 5.0


@dataclass(frozen=True)
class Opening:
    """How a match begins when the log holds none yet."""

    rulebook: str
    names: dict[str, str]
    levels: dict[str, str]
    declarer: Seat | None
    deal: int = 1


@dataclass(frozen=True)
class Settings:
    """What the options of ``run`` and ``demo`` say."""

    port: int
    host: str
    sound: bool
    lang: str
    open_page: bool | None
    mode: str
    pin: str | None
    exit_at_end: bool
    scores: bool
    record: bool = False
    video: Path | None = None
    keep: str = ""
    exact_port: bool = False
    wait_camera: bool = False
    weights: Path | None = None
    looks: bool = True
    """Whether the source shows pictures (a replay has none)."""


class SourceProblem(Exception):  # noqa: N818
    """The pictures cannot be had; the message says why, in both languages."""


def say(zh: str, en: str) -> None:
    """Tell the person at the terminal, in both languages."""
    typer.echo(f"{zh}  /  {en}")
    sys.stdout.flush()


def complain(error: object) -> None:
    """Tell the person at the terminal what is wrong."""
    typer.echo(str(error), err=True)


def exit_status(error: Exception) -> int:
    """The exit status that an error ends the command with."""
    from kiosk.errors import StoreError
    from kiosk.host import PortError

    known: tuple[tuple[type[Exception], int], ...] = ((SourceProblem, BAD_SOURCE), (PortError, BAD_PORT), (StoreError, BAD_LOG))
    return next((status for kind, status in known if isinstance(error, kind)), 1)


def put_aside(path: Path) -> None:
    """Move an old log and its video aside, so that a new match can begin; they are kept under the log's time."""
    if not path.exists():
        return
    from kiosk.recording import set_aside

    kept = set_aside(path)
    say(f"上一场记录保留为 {kept}", f"the last match is kept as {kept}")


def calibration_file(database: Path) -> Path:
    """Where the calibration of a table's camera is kept that was made while it ran."""
    return database.with_suffix(".table.json")


def deck_file(database: Path) -> Path:
    """Where the deck is kept that was enrolled at a running table."""
    return database.with_suffix(".deck")


def resume(table: RunningTable, store: Store, opening: Opening, *, asked: bool) -> dict[str, Any] | None:
    """Begin the match, or take up the one in the log; gives where it was taken up."""
    from kiosk.errors import KioskError

    if not table.started:
        table.begin(opening.rulebook, opening.names, opening.levels, opening.declarer, opening.deal)
        return None
    if asked and table.rulebook != opening.rulebook:
        raise KioskError(
            f"{store.path} 里的比赛用的是规则 {table.rulebook}，不是 {opening.rulebook}；用 --new 另开一场",
            f"the match in {store.path} is played by {table.rulebook}, not by {opening.rulebook}; begin another with --new",
        )
    seq, shown = table.shown()
    trick, deal = (shown.get("trick") or shown.get("last_trick") or {}).get("number", 0), shown.get("deal", 0)
    last = datetime.fromisoformat(store.read(after=seq - 1)[-1].at).astimezone()
    say(f"已恢复到第 {deal} 局第 {trick} 墩（{last:%H:%M:%S}）", f"restored to trick {trick} of deal {deal} ({last:%H:%M:%S})")
    return {"trick": trick, "deal": deal, "at": f"{last:%H:%M:%S}"}


class Server:
    """One table that is being served."""

    def __init__(self, database: Path, make_feed: Callable[[int], Feed], settings: Settings, began: float) -> None:
        self._database = database
        self._make_feed = make_feed
        self._settings = settings
        self._began = began
        self._ending = threading.Event()
        self._failed: list[Exception] = []
        self._runner: FeedRunner | None = None
        self._speaker: Speaker | None = None

    def run(self, store: Store, opening: Opening, *, asked: bool) -> int:
        """Serve until Ctrl-C, or until the source ends; gives the exit status."""
        from engine.rulebook_toml import load
        from kiosk.access import Access, Mode
        from kiosk.announce import Announcer
        from kiosk.clock_watch import ClockWatch
        from kiosk.enrolment import Enrolment
        from kiosk.host import Host, addresses, bind
        from kiosk.matches import Matches
        from kiosk.rulebooks import rulebooks_of
        from kiosk.service import RunningTable
        from kiosk.sound import Kind, Speaker
        from kiosk.watchdog import Watchdog
        from kiosk.web import Kiosk, create_app

        settings = self._settings
        table = RunningTable(store, rulebooks=rulebooks_of(store.path))
        restored = resume(table, store, opening, asked=asked)
        access = Access(store, Mode(settings.mode))
        if settings.pin:
            access.set_pin(settings.pin)
        if settings.mode == "competition" and not access.has_pin():
            say(
                "还没有裁判密码：只有本机可以更改；用 --set-pin 设置",
                "there is no referee's PIN yet: only this machine may change things; --set-pin sets one",
            )
        sock = bind(settings.host, settings.port, 1 if settings.exact_port else 20)
        port = sock.getsockname()[1]
        if settings.port and port != settings.port:
            say(f"端口 {settings.port} 已被占用，改用 {port}", f"port {settings.port} is in use, taking {port}")
        kiosk = Kiosk(
            table,
            access,
            restored=restored,
            lang=settings.lang,
            addresses=addresses(settings.host, port),
            calibration_file=calibration_file(self._database),
        )
        if settings.looks:
            kiosk.enrolment = Enrolment(lambda: _recogniser(settings.weights), deck_file(self._database))
        watch: ClockWatch | None = None
        if settings.sound:
            kiosk.speaker = self._speaker = Speaker(settings.lang, notice=complain)
            for kind in Kind:
                if (volume := table.setting(f"volume.{kind.name.lower()}")) is not None:
                    self._speaker.set_volume(kind, float(volume))
            table.listen(Announcer(self._speaker, scores=settings.scores))
            watch = ClockWatch(table, self._speaker)
            watch.start()
        matches = Matches(kiosk, store, load, stop=lambda: self._stop_recording(kiosk), go=lambda: self._go_on_recording(kiosk))
        kiosk.begin_match = matches.begin
        host = Host(create_app(kiosk), sock)
        watchdog = Watchdog(host.alive)
        address = f"http://{'localhost' if settings.host in ('127.0.0.1', '0.0.0.0') else settings.host}:{port}"
        code = 0
        signal.signal(signal.SIGTERM, _terminate)
        # A shell that starts a program in the background makes it ignore Ctrl-C; a signal that is sent on purpose ends it all the same.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            host.run(lambda: self._ready(kiosk, host, watchdog, address))
        except KeyboardInterrupt:
            code = 130
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            self._ending.set()
            watchdog.close()
            for part in (self._runner, kiosk.recorder, watch, self._speaker, matches):
                if part is not None:
                    part.close()
        if self._failed:
            complain(self._failed[0])
            return exit_status(self._failed[0])
        if not settings.exit_at_end or code:
            say(f"已结束；记录在 {self._database}", f"ended; the log is {self._database}")
        return code

    def _ready(self, kiosk: Kiosk, host: Any, watchdog: Any, address: str) -> None:
        """Once pages can be had: open the source and follow it; on a thread of its own."""
        from kiosk.feed import FeedRunner
        from kiosk.host import has_display, open_browser

        settings, table = self._settings, kiosk.table
        say(f"观众屏 {address}/table   裁判台 {address}/referee", f"audience {address}/table   referee {address}/referee")
        watchdog.start(f"audience {address}/table")
        if settings.open_page or (settings.open_page is None and has_display()):
            open_browser(f"{address}/table")
        loading = time.monotonic()
        feed = self._open(table)
        if feed is None:
            host.stop()
            return
        if self._ending.is_set():
            feed.close()
            return
        now = time.monotonic()
        took, total = f"{now - loading:.1f}", f"{now - self._began:.1f}"
        say(f"识别模型载入 {took} 秒，启动共 {total} 秒", f"recogniser loaded in {took} s, started in {total} s")
        runner = FeedRunner(feed, table, notice=complain)
        self._runner = kiosk.feed = runner
        self._go_on_recording(kiosk)
        runner.start()
        runner.ended.wait()
        if self._ending.is_set():
            return
        _at_end(table)
        if settings.exit_at_end:
            end = time.monotonic() + _LAST_WORDS_S
            while self._speaker is not None and not self._speaker.idle() and time.monotonic() < end:
                time.sleep(0.1)
            host.stop()
        else:
            say("画面结束；页面保留，按 Ctrl-C 退出", "the pictures have ended; the pages stay, Ctrl-C ends")

    def _open(self, table: RunningTable) -> Feed | None:
        """Open the source; where a camera is waited for, the table goes on by hand meanwhile."""
        from engine.events import CameraBack, CameraLost

        lost_at: float | None = None
        while not self._ending.is_set():
            try:
                feed = self._make_feed(table.decks())
            except SourceProblem as error:
                if not self._settings.wait_camera:
                    self._failed.append(error)
                    return None
                if lost_at is None:
                    lost_at = time.monotonic()
                    complain(error)
                    say("没有摄像头：先人工记分，接上后自动继续", "no camera: keep score by hand, it goes on by itself once there is one")
                    table.record(CameraLost(reason=str(error), t=table.now()))
                self._ending.wait(_CAMERA_AGAIN_S)
            except Exception as error:  # noqa: BLE001  a model that cannot be loaded: say it, and end
                self._failed.append(error)
                return None
            else:
                if lost_at is not None:
                    table.record(CameraBack(gap=round(time.monotonic() - lost_at, 1), t=table.now()))
                return feed
        return None

    def _stop_recording(self, kiosk: Kiosk) -> None:
        if kiosk.recorder is not None:
            kiosk.recorder.close()
            kiosk.recorder = None

    def _go_on_recording(self, kiosk: Kiosk) -> None:
        if self._settings.record and self._runner is not None:
            kiosk.recorder = _record(self._runner, kiosk.table, self._database, self._settings)


def serve(
    database: Path, opening: Opening, make_feed: Callable[[int], Feed], settings: Settings, *, asked: bool = False, started: float | None = None
) -> int:
    """Run a table until Ctrl-C, or until its source ends; gives the exit status."""
    from kiosk.claim import claim
    from kiosk.store import Store

    began = started if started is not None else time.monotonic()
    with claim(database), Store.open(database) as store:
        return Server(database, make_feed, settings, began).run(store, opening, asked=asked)


def _record(runner: FeedRunner, table: RunningTable, database: Path, settings: Settings) -> Recorder | None:
    """Begin to record the feed beside the log; a feed without pictures records nothing."""
    from kiosk import recording
    from kiosk.recording.keep import parse_keep

    recorder = recording.start(runner.feed, table, recording.place(database, settings.video), parse_keep(settings.keep), shift=runner.shift)
    if recorder is not None:
        say(f"录像保存在 {recorder.folder}", f"video is kept in {recorder.folder}")
    return recorder


def _recogniser(weights: Path | None) -> Any:
    """A recogniser with the reader as it was trained.

    :raises kiosk.errors.RefusedError: when the weights cannot be loaded.
    """
    from kiosk.errors import RefusedError
    from vision.recogniser import Recogniser
    from vision.weights import WeightsError

    try:
        return Recogniser.load(weights)
    except WeightsError as error:
        raise RefusedError(f"识别模型不能载入：{error}", f"the recogniser cannot be loaded: {error}") from error


def _terminate(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _at_end(table: RunningTable) -> None:
    """One line of result at the end of a film."""
    _, shown = table.shown()
    tricks = len(shown.get("tricks") or ())
    rulings = len(shown.get("rulings") or ())
    points = (shown.get("reckoning") or shown).get("points")
    say(f"{tricks} 墩，闲家 {points} 分，判罚提议 {rulings} 项", f"{tricks} tricks, attackers {points} points, rulings proposed: {rulings}")
