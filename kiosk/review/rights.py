"""Who may read recorded matches, who sees thinking times, and who may delete a name."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends

from kiosk.access import Mode
from kiosk.errors import ForbiddenError
from kiosk.rights import Table, who


def is_referee(author: str | None) -> bool:
    """Whether somebody is the referee: paired by the PIN, or at the table's own console."""
    return author is not None and (author == "local" or author.startswith("referee@"))


def reader(author: Annotated[str | None, Depends(who)], kiosk: Table) -> str | None:
    """The asker, who may read: everybody at home, the referee in a competition.

    :raises ForbiddenError: for others.
    """
    if kiosk.access.mode is Mode.COMPETITION and author is None:
        raise ForbiddenError("比赛记录只有裁判可以看，请先输入裁判密码", "only the referee may read recorded matches; enter the referee's PIN first")
    return author


def owner(author: Annotated[str | None, Depends(who)]) -> str:
    """The referee or the table's own console.

    :raises ForbiddenError: for others.
    """
    if author is None or not is_referee(author):
        raise ForbiddenError("只能由裁判或在牌桌主机上操作", "only the referee, or somebody at the table's own console, may do this")
    return author


Reader = Annotated[str | None, Depends(reader)]
Owner = Annotated[str, Depends(owner)]
