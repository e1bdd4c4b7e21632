"""A pack spread on a table, drawn by the browser: what a camera above would see, and where each face lies in it."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import cv2
import numpy as np
from playwright.sync_api import Browser

from engine.cards import FACES, Card

SIZE: Final = (1920, 1080)
CARD: Final = (98, 137)
ACROSS: Final = 12
STEP: Final = (146, 196)
EDGE: Final = (100, 60)
_STYLE: Final = f"""<style>
body {{ margin: 0; background: #4d6b58 }}
.card {{ position: absolute; width: {CARD[0]}px; height: {CARD[1]}px; background: #fdfcf8; border-radius: 7px; box-shadow: 1px 2px 4px #0006;
  font-family: 'Noto Serif', 'DejaVu Serif', serif }}
b {{ position: absolute; left: 6px; top: 5px; font-size: 27px; line-height: .92; text-align: center }}
.low {{ left: auto; top: auto; right: 6px; bottom: 5px; transform: rotate(180deg) }}
i {{ position: absolute; inset: 36px 30px; display: grid; place-items: center; font-style: normal; font-size: 44px }}
s {{ text-decoration: none; opacity: .12; filter: blur(4px) }}
</style>"""
_SIGN: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def place(number: int) -> tuple[int, int]:
    """The upper left corner of a card (px)."""
    return EDGE[0] + STEP[0] * (number % ACROSS), EDGE[1] + STEP[1] * (number // ACROSS)


def face_at(x: float, y: float) -> Card:
    """Which face lies nearest to a place (px)."""
    return min(FACES, key=lambda face: abs(place(FACES.index(face))[0] + CARD[0] / 2 - x) + abs(place(FACES.index(face))[1] + CARD[1] / 2 - y))


def _card(number: int, worn: Collection[Card]) -> str:
    face = FACES[number]
    if face in ("BJ", "LJ"):
        index, colour = "<br>".join("JOKER"), "#c01020" if face == "BJ" else "#101010"
        index = f"<span style='font-size:13px;line-height:.95'>{index}</span>"
    else:
        sign = f"<s>{_SIGN[face[0]]}</s>" if face in worn else _SIGN[face[0]]
        index, colour = f"{face[1:]}<br>{sign}", "#c01020" if face[0] in "HD" else "#101010"
    x, y = place(number)
    middle = "★" if face in ("BJ", "LJ") else "" if face in worn else _SIGN[face[0]]
    return (
        f"<div class=card style='left:{x}px;top:{y}px;color:{colour};transform:rotate({(number * 7) % 5 - 2}deg)'><b>{index}</b>"
        f"<i>{middle}</i><b class=low>{index}</b></div>"
    )


def draw(browser: Browser, faces: range | None = None, worn: Collection[Card] = ()) -> Any:
    """The picture (BGR, uint8) of a spread of these faces, by their numbers in the pack (all); of worn ones the suits are hardly to be seen."""
    page = browser.new_page(viewport={"width": SIZE[0], "height": SIZE[1]})
    page.set_content(_STYLE + "".join(_card(number, worn) for number in (faces if faces is not None else range(len(FACES)))))
    data = page.screenshot(type="png")
    page.close()
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
