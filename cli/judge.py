"""``trickwatch judge``: the engine alone, asked from outside."""

from __future__ import annotations

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from engine.judge import answer_line, differences


def register(app: typer.Typer) -> None:
    """Add the verb ``judge``."""
    app.command("judge")(judge)


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank with their numbers, undecoded: a line that is no UTF-8 spoils no other."""
    data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    lines = data.removeprefix(BOM_UTF8).split(b"\n")
    return ((number, line) for number, line in enumerate(lines, 1) if line.strip())


def _text(value: object) -> str:
    """A value as JSON in readable characters; escaped where a case holds half a character that no output can show."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.dumps(value)
    return text


def judge(
    file: Annotated[Path, typer.Argument(help="Cases, one JSON object a line; - for the standard input. 题目，每行一个 JSON")],
    check: Annotated[
        bool, typer.Option("--check", help="Compare with each case's `want`, print what differs, exit 1 if anything does. 与 want 比对")
    ] = False,
) -> None:
    """Rule on cases: follows, shapes, winners, throws, digs, scores, declarations, audits.

    Writes one JSON answer a line in the order of the cases. A case that cannot be answered gets an error that names what is wrong (and the line of
    the file, where it has no id); the others are
    answered all the same, and the exit status is 2.
    """
    try:
        lines = list(_lines(file))
    except OSError as error:
        typer.echo(
            f"trickwatch judge: 无法读取 {file}，应为每行一个 JSON 的文件 / {file} cannot be read: {error}; expected a file of JSON lines", err=True
        )
        raise typer.Exit(2) from None
    errors = wrong = 0
    for number, line in lines:
        got = answer_line(line)
        failed = "error" in got
        want = _want(line) if check else {}
        differ = differences(want, got)
        if failed and "error" not in want:
            errors += 1
        wrong += bool(differ)
        if not check:
            typer.echo(_text({**got, "line": number} if failed and got["id"] is None else got))
        elif differ or (failed and "error" not in want):
            told: dict[str, object] = {"id": got["id"], "line": number}
            if failed:
                told["error"] = got["error"]
            told["differs"] = {key: {"want": wanted, "got": found} for key, wanted, found in differ}
            typer.echo(_text(told))
    if check:
        typer.echo(f"{len(lines)} cases, {wrong} differ, {errors} cannot be answered / 共{len(lines)}例，不符{wrong}，无法回答{errors}", err=True)
    if errors:
        raise typer.Exit(2)
    if wrong:
        raise typer.Exit(1)


def _want(line: bytes) -> dict[str, object]:
    try:
        want = json.loads(line)["want"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return want if isinstance(want, dict) else {}
