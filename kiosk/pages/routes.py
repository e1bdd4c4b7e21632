"""The page routes: a shell from one template; the page's module fills it from the live state."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Annotated, Final

import segno
from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, Response
from jinja2 import Environment, FileSystemLoader, select_autoescape

from kiosk.i18n import LANGUAGES, catalogue
from kiosk.web import Kiosk

router = APIRouter(include_in_schema=False)

_TEMPLATES: Final = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=select_autoescape(("html",)))
_QR_BORDER: Final = 2
PAGES: Final = {
    "/": "index", "/table": "table", "/referee": "referee", "/player": "player", "/setup": "setup", "/review": "review", "/overlay": "overlay",
}  # fmt: skip
"""The pages by their paths: where to go, for everybody in the room, the referee's tablet, a player's phone, setting up, afterwards, a stream."""


def address(request: Request) -> str:
    """Where a phone of the same network finds this table, without a slash at the end; the asked-for address where none is known."""
    kiosk: Kiosk = request.app.state.kiosk
    known: tuple[str, ...] = getattr(kiosk, "addresses", ())
    return (known[0] if known else str(request.base_url)).rstrip("/")


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
        address=address(request),
    )
    return HTMLResponse(html, headers={"Cache-Control": "no-store"})


def _add(path: str, name: str) -> None:
    def page(request: Request) -> HTMLResponse:
        return _page(request, name)

    router.add_api_route(path, page, name=name, response_class=HTMLResponse)


for _path, _name in PAGES.items():
    _add(_path, _name)


@router.get("/qr.svg")
def code(request: Request, path: Annotated[str, Query(max_length=200, pattern=r"^/[\w/?=&.%~-]*$")]) -> Response:
    """A QR code of one of this table's own addresses, as a picture that scales."""
    out = io.BytesIO()
    segno.make(address(request) + path, error="m").save(out, kind="svg", scale=8, border=_QR_BORDER, dark="#0B0F14", light="#FFFFFF")
    return Response(out.getvalue(), media_type="image/svg+xml", headers={"Cache-Control": "no-store"})
