"""Labels of the photograph sets that say another face than the picture shows, as anybody sees who looks at the place.

The sets are measured as they are labelled, and once more with these labels put right; nothing is trained on either. Only labels that the
recogniser disagrees with were looked at, so there may be others that nobody has noticed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine.cards import BIG_JOKER, LITTLE_JOKER, Card
from models.measure import Label


@dataclass(frozen=True, slots=True)
class LabelFault:
    """A label that is wrong: how the picture's name begins, what the label says, its middle (pixels), and which face is there."""

    picture: str
    says: Card
    at: tuple[int, int]
    shows: Card

    def is_of(self, label: Label) -> bool:
        """Whether a label of the picture is the one meant."""
        x0, y0, x1, y1 = label.box
        return label.card == self.says and x0 <= self.at[0] <= x1 and y0 <= self.at[1] <= y1


FAULTS: Final = (
    LabelFault("IMG_7768_JPG", Card("CQ"), (208, 268), Card("CA")),
    LabelFault("IMG_7768_JPG", Card("CQ"), (530, 650), Card("CA")),
    LabelFault("IMG_20220921_194856_jpg", Card("HQ"), (362, 570), Card("C3")),
    LabelFault("WIN_20240627_17_01_00_Pro_jpg", Card("S4"), (690, 397), Card("S3")),
    LabelFault("WIN_20240627_17_01_00_Pro_jpg", Card("S10"), (338, 429), Card("SK")),
    LabelFault("WIN_20240627_17_01_16_Pro_jpg", Card("S4"), (722, 112), Card("S3")),
    LabelFault("WIN_20240627_17_02_34_Pro_jpg", Card("H10"), (268, 536), Card("H5")),
    # A joker whose word and picture are red and yellow, labelled black.
    LabelFault("IMG_20220921_194712_jpg", LITTLE_JOKER, (330, 219), BIG_JOKER),
    LabelFault("IMG_20220921_194712_jpg", LITTLE_JOKER, (277, 714), BIG_JOKER),
    LabelFault("IMG_20220921_195324_jpg", LITTLE_JOKER, (298, 211), BIG_JOKER),
    LabelFault("IMG_20220921_195324_jpg", LITTLE_JOKER, (230, 750), BIG_JOKER),
)


def put_right(picture: str, labels: Sequence[Label]) -> tuple[Label, ...]:
    """The labels of a picture with those that are wrong changed to what the picture shows.

    :param picture: its file's name.
    """
    faults = [fault for fault in FAULTS if picture.startswith(fault.picture)]
    shown = (next((fault.shows for fault in faults if fault.is_of(label)), label.card) for label in labels)
    return tuple(label if face == label.card else replace(label, card=face) for label, face in zip(labels, shown, strict=True))
