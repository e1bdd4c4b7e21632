"""``trickwatch export``, ``report``, ``verify`` and ``import``: what leaves the machine, and what comes back in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from cli.recorded import Folder, Match, guarded, kept, library, opened

if TYPE_CHECKING:
    from engine.referee import MatchState
    from kiosk.export.bundle import Machine, Question
    from kiosk.review.logs import Log

CHANGED: Final = 1
FORMS: Final = (".jsonl", ".txt", ".csv", ".pdf", ".twbundle", ".zip")
Names = Annotated[bool, typer.Option("--names/--no-names", help="Take the players' names along. 带姓名")]
Lang = Annotated[str, typer.Option(help="zh or en. 语言")]


def register(app: typer.Typer) -> None:
    """Add the verbs."""
    app.command("export")(export)
    app.command("report")(report)
    app.command("verify")(verify)
    app.command("import")(bring)


def export(
    match: Match,
    to: Annotated[Path, typer.Option("--to", help="The file; its ending says the form: .jsonl .txt .csv .pdf .twbundle .zip. 文件")],
    folder: Folder = None,
    deal: Annotated[int | None, typer.Option(min=1, help="For evidence (.zip): the deal. 局")] = None,
    trick: Annotated[list[int] | None, typer.Option(help="For evidence: a trick of the deal. 墩")] = None,
    ruling: Annotated[str | None, typer.Option(help="For evidence: a ruling's name, like 1.7.N.suit. 判罚")] = None,
    names: Names = True,
    lang: Lang = "zh",
) -> None:
    """Write a match: record (JSON Lines), text, tables, score sheet, a bundle that another machine goes on with, or the evidence for an appeal."""
    if to.suffix not in FORMS:
        endings = " ".join(FORMS)
        raise typer.BadParameter(f"{to.name!r} 的结尾应为 {endings} 之一 / {to.name!r}: expected an ending of {endings}", param_hint="--to")

    def action() -> None:
        from kiosk.export import bundle, record, score_sheet, tables, text
        from kiosk.review.media import protect
        from kiosk.rulebooks import files_of

        log, state, path = opened(folder, match)
        if not names:
            log, state = _nameless(log, state)
        match to.suffix:
            case ".jsonl":
                _write(to, "".join(record.lines(log)).encode())
            case ".txt":
                _write(to, text.match_text(state).encode())
            case ".csv":
                _write(to.with_name(f"{to.stem}-deals.csv"), tables.deals(state).encode("utf-8-sig"))
                _write(to.with_name(f"{to.stem}-tricks.csv"), tables.tricks(state).encode("utf-8-sig"))
            case ".pdf":
                _write(to, score_sheet.score_sheet(log, state, lang))
            case _:
                question = _question(state, deal, trick or [], ruling) if to.suffix == ".zip" else None
                if question is not None:
                    protect(path, question)
                seal = bundle.write(
                    to, log, state, question=question, media=kept(path), machine=_machine(path), names=names, rulebook=files_of(path, log.rulebook)
                )
                typer.echo(f"{to}\n封条 seal  {seal}")

    guarded(action)


def report(match: Match, to: Annotated[Path, typer.Option("--to", help="The PDF file. 文件")], folder: Folder = None, lang: Lang = "zh") -> None:
    """Write the score sheet of a match as PDF, with lines to sign."""

    def action() -> None:
        from kiosk.export.score_sheet import score_sheet

        log, state, _ = opened(folder, match)
        _write(to, score_sheet(log, state, lang))

    guarded(action)


def verify(
    file: Annotated[Path, typer.Argument(help="A bundle (.twbundle, .zip), a record (.jsonl) or a log (.db). 文件")],
    seal: Annotated[str | None, typer.Option(help="The seal that was printed when it was made. 封条")] = None,
) -> None:
    """检查比赛包、记录或日志写成后有没有改动。 Check that nothing was changed since a bundle, a record or a log was written.

    退出状态：0 完好，1 有改动（说明改动在哪里），2 无法读取。 Exit status: 0 whole, 1 changed (it is said what was), 2 cannot be read.
    """

    def action() -> None:
        from kiosk.errors import ChangedError
        from kiosk.export import bundle, record
        from kiosk.review.logs import read_log, verify_chain

        file.open("rb").close()
        try:
            if file.suffix == ".db":
                log = read_log(file)
                verify_chain(log.entries)
            elif file.suffix == ".jsonl":
                with file.open(encoding="utf-8") as lines:
                    log = record.parse(lines)
            else:
                checked = bundle.verify(file, seal)
                log = checked.log
                typer.echo(f"{len(checked.file.names)} 个文件完好 files whole   封条 seal  {checked.file.seal}")
        except ChangedError as error:
            typer.echo(str(error), err=True)
            raise typer.Exit(CHANGED) from error
        typer.echo(f"完好 unchanged   比赛 match {log.match}   {len(log.entries)} 条 entries   校验码 head {log.head}")

    guarded(action)


def bring(
    file: Annotated[Path, typer.Argument(help="A bundle (.twbundle) or a record (.jsonl). 文件")],
    folder: Folder = None,
) -> None:
    """Take in a match from another machine; `trickwatch run --db FILE` goes on with it."""

    def action() -> None:
        from kiosk.errors import NotFoundError
        from kiosk.export import bundle

        name = bundle.match_in(file)
        with library(folder, make=True) as found:
            found.refresh()
            try:
                here = found.path_of(found.archive.match(name))
            except NotFoundError:
                here = None
            brought = bundle.bring(file, found.folder, here)
            found.refresh()
        words = {"new": "已导入 imported", "longer": "已续上 went on", "same": "本机已有 here already"}[brought.how]
        typer.echo(f"{words}  比赛 match {brought.match}  {brought.entries} 条 entries")
        typer.echo(f"继续 go on:  trickwatch run --camera 0 --db {brought.path}")
        if brought.own_rulebook:
            typer.echo("规则随包带来，与本机的不同  /  it is played by the rulebook that came with it, which is not this machine's")

    guarded(action)


def _write(target: Path, content: bytes) -> None:
    target.write_bytes(content)
    typer.echo(str(target))


def _nameless(log: Log, state: MatchState) -> tuple[Log, MatchState]:
    from dataclasses import replace

    from kiosk.review.logs import Log as Made

    return Made(log.entries, {}, log.path), replace(state, names={})


def _question(state: MatchState, deal: int | None, tricks: list[int], ruling: str | None) -> Question:
    from kiosk.export.bundle import Question, ask

    if ruling is not None:
        return ask(state, ruling)
    if deal is None:
        said = "证据包要指明 --ruling，或 --deal（和 --trick） / evidence is about a --ruling, or a --deal (and --trick)"
        raise typer.BadParameter(said, param_hint="--ruling")
    return Question(deal, tuple(tricks))


def _machine(path: Path) -> Machine:
    """What reads the cards on this machine: the files of the weights, and the table's calibration where one lies beside the log."""
    from importlib import resources

    from kiosk.export.bundle import Machine

    weights = Path(str(resources.files("models"))) / "weights"
    models = {file.relative_to(weights).as_posix(): file for file in sorted(weights.rglob("*")) if file.is_file()}
    beside = {file.name: file.read_bytes() for file in sorted(path.parent.glob(f"{path.stem}*.json")) if file.is_file()}
    return Machine(models, beside)
