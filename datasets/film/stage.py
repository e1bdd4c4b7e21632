"""The stage: draws the frames of a script; a still layer is kept and only what moves is drawn anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np

from datasets.art import Deck
from datasets.film.camera import FilmCamera
from datasets.film.hands import Arm, arm_shade, arm_sprite
from datasets.film.light import UNIT, Lighting, Wandering
from datasets.film.script import CardMove, Gone, Script, Stroke
from datasets.film.sprites import (
    BACK,
    Picture,
    Pose,
    Rect,
    Shade,
    Sprite,
    Textures,
    card_shade,
    card_sprite,
    darken,
    doubled,
    lay,
    smear,
)
from datasets.film.table import seen_table
from engine.cards import SEATS, Seat

SHUTTER: Final = 1 / 50
"""How long the shutter is open, in seconds."""
_NOISE_ZERO: Final = 24
_FAST: Final = 9.0
"""Pixels that an arm moves while the shutter is open, above which it is drawn at half the size."""


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """What does not change through a film: camera, flat table, light, deck, arms, softness of the lens (px)."""

    camera: FilmCamera
    table: Picture
    light: Lighting
    deck: Deck
    arms: dict[Seat, Arm]
    softness: float
    after_bump: FilmCamera | None = None


@dataclass(slots=True, eq=False)
class _Lying:
    """A card that lies still, as it was drawn."""

    pose: Pose
    sprite: Sprite
    shade: Shade

    @property
    def rect(self) -> Rect:
        return self.sprite.rect.join(self.shade.rect)


@dataclass(slots=True)
class _Moving:
    """What was drawn in a frame over the still layer: shadows first, then sprites in order."""

    shades: list[Shade] = field(default_factory=list)
    sprites: list[Sprite] = field(default_factory=list)
    rects: list[Rect] = field(default_factory=list)


def _merge(rects: list[Rect], size: tuple[int, int]) -> list[Rect]:
    """Join rectangles that overlap much, so that little is drawn twice."""

    def area(r: Rect) -> int:
        return max(0, r.x1 - r.x0) * max(0, r.y1 - r.y0)

    whole = Rect(0, 0, *size)
    todo = [r.meet(whole).even(size) for r in rects if not r.meet(whole).empty]
    out: list[Rect] = []
    while todo:
        now = todo.pop()
        for other in out:
            if area(now.join(other)) <= 1.1 * (area(now) + area(other)):
                out.remove(other)
                todo.append(now.join(other))
                break
        else:
            out.append(now)
    return out


class Stage:
    """Draws a script's frames one after another."""

    def __init__(self, script: Script, scene: Scene, fps: float, seed: int) -> None:
        self._script, self._scene, self._fps = script, scene, fps
        self._camera = scene.camera
        self._size = scene.camera.size
        self._textures = Textures(scene.deck, scene.camera.scale, scene.softness, crisp=scene.camera.skips)
        self._bare = seen_table(self._camera, scene.table)
        self._still = self._bare.copy()
        self._work = self._bare.copy()
        self._lying: dict[int, _Lying] = {}  # in the order in which they were laid down
        self._moves = sorted(script.moves, key=lambda m: (m.t0, m.t1))
        self._next = 0
        self._active: list[CardMove] = []
        self._strokes = sorted(script.strokes, key=lambda s: s.t0)
        self._next_stroke = 0
        self._reaching: list[Stroke] = []
        self._count = 0
        self._pile: list[_Lying] = []
        self._bumped = False
        self._old: list[Rect] = [Rect(0, 0, *self._size)]
        width, height = self._size
        self._frame = np.zeros((height * 3 // 2, width), np.uint8)
        self._luma = self._frame[:height]
        self._chroma = (
            self._frame[height : height + height // 4].reshape(height // 2, width // 2),
            self._frame[height + height // 4 :].reshape(height // 2, width // 2),
        )
        rng = np.random.default_rng([seed, 77])
        self._rng = rng
        grain = cv2.GaussianBlur(rng.normal(0, 1, (height + 64, width + 64)).astype(np.float32), (0, 0), 0.55)
        grain *= scene.light.noise / float(grain.std())
        self._grain = np.clip(np.round(grain + _NOISE_ZERO), 0, 2 * _NOISE_ZERO).astype(np.uint8)
        self._shadow = Wandering(self._size) if scene.light.moving else None

    @property
    def frames(self) -> int:
        """How many frames the film has."""
        return int(self._script.duration * self._fps)

    def lying(self) -> dict[int, Pose]:
        """The poses of the cards that lie still, by number on the script."""
        return {item: lying.pose for item, lying in self._lying.items()}

    def draw(self) -> Iterator[Picture | None]:
        """The frames in I420 form, (H * 3 / 2, W), each valid until the next is asked for; None for a frame that is missing."""
        black = np.full_like(self._frame, 128)
        black[: self._size[1]] = 16
        out = np.empty_like(self._frame)
        for number in range(self.frames):
            t = number / self._fps
            gone = next((blank.how for blank in self._script.blanks if blank.start <= t < blank.end), None)
            if gone is not None:
                yield {Gone.BLACK: black, Gone.FROZEN: out, Gone.ABSENT: None}[gone]
                continue
            changed = self._advance(t)
            now = self._reach(t)
            self._refresh(_merge([*changed, *self._old, *now.rects], self._size), now)
            self._old = now.rects
            self._add_noise(out)
            if self._shadow is not None:
                self._shadow.fall(out, t)
            yield out

    def _add_noise(self, out: Picture) -> None:
        width, height = self._size
        dx, dy = (int(v) for v in self._rng.integers(0, 64, 2))
        grain = self._grain[dy : dy + height, dx : dx + width]
        cv2.add(self._luma, grain, dst=out[:height])
        out[height:] = self._frame[height:]

    # -- cards that start and stop ------------------------------------------------------------------------------------------

    def _advance(self, t: float) -> list[Rect]:
        """Let moves end and begin up to a time; the parts of the still layer that changed."""
        changed: list[Rect] = []
        lifted: list[Rect] = []
        if self._script.bump is not None and t >= self._script.bump and not self._bumped and self._scene.after_bump is not None:
            changed.append(self._knock(self._scene.after_bump))
        landed: list[CardMove] = []
        while True:
            done = [m for m in self._active if m.t1 <= t]
            self._active = [m for m in self._active if m.t1 > t]
            landed += done
            begun = False
            while self._next < len(self._moves) and self._moves[self._next].t0 <= t:
                move = self._moves[self._next]
                self._next += 1
                begun = True
                landed = [m for m in landed if m.item != move.item]
                self._active = [m for m in self._active if m.item != move.item]  # two moves may begin in one frame
                old = self._lying.pop(move.item, None)
                if old is not None:
                    lifted.append(old.rect)
                self._active.append(move)
            if not begun:
                break
        count = next((n for when, n in reversed(self._script.pile.steps) if when <= t), 0)
        if count != self._count:
            lifted += [part.rect for part in self._pile]
            self._count = count
            self._pile = self._stacked(count)
            lifted += [part.rect for part in self._pile]
        for rect in _merge(lifted, self._size):
            self._compose(rect)
            changed.append(rect)
        for move in sorted(landed, key=lambda m: (m.t1, m.end.z)):
            if not move.leaves:
                lying = self._put(move.item, move.end)
                self._lying[move.item] = lying
                self._paint(lying, Rect(0, 0, *self._size))
                changed.append(lying.rect)
        return changed

    def _put(self, item: int, pose: Pose) -> _Lying:
        texture = self._textures.get(self._script.faces[item] if pose.face_up else BACK)
        light = self._scene.light
        return _Lying(pose, card_sprite(self._camera, texture, pose), card_shade(self._camera, pose, light.slant, light.depth))

    def _stacked(self, count: int) -> list[_Lying]:
        if count == 0:
            return []
        rng = np.random.default_rng(5)
        light, pose, texture = self._scene.light, self._script.pile.pose, self._textures.get(BACK)
        parts = []
        for level in range(0, count, 6):
            dx, dy, turn = rng.normal(0, 0.9), rng.normal(0, 0.9), rng.normal(0, 0.012)
            height = level if level + 6 < count else count - 1
            at = Pose(pose.x + dx, pose.y + dy, 0.3 * height, pose.turn + turn, pose.flip)
            parts.append(_Lying(at, card_sprite(self._camera, texture, at), card_shade(self._camera, at, light.slant, light.depth)))
        return parts

    def _paint(self, lying: _Lying, clip: Rect) -> None:
        darken(self._still, lying.shade, clip)
        lay(self._still, lying.sprite, clip)

    def _compose(self, rect: Rect) -> None:
        """Draw a part of the still layer anew."""
        self._still[rect.y0 : rect.y1, rect.x0 : rect.x1] = self._bare[rect.y0 : rect.y1, rect.x0 : rect.x1]
        for lying in [*self._pile, *self._lying.values()]:
            if not lying.rect.meet(rect).empty:
                self._paint(lying, rect)

    def _knock(self, camera: FilmCamera) -> Rect:
        """See everything from another place from now on."""
        self._bumped = True
        self._camera = camera
        self._bare = seen_table(camera, self._scene.table)
        self._pile = self._stacked(self._count)
        self._lying = {item: self._put(item, lying.pose) for item, lying in self._lying.items()}
        whole = Rect(0, 0, *self._size)
        self._compose(whole)
        return whole

    # -- what moves ---------------------------------------------------------------------------------------------------------

    def _reach(self, t: float) -> _Moving:
        """Draw the arms and the cards that move at a time."""
        self._reaching = [s for s in self._reaching if s.t1 > t]
        while self._next_stroke < len(self._strokes) and self._strokes[self._next_stroke].t0 <= t:
            stroke = self._strokes[self._next_stroke]
            self._next_stroke += 1
            if stroke.t1 > t:
                self._reaching.append(stroke)
        out = _Moving()
        order = [s.seat for s in self._reaching]
        moving = sorted(self._active, key=lambda m: m.at(t).z)
        for move in moving:
            if move.seat is None or move.seat not in order:
                self._move_card(move, t, out)
        for stroke in self._reaching:
            self._move_arm(stroke, [m for m in moving if m.seat is stroke.seat], t, out)
        return out

    def _move_card(self, move: CardMove, t: float, out: _Moving, packet: int = 1) -> None:
        """Draw a card that moves with ``packet`` others; many shadows on one place must not turn black."""
        pose = move.at(t)
        texture = self._textures.get(self._script.faces[move.item] if pose.face_up else BACK)
        centres = [(p.x, p.y, p.z) for p in (move.at(t - SHUTTER / 2), move.at(t + SHUTTER / 2))]
        way = self._camera.project(np.array(centres))
        light = self._scene.light
        shade = card_shade(self._camera, pose, light.slant, light.depth / packet**0.8)
        sprite = smear(card_sprite(self._camera, texture, pose), *(way[1] - way[0]))
        out.shades.append(shade)
        out.sprites.append(sprite)
        out.rects.append(sprite.rect.join(shade.rect))

    def _move_arm(self, stroke: Stroke, cards: list[CardMove], t: float, out: _Moving) -> None:
        reach = stroke.at(t)
        way = self._camera.project(np.array([(r.x, r.y, r.z) for r in (stroke.at(t - SHUTTER / 2), stroke.at(t + SHUTTER / 2))]))
        light = self._scene.light
        shade = arm_shade(self._camera, reach, light.slant, light.depth)
        if shade is not None:
            out.shades.append(shade)
            out.rects.append(shade.rect)
        dx, dy = way[1] - way[0]
        arm, step = self._scene.arms[stroke.seat], 2 if np.hypot(dx, dy) > _FAST else 1
        under, over = (arm.coarse if step == 2 else arm.layers)[stroke.grip]
        for layer in (under, over):
            if layer is over:
                for move in cards:
                    self._move_card(move, t, out, len(cards))
            sprite = arm_sprite(self._camera, layer, reach, step) if layer is not None else None
            if sprite is not None:
                sprite = smear(sprite, dx / step, dy / step)
                sprite = doubled(sprite) if step == 2 else sprite
                out.sprites.append(sprite)
                out.rects.append(sprite.rect)

    def _refresh(self, rects: list[Rect], now: _Moving) -> None:
        """Draw parts of the picture anew: still layer, shadows, sprites, light; the noise's zero is taken off beforehand."""
        lightmap = self._scene.light.map
        for r in rects:
            self._work[r.y0 : r.y1, r.x0 : r.x1] = self._still[r.y0 : r.y1, r.x0 : r.x1]
            for shade in now.shades:
                darken(self._work, shade, r)
            for sprite in now.sprites:
                lay(self._work, sprite, r)
            part = cv2.multiply(self._work[r.y0 : r.y1, r.x0 : r.x1], lightmap[r.y0 : r.y1, r.x0 : r.x1], scale=1 / UNIT)
            planes = cv2.cvtColor(part, cv2.COLOR_BGR2YUV_I420)
            h, w = r.y1 - r.y0, r.x1 - r.x0
            cv2.subtract(planes[:h], _NOISE_ZERO, dst=self._luma[r.y0 : r.y1, r.x0 : r.x1])
            colour = planes[h:].reshape(2, h // 2, w // 2)
            for plane, values in zip(self._chroma, colour, strict=True):
                plane[r.y0 // 2 : r.y1 // 2, r.x0 // 2 : r.x1 // 2] = values


def seats_with_arms(arms: tuple[Arm, Arm, Arm, Arm]) -> dict[Seat, Arm]:
    """The arms by seat."""
    return dict(zip(SEATS, arms, strict=True))
