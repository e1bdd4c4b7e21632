"""``run`` and ``demo``: a table with its kiosk and its loudspeaker."""

from __future__ import annotations

import signal
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

if TYPE_CHECKING:
    from engine.cards import Seat
    from kiosk.feed import Feed
    from kiosk.recording.recorder import Recorder
    from kiosk.service import RunningTable
    from kiosk.store import Store

RULEBOOK: Final = "official-2deck-shengji"
DEMO: Final = Path(__file__).parent.parent / "datasets" / "demo"
_LAST_WORDS_S: Final = 15.0


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
    """What the options of both verbs say."""

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


def say(zh: str, en: str, *, bad: bool = False) -> None:
    """Tell the person at the terminal, in both languages."""
    typer.echo(f"{zh}  /  {en}", err=bad)
    sys.stdout.flush()


def _fail(error: Exception, code: int = 1) -> typer.Exit:
    typer.echo(str(error), err=True)
    return typer.Exit(code)


def _film_opening(folder: Path, rulebook: str | None) -> Opening:
    """How the match of a film folder begins, from its ``table.json``."""
    import json

    from engine.cards import Seat
    from kiosk.errors import KioskError

    try:
        match: dict[str, Any] = json.loads((folder / "table.json").read_text("utf-8")).get("match", {})
        declarer = Seat(match["declarer"]) if match.get("declarer") else None
        name = rulebook or match.get("rulebook") or RULEBOOK
        return Opening(name, dict(match.get("names") or {}), dict(match["levels"]), declarer, match.get("deal", 1))
    except (OSError, ValueError, KeyError, AttributeError) as error:
        raise KioskError(f"{folder} 的 table.json 无法使用：{error}", f"table.json of {folder} cannot be used: {error!r}") from error


def _opening(rulebook: str, levels: dict[str, str], names: dict[str, str]) -> Opening:
    from engine.rulebook_toml import load

    first = str(load(rulebook).levels.path[0])
    return Opening(rulebook, names, {"EW": first, "NS": first, **levels}, None)


def _pairs(texts: list[str], known: tuple[str, ...], option: str) -> dict[str, str]:
    """Read ``KEY=VALUE`` options."""
    out: dict[str, str] = {}
    for text in texts:
        key, sign, value = text.partition("=")
        if not sign or key not in known or not value:
            raise typer.BadParameter(f"{text!r}: expected {'|'.join(known)}=VALUE", param_hint=option)
        out[key] = value
    return out


def _fresh(path: Path) -> None:
    """Move an old log and its video aside, so that a new match can begin; they are kept under the log's time."""
    if not path.exists():
        return
    from kiosk.recording import set_aside

    kept = set_aside(path)
    say(f"上一场记录保留为 {kept}", f"the last match is kept as {kept}")


def _resume(table: RunningTable, store: Store, opening: Opening, *, asked: bool) -> dict[str, Any] | None:
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
    trick = (shown.get("trick") or shown.get("last_trick") or {}).get("number", 0)
    last = datetime.fromisoformat(store.read(after=seq - 1)[-1].at).astimezone()
    say(f"已恢复到第 {trick} 墩（{last:%H:%M:%S}）", f"restored to trick {trick} ({last:%H:%M:%S})")
    return {"trick": trick, "at": f"{last:%H:%M:%S}"}


