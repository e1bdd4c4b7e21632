"""Arms: hands with sleeves seen from above, drawn once a seat and laid into the picture where the hand is.

In an arm's own picture the grip (where it holds a card) is the origin, fingers point up (-y), the forearm goes down (+y).
Two layers: what lies under the held cards and what lies over them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.film.camera import FilmCamera, Floats
from datasets.film.sprites import Picture, Rect, Shade, Sprite, soft_shade

_DENSITY: Final = 1.8  # pixels a millimetre of the arm's own picture
_LEFT: Final = 84.0  # millimetres to the left of the grip
_ABOVE: Final = 70.0  # millimetres beyond the grip
_WIDTH: Final = 168.0
_ORIGIN: Final = np.array([_LEFT, _ABOVE])
_LENGTH: Final = 1120.0

Colour = Sequence[float] | npt.NDArray[np.floating[Any]]

SKINS: Final = ((150, 178, 222), (118, 150, 200), (92, 124, 176), (64, 90, 136), (164, 190, 232))
SLEEVES: Final = ((112, 62, 40), (52, 48, 140), (70, 104, 58), (60, 58, 56), (150, 140, 96), (132, 84, 122), (206, 204, 198))


@unique
class Grip(StrEnum):
    """How the hand holds what it carries."""

    PRESS = "press"  # fingers on the card, sliding it
    PINCH = "pinch"  # card between thumb (above) and fingers (below)
    FLAT = "flat"  # palm laid down, fingers spread


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """One arm's pictures by grip: (layer under the cards, layer over them), premultiplied BGRA."""

    layers: dict[Grip, tuple[Picture | None, Picture | None]]
    coarse: dict[Grip, tuple[Picture | None, Picture | None]] = field(default_factory=dict)
    """The same layers at half the size, for arms that a motion blur hides."""


@dataclass(frozen=True, slots=True)
class _Look:
    skin: tuple[float, float, float]
    sleeve: tuple[float, float, float]
    stripes: float
    cuff: float
    girth: float


def _shape(parts: Sequence[tuple[tuple[float, float], tuple[float, float], float, float]]) -> list[tuple[Floats, float]]:
    """Outlines of tapering limbs (from, to, radius at both ends) and their larger radius."""
    out: list[tuple[Floats, float]] = []
    for a, b, ra, rb in parts:
        p, q = np.array(a), np.array(b)
        angle = np.arctan2(q[1] - p[1], q[0] - p[0])
        back = angle + np.pi / 2 + np.linspace(0, np.pi, 14)
        front = angle - np.pi / 2 + np.linspace(0, np.pi, 14)
        ring = np.concatenate([p + ra * np.column_stack([np.cos(back), np.sin(back)]), q + rb * np.column_stack([np.cos(front), np.sin(front)])])
        out.append((ring, max(ra, rb)))
    return out


def _pixels(points: Floats) -> npt.NDArray[np.int32]:
    moved: npt.NDArray[np.int32] = np.round((points + _ORIGIN) * _DENSITY * 16).astype(np.int32)
    return moved


