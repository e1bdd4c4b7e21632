"""What the help says of every verb beside its own words: its group, its Chinese, and commands to copy."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Final

import typer
from typer.models import CommandInfo, TyperInfo

TABLE: Final = "牌桌 At the table"
AFTER: Final = "赛后 Afterwards"
RULES: Final = "规则 Rules"
SEEING: Final = "识牌 Reading cards, and how well"


@dataclass(frozen=True)
class Verb:
    """A verb's group in the list of verbs, its sentence in Chinese, and command lines that can be typed as they stand."""

    group: str
    zh: str
    examples: tuple[str, ...] = ()


VERBS: Final[dict[str, Verb]] = {
    "demo": Verb(TABLE, "演示：播放随程序附带的一局牌，从画面到计分全程实时。", ("demo", "demo --lang en --no-sound", "demo --host 0.0.0.0")),
    "run": Verb(
        TABLE,
        "开一桌：摄像头、裁判、记分屏、声音、录像。",
        (
            "run --camera 0 --calibration table.json --rulebook official-2deck-shengji",
            "run --camera 0 --calibration table.json --mode competition --set-pin --host 0.0.0.0",
            "run --camera 0 --name E=李娜 --name W=王强 --level EW=5 --new",
            "run --camera rtsp://192.168.1.20/stream --deck my-cards.json --wait-camera",
        ),
    ),
    "watch": Verb(
        TABLE,
        "看一桌牌，逐条打印发生的事；不开页面。",
        ("watch match.mp4 --calibration table.json --json", "watch films/s1 --truth", "watch 0 --free"),
    ),
    "markers": Verb(TABLE, "写出贴在桌上的四个定位标记（A4 可打印）。", ("markers --out markers.pdf",)),
    "calibrate": Verb(
        TABLE,
        "标定：在画面中找到牌桌，检查摄像头，写出 table.json。",
        ("calibrate 0 --out table.json", 'calibrate 0 --clicks "410,90 1510,90 1510,990 410,990"', "calibrate 0 --show table.json"),
    ),
    "enroll": Verb(
        TABLE, "登记本桌所用的扑克牌：摊开 54 张，拍照学习。", ("enroll my-cards.json spread1.jpg spread2.jpg", "enroll my-cards.json --camera 0")
    ),
    "replay": Verb(
        AFTER, "用现在的程序重看一场录像：哪些牌和判罚会不同。", ("replay last", "replay last --deal 3 --json", "replay last --film films")
    ),
    "export": Verb(
        AFTER,
        "导出一场比赛：记录、文本、表格、记分表、比赛包或申诉证据。",
        ("export last --to match.jsonl", "export last --to match.twbundle", "export last --to evidence.zip --deal 1 --trick 7"),
    ),
    "report": Verb(AFTER, "写出可签字的记分表（PDF）。", ("report last --to sheet.pdf",)),
    "verify": Verb(AFTER, "查验比赛包、记录或日志是否被改过。", ("verify match.twbundle", "verify table.db")),
    "import": Verb(AFTER, "收下另一台机器的比赛。", ("import match.twbundle",)),
    "statistics": Verb(AFTER, "统计同意者的局数、胜负、升级和得分。", ("statistics", "statistics --agree 李娜", "statistics --forget 李娜")),
    "standings": Verb(
        AFTER,
        "排出比赛名次和下一轮对阵：按规则的积分和同分比较。",
        ("standings results.toml", "standings results.csv --rulebook swiss-3deck --json"),
    ),
    "rules": Verb(
        RULES, "规则：列出、用文字说明、检查、写出说明页。", ("rules list", "rules show official-2deck-shengji", "rules check our-club.toml")
    ),
    "judge": Verb(
        RULES,
        "判题：跟牌、牌型、大小、甩牌、抠底、升级、亮主、查违规，一行一题。",
        ("judge cases.jsonl", "judge cases.jsonl --check", "judge - < cases.jsonl"),
    ),
    "simulate": Verb(RULES, "模拟整局牌，检查必须成立的事。", ("simulate", "simulate --preset all --seeds 3", "simulate --show")),
    "read": Verb(SEEING, "认出照片中的牌。", ("read photo.jpg", "read --json photo1.jpg photo2.jpg", "read photo.jpg --out annotated")),
    "film": Verb(
        SEEING, "渲染一局牌的影片，并写出其中每件事的时间。", ("film --out films/s1 --seed 1 --habit stack --offences 1", "film --suite films")
    ),
    "harvest": Verb(SEEING, "从录像中截取带标注的训练图片。", ("harvest last --out pictures --corrected",)),
    "train": Verb(SEEING, "训练识别模型，接着上次继续。", ("train --minutes 60", "train --minutes 90 --photos photos/train")),
    "evaluate": Verb(SEEING, "测量识别的准确度。", ("evaluate --photos photos/val", "evaluate films films/s1", "evaluate enroll bellot")),
    "bench": Verb(SEEING, "在本机测速。", ("bench engine", "bench kiosk", "bench vision --help")),
}
"""In the order in which the help lists them."""

FIRST_STEPS: Final = """先做什么 To begin:

* `trickwatch demo` 看演示 / shows it all at once

* `trickwatch markers`, `trickwatch calibrate 0`, `trickwatch run --camera 0 --calibration table.json` 自己的牌桌 / a table of your own

* `trickwatch VERB --help` 说明与例子 / a verb's options, with examples

* `./trickwatch test` 在源码目录中运行全部测试 / in a checkout, passes the tests"""


def explain(app: typer.Typer) -> None:
    """Give the verbs of a command line their groups, Chinese sentences and examples, in the order of :data:`VERBS`."""
    app.registered_commands.sort(key=_place)
    app.registered_groups.sort(key=_place)
    verbs: list[CommandInfo | TyperInfo] = [*app.registered_commands, *app.registered_groups]
    for info in verbs:
        verb = VERBS.get(info.name or "")
        if verb is None:
            continue
        info.rich_help_panel = verb.group
        info.help = f"{verb.zh} {_own_words(info)}"
        info.epilog = "例 Examples（源码目录中写 / in a checkout: `./trickwatch`）:\n\n" + "\n\n".join(
            f"* `trickwatch {example}`" for example in verb.examples
        )


def _place(info: CommandInfo | TyperInfo) -> int:
    names = list(VERBS)
    return names.index(info.name) if info.name in names else len(names)


def _own_words(info: CommandInfo | TyperInfo) -> str:
    """The English that the verb's module has written: a group's help, or the docstring of the function."""
    if isinstance(info, TyperInfo):
        group = info.typer_instance
        given = group.info.help if group is not None else None
        if isinstance(given, str):
            return given
        callback = group.registered_callback.callback if group is not None and group.registered_callback is not None else None
        return inspect.getdoc(callback) or ""
    return inspect.getdoc(info.callback) or ""
