"""The ``trickwatch`` command: gathers the verbs of the modules beside it."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import Annotated

import typer

import cli
from cli.verbs import FIRST_STEPS, explain
from engine import __version__


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"trickwatch {__version__}")
        raise typer.Exit


def _root(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and end. 版本")] = False,
) -> None:
    """架在牌桌上方的摄像头读牌、裁判、计分、记录。 A camera over a card table referees, scores and records Shengji (升级 / 拖拉机 / 80分)."""


def command_line() -> typer.Typer:
    """The whole command line: every module of this package that has ``register(app)`` brings its verbs."""
    app = typer.Typer(
        name="trickwatch",
        no_args_is_help=True,
        add_completion=False,
        rich_markup_mode="markdown",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(epilog=FIRST_STEPS)(_root)
    for module in iter_modules(cli.__path__):
        if module.name != "__main__":
            register = getattr(import_module(f"cli.{module.name}"), "register", None)
            if register is not None:
                register(app)
    explain(app)
    return app


def main() -> None:
    """Run the command line; the process ends with the verb's exit status."""
    command_line()(prog_name="trickwatch")


if __name__ == "__main__":
    main()