def serve(
    database: Path,
    opening: Opening,
    make_feed: Callable[[int], Feed],
    settings: Settings,
    *,
    asked: bool = False,
    started: float | None = None,
) -> int:
    """Run a table until Ctrl-C, or until its source ends; gives the exit status."""
    from engine.rulebook_toml import load
    from kiosk.access import Access, Mode
    from kiosk.announce import Announcer
    from kiosk.feed import FeedRunner
    from kiosk.host import Host, bind, has_display, open_browser
    from kiosk.service import RunningTable
    from kiosk.sound import Speaker
    from kiosk.store import Store
    from kiosk.web import Kiosk, create_app

    began = started if started is not None else time.monotonic()
    with Store.open(database) as store:
        table = RunningTable(store, rulebooks=load)
        restored = _resume(table, store, opening, asked=asked)
        access = Access(store, Mode(settings.mode))
        if settings.pin:
            access.set_pin(settings.pin)
        sock = bind(settings.host, settings.port)
        port = sock.getsockname()[1]
        if settings.port and port != settings.port:
            say(f"端口 {settings.port} 已被占用，改用 {port}", f"port {settings.port} is in use, taking {port}")
        speaker = Speaker(settings.lang, notice=lambda error: typer.echo(str(error), err=True)) if settings.sound else None
        if speaker is not None:
            table.listen(Announcer(speaker, scores=settings.scores))
        kiosk = Kiosk(table, access, speaker, restored=restored, lang=settings.lang)
        host = Host(create_app(kiosk), sock)
        address = f"http://{'localhost' if settings.host in ('127.0.0.1', '0.0.0.0') else settings.host}:{port}"
        failed: list[Exception] = []
        runners: list[FeedRunner] = []
        ending = threading.Event()

        def ready() -> None:
            say(f"观众屏 {address}/table   裁判台 {address}/referee", f"audience {address}/table   referee {address}/referee")
            if settings.open_page or (settings.open_page is None and has_display()):
                open_browser(f"{address}/table")
            try:
                loading = time.monotonic()
                feed = make_feed(table.decks())
            except Exception as error:  # noqa: BLE001  a source or a model that cannot be opened: say it, and end
                failed.append(error)
                host.stop()
                return
            if ending.is_set():
                feed.close()
                return
            now = time.monotonic()
            took, total = f"{now - loading:.1f}", f"{now - began:.1f}"
            say(f"识别模型载入 {took} 秒，启动共 {total} 秒", f"recogniser loaded in {took} s, started in {total} s")
            runner = FeedRunner(feed, table, notice=lambda error: typer.echo(str(error), err=True))
            runners.append(runner)
            kiosk.feed = runner
            if settings.record:
                kiosk.recorder = _record(feed, table, database, settings)
            runner.start()
            runner.ended.wait()
            if ending.is_set():
                return
            _at_end(table)
            if settings.exit_at_end:
                end = time.monotonic() + _LAST_WORDS_S
                while speaker is not None and not speaker.idle() and time.monotonic() < end:
                    time.sleep(0.1)
                host.stop()
            else:
                say("画面结束；页面保留，按 Ctrl-C 退出", "the pictures have ended; the pages stay, Ctrl-C ends")

        code = 0
        signal.signal(signal.SIGTERM, _terminate)
        # A shell that starts a program in the background makes it ignore Ctrl-C; a signal that is sent on purpose ends it all the same.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            host.run(ready)
        except KeyboardInterrupt:
            code = 130
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            ending.set()
            for runner in runners:
                runner.close()
            if kiosk.recorder is not None:
                kiosk.recorder.close()
            if speaker is not None:
                speaker.close()
        if failed:
            typer.echo(str(failed[0]), err=True)
            return 1
        if not settings.exit_at_end or code:
            say(f"已结束；记录在 {database}", f"ended; the log is {database}")
        return code


def _record(feed: Feed, table: RunningTable, database: Path, settings: Settings) -> Recorder | None:
    """Begin to record the feed beside the log; a feed without pictures records nothing."""
    from kiosk import recording
    from kiosk.recording.keep import parse_keep

    recorder = recording.start(feed, table, recording.place(database, settings.video), parse_keep(settings.keep), shift=table.shift())
    if recorder is not None:
        say(f"录像保存在 {recorder.folder}", f"video is kept in {recorder.folder}")
    return recorder


