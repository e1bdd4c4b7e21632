import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from models.photo_sets import CLASSES, PhotoSetError, darknet_labels, face_of, photo_sets, yolo_labels


@pytest.mark.parametrize(("name", "face"), [("10C", "C10"), ("AS", "SA"), ("BLACK JOKER", "LJ"), ("RED JOKER", "BJ"), ("BACK", None)])
def test_class_names_are_faces(name: str, face: str | None) -> None:
    assert face_of(name) == face


def test_a_name_that_is_no_card_is_refused() -> None:
    with pytest.raises(PhotoSetError, match="11H"):
        face_of("11H")


def test_boxes_and_polygons_are_read() -> None:
    number = CLASSES.index("AS")
    text = f"{number} 0.5 0.5 0.2 0.1\n\n{number} 0.1 0.2 0.3 0.2 0.3 0.4 0.1 0.4\n"
    box, polygon = yolo_labels(text, CLASSES, 1000, 500)
    assert box.box == pytest.approx((400, 225, 600, 275))
    assert polygon.box == pytest.approx((100, 100, 300, 200))


@pytest.mark.parametrize("text", ["99 0.5 0.5 0.2 0.1", "1 a b c d"])
def test_a_line_that_is_no_label_is_refused(text: str) -> None:
    with pytest.raises(PhotoSetError, match="YOLO"):
        yolo_labels(text, CLASSES, 10, 10)


def test_darknet_labels_are_read() -> None:
    entry = {"name": "KD", "relative_coordinates": {"center_x": 0.5, "center_y": 0.5, "width": 0.1, "height": 0.2}}
    (label,) = darknet_labels([{"objects": [entry]}], 100, 100)
    assert (label.card, label.box) == ("DK", pytest.approx((45, 40, 55, 60)))
    with pytest.raises(PhotoSetError, match="darknet"):
        darknet_labels([{"objects": [{"name": "KD"}]}], 100, 100)


def test_both_kinds_of_folder_are_found(tmp_path: Path) -> None:
    picture = cv2.imencode(".jpg", np.full((50, 60, 3), 90, np.uint8))[1].tobytes()
    for folder in ("yolo/images", "yolo/labels", "deals", "empty"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "yolo/images/a.jpg").write_bytes(picture)
    (tmp_path / "yolo/labels/a.txt").write_text("0 0.5 0.5 0.2 0.1")
    (tmp_path / "deals/b.jpg").write_bytes(picture)
    entry = {"name": "KD", "relative_coordinates": {"center_x": 0.5, "center_y": 0.5, "width": 0.1, "height": 0.2}}
    (tmp_path / "deals/b-labels.json").write_text(json.dumps([{"objects": [entry]}]))
    sets = photo_sets(tmp_path)
    assert sorted(sets) == ["deals", "yolo"]
    assert [label.card for label in sets["yolo"][0].load()[1]] == ["C10"]
    assert [label.card for label in sets["deals"][0].load()[1]] == ["DK"]


def test_a_folder_without_sets_is_said(tmp_path: Path) -> None:
    with pytest.raises(PhotoSetError, match="no labelled photographs"):
        photo_sets(tmp_path)
    with pytest.raises(PhotoSetError, match="no such folder"):
        photo_sets(tmp_path / "none")
