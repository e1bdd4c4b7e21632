import pytest

from engine.cards import Card
from models.evaluate_speed import STILL, Speeds, Timing, eight_cards, measure_speed, speed_text
from models.measure import Example, Label, Picture
from tests.models.reading import FixedRecogniser, seen


class Timed(FixedRecogniser):
    """Notes the size of what it is given."""

    def __init__(self) -> None:
        super().__init__([seen("SA", (0, 0, 9, 9))])
        self.crops: list[tuple[int, ...]] = []
        self.stills: list[tuple[int, ...]] = []
        self.detector = type("D", (), {"network": type("N", (), {"name": "a network"})})()

    def read_crop(self, image: Picture, **_: object):
        self.crops.append(image.shape)
        return self._cards * 8

    def read(self, image: Picture, **_: object):
        self.stills.append(image.shape)
        return self._cards


def test_a_crop_and_two_kinds_of_stills_are_timed_on_the_clock_and_of_the_processor() -> None:
    recogniser = Timed()
    speeds = measure_speed(recogniser, recogniser.PICTURE, repeats=3)
    assert recogniser.crops == [(640, 640, 3)] * 4
    assert recogniser.stills == [(STILL[1], STILL[0], 3)] * 4
    assert speeds.cards == (8, 1, 1)
    assert speeds.network == "a network"


def test_the_speeds_are_told_with_the_load_they_were_measured_at() -> None:
    text = speed_text(Speeds(Timing(40.4, 61.2), Timing(900, 1400), Timing(1500, 2800), (8, 8, 160), "OpenVINO bf16", 2, 7.25))
    assert "OpenVINO bf16, 2 cores, load 7.2 before" in text
    assert "640x640 crop, 8 cards: detector, corner network and reader | 40 ms | 61 ms |" in text
    assert "3840x2160 still, 160 cards | 1500 ms | 2800 ms |" in text


def test_the_picture_for_speed_is_the_one_with_eight_cards() -> None:
    def labels(count: int) -> tuple[Label, ...]:
        return tuple(Label(Card("SA"), (0, 0, 9, 9), owner=n) for n in range(count))

    pictures = [FixedRecogniser.PICTURE + n for n in range(3)]
    examples = [Example(str(n), lambda n=n, k=k: (pictures[n], labels(k))) for n, k in enumerate((3, 8, 20))]
    assert eight_cards(examples) is pictures[1]
    assert eight_cards(examples[::2]) is pictures[0]
    with pytest.raises(ValueError, match="no pictures"):
        eight_cards([])
