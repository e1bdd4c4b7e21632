"""What requests of the review page hold."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from engine.cards import Seat
from kiosk.models import Request

Place = Annotated[int, Field(ge=0, le=10_000)]


class Reviewed(Request):
    """An item of the inbox was reviewed, or is to be looked at again."""

    item: Annotated[str, Field(min_length=1, max_length=120)]
    reviewed: bool = True


class Comment(Request):
    """A comment on a deal (by its place in the match, from 0), a trick or a play."""

    deal: Place
    trick: Annotated[int, Field(ge=0, le=60)] | None = None
    seat: Seat | None = None
    text: Annotated[str, Field(min_length=1, max_length=500)]


class Consent(Request):
    """A player agrees to be counted in the statistics, or no longer does."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
    agreed: bool


class Forget(Request):
    """Deleting a person's name from every log."""

    name: Annotated[str, Field(min_length=1, max_length=200)]