def _terminate(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _at_end(table: RunningTable) -> None:
    """One line of result at the end of a film."""
    _, shown = table.shown()
    tricks = len(shown.get("tricks") or ())
    rulings = len(shown.get("rulings") or ())
    points = (shown.get("reckoning") or shown).get("points")
    say(f"{tricks} 墩，闲家 {points} 分，判罚提议 {rulings} 项", f"{tricks} tricks, attackers {points} points, rulings proposed: {rulings}")


Port = Annotated[int, typer.Option(help="Port of the pages; when it is in use, the next free one. 端口", min=0, max=65535)]
HostName = Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets tablets of the same network in. 监听地址")]
Sound = Annotated[bool, typer.Option("--sound/--no-sound", help="Chime and speech. 声音")]
Scores = Annotated[bool, typer.Option("--say-scores/--no-say-scores", help="Speak the points after a trick. 每墩报分")]
Lang = Annotated[str, typer.Option(help="zh or en. 语言")]
OpenPage = Annotated[bool | None, typer.Option("--open/--no-open", help="Open a browser (default: when there is a display). 打开浏览器")]
Record = Annotated[bool, typer.Option("--record/--no-record", help="Record video beside the log. 录像")]
ExitAtEnd = Annotated[bool, typer.Option("--exit-at-end", help="End with the film. 播完即退出")]


def _checked_lang(lang: str) -> str:
    if lang not in ("zh", "en"):
        raise typer.BadParameter(f"{lang!r}: expected zh or en", param_hint="--lang")
    return lang


def _checked_keep(keep: str) -> str:
    from kiosk.recording.keep import KeepError, parse_keep

    try:
        parse_keep(keep)
    except KeepError as error:
        raise typer.BadParameter(str(error), param_hint="--keep") from error
    return keep


def _guarded(action: Callable[[], int]) -> None:
    """Run, turning what the user must know into one clear sentence and an exit status."""
    from engine.rulebook_toml import RulebookError
    from kiosk.errors import KioskError

    try:
        code = action()
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except (KioskError, RulebookError, OSError) as error:
        raise _fail(error) from error
    if code:
        raise typer.Exit(code)


def run(
    camera: Annotated[str | None, typer.Option(help="Device number, URL, video file or film folder. 摄像头")] = None,
    rulebook: Annotated[str | None, typer.Option(help=f"Rulebook, a preset's name or a file (default {RULEBOOK}). 规则")] = None,
    port: Port = 8000,
    host: HostName = "127.0.0.1",
    db: Annotated[Path | None, typer.Option(help="The table's log (default: in the user's data directory). 记录文件")] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin a new match; the old log is kept aside. 另开一场")] = False,
    level: Annotated[list[str] | None, typer.Option(help="EW=10 or NS=J: the level of a side when a match begins. 级")] = None,
    name: Annotated[list[str] | None, typer.Option(help="E=Li: the name of a player. 姓名")] = None,
    mode: Annotated[str, typer.Option(help="home (everybody may correct) or competition (PIN). 模式")] = "home",
    pin: Annotated[str | None, typer.Option(help="Set the referee's PIN.", envvar="TRICKWATCH_PIN")] = None,
    sound: Sound = True,
    say_scores: Scores = True,
    lang: Lang = "zh",
    open_page: OpenPage = None,
    replay: Annotated[Path | None, typer.Option(help="Practice: play a recorded log again instead of a camera. 练习")] = None,
    speed: Annotated[float, typer.Option(help="How fast a replay runs.", min=0.1, max=1000)] = 1.0,
    record: Record = True,
    video: Annotated[Path | None, typer.Option(help="Folder for video (default: beside the log). 录像文件夹")] = None,
    keep: Annotated[str, typer.Option(help="What is kept: video=3d,tricks=90d,disk=200GB,free=2GB; evidence always is. 保留")] = "",
    exit_at_end: ExitAtEnd = False,
) -> None:
    """Run a table: camera, referee, kiosk and sound."""
    started = time.monotonic()
    settings = Settings(port, host, sound, _checked_lang(lang), open_page, mode, pin, exit_at_end, say_scores, record, video, _checked_keep(keep))
    if mode not in ("home", "competition"):
        raise typer.BadParameter(f"{mode!r}: expected home or competition", param_hint="--mode")
    if (camera is None) == (replay is None):
        raise typer.BadParameter("give a camera (--camera 0, a URL, a film) or a recorded log (--replay FILE)", param_hint="--camera")
    levels = _pairs(level or [], ("EW", "NS"), "--level")
    names = _pairs(name or [], ("E", "N", "W", "S"), "--name")

    def action() -> int:
        from kiosk.paths import data_dir, default_database

        if replay is not None:
            opening, make = _practice(replay, rulebook, speed)
            return serve(db or _dated(data_dir() / "practice"), opening, make, settings, asked=rulebook is not None, started=started)
        assert camera is not None
        film = Path(camera).exists()
        if film and Path(camera).is_dir() and (Path(camera) / "table.json").is_file():
            opening = _film_opening(Path(camera), rulebook)
        else:
            opening = _opening(rulebook or RULEBOOK, levels, names)
        database = db or (_dated(data_dir() / "films") if film else default_database())
        if new:
            _fresh(database)
        return serve(database, opening, _camera(camera), settings, asked=rulebook is not None, started=started)

    _guarded(action)


def demo(
    port: Port = 8000,
    host: HostName = "127.0.0.1",
    sound: Sound = True,
    say_scores: Scores = True,
    lang: Lang = "zh",
    open_page: OpenPage = None,
    db: Annotated[Path | None, typer.Option(help="The table's log (default: a new one in the user's data directory). 记录文件")] = None,
    exit_at_end: ExitAtEnd = False,
) -> None:
    """Play the match that comes with the program: the film is decoded, the model reads it, the referee rules, in real time."""
    started = time.monotonic()
    settings = Settings(port, host, sound, _checked_lang(lang), open_page, "home", None, exit_at_end, say_scores)

    def action() -> int:
        from kiosk.errors import KioskError
        from kiosk.paths import data_dir

        if not (DEMO / "film.mp4").is_file():
            raise KioskError(f"没有找到示例影片 {DEMO}；请重新安装", f"the demonstration film {DEMO} is missing; install again")
        return serve(db or _dated(data_dir() / "demo"), _film_opening(DEMO, None), _camera(str(DEMO)), settings, started=started)

    _guarded(action)


def _dated(folder: Path) -> Path:
    """A new log in a folder, named by the time."""
    return folder / f"{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}.db"


def _camera(spec: str) -> Callable[[int], Feed]:
    def make(decks: int) -> Feed:
        from vision.open_table import open_table

        return open_table(spec, realtime=True, decks=decks)

    return make


def _practice(path: Path, rulebook: str | None, speed: float) -> tuple[Opening, Callable[[int], Feed]]:
    """A recorded log as a source, and how its match begins."""
    from engine.events import DealStarted, MatchStarted
    from kiosk.feed import Replay

    replay = Replay(path, speed)
    match = next((event for event in replay.events if isinstance(event, MatchStarted)), None)
    deal = next((event for event in replay.events if isinstance(event, DealStarted)), None)
    name = rulebook or (match.rulebook if match else RULEBOOK)
    if deal is None:
        opening = _opening(name, {}, {})
    else:
        opening = Opening(name, dict(match.names) if match else {}, dict(deal.levels), deal.declarer, deal.deal)
    return opening, lambda _: replay


def register(app: typer.Typer) -> None:
    """Add ``run`` and ``demo``."""
    app.command("run")(run)
    app.command("demo")(demo)
