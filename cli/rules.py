"""``trickwatch rules``: the rulebooks there are, one in words, a file checked, and the page that describes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Final

import typer

from engine.rulebook import Rulebook
from engine.rulebook_doc import change, page
from engine.rulebook_toml import RulebookError, RulebookRefusedError, load, names
from engine.rulebook_words import Language, lines_of, note_words, render

PAGE: Final = Path("docs/rulebooks.md")

group = typer.Typer(no_args_is_help=True, help="Rulebooks: list, show in words, check, write their page.")


def register(app: typer.Typer) -> None:
    """Add the verb ``rules``."""
    app.add_typer(group, name="rules")


@group.command("list")
def list_rules(as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line. 输出 JSON")] = False) -> None:
    """列出全部规则，拒绝的附理由。 List all rulebooks; refused ones with the reason."""
    for name in names():
        try:
            rules = load(name)
        except RulebookRefusedError as error:
            if as_json:
                typer.echo(json.dumps({"name": name, "refused": {"zh": error.reason.zh, "en": error.reason.en}}, ensure_ascii=False))
            else:
                typer.echo(f"{name:<28} ✗ 拒绝：{error.reason.zh}\n{'':<28} ✗ refused: {error.reason.en}")
            continue
        typer.echo(json.dumps(_row(rules), ensure_ascii=False) if as_json else _line(rules))


@group.command()
def show(
    name: Annotated[str, typer.Argument(help="Preset, or a TOML file. 规则名或文件")],
    lang: Annotated[Language, typer.Option(help="zh or en. 语言")] = Language.ZH,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a rule. 输出 JSON")] = False,
) -> None:
    """用文字说明一份规则，每条附原文。 A rulebook in words, with the clause quoted for each value and what was assumed."""
    rules = _load(name)
    if not as_json:
        typer.echo(render(rules, lang))
        return
    for line in lines_of(rules, lang):
        row = {"key": line.key, "label": line.label, "value": line.value, "clause": list(line.clause), "assumed": line.assumed}
        typer.echo(json.dumps(row, ensure_ascii=False))
    typer.echo(json.dumps({"notes": [note_words(note, lang) for note in rules.notes], "assumed": list(rules.assumed)}, ensure_ascii=False))


@group.command()
def check(
    files: Annotated[list[Path], typer.Argument(help="TOML files. 规则文件")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a fault. 输出 JSON")] = False,
) -> None:
    """检查规则文件，指出键、行和应写什么。 Check rulebook files: every fault names the key, the line and what was expected."""
    wrong = False
    for path in files:
        try:
            rules = load(path)
        except RulebookError as error:
            wrong = True
            for fault in error.faults:
                row = {"file": str(path), "line": fault.line, "key": fault.key, "zh": fault.zh, "en": fault.en}
                typer.echo(json.dumps(row, ensure_ascii=False) if as_json else str(fault), err=not as_json)
            continue
        except OSError as error:
            wrong = True
            typer.echo(f"{path}: 读不了 / cannot be read: {error}", err=True)
            continue
        if not as_json:
            typer.echo(f"{path}: 可用 / good: {rules.name}, {len(rules.clauses)} 条引原文 / clauses quoted")
    if wrong:
        raise typer.Exit(2)


@group.command()
def doc(
    out: Annotated[Path, typer.Option(help="Where to write the page. 写到", dir_okay=False)] = PAGE,
    check_only: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 when the page is out of date. 只查是否过时")] = False,
) -> None:
    """写出 docs/rulebooks.md。 Write docs/rulebooks.md from the schema and the presets."""
    text = page()
    if check_only:
        if not out.is_file() or out.read_text(encoding="utf-8") != text:
            typer.echo(f"{out}: 已过时，请运行 / out of date, run: trickwatch rules doc", err=True)
            raise typer.Exit(1)
        return
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(text, encoding="utf-8")
    typer.echo(str(out))


def _load(name: str) -> Rulebook:
    """A rulebook, or the end of the program with what is wrong with it."""
    try:
        return load(name)
    except RulebookError as error:
        for fault in error.faults:
            typer.echo(str(fault), err=True)
        raise typer.Exit(2) from None


def _row(rules: Rulebook) -> dict[str, object]:
    base, step = change(rules)
    return {
        "name": rules.name,
        "title": {"zh": rules.title.zh, "en": rules.title.en},
        "decks": rules.pack.decks,
        "bottom": rules.pack.bottom,
        "levels": list(rules.levels.path),
        "base": base,
        "step": step,
        "clauses": len(rules.clauses),
        "assumed": list(rules.assumed),
    }


def _line(rules: Rulebook) -> str:
    base, step = change(rules)
    path = rules.levels.path
    pack = f"{rules.pack.decks}副 底{rules.pack.bottom}"
    return f"{rules.name:<28} {pack}  {path[0]}–{path[-1]}  {base}/{step}  {rules.title.zh} / {rules.title.en}"
