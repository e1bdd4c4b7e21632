"""Sprites: a card or an arm as the camera sees it, with soft edges, and the ways to lay it into a picture.

A sprite's pixels are BGRA, premultiplied by alpha, 8 bits a channel.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from datasets.art import Deck
from datasets.film.camera import FilmCamera, Floats
from engine.cards import Card

Picture = npt.NDArray[np.uint8]

CARD_W: Final = 63.0
CARD_H: Final = 88.0
BACK: Final = Card("back")
"""The key of the deck's back among the textures."""


@dataclass(frozen=True, slots=True)
class Rect:
    """A part of the picture: x0 <= x < x1, y0 <= y < y1 in pixels."""

    x0: int
    y0: int
    x1: int
    y1: int

    @property
    def empty(self) -> bool:
        """Whether nothing lies in it."""
        return self.x1 <= self.x0 or self.y1 <= self.y0

    def join(self, other: Rect | None) -> Rect:
        """The smallest rectangle around both."""
        if other is None or other.empty:
            return self
        if self.empty:
            return other
        return Rect(min(self.x0, other.x0), min(self.y0, other.y0), max(self.x1, other.x1), max(self.y1, other.y1))

    def meet(self, other: Rect) -> Rect:
        """What lies in both."""
        return Rect(max(self.x0, other.x0), max(self.y0, other.y0), min(self.x1, other.x1), min(self.y1, other.y1))

    def even(self, size: tuple[int, int]) -> Rect:
        """The rectangle grown to even borders (chroma is halved) inside a picture of a size."""
        return Rect(max(0, self.x0 & ~1), max(0, self.y0 & ~1), min(size[0], (self.x1 + 1) & ~1), min(size[1], (self.y1 + 1) & ~1))


@dataclass(frozen=True, slots=True, eq=False)
class Sprite:
    """Premultiplied BGRA pixels whose top left corner lies at (x, y) of the picture."""

    x: int
    y: int
    pixels: Picture

    @property
    def rect(self) -> Rect:
        """Where it lies."""
        return Rect(self.x, self.y, self.x + self.pixels.shape[1], self.y + self.pixels.shape[0])


@dataclass(frozen=True, slots=True, eq=False)
class Shade:
    """A soft shadow: how much light is left (255 = all), top left corner at (x, y)."""

    x: int
    y: int
    left: Picture

    @property
    def rect(self) -> Rect:
        """Where it lies."""
        return Rect(self.x, self.y, self.x + self.left.shape[1], self.y + self.left.shape[0])


def lay(picture: Picture, sprite: Sprite, clip: Rect) -> None:
    """Lay a sprite over a BGR picture inside ``clip``."""
    part = sprite.rect.meet(clip)
    if part.empty:
        return
    patch = sprite.pixels[part.y0 - sprite.y : part.y1 - sprite.y, part.x0 - sprite.x : part.x1 - sprite.x]
    below = picture[part.y0 : part.y1, part.x0 : part.x1]
    keep = cv2.cvtColor(cv2.bitwise_not(cv2.extractChannel(patch, 3)), cv2.COLOR_GRAY2BGR)
    cv2.multiply(below, keep, dst=keep, scale=1 / 255)
    cv2.add(keep, cv2.cvtColor(patch, cv2.COLOR_BGRA2BGR), dst=below)


def darken(picture: Picture, shade: Shade, clip: Rect) -> None:
    """Let a shadow fall on a BGR picture inside ``clip``."""
    part = shade.rect.meet(clip)
    if part.empty:
        return
    left = shade.left[part.y0 - shade.y : part.y1 - shade.y, part.x0 - shade.x : part.x1 - shade.x]
    below = picture[part.y0 : part.y1, part.x0 : part.x1]
    cv2.multiply(below, cv2.cvtColor(left, cv2.COLOR_GRAY2BGR), dst=below, scale=1 / 255)