class _Canvas:
    """Paints rounded limbs one over the other."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.size = (int(_LENGTH * _DENSITY), int(_WIDTH * _DENSITY))
        self.colour = np.zeros((*self.size, 3), np.float32)
        self.alpha = np.zeros(self.size, np.float32)
        self._rng = rng

    def limb(self, outline: Floats, radius: float, colour: Colour, shade: float = 0.42) -> None:
        """Paint one limb: darker to its rim, a dark line where it lies over another."""
        mask = np.zeros(self.size, np.uint8)
        cv2.fillPoly(mask, [_pixels(outline)], 255, cv2.LINE_AA, 4)
        x, y, w, h = cv2.boundingRect(mask)
        pad = 4
        x0, y0, x1, y1 = max(0, x - pad), max(0, y - pad), min(self.size[1], x + w + pad), min(self.size[0], y + h + pad)
        part = mask[y0:y1, x0:x1]
        depth = cv2.distanceTransform(np.pad((part > 127).astype(np.uint8), 1), cv2.DIST_L2, 3)[1:-1, 1:-1]
        height = np.clip(depth / (radius * _DENSITY), 0, 1)
        round_ = np.sqrt(1.0 - (1.0 - height) ** 2)
        slope = cv2.Sobel(cv2.GaussianBlur(round_, (0, 0), 2.0), cv2.CV_32F, 1, 0, ksize=3)
        tone = (1.0 - shade) + shade * round_ - 0.09 * np.clip(slope, -2, 2)
        paint = np.asarray(colour, np.float32)[None, None, :] * tone[:, :, None]
        cover = (part.astype(np.float32) / 255.0)[:, :, None]
        old = self.colour[y0:y1, x0:x1]
        edge = cv2.GaussianBlur(part.astype(np.float32) / 255.0, (0, 0), 3.0)[:, :, None]
        old *= 1.0 - 0.30 * edge * (1.0 - cover)
        self.colour[y0:y1, x0:x1] = old * (1 - cover) + paint * cover
        self.alpha[y0:y1, x0:x1] = np.maximum(self.alpha[y0:y1, x0:x1], cover[:, :, 0])

    def spot(self, centre: tuple[float, float], radii: tuple[float, float], angle: float, colour: Colour, share: float) -> None:
        """Paint a soft small ellipse (a nail, a knuckle) onto what is there."""
        at = _pixels(np.array([centre]))[0]
        reach = int(max(radii) * _DENSITY) + 6
        x0, x1 = max(0, int(at[0]) // 16 - reach), min(self.size[1], int(at[0]) // 16 + reach)
        y0, y1 = max(0, int(at[1]) // 16 - reach), min(self.size[0], int(at[1]) // 16 + reach)
        if x1 <= x0 or y1 <= y0:
            return
        mask = np.zeros((y1 - y0, x1 - x0), np.uint8)
        axes = (int(radii[0] * _DENSITY * 16), int(radii[1] * _DENSITY * 16))
        cv2.ellipse(mask, (int(at[0]) - 16 * x0, int(at[1]) - 16 * y0), axes, angle, 0, 360, 255, -1, cv2.LINE_AA, 4)
        soft = cv2.GaussianBlur(mask.astype(np.float32) / 255.0, (0, 0), 1.2)[:, :, None] * share
        old = self.colour[y0:y1, x0:x1]
        self.colour[y0:y1, x0:x1] = old * (1 - soft) + np.asarray(colour, np.float32)[None, None, :] * soft

    def picture(self, grain: float) -> Picture:
        """The premultiplied BGRA picture, with the grain of skin and cloth."""
        noise = self._rng.normal(0, 1, self.size).astype(np.float32)
        coarse = cv2.GaussianBlur(noise, (0, 0), 5.0) * 14.0
        fine = cv2.GaussianBlur(noise, (0, 0), 1.0) * 2.5
        tone = 1.0 + grain * (coarse + fine) * 0.03
        alpha = cv2.GaussianBlur(self.alpha, (0, 0), 0.8)
        out = np.zeros((*self.size, 4), np.uint8)
        out[:, :, :3] = np.clip(self.colour * tone[:, :, None] * alpha[:, :, None], 0, 255)
        out[:, :, 3] = np.clip(alpha * 255, 0, 255)
        return out


_Joints = tuple[tuple[float, float], tuple[float, float], tuple[float, float]]
_FINGERS: Final[dict[Grip, tuple[_Joints, ...]]] = {
    # knuckle, middle joint, tip of: little, ring, middle, index
    Grip.PRESS: (
        ((34, 62), (34, 32), (30, 12)),
        ((17, 54), (17, 20), (15, -2)),
        ((-1, 50), (-2, 12), (-2, -11)),
        ((-19, 55), (-20, 20), (-17, -4)),
    ),
    Grip.PINCH: (
        ((34, 66), (30, 40), (20, 24)),
        ((17, 58), (14, 26), (8, 8)),
        ((-1, 54), (-4, 18), (-5, -2)),
        ((-19, 58), (-21, 22), (-16, -2)),
    ),
    Grip.FLAT: (
        ((36, 40), (48, 8), (54, -14)),
        ((18, 30), (23, -10), (26, -36)),
        ((-1, 26), (-2, -20), (-2, -50)),
        ((-20, 32), (-27, -8), (-30, -36)),
    ),
}
_THUMB: Final[dict[Grip, _Joints]] = {
    Grip.PRESS: ((-24, 98), (-44, 66), (-38, 38)),
    Grip.PINCH: ((-22, 96), (-36, 58), (-20, 18)),
    Grip.FLAT: ((-24, 84), (-54, 52), (-72, 30)),
}


_PALM: Final = np.array(
    [
        [-32.0, 62.0], [-30.0, 50.0], [-20.0, 42.0], [0.0, 36.0], [20.0, 41.0], [38.0, 50.0],
        [46.0, 66.0], [44.0, 100.0], [36.0, 134.0], [10.0, 146.0], [-18.0, 138.0], [-30.0, 108.0],
    ]
)  # fmt: skip
"""Outline of the back of the hand."""


def _tip(canvas: _Canvas, joint: tuple[float, float], tip: tuple[float, float], nail: tuple[float, float], colour: Colour) -> float:
    """Paint the nail of a finger; the finger's lean in degrees."""
    lean = float(np.degrees(np.arctan2(tip[0] - joint[0], joint[1] - tip[1])))
    canvas.spot((tip[0], tip[1] - 1.5), nail, lean, colour, 0.75)
    return lean


