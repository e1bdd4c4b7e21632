"""What people write (names, comments, reasons) is shown as text: no page makes markup of it, and no page runs a script that is not its own."""

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from kiosk.pages.routes import PAGES
from kiosk.web import create_app
from tests.kiosk.tables import Maker

STATIC = Path(__file__).parents[2] / "kiosk" / "pages" / "static"
SCRIPTS = sorted(path.name for path in STATIC.glob("*.js"))
SINKS = re.compile(
    r"\b(innerHTML|outerHTML|insertAdjacentHTML|srcdoc|createContextualFragment|DOMParser|document\.write|eval)\b|new Function|setTimeout\(\s*[\"'`]"
)


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_page_never_reads_text_as_markup_or_as_a_program(name: str) -> None:
    found = [line for line in (STATIC / name).read_text("utf-8").splitlines() if SINKS.search(line)]
    assert found == []


def test_the_check_of_scripts_sees_what_it_forbids() -> None:
    assert all(SINKS.search(line) for line in ("node.innerHTML = name;", "document.write(x)", 'setTimeout("run()", 1)', "new Function(x)"))


@pytest.mark.parametrize("path", PAGES)
def test_a_page_runs_only_the_tables_own_scripts(make_table: Maker, path: str) -> None:
    with TestClient(create_app(make_table().kiosk), base_url="http://localhost:8000", client=("127.0.0.1", 50000)) as console:
        answer = console.get(path)
    policy = dict(part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";"))
    assert policy["script-src"] == "'self'"
    assert (policy["default-src"], policy["base-uri"], policy["frame-ancestors"]) == ("'none'", "'none'", "'none'")
    inline = [attributes for attributes, text in re.findall(r"<script([^>]*)>(.*?)</script>", answer.text, re.DOTALL) if text.strip()]
    assert inline == [' type="application/json" id="words"'], "data, not a program"
    assert not re.search(r"\son\w+=", answer.text)


def test_words_of_a_page_cannot_end_its_data(make_table: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kiosk.pages.routes.catalogue", lambda lang: {"title.table": "</script><script>alert(1)</script>", "noscript": "<b>"})
    with TestClient(create_app(make_table().kiosk), base_url="http://localhost:8000", client=("127.0.0.1", 50000)) as console:
        answer = console.get("/table")
    assert answer.text.count("<script") == 2
    assert "<b>" not in answer.text
