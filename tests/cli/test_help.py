"""The help and the documents teach commands that exist: every verb is explained, every command line that is shown can be typed."""

import re
import shlex
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from cli.main import command_line
from cli.verbs import AFTER, TABLE, VERBS

ROOT = Path(__file__).parents[2]
WRITTEN = ("README.md", "CONTRIBUTING.md", "models/MODEL_CARD.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md"))))
LAUNCHER = "test"
"""The launcher's own verb: it runs without the program."""


@cache
def root() -> Any:
    """The whole command line, gathered once."""
    return get_command(command_line())


def unknown(words: list[str]) -> str | None:
    """What of a command line does not exist, or None."""
    command = root()
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        if words[0] not in command.commands:
            return words[0]
        command, words = command.commands[words[0]], words[1:]
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)} | {"--help", "-h"}
    options = (word.split("=", 1)[0] for word in words if re.match(r"--?[a-z]", word))
    return next((option for option in options if option not in known), None)


def shown(text: str) -> Iterator[list[str]]:
    """The command lines of a Markdown page: those set off as a block, and those in backticks."""
    blocks = re.findall(r"^(?:    |\$ ).*?\btrickwatch (\S.*)$", text, re.MULTILINE)
    for line in [re.split(r"\s{2,}|\s#", line)[0] for line in blocks] + re.findall(r"`(?:\./)?trickwatch ([^`]+)`", text):
        words = shlex.split(re.split(r"\s[|>&;<]", line)[0])
        if re.fullmatch(r"[a-z]+", words[0]) and words[0] != LAUNCHER:
            yield words


def test_every_verb_has_a_group_a_sentence_in_chinese_and_examples() -> None:
    assert set(VERBS) == set(root().commands), "a verb is missing from cli/verbs.py, or one there is no more"
    for name, verb in VERBS.items():
        assert re.search(r"[\u4e00-\u9fff]", verb.zh), name
        assert {example.split()[0] for example in verb.examples} == {name}


def test_every_option_that_is_used_at_a_table_is_told_in_chinese_too() -> None:
    """Measuring and training (the verbs of the last group, and the judge's and simulator's options) are explained in English."""
    verbs = [root().commands[name] for name, verb in VERBS.items() if verb.group in (TABLE, AFTER)]
    verbs += root().commands["rules"].commands.values()
    told = {(verb.name, parameter.opts[0]): parameter.help or "" for verb in verbs for parameter in verb.params}
    assert len(told) > 80
    assert [option for option, text in told.items() if not re.search(r"[\u4e00-\u9fff]", text)] == []


@pytest.mark.parametrize("example", [example for verb in VERBS.values() for example in verb.examples])
def test_an_example_can_be_typed(example: str) -> None:
    assert unknown(shlex.split(example)) is None


@pytest.mark.parametrize("name", WRITTEN)
def test_a_document_names_only_verbs_and_options_that_there_are(name: str) -> None:
    lines = list(shown((ROOT / name).read_text("utf-8")))
    assert {" ".join(words): missing for words in lines if (missing := unknown(words))} == {}


@pytest.mark.parametrize(("verb", "name"), [("run", "docs/kiosk.md"), ("film", "docs/films.md")])
def test_every_option_of_a_verb_is_in_its_document(verb: str, name: str) -> None:
    options = {parameter.opts[0] for parameter in root().commands[verb].params}
    assert options - set(re.findall(r"--[a-z][a-z-]*", (ROOT / name).read_text("utf-8"))) == set()


def test_the_check_of_documents_sees_verbs_and_options_that_are_not_there() -> None:
    block = "Text.\n\n    ./trickwatch wach FILE      follow\n    ./trickwatch read --jsno a.jpg     # read\n"
    page = f"{block}\nAnd `trickwatch rules sow NAME`, `trickwatch test -k x`."
    assert [unknown(words) for words in shown(page)] == ["wach", "--jsno", "sow"]


@pytest.mark.parametrize("name", WRITTEN)
def test_links_between_documents_lead_somewhere(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
    assert [target for target in targets if not ((ROOT / name).parent / target).exists()] == []


def test_the_version_is_the_distributions() -> None:
    told = CliRunner().invoke(command_line(), ["--version"])
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert told.exit_code == 0
    assert told.output == f"trickwatch {project['version']}\n"


def test_a_mistyped_verb_is_answered_with_the_nearest() -> None:
    said = CliRunner().invoke(command_line(), ["jduge"])
    assert said.exit_code == 2
    assert "judge" in said.output