def _paint_hand(canvas: _Canvas, look: _Look, grip: Grip) -> None:
    """Wrist, fingers and the back of the hand."""
    skin, girth = np.array(look.skin), look.girth
    pale = np.clip(skin * 1.13 + 8, 0, 255)
    shift = -24.0 if grip is Grip.FLAT else 0.0
    for ring, radius in _shape([((6, 128 + shift), (10, 260), 33 * girth, 31 * girth)]):
        canvas.limb(ring, radius, skin)
    for knuckle, joint, tip in _FINGERS[grip]:
        for ring, radius in _shape([(knuckle, joint, 10.5 * girth, 9.2 * girth), (joint, tip, 9.2 * girth, 7.4 * girth)]):
            canvas.limb(ring, radius, skin)
        lean = _tip(canvas, joint, tip, (4.6 * girth, 5.4), pale)
        canvas.spot(joint, (5.5, 1.2), lean, skin * 0.72, 0.5)
    centre = np.array([6.0, 90.0 + shift])
    canvas.limb((_rounded(_PALM + np.array([0.0, shift])) - centre) * girth + centre, 34 * girth, skin, 0.34)
    for knuckle, _, _ in _FINGERS[grip]:
        canvas.spot((knuckle[0], knuckle[1] + 2), (6.5, 5.5), 0, np.clip(skin * 1.06, 0, 255), 0.6)
        canvas.spot((knuckle[0] * 0.8, knuckle[1] + 26), (1.6, 17), 0, np.clip(skin * 1.05, 0, 255), 0.45)


def _paint_thumb(canvas: _Canvas, look: _Look, grip: Grip) -> None:
    skin, girth = np.array(look.skin), look.girth
    root, joint, tip = _THUMB[grip]
    for ring, radius in _shape([(root, joint, 14 * girth, 11.5 * girth), (joint, tip, 11.0 * girth, 8.6 * girth)]):
        canvas.limb(ring, radius, skin)
    _tip(canvas, joint, tip, (5.4 * girth, 6.2), np.clip(skin * 1.13 + 8, 0, 255))


def _paint_sleeve(canvas: _Canvas, look: _Look, rng: np.random.Generator) -> None:
    """The sleeve with its folds, stripes and cuff."""
    cloth, girth, start = np.array(look.sleeve), look.girth, look.cuff
    ys = np.linspace(start, _LENGTH, 60)
    wobble = np.cumsum(rng.normal(0, 1.3, 60)) * 0.6
    wide = (43 + (ys - start) * 0.027) * girth
    left = np.column_stack([8 - wide + wobble * 0.4, ys])
    right = np.column_stack([8 + wide + wobble * 0.5, ys])[::-1]
    canvas.limb(np.concatenate([left, right]), 52 * girth, cloth, 0.5)
    for _ in range(16):
        at = (float(rng.uniform(-30, 46)), float(rng.uniform(start + 30, 700)))
        tone = cloth * rng.choice([0.74, 1.2])
        canvas.spot(at, (float(rng.uniform(22, 46)), float(rng.uniform(3, 7))), float(rng.uniform(-35, 35)), tone, 0.4)
    if look.stripes > 0:
        for y in np.arange(start + 24, _LENGTH, look.stripes):
            canvas.spot((8, float(y)), (60, 2.6), 0, np.clip(cloth * 1.5 + 30, 0, 255), 0.55)
    cuff = np.array([[8 - 45 * girth, start], [8 + 45 * girth, start], [8 + 46 * girth, start + 17], [8 - 46 * girth, start + 17]])
    canvas.limb(cuff, 50 * girth, np.clip(cloth * 0.82, 0, 255), 0.5)


def _paint(look: _Look, grip: Grip, rng: np.random.Generator) -> tuple[Picture | None, Picture | None]:
    """Both layers of an arm in a grip; only a pinching hand has something under the cards."""
    whole, thumb = _Canvas(rng), _Canvas(rng)
    _paint_hand(whole, look, grip)
    _paint_thumb(thumb if grip is Grip.PINCH else whole, look, grip)
    _paint_sleeve(whole, look, rng)
    return (whole.picture(1.0), thumb.picture(1.0)) if grip is Grip.PINCH else (None, whole.picture(1.0))


def _rounded(points: Floats) -> Floats:
    """Cut the corners of a closed outline three times."""
    for _ in range(3):
        after = np.roll(points, -1, axis=0)
        points = np.stack([0.75 * points + 0.25 * after, 0.25 * points + 0.75 * after], axis=1).reshape(-1, 2)
    return points


