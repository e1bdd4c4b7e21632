"""A deck drawn with plain letters, so that these tests need no card art from elsewhere."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import FACES


@pytest.fixture(scope="session")
def plain_art(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("art")
    for i, face in enumerate([*FACES, "back"]):
        picture = np.full((440, 315, 3), 255, np.uint8)
        name = {"LJ": "black_joker", "BJ": "red_joker"}.get(face, face)
        cv2.putText(picture, face, (12, 60), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (40 * (i % 5), 20, 30 * (i % 7)), 5)
        if face == "back":
            picture[20:-20, 20:-20] = (150, 60, 30)
        cv2.imwrite(str(folder / f"{name}.png"), picture)
    return folder
