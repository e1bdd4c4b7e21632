"""Reading picture files: what can be wrong with one is said in a sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.patch import Image

LEAST_SIDE: Final = 24
"""Pixels; no index can be read in less."""
MOST_PIXELS: Final = 250_000_000


class PictureError(ValueError):
    """A file that is no usable picture; the message says which and why."""


def load(path: Path) -> Image:
    """Load a picture as BGR, uint8, turned as its camera noted.

    :raises PictureError: when it is missing, no picture, broken, too small, or too large to be held.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except FileNotFoundError:
        raise PictureError(f"没有这个文件 / no such file: {path}") from None
    except IsADirectoryError:
        raise PictureError(f"这是文件夹，请给出图片 / a folder, expected a picture: {path}") from None
    except OSError as error:
        raise PictureError(f"无法读取文件 / the file cannot be read: {path}: {error.strerror or error}") from error
    if data.size == 0:
        raise PictureError(f"文件是空的 / the file is empty: {path}")
    try:
        decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error as error:
        raise PictureError(
            f"图片太大或已损坏 / the picture is too large (more than {MOST_PIXELS // 1_000_000} million pixels) or broken: {path}"
        ) from error
    if decoded is None:
        raise PictureError(
            f"不是图片（或已损坏）；支持 JPEG、PNG、WebP、BMP / not a picture, or a broken one; expected JPEG, PNG, WebP or BMP: {path}"
        )
    image = np.asarray(decoded, np.uint8)
    height, width = image.shape[:2]
    if min(height, width) < LEAST_SIDE:
        raise PictureError(f"图片太小 / the picture is too small to show a card ({width}x{height}, at least {LEAST_SIDE} pixels a side): {path}")
    if height * width > MOST_PIXELS:
        raise PictureError(f"图片太大 / the picture is too large ({width}x{height}, at most {MOST_PIXELS // 1_000_000} million pixels): {path}")
    return image