def smear(sprite: Sprite, dx: float, dy: float) -> Sprite:
    """Blur a sprite along the way (dx, dy) in pixels that it moves while the shutter is open."""
    length = float(np.hypot(dx, dy))
    if length < 2.0:
        return sprite
    steps = int(min(9, max(3, length / 2.6)))
    offsets = [(round(dx * (i / (steps - 1) - 0.5)), round(dy * (i / (steps - 1) - 0.5))) for i in range(steps)]
    low_x, low_y = min(o[0] for o in offsets), min(o[1] for o in offsets)
    high_x, high_y = max(o[0] for o in offsets), max(o[1] for o in offsets)
    height, width = sprite.pixels.shape[:2]
    total = np.zeros((height + high_y - low_y, width + high_x - low_x, 4), np.uint16)
    for ox, oy in offsets:
        total[oy - low_y : oy - low_y + height, ox - low_x : ox - low_x + width] += sprite.pixels
    return Sprite(sprite.x + low_x, sprite.y + low_y, cv2.convertScaleAbs(total, alpha=1.0 / steps))


def doubled(sprite: Sprite) -> Sprite:
    """A sprite that was drawn at half the size, in the picture's own pixels."""
    height, width = sprite.pixels.shape[:2]
    pixels = cv2.resize(sprite.pixels, (2 * width, 2 * height), interpolation=cv2.INTER_LINEAR)
    return Sprite(2 * sprite.x, 2 * sprite.y, np.asarray(pixels, np.uint8))


class Textures:
    """A deck's faces and back at twice the camera's scale, premultiplied, with round corners and a thin dark edge.

    :param scale: pixels a millimetre of the camera.
    :param softness: blur of the lens in the camera's pixels.
    :param crisp: the camera sharpens its picture.
    """

    def __init__(self, deck: Deck, scale: float, softness: float, *, crisp: bool = False) -> None:
        self._density = 2.0 * scale
        self._softness = softness
        self._crisp = crisp
        self._deck = deck
        self._done: dict[Card, Picture] = {}

    def get(self, face: Card) -> Picture:
        """The texture of a face, or of ``BACK``."""
        if face not in self._done:
            self._done[face] = self._prepare(self._deck.back if face == BACK else self._deck.faces[face])
        return self._done[face]

    def _prepare(self, rgba: Picture) -> Picture:
        width, height = round(CARD_W * self._density), round(CARD_H * self._density)
        art = rgba.astype(np.float32)
        alpha = art[:, :, 3:] / 255.0
        paper = np.full_like(art[:, :, :3], 250.0) if alpha[2:-2, 8:-8].mean() > 0.5 else art[:, :, :3]
        flat = art[:, :, 2::-1] * alpha + paper * (1.0 - alpha)
        flat = cv2.resize(flat, (width, height), interpolation=cv2.INTER_AREA)
        if self._softness > 0:
            flat = cv2.GaussianBlur(flat, (0, 0), 2.0 * self._softness)
        if self._crisp:
            flat = np.clip(sharpened(flat), 0, 255)
        radius = round(3.2 * self._density)
        mask = np.zeros((height, width), np.uint8)
        cv2.rectangle(mask, (radius, 0), (width - 1 - radius, height - 1), 255, -1)
        cv2.rectangle(mask, (0, radius), (width - 1, height - 1 - radius), 255, -1)
        for cx in (radius, width - 1 - radius):
            for cy in (radius, height - 1 - radius):
                cv2.circle(mask, (cx, cy), radius, 255, -1, cv2.LINE_AA)
        rim = cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=0)
        flat *= np.where(rim < 128, 0.74, 1.0)[:, :, None].astype(np.float32)
        flat *= 0.955  # printed paper is never as white as the picture's white
        cover = mask.astype(np.float32)[:, :, None] / 255.0
        out = np.zeros((height + 2, width + 2, 4), np.uint8)
        out[1:-1, 1:-1, :3] = np.clip(flat * cover, 0, 255)
        out[1:-1, 1:-1, 3] = mask
        return out


def sharpened(picture: Any) -> Any:
    """A picture after a webcam's sharpening: light and dark rims along its edges; the values may leave 0..255."""
    return cv2.addWeighted(picture, 1.7, cv2.GaussianBlur(picture, (0, 0), 2.4), -0.7, 0)


