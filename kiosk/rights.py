"""Who may do what, as dependencies of the routes: every route of the API names one of :func:`looker` and :func:`writer`."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request
from starlette.requests import HTTPConnection

from kiosk.access import COOKIE
from kiosk.errors import ForbiddenError
from kiosk.guard import is_local
from kiosk.web import Kiosk


def the_kiosk(request: HTTPConnection) -> Kiosk:
    """The running table of this application."""
    kiosk: Kiosk = request.app.state.kiosk
    return kiosk


def author_of(connection: HTTPConnection, kiosk: Kiosk) -> str | None:
    """The asker as the log names it, or None for a looker-on."""
    client = connection.client.host if connection.client else ""
    return kiosk.access.author(client, local=is_local(client, connection.headers), cookie=connection.cookies.get(COOKIE))


Table = Annotated[Kiosk, Depends(the_kiosk)]


def who(request: Request, kiosk: Table) -> str | None:
    """The asker as the log names it, or None for a looker-on."""
    return author_of(request, kiosk)


def looker(author: Annotated[str | None, Depends(who)]) -> str | None:
    """Anybody: the score is no secret."""
    return author


def writer(author: Annotated[str | None, Depends(who)]) -> str:
    """The asker, who must have the right to change things.

    :raises ForbiddenError: when the asker may only look.
    """
    if author is None:
        raise ForbiddenError("只有裁判可以更改，请先输入裁判密码", "only the referee may change things; enter the referee's PIN first")
    return author


Author = Annotated[str, Depends(writer)]
Looker = Annotated[str | None, Depends(looker)]