def draw_arms(rng: np.random.Generator, left_handed: Sequence[bool]) -> tuple[Arm, Arm, Arm, Arm]:
    """Draw four arms of different skin and sleeve, for E N W S."""
    skins = rng.permutation(len(SKINS))
    sleeves = rng.permutation(len(SLEEVES))
    arms: list[Arm] = []
    for i in range(4):
        look = _Look(
            skin=SKINS[skins[i]],
            sleeve=SLEEVES[sleeves[i]],
            stripes=float(rng.uniform(24, 46)) if rng.random() < 0.35 else 0.0,
            cuff=float(rng.uniform(158, 215)),
            girth=float(rng.uniform(0.88, 1.08)),
        )
        layers = {grip: _paint(look, grip, rng) for grip in Grip}
        if left_handed[i]:
            layers = {grip: (_mirrored(under), _mirrored(over)) for grip, (under, over) in layers.items()}
        arms.append(Arm(layers, {grip: (_halved(under), _halved(over)) for grip, (under, over) in layers.items()}))
    return arms[0], arms[1], arms[2], arms[3]


def _halved(layer: Picture | None) -> Picture | None:
    return None if layer is None else np.asarray(cv2.resize(layer, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)


def _mirrored(layer: Picture | None) -> Picture | None:
    return None if layer is None else np.ascontiguousarray(layer[:, ::-1])


@dataclass(frozen=True, slots=True)
class Reach:
    """Where an arm is: grip (mm), height, and the shoulder that it comes from (mm)."""

    x: float
    y: float
    z: float
    shoulder: tuple[float, float]

    @property
    def turn(self) -> float:
        """The angle of the arm: 0 when the forearm goes straight down in the picture."""
        return float(np.arctan2(-(self.shoulder[0] - self.x), self.shoulder[1] - self.y))

    def place(self, points: Floats) -> Floats:
        """Millimetres on the table (N, 3) of points (N, 2) of the arm's own picture."""
        c, s = np.cos(self.turn), np.sin(self.turn)
        rise = self.z + 16.0 + np.clip(points[:, 1], 0, 400) * 0.16
        return np.column_stack([self.x + c * points[:, 0] - s * points[:, 1], self.y + s * points[:, 0] + c * points[:, 1], rise])


def arm_sprite(camera: FilmCamera, layer: Picture, reach: Reach, step: int = 1) -> Sprite | None:
    """Draw an arm's layer where it reaches; ``None`` when it is out of the picture.

    :param step: 2 draws a halved layer into a halved picture: place and pixels of the sprite are in units of two pixels.
    """
    visible = _LENGTH
    box = np.array([[-_LEFT, -_ABOVE], [_WIDTH - _LEFT, -_ABOVE], [_WIDTH - _LEFT, visible - _ABOVE], [-_LEFT, visible - _ABOVE]])
    quad = camera.project(reach.place(box)) / step
    bounds = Rect(
        int(np.floor(quad[:, 0].min())), int(np.floor(quad[:, 1].min())), int(np.ceil(quad[:, 0].max())) + 1, int(np.ceil(quad[:, 1].max())) + 1
    ).meet(Rect(-40, -40, camera.size[0] // step + 40, camera.size[1] // step + 40))
    if bounds.empty:
        return None
    source = (box + _ORIGIN).astype(np.float32) * (_DENSITY / step) - 0.5
    target = (quad - (bounds.x0, bounds.y0)).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(source.astype(np.float32), target)
    pixels = cv2.warpPerspective(layer, matrix, (bounds.x1 - bounds.x0, bounds.y1 - bounds.y0), flags=cv2.INTER_LINEAR)
    return Sprite(bounds.x0, bounds.y0, pixels)


_SHADOW: Final = np.array(
    [[-24, -4], [0, -12], [24, 4], [44, 60], [40, 140], [52, 210], [60, 1000], [-44, 1000], [-36, 210], [-28, 140], [-46, 70]], float
)


def arm_shade(camera: FilmCamera, reach: Reach, slant: tuple[float, float], depth: float) -> Shade | None:
    """The shadow that an arm throws on the table."""
    points = reach.place(_SHADOW)
    ground = np.column_stack([points[:, 0] + slant[0] * points[:, 2], points[:, 1] + slant[1] * points[:, 2], np.zeros(len(points))])
    outline = camera.project(ground)
    outline = np.column_stack([np.clip(outline[:, 0], -60, camera.size[0] + 60), np.clip(outline[:, 1], -60, camera.size[1] + 60)])
    if np.ptp(outline[:, 0]) < 4 or np.ptp(outline[:, 1]) < 4:
        return None
    sigma = (7.0 + 0.1 * reach.z) * camera.scale / 1.28
    return soft_shade(outline, sigma, depth * 0.8)