@dataclass(frozen=True, slots=True)
class Pose:
    """How a card lies or is held: centre (mm), height, turn on the table, flip about its long axis (0 face up, pi face down), pitch."""

    x: float
    y: float
    z: float = 0.0
    turn: float = 0.0
    flip: float = 0.0
    pitch: float = 0.0

    def moved(self, dx: float, dy: float, dz: float = 0.0) -> Pose:
        """The same pose elsewhere."""
        return replace(self, x=self.x + dx, y=self.y + dy, z=self.z + dz)

    def between(self, other: Pose, share: float) -> Pose:
        """The pose on the way to another, turning the short way round."""
        turn = (other.turn - self.turn + np.pi) % (2 * np.pi) - np.pi
        return Pose(
            self.x + (other.x - self.x) * share,
            self.y + (other.y - self.y) * share,
            self.z + (other.z - self.z) * share,
            self.turn + turn * share,
            self.flip + (other.flip - self.flip) * share,
            self.pitch + (other.pitch - self.pitch) * share,
        )

    @property
    def face_up(self) -> bool:
        """Whether the camera sees the face."""
        return bool(np.cos(self.flip) > 0)

    def corners(self) -> Floats:
        """The four corners (4, 3) in millimetres: TL, TR, BR, BL of the picture that the camera sees."""
        a = np.array([-1.0, 1.0, 1.0, -1.0]) * CARD_W / 2
        b = np.array([-1.0, -1.0, 1.0, 1.0]) * CARD_H / 2
        if not self.face_up:
            a = -a
        across, lift = a * np.cos(self.flip), a * np.sin(self.flip)
        along = b * np.cos(self.pitch)
        lift = lift - b * np.sin(self.pitch)
        lift = lift - lift.min()
        c, s = np.cos(self.turn), np.sin(self.turn)
        return np.stack([self.x + c * across - s * along, self.y + s * across + c * along, self.z + lift], axis=1)


def card_sprite(camera: FilmCamera, texture: Picture, pose: Pose) -> Sprite:
    """Draw a card in a pose: warped at twice the size, then averaged (or every second pixel taken, where the camera does so)."""
    quad = camera.project(pose.corners())
    low = np.floor(quad.min(axis=0)).astype(int) - 1
    high = np.ceil(quad.max(axis=0)).astype(int) + 2
    width, height = int(high[0] - low[0]), int(high[1] - low[1])
    h, w = texture.shape[:2]
    source = np.array([[1, 1], [w - 1, 1], [w - 1, h - 1], [1, h - 1]], np.float32) - 0.5
    target = ((quad - low) * 2.0 - 0.5).astype(np.float32)
    big = cv2.warpPerspective(texture, cv2.getPerspectiveTransform(source, target), (2 * width, 2 * height), flags=cv2.INTER_LINEAR)
    shrink = cv2.INTER_NEAREST if camera.skips else cv2.INTER_AREA
    return Sprite(int(low[0]), int(low[1]), np.asarray(cv2.resize(big, (width, height), interpolation=shrink), np.uint8))


def card_shade(camera: FilmCamera, pose: Pose, slant: tuple[float, float], depth: float) -> Shade:
    """The shadow of a card: sharp and close where it lies, wide and faint where it is held up."""
    corners = pose.corners()
    height = corners[:, 2] + 0.8
    ground = np.column_stack([corners[:, 0] + slant[0] * height, corners[:, 1] + slant[1] * height, np.zeros(4)])
    quad = camera.project(ground)
    sigma = (0.9 + 0.11 * float(height.mean())) * camera.scale / 1.28
    strength = depth / (1.0 + 0.012 * float(height.mean()))
    return soft_shade(quad, sigma, strength)


def soft_shade(outline: Floats, sigma: float, strength: float) -> Shade:
    """A filled, blurred outline (N, 2) in pixels as a shadow of a strength 0..1."""
    pad = int(3 * sigma) + 2
    low = np.floor(outline.min(axis=0)).astype(int) - pad
    high = np.ceil(outline.max(axis=0)).astype(int) + pad
    step = 4 if sigma > 5 else 1
    size = (max(2, int(high[0] - low[0]) // step + 1), max(2, int(high[1] - low[1]) // step + 1))
    mask = np.zeros((size[1], size[0]), np.uint8)
    points = np.round((outline - low) / step * 16).astype(np.int32)
    cv2.fillPoly(mask, [points], round(255 * strength), cv2.LINE_AA, 4)
    mask = cv2.GaussianBlur(mask, (0, 0), sigma / step)
    if step > 1:
        mask = cv2.resize(mask, (size[0] * step, size[1] * step), interpolation=cv2.INTER_LINEAR)
    return Shade(int(low[0]), int(low[1]), cv2.bitwise_not(mask))
