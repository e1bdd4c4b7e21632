"""``run`` and ``demo``: a table with its kiosk and its loudspeaker."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from cli.serving import Opening, Settings, SourceProblem, calibration_file, complain, deck_file, exit_status, put_aside, say, serve

if TYPE_CHECKING:
    from kiosk.feed import Feed

RULEBOOK: Final = "official-2deck-shengji"
DEMO: Final = Path(__file__).parent.parent / "datasets" / "demo"
HABITS: Final = ("auto", "stack", "turn", "sweep")
NO_CAMERA: Final = (
    "没有摄像头也可以先开桌、人工记分：加 --wait-camera；只想看看：trickwatch demo  /  "
    "a table can be started without its camera and kept by hand: --wait-camera; just to have a look: trickwatch demo"
)
MODES: Final = ("home", "competition", "practice")


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
            raise typer.BadParameter(f"{text!r}：应为 {'|'.join(known)}=值 / {text!r}: expected {'|'.join(known)}=VALUE", param_hint=option)
        out[key] = value
    return out


Port = Annotated[int, typer.Option(help="Port of the pages; when it is in use, the next free one. 端口", min=0, max=65535)]
ExactPort = Annotated[bool, typer.Option("--exact-port", help="Take no other port when this one is in use. 不换端口")]
HostName = Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 lets tablets of the same network in. 监听地址")]
Sound = Annotated[bool, typer.Option("--sound/--no-sound", help="Chime and speech. 声音")]
Scores = Annotated[bool, typer.Option("--say-scores/--no-say-scores", help="Speak the points after a trick. 每墩报分")]
Lang = Annotated[str, typer.Option(help="zh or en. 语言")]
OpenPage = Annotated[bool | None, typer.Option("--open/--no-open", help="Open a browser (default: when there is a display). 打开浏览器")]
Record = Annotated[bool, typer.Option("--record/--no-record", help="Record video beside the log. 录像")]
Video = Annotated[Path | None, typer.Option(help="Folder for video (default: beside the log). 录像文件夹")]
Keep = Annotated[str, typer.Option(help="What is kept: video=3d,tricks=90d,disk=200GB,free=2GB; evidence always is. 保留")]
ExitAtEnd = Annotated[bool, typer.Option("--exit-at-end", help="End with the film. 播完即退出")]
Calibration = Annotated[Path | None, typer.Option(help="A table.json that says where the table lies (default: beside the film, or markers). 标定")]
Habit = Annotated[str, typer.Option(help="What players do with played cards: auto, stack, turn or sweep. 出牌习惯")]
Deck = Annotated[Path | None, typer.Option(help="A deck file made by `trickwatch enroll`. 牌样")]
Weights = Annotated[Path | None, typer.Option(help="Weights folder; default: those that come with the program. 模型")]
Pin = Annotated[str | None, typer.Option(help="Set the referee's PIN. 裁判密码", envvar="TRICKWATCH_PIN")]
SetPin = Annotated[bool, typer.Option("--set-pin", help="Ask for a new referee's PIN at the terminal. 输入新密码")]


def _checked(value: str, known: tuple[str, ...], option: str) -> str:
    if value not in known:
        raise typer.BadParameter(f"{value!r}：应为 {'、'.join(known)} 之一 / {value!r}: expected one of {', '.join(known)}", param_hint=option)
    return value


def _checked_keep(keep: str) -> str:
    from kiosk.recording.keep import KeepError, parse_keep

    try:
        parse_keep(keep)
    except KeepError as error:
        raise typer.BadParameter(str(error), param_hint="--keep") from error
    return keep


def _asked_pin(pin: str | None, *, ask: bool) -> str | None:
    """The PIN that is to be set, asked for twice at the terminal where that is wanted."""
    found = typer.prompt("裁判密码 / referee's PIN", hide_input=True, confirmation_prompt=True) if ask else pin
    if found is not None and not 4 <= len(found) <= 64:
        raise typer.BadParameter("密码要有 4 到 64 个字符 / a PIN has 4 to 64 characters", param_hint="--pin")
    return None if found is None else str(found)


def _guarded(action: Callable[[], int]) -> None:
    """Run, turning what the user must know into one clear sentence and an exit status."""
    from engine.rulebook_toml import RulebookError
    from kiosk.errors import KioskError

    try:
        code = action()
    except KeyboardInterrupt:
        raise typer.Exit(130) from None
    except (KioskError, RulebookError, SourceProblem, OSError) as error:
        complain(error)
        raise typer.Exit(exit_status(error)) from error
    if code:
        raise typer.Exit(code)


def run(
    camera: Annotated[str | None, typer.Option(help="Device number (0, or 0@1280x720), URL, video file or film folder. 摄像头")] = None,
    rulebook: Annotated[str | None, typer.Option(help=f"Rulebook, a preset's name or a file (default {RULEBOOK}). 规则")] = None,
    calibration: Calibration = None,
    habit: Annotated[
        str | None, typer.Option(help="What players do with played cards: auto, stack, turn or sweep (default: the calibration's). 出牌习惯")
    ] = None,
    deck: Deck = None,
    weights: Weights = None,
    port: Port = 8000,
    exact_port: ExactPort = False,
    host: HostName = "127.0.0.1",
    db: Annotated[Path | None, typer.Option(help="The table's log (default: in the user's data directory). 记录文件")] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin a new match; the old log is kept aside. 另开一场")] = False,
    level: Annotated[list[str] | None, typer.Option(help="EW=10 or NS=J: the level of a side when a match begins. 级")] = None,
    name: Annotated[list[str] | None, typer.Option(help="E=Li: the name of a player. 姓名")] = None,
    mode: Annotated[
        str, typer.Option(help="home (everybody may correct), competition (PIN) or practice (a rendered match unless a source is named). 模式")
    ] = "home",
    pin: Pin = None,
    set_pin: SetPin = False,
    sound: Sound = True,
    say_scores: Scores = True,
    lang: Lang = "zh",
    open_page: OpenPage = None,
    replay: Annotated[Path | None, typer.Option(help="Practice: play a recorded log again instead of a camera. 练习")] = None,
    speed: Annotated[float, typer.Option(help="How fast a replay runs. 速度", min=0.1, max=1000)] = 1.0,
    record: Record = True,
    video: Video = None,
    keep: Keep = "",
    wait_camera: Annotated[bool, typer.Option("--wait-camera", help="Start without a camera and go on when it is there. 等待摄像头")] = False,
    exit_at_end: ExitAtEnd = False,
) -> None:
    """Run a table: camera, referee, kiosk and sound.

    Exit status: 0 ended, 1 refused, 2 the pictures cannot be used, 3 no port, 4 the log cannot be used, 130 Ctrl-C.
    """
    started = time.monotonic()
    _checked(lang, ("zh", "en"), "--lang")
    _checked(mode, MODES, "--mode")
    if habit is not None:
        _checked(habit, HABITS, "--habit")
    practice = mode == "practice" and camera is None and replay is None
    if not practice and (camera is None) == (replay is None):
        words = "请给出摄像头（--camera 0、网址、影片）或记录（--replay） / give a camera (--camera 0, a URL, a film) or a log (--replay FILE)"
        raise typer.BadParameter(words, param_hint="--camera")
    levels = _pairs(level or [], ("EW", "NS"), "--level")
    names = _pairs(name or [], ("E", "N", "W", "S"), "--name")
    settings = Settings(
        port, host, sound, lang, open_page, "practice" if replay is not None and mode == "home" else mode, _asked_pin(pin, ask=set_pin), exit_at_end,
        say_scores, record, video, _checked_keep(keep), exact_port, wait_camera, weights, replay is None,
    )  # fmt: skip

    def action() -> int:
        from kiosk.paths import data_dir, default_database

        asked = rulebook is not None
        if replay is not None:
            opening, make = _replayed(replay, rulebook, speed)
            return serve(db or _dated(data_dir() / "practice"), opening, make, settings, asked=asked, started=started)
        spec = str(_demo_film()) if practice else str(camera)
        film = Path(spec).exists() and not spec.startswith("/dev/")
        folder = "practice" if practice else "films"
        database = db or (_dated(data_dir() / folder) if film else default_database())
        if new:
            put_aside(database)
        kept = calibration_file(database)
        where = calibration or (kept if kept.is_file() and not film else None)
        kept_rulebook, kept_habit = _kept_in(where) if where is not None and not film else (None, None)
        if film and Path(spec).is_dir() and (Path(spec) / "table.json").is_file():
            opening = _film_opening(Path(spec), rulebook)
        else:
            opening = _opening(rulebook or kept_rulebook or RULEBOOK, levels, names)
        enrolled = deck_file(database)
        made = _camera(spec, where, habit or kept_habit or "auto", deck, weights, kept=enrolled if enrolled.is_file() and deck is None else None)
        return serve(database, opening, made, settings, asked=asked, started=started)

    _guarded(action)


def demo(
    port: Port = 8000,
    host: HostName = "127.0.0.1",
    sound: Sound = True,
    say_scores: Scores = True,
    lang: Lang = "zh",
    open_page: OpenPage = None,
    db: Annotated[Path | None, typer.Option(help="The table's log (default: a new one in the user's data directory). 记录文件")] = None,
    habit: Habit = "auto",
    weights: Weights = None,
    record: Record = False,
    video: Video = None,
    exit_at_end: ExitAtEnd = False,
) -> None:
    """Play the match that comes with the program: the film is decoded, the model reads it, the referee rules, in real time."""
    started = time.monotonic()
    _checked(lang, ("zh", "en"), "--lang")
    _checked(habit, HABITS, "--habit")
    settings = Settings(port, host, sound, lang, open_page, "practice", None, exit_at_end, say_scores, record, video, weights=weights)

    def action() -> int:
        from kiosk.paths import data_dir

        film = _demo_film()
        make = _camera(str(film), None, habit, None, weights)
        return serve(db or _dated(data_dir() / "demo"), _film_opening(film, None), make, settings, started=started)

    _guarded(action)


def _demo_film() -> Path:
    from kiosk.errors import KioskError

    if not (DEMO / "film.mp4").is_file():
        raise KioskError(f"没有找到示例影片 {DEMO}；请重新安装", f"the demonstration film {DEMO} is missing; install again")
    return DEMO


def _dated(folder: Path) -> Path:
    """A new log in a folder, named by the time."""
    return folder / f"{datetime.now().astimezone():%Y%m%d-%H%M%S-%f}.db"


def _kept_in(calibration: Path) -> tuple[str | None, str | None]:
    """The rulebook and the habit that `trickwatch calibrate` was told, where it was."""
    from vision.calibration import CalibrationError, load

    try:
        table = load(calibration)
    except CalibrationError as error:
        raise SourceProblem(str(error)) from error
    return table.match.get("rulebook") or None, table.habit if table.habit in HABITS else None


def _camera(
    spec: str, calibration: Path | None, habit: str, deck: Path | None, weights: Path | None, kept: Path | None = None
) -> Callable[[int], Feed]:
    """How a camera or a film is opened, once the number of packs is known.

    :param kept: a deck that was enrolled at this table; one that cannot be used any more is said, and any deck is read.
    """

    def make(decks: int) -> Feed:
        from vision.calibration import CalibrationError
        from vision.camera import SourceError
        from vision.enrol import EnrolError, use_deck
        from vision.open_table import open_table
        from vision.openers import SourceKind, kind_of
        from vision.recogniser import Recogniser
        from vision.weights import WeightsError

        try:
            recogniser = Recogniser.load(weights)
            if deck is not None:
                use_deck(recogniser, deck)
            if kept is not None:
                try:
                    use_deck(recogniser, kept)
                    say(f"使用登记过的牌 {kept}", f"reading the enrolled deck {kept}")
                except EnrolError as error:
                    complain(error)
            return open_table(spec, calibration=calibration, realtime=True, recogniser=recogniser, decks=decks, habit=habit, notice=complain)
        except SourceError as error:
            live = kind_of(spec) in (SourceKind.DEVICE, SourceKind.URL)
            raise SourceProblem(f"{error}\n{NO_CAMERA}" if live else str(error)) from error
        except (CalibrationError, WeightsError, EnrolError) as error:
            raise SourceProblem(str(error)) from error

    return make


def _replayed(path: Path, rulebook: str | None, speed: float) -> tuple[Opening, Callable[[int], Feed]]:
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
