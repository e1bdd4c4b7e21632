"""What a camera does to a scene: light, glare, blur, noise, chroma subsampling, JPEG."""

from __future__ import annotations

import random
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]


def light(picture: Floats, rng: random.Random, nrng: np.random.Generator) -> None:
    """Uneven light, cast shadows and glare, in place."""
    size = picture.shape[0]
    y, x = (np.mgrid[0:size, 0:size] / size).astype(np.float32)
    gain = 1 + rng.uniform(-0.4, 0.4) * (x - 0.5) + rng.uniform(-0.4, 0.4) * (y - 0.5)
    if rng.random() < 0.3:  # a hard or soft shadow's edge
        angle, place, soft = rng.uniform(0, 6.3), rng.uniform(-0.3, 0.3), rng.choice((0.004, 0.02, 0.1))
        far = (x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle) - place
        gain *= 1 - rng.uniform(0.2, 0.6) / (1 + np.exp(np.clip(-far / soft, -40, 40)))
    if rng.random() < 0.25:
        gain *= 1 - rng.uniform(0.1, 0.6) * ((x - 0.5) ** 2 + (y - 0.5) ** 2)
    picture *= gain[..., None]
    if rng.random() < 0.22:
        for _ in range(rng.randint(1, 3)):
            angle = rng.uniform(0, 3.2)
            u = (x - rng.random()) * np.cos(angle) + (y - rng.random()) * np.sin(angle)
            v = -(x - rng.random()) * np.sin(angle) + (y - rng.random()) * np.cos(angle)
            spot = np.exp(-((u / rng.uniform(0.03, 0.25)) ** 2) - (v / rng.uniform(0.03, 0.4)) ** 2)
            picture += (rng.uniform(30, 130) * spot)[..., None]
    picture *= np.array([rng.uniform(0.82, 1.12) for _ in range(3)], np.float32) * rng.uniform(0.5, 1.15)
    del nrng


def poor(picture: Floats, card_width: float, rng: random.Random, nrng: np.random.Generator) -> Floats:
    """Little light or a bad focus: dark and grainy, smoothed and brightened by the camera, or blurred until indices are barely legible."""
    out = picture
    if rng.random() < 0.55:
        dark = rng.uniform(0.2, 0.6)
        out = np.asarray(out * dark + nrng.normal(0, rng.uniform(2, 7), out.shape), np.float32)
        if rng.random() < 0.7:  # the camera's own smoothing of grain, then its gain
            out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.5, 0.9)) * min(1 / dark, rng.uniform(1.0, 2.5))
        grey = out.mean(2, keepdims=True)
        out = grey + (out - grey) * rng.uniform(0.5, 1.0)
    if rng.random() < 0.6:
        out = cv2.GaussianBlur(out, (0, 0), rng.uniform(0.008, 0.019) * card_width)
    return np.asarray(out, np.float32)


def _motion(length: int, angle: float) -> Floats:
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1
    turn = cv2.getRotationMatrix2D((length / 2 - 0.5, length / 2 - 0.5), angle, 1)
    kernel = np.asarray(cv2.warpAffine(kernel, turn, (length, length)), np.float32)
    return kernel / max(float(kernel.sum()), 1e-6)


_BLUR: Final = 0.011


def expose(picture: Floats, card_width: float, rng: random.Random, nrng: np.random.Generator) -> NDArray[np.uint8]:
    """Blur, sample and compress a lit scene (RGB floats); gives BGR bytes as a camera file would."""
    size = picture.shape[0]
    out = picture
    if rng.random() < 0.65:  # defocus, in proportion to the card, so that an index stays legible
        out = cv2.GaussianBlur(out, (0, 0), max(0.3, rng.uniform(0.15, 1.0) ** 1.5 * _BLUR * card_width * 1.6))
    if rng.random() < 0.12:
        length = max(3, round(rng.uniform(0.02, 0.06) * card_width))
        out = cv2.filter2D(out, -1, _motion(length, rng.uniform(0, 180)))
    if rng.random() < 0.3 and card_width > 60:  # a small sensor's picture, enlarged
        factor = rng.uniform(max(0.45, 38 / card_width), 0.95)
        small = cv2.resize(out, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        small = small + nrng.normal(0, rng.uniform(0, 4), small.shape).astype(np.float32)
        out = cv2.resize(small, (size, size), interpolation=rng.choice((cv2.INTER_LINEAR, cv2.INTER_CUBIC)))
    if rng.random() < 0.3:  # a webcam's sharpening
        out = out + (out - cv2.GaussianBlur(out, (0, 0), rng.uniform(0.8, 2))) * rng.uniform(0.3, 1.3)
    if rng.random() < 0.5:
        out = np.asarray(255 * np.clip(np.asarray(out) / 255, 0, 1) ** rng.uniform(0.75, 1.35), np.float32)
    out = np.asarray(out, np.float32) + nrng.normal(0, rng.choice((0.5, 2, 4, 9)), (size, size, 1)).astype(np.float32)
    if rng.random() < 0.3:
        out = out + nrng.normal(0, rng.uniform(1, 7), out.shape).astype(np.float32)
    grain = np.clip(out, 0, 255).astype(np.uint8)[..., ::-1].copy()
    if rng.random() < 0.1:  # salt and pepper
        hit = nrng.random((size, size))
        share = rng.uniform(0.001, 0.025)
        grain[hit < share / 2] = 0
        grain[hit > 1 - share / 2] = 255
    if rng.random() < 0.05:
        grain = np.repeat(cv2.cvtColor(grain, cv2.COLOR_BGR2GRAY)[..., None], 3, 2)
    if rng.random() < 0.35:  # chroma at a quarter of the resolution, or less
        ycc = cv2.cvtColor(grain, cv2.COLOR_BGR2YCrCb)
        step = rng.choice((2, 2, 4))
        chroma = cv2.resize(ycc[..., 1:], (size // step, size // step), interpolation=cv2.INTER_AREA)
        ycc[..., 1:] = cv2.resize(chroma, (size, size), interpolation=cv2.INTER_LINEAR)
        grain = np.asarray(cv2.cvtColor(ycc, cv2.COLOR_YCrCb2BGR), np.uint8)
    return np.asarray(grain, np.uint8)


def plain(picture: Floats, rng: random.Random, nrng: np.random.Generator) -> NDArray[np.uint8]:
    """A webcam's picture (RGB floats to BGR bytes) of a scene in ordinary light and in focus: a little noise, chroma at half size, JPEG."""
    size = picture.shape[0]
    y, x = (np.mgrid[0:size, 0:size] / size).astype(np.float32)
    gain = rng.uniform(0.75, 1.0) * (1 + rng.uniform(-0.15, 0.15) * (x - 0.5) + rng.uniform(-0.15, 0.15) * (y - 0.5))
    lit = picture * gain[..., None] * np.array([rng.uniform(0.93, 1.05) for _ in range(3)], np.float32)
    noisy = lit + nrng.normal(0, rng.uniform(1, 3), lit.shape)
    shown = np.clip(noisy, 0, 255).astype(np.uint8)[..., ::-1]
    coded = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(80, 92)])[1]
    return np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
