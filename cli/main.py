"""The ``trickwatch`` command: gathers the verbs of the modules beside it."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

import typer

import cli

app = typer.Typer(
    name="trickwatch",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
    help="A camera over a card table referees, scores and records Shengji (升级 / 拖拉机 / 80分).",
)


@app.callback()
def _root() -> None:
    """Root of the verbs, so that the help lists them even when there is only one."""


def main() -> None:
    """Run the command line; the process ends with the verb's exit status.

    Every module of this package that has ``register(app)`` brings its verbs.
    """
    for module in iter_modules(cli.__path__):
        if module.name != "__main__":
            register = getattr(import_module(f"cli.{module.name}"), "register", None)
            if register is not None:
                register(app)
    app(prog_name="trickwatch")


if __name__ == "__main__":
    main()
