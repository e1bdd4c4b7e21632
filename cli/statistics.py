"""``trickwatch statistics``: figures over recorded matches, of the players who agreed; and the deleting of a name."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from cli.recorded import Folder, guarded, library

Names = Annotated[list[str] | None, typer.Option(help="A player's name; may be given several times. 姓名")]


def register(app: typer.Typer) -> None:
    """Add the verb ``statistics``."""
    app.command("statistics")(statistics)


def statistics(
    folder: Folder = None,
    agree: Names = None,
    disagree: Names = None,
    forget: Annotated[str | None, typer.Option(help="Delete this name from every log; it cannot be brought back. 删除姓名")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="As JSON. 输出 JSON")] = False,
) -> None:
    """Count deals, wins, levels and points by player and by pair; only of players who agreed (--agree NAME, --disagree NAME)."""

    def action() -> None:
        from kiosk.review import statistics as counted

        with library(folder) as found:
            found.refresh()
            if forget is not None:
                typer.echo(f"已从 {found.forget(forget)} 份记录中删除  /  deleted from so many logs")
                return
            for name in agree or ():
                counted.agree(found.archive, name, agreed=True)
            for name in disagree or ():
                counted.agree(found.archive, name, agreed=False)
            figures = counted.statistics(found.archive)
        if as_json:
            typer.echo(json.dumps(figures, ensure_ascii=False))
            return
        if not figures["players"]:
            typer.echo("还没有人同意统计（--agree 姓名）  /  nobody has agreed to be counted (--agree NAME)")
            return
        heads = ("deals", "won", "declared", "held", "steps", "points_per_deal", "throws", "offences")
        typer.echo("".join(f"{head:>16}" for head in heads))
        for row in (*figures["players"], *figures["pairs"]):
            name = row.get("name") or " · ".join(row["names"])
            typer.echo("".join(f"{row[head]!s:>16}" for head in heads) + f"   {name}")

    guarded(action)
