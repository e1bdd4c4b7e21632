"""The page routes: a shell from one template; the page's module fills it from the live state."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse
from jinja2 import Environment, FileSystemLoader, select_autoescape

from kiosk.i18n import LANGUAGES, catalogue
from kiosk.web import Kiosk

router = APIRouter(include_in_schema=False)

_TEMPLATES: Final = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=select_autoescape(("html",)))


def _page(request: Request, name: str) -> HTMLResponse:
    kiosk: Kiosk = request.app.state.kiosk
    asked = request.query_params.get("lang", "")
    lang = asked if asked in LANGUAGES else kiosk.lang
    words = {code: dict(catalogue(code)) for code in LANGUAGES}
    html = _TEMPLATES.get_template("page.html").render(
        page=name,
        lang=lang,
        html_lang={"zh": "zh-Hans", "en": "en"}[lang],
        title=words[lang][f"title.{name}"],
        noscript=words[lang]["noscript"],
        words=json.dumps(words, ensure_ascii=False).replace("<", "\\u003c"),
        version=request.app.state.version,
    )
    return HTMLResponse(html, headers={"Cache-Control": "no-store"})


@router.get("/")
def root() -> Response:
    """The audience's page is the front page."""
    return RedirectResponse("/table")


@router.get("/table")
def table(request: Request) -> HTMLResponse:
    """For everybody in the room."""
    return _page(request, "table")


@router.get("/referee")
def referee(request: Request) -> HTMLResponse:
    """For the referee's tablet."""
    return _page(request, "referee")
