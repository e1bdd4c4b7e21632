"""Training pictures and test films out of a recording."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.cards import Card, Seat
from engine.events import CardsPlayed, Corrected, DealStarted, Event, MatchStarted, Source, to_json
from kiosk.errors import NotFoundError
from kiosk.recording import folder_of
from kiosk.recording.film import write_film
from kiosk.recording.harvest import assign, harvest, yolo
from kiosk.recording.index import Index, Medium, Session
from kiosk.recording.library import Library
from kiosk.recording.segments import Segment, finish
from kiosk.recording.stills import Shot, encode, pictures, play_box
from kiosk.recording.truth import Recorded, recorded
from kiosk.store import Store
from models.photo_sets import CLASSES, face_of, photo_sets
from tests.kiosk import films, tables
from vision import calibration as tables_of
from vision.calibration import load as load_table
from vision.calibration import whole_picture
from vision.camera import Source as Pictures

SIZE = (1920, 1080)
CLOTH = (60, 90, 60)
FAN = [[[x, 0.0], [x + 63, 0.0], [x + 63, 88.0], [x, 88.0]] for x in (-100.0, -78.0, -56.0)]
"""Three cards, each 22 mm to the right of the one below it; the left upper index of each was read."""


def seen(cards: str, raw: str = "", corners: object = None) -> CardsPlayed:
    read = (raw or cards).split()
    evidence = {"corners_mm": FAN if corners is None else corners, "raw": read, "n_best": [[[c, 0.6], ["H10", 0.35], ["S4", 0.05]] for c in read]}
    return CardsPlayed(t=5.0, seat=Seat.S, trick=1, cards=tuple(map(Card, cards.split())), evidence=evidence)


def true(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def test_cards_that_were_read_right_stay_where_they_were_read() -> None:
    assert assign(seen("SA SK SQ"), true("SQ SA SK")) == true("SA SK SQ")


def test_one_card_put_right_takes_the_place_that_is_left() -> None:
    assert assign(seen("SA D3 SQ"), true("SA SQ SK")) == true("SA SK SQ")


def test_identical_cards_put_right_together_need_no_choice() -> None:
    assert assign(seen("SA D3 D4"), true("SA SK SK")) == true("SA SK SK")


def test_several_cards_put_right_are_matched_by_their_readings_or_left_out() -> None:
    found = seen("SA D3 D4")
    found.evidence["n_best"][1] = [["D3", 0.5], ["SK", 0.4]]
    found.evidence["n_best"][2] = [["D4", 0.5], ["SQ", 0.4]]
    assert assign(found, true("SA SQ SK")) == true("SA SK SQ")
    assert assign(seen("SA D3 D4"), true("SA SQ SK")) is None


@pytest.mark.parametrize("cards", ["SA SK", "SA SK SQ SJ", "SA SK ??"])
def test_play_with_more_or_fewer_or_unknown_cards_is_left_out(cards: str) -> None:
    assert assign(seen("SA SK SQ"), true(cards)) is None


def table_picture(face: bool = True) -> np.ndarray:
    """A table with the fan, and a face-coloured patch beside it."""
    calibration = whole_picture(SIZE)
    image = np.full((SIZE[1], SIZE[0], 3), CLOTH, np.uint8)
    for i, quad in enumerate(FAN):
        cv2.fillConvexPoly(image, calibration.to_px(quad).round().astype(np.int32), (250 - i, 250 - i, 250 - i))
    if face:
        cv2.circle(image, tuple(int(v) for v in calibration.to_px([[150.0, 60.0]])[0]), 60, (140, 170, 230), -1)
        cv2.circle(image, (100, 500), 80, (140, 170, 230), -1)  # beside the playing area
    return image


def recording(folder: Path, fact: CardsPlayed, *, correction: tuple[Card, ...] | None = None) -> tuple[Library, Recorded]:
    """A recording that holds one play."""
    calibration = whole_picture(SIZE)
    index = Index.open(folder)
    index.begin(Session(0.0, "test", tables_of.to_json(calibration)))
    x, y, width, height = play_box(calibration)
    shot = Shot(5.0, (x, y, width, height), encode(table_picture()[y : y + height, x : x + width], 95))
    for form, data in pictures(shot, calibration, fact.evidence).items():
        name = f"d01-t01-S{'.' + form if form else ''}.jpg"
        (folder / name).write_bytes(data)
        index.add(Medium(name, form or "still", 1, 1, "S", 3, 5.0, 5.0, len(data), box="" if form else f"{x},{y},{width},{height}"))
    index.close()
    events: list[Event] = [MatchStarted(rulebook=tables.RULEBOOK, names={"S": "王"}), DealStarted(deal=1, levels={"EW": "2", "NS": "2"}), fact]
    if correction is not None:
        events.append(Corrected(t=9.0, seat=Seat.S, trick=1, cards=correction, source=Source.REFEREE))
    return Library.open(folder), recorded(events, 1, tables.rulebook(tables.RULEBOOK))


def test_picture_shows_only_the_cards_and_is_labelled_as_the_referee_let_it_stand(tmp_path: Path) -> None:
    (example,) = harvest(*recording(tmp_path / "a.video", seen("SA D3 SQ"), correction=true("SA SK SQ")))
    assert example.corrected
    assert [card for card, _ in example.labels] == [*true("SA SK SQ SQ")]
    height, width = example.image.shape[:2]
    scale = whole_picture(SIZE).px_per_mm()
    assert width == pytest.approx((107 + 12) * scale, abs=6 * scale)
    skin = np.abs(example.image.astype(int) - (140, 170, 230)).max(axis=2) < 40
    assert not skin.any(), "what lies outside the cards is painted over"
    for _, (x0, y0, x1, y1) in example.labels:
        assert 0 <= x0 < x1 <= width
        assert 0 <= y0 < y1 <= height
        assert example.image[int(y0) : int(y1), int(x0) : int(x1)].mean() > 240, "an index lies on a card"


def test_lower_cards_show_one_index_each(tmp_path: Path) -> None:
    (example,) = harvest(*recording(tmp_path / "a.video", seen("SA SK SQ")))
    assert [card for card, _ in example.labels].count(Card("SA")) == 1
    assert [card for card, _ in example.labels].count(Card("SK")) == 1


def test_alone_lying_card_shows_both_indices(tmp_path: Path) -> None:
    (example,) = harvest(*recording(tmp_path / "a.video", seen("SA", corners=FAN[2:])))
    assert [card for card, _ in example.labels] == [*true("SA SA")]


def test_labels_are_what_training_reads(tmp_path: Path) -> None:
    (example,) = harvest(*recording(tmp_path / "a.video", seen("SA SK SQ")))
    images, labels = tmp_path / "out" / "match" / "images", tmp_path / "out" / "match" / "labels"
    images.mkdir(parents=True)
    labels.mkdir()
    numbers = {card: number for number, name in enumerate(CLASSES) if (card := face_of(name)) is not None}
    cv2.imwrite(str(images / "x.jpg"), example.image)
    (labels / "x.txt").write_text(yolo(example, numbers), "utf-8")
    (read,) = photo_sets(tmp_path / "out")["match"]
    _, found = read.load()
    assert [(label.card, *map(round, label.box)) for label in found] == [(card, *map(round, box)) for card, box in example.labels]


def test_recording_without_pictures_gives_none(tmp_path: Path) -> None:
    _, deal = recording(tmp_path / "a.video", seen("SA SK SQ"))
    assert list(harvest(Library.open(tmp_path / "none.video"), deal)) == []


# ---- films


@pytest.fixture
def filmed(tmp_path: Path) -> Path:
    """A log of two tricks that lasts 12 s, with two segments of video and a gap between them."""
    folder = tmp_path / "table.video"
    index = Index.open(folder)
    index.begin(Session(0.0, "test", tables_of.to_json(films.calibration())))
    for begin, end in ((0.0, 6.0), (8.0, 14.0)):
        segment = Segment(folder, begin, films.SIZE)
        for frame in films.frames(begin, end):
            segment.add(frame.image, frame.t)
        assert finish(segment.end()) is not None
    index.reconcile()
    index.close()
    with Store.open(tmp_path / "table.db") as store:
        events = (
            MatchStarted(rulebook=tables.RULEBOOK, names={"E": "王"}), DealStarted(t=0.5, deal=1, levels={"EW": "2", "NS": "5"}),
            *(fact for fact in tables.until_trick(2)),
        )  # fmt: skip
        store.append([to_json(event) for event in events], "camera")
    return tmp_path / "table.db"


def deal_of(log: Path) -> Recorded:
    from kiosk.recording.truth import read_log

    return recorded([event for _, event in read_log(log)], 1, tables.rulebook(tables.RULEBOOK))


def test_recorded_deal_becomes_a_film_folder(filmed: Path, tmp_path: Path) -> None:
    folder = write_film(Library.open(folder_of(filmed)), deal_of(filmed), tmp_path / "film")
    table = load_table(folder / "table.json")
    assert table.match["levels"] == {"EW": "2", "NS": "5"}
    assert table.size == films.SIZE
    lines = [json.loads(line) for line in (folder / "truth.jsonl").read_text("utf-8").splitlines()]
    assert [line["event"] for line in lines].count("TrickClosed") == 2
    assert lines[0]["names"] == {}
    assert "王" not in (folder / "truth.jsonl").read_text("utf-8")
    source = Pictures(str(folder))
    times = [signal.t for signal in source.signals() if hasattr(signal, "image")]
    assert len(times) > 100
    assert max(b - a for a, b in pairwise(times)) == pytest.approx(2.1, abs=0.2), "the gap stays a gap"
    shown = films.picture(30)
    assert float(np.abs(picture_at(folder / "film.mp4", 30).astype(int) - shown).mean()) < 6


def picture_at(film: Path, number: int) -> np.ndarray:
    capture = cv2.VideoCapture(str(film))
    for _ in range(number + 1):
        ok, image = capture.read()
        assert ok
    return np.asarray(image)


def test_deal_whose_video_is_gone_is_said(filmed: Path, tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="no video of deal 1 is left"):
        write_film(Library.open(tmp_path / "none.video"), deal_of(filmed), tmp_path / "film")
