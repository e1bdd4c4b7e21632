"""Cleaning stills before they are read: single black and white dots, as a faulty sensor or a careless editor leaves them."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.patch import Image

_STEP: Final = 55
"""Grey levels by which a dot differs from the median around it."""
_BIGGEST: Final = 8
"""Pixels of the largest dot; strokes of an index are connected and larger."""
_COMMON: Final = 0.0003
"""Share of a picture's calm areas that black and white dots cover where they were strewn over it."""
_CALM_RANGE: Final = 24
_CALM_SHARE: Final = 0.25


def remove_dots(image: Image) -> Image:
    """Replace salt-and-pepper dots by the median around them, in pictures that are strewn with them; others are returned as they are.

    :param image: BGR, uint8.
    """
    smooth = cv2.medianBlur(image, 5)
    blue, green, red = cv2.split(cv2.absdiff(image, smooth))
    far = np.asarray(cv2.max(cv2.max(blue, green), red)) > _STEP
    if not _strewn(image, smooth, far):
        return image
    _, labels, stats, _ = cv2.connectedComponentsWithStats(far.astype(np.uint8), connectivity=8)
    small = stats[:, cv2.CC_STAT_AREA] <= _BIGGEST
    small[0] = False
    halo = cv2.dilate(small[labels].astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    result = image.copy()
    result[halo] = smooth[halo]
    return np.asarray(result, np.uint8)


def _strewn(image: Image, smooth: Image, far: NDArray[np.bool_]) -> bool:
    """Look for dots of both colours where nothing else is: grain, cloth and print give one kind or none."""
    grey = np.asarray(cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY))
    kernel = np.ones((7, 7), np.uint8)
    calm = cv2.absdiff(cv2.dilate(grey, kernel), cv2.erode(grey, kernel)) < _CALM_RANGE
    area = int(calm.sum())
    if area < _CALM_SHARE * calm.size:
        return False
    dots = image[far & calm]
    black, white = int((dots.max(axis=1) < 40).sum()), int((dots.min(axis=1) > 215).sum())
    # On a white table white dots cannot be told, and on a black one black dots, so only a few of the rarer kind are asked for.
    return black + white > _COMMON * area and min(black, white) > 0.02 * (black + white)
