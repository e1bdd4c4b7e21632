"""From indices to cards: which two indices belong to one card, what the card is, and which card lies on which.

Both indices of a card predict the same four corners. So identity comes from geometry, never from counting faces: two identical cards
a few millimetres apart stay two, and one card with both corners in view stays one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from engine.cards import FACES, UNKNOWN, Card
from vision.detector import Detections, Floats
from vision.joining import join
from vision.patch import at_right
from vision.plane import Doubles, Plane
from vision.reader import JOKERS, REJECT
from vision.stacking import stack

N_BEST: Final = 8
_FLOOR: Final = 1e-4
_TRUST: Final = (0.33, 0.29, 0.42, -1.87)
"""Weights of the detector's score, the reader's rejection and its likeliest face (all as log odds), and the constant: a logistic regression
on held-out rendered scenes."""

_COMPANY: Final = (1.11, -0.94, 1.1, -2.36)
_ALONE: Final = 0.05
"""Weights of the detector's score, the reader's rejection (as log odds) and the logarithm of how many other jokers are likely found, and the
constant: a logistic regression on 231 held-out scenes in which jokers are as seldom as in a deck, or no face is. One joker more than were found by
this share stands for none."""

_STILL: Final = ((0.0, 0.55, 0.65, 0.75, 0.85, 0.93, 0.97, 1.0), (0.0, 0.55, 0.78, 0.88, 0.91, 0.97, 0.99, 0.995))
"""What two indices and their surest face together say, and what share of such cards in stills is right, by the same scenes. Below the middle more are
right than said, too; it is left as it is, because pictures without a card give such numbers now and then."""

_NONE_SURE: Final = ((0.5, 0.6), (0.5, 1.0))
"""A still's surest card, and by what all its cards count then. Of 240 scenes and 105 photographs of cards none has its surest card between 0.3 and
0.6; of 200 pictures without a card five do."""


@dataclass(frozen=True, slots=True)
class SeenCard:
    """One card in a picture.

    ``corners_px`` are (x, y) top-left, top-right, bottom-right, bottom-left as seen from the index read best; ``indices_px`` the boxes
    (x0, y0, x1, y1) of its visible indices; ``confidence`` the probability that a card is there and is this one; ``n_best`` the likeliest
    faces with their probabilities, best first; ``layer`` 0 for a card that lies on no other; ``over`` the positions, in the same
    list, of the cards it lies on.
    """

    card: Card
    corners_px: tuple[tuple[float, float], ...]
    indices_px: tuple[tuple[float, float, float, float], ...]
    confidence: float
    n_best: tuple[tuple[Card, float], ...]
    layer: int = 0
    over: tuple[int, ...] = ()

    def to_json(self) -> dict[str, object]:
        """The form that ``trickwatch read --json`` prints, pixels to a tenth."""
        return {
            "card": self.card,
            "corners_px": [[round(x, 1), round(y, 1)] for x, y in self.corners_px],
            "indices_px": [[round(v, 1) for v in box] for box in self.indices_px],
            "confidence": round(self.confidence, 4),
            "n_best": [[card, round(p, 4)] for card, p in self.n_best],
            "layer": self.layer,
            "over": list(self.over),
        }


def assemble(
    found: Detections,
    probabilities: Floats,
    least: float = 0.15,
    size: tuple[int, int] | None = None,
    known: Plane | None = None,
    likeness: Doubles | None = None,
    still: bool = False,
) -> list[SeenCard]:
    """Put indices together to cards.

    :param found: N indices, one candidate each.
    :param probabilities: Nx55 as :meth:`vision.reader.Reader.read` gives them.
    :param least: cards less sure than this are left out.
    :param size: width and height of the picture, if known.
    :param known: the plane of a calibrated table, if there is one.
    :param likeness: how like the picture is at two indices; see :func:`vision.twins.compare`.
    :param still: whether the view is any still's rather than a table's camera's.
    :returns: cards, best first; ``over`` refers to this order.
    """
    if len(found) == 0:
        return []
    faces = probabilities[:, :REJECT] + np.float32(1e-6)
    faces = faces / faces.sum(1, keepdims=True)
    sure = index_confidence(found.scores, probabilities)
    if still:
        sure = in_company(sure, found.scores, probabilities)
    there = np.minimum(sure / faces.max(1), 1)
    joined = join(found, faces, sure, size, known, likeness, still)
    placed = Detections(found.boxes, joined.placed.plane.to_picture(joined.placed.quads()), found.scores)
    seen = [(_card(placed, faces, there, group), group) for group in joined.groups]
    if still:
        said = [float(np.interp(card.confidence, *_STILL)) for card, _ in seen]
        trust = float(np.interp(max(said, default=1.0), *_NONE_SURE))
        seen = [(replace(card, confidence=p * trust), group) for (card, group), p in zip(seen, said, strict=True)]
    seen = sorted((entry for entry in seen if entry[0].confidence >= least), key=lambda entry: -entry[0].confidence)
    lying = stack([group for _, group in seen], joined.placed, at_right(placed.quads, placed.centres))
    return [replace(card, layer=layer, over=over) for (card, _), (layer, over) in zip(seen, lying, strict=True)]


def index_confidence(scores: Floats, probabilities: Floats) -> Floats:
    """How likely it is that an index stands there and is the face it was read as, N numbers.

    The detector's score alone says too little: an index that it hardly dared to box is there all the same when the reader is certain.
    """
    rejected, top = probabilities[:, REJECT], probabilities[:, :REJECT].max(1)
    said = _TRUST[0] * _log_odds(scores) - _TRUST[1] * _log_odds(rejected) + _TRUST[2] * _log_odds(top) + _TRUST[3]
    return np.asarray(1 / (1 + np.exp(-said)), np.float32)


def in_company(sure: Floats, scores: Floats, probabilities: Floats) -> Floats:
    """The confidence of a still's N indices when jokers are judged by those beside them.

    Jokers are found and read less surely than other cards, and writing and other games' cards are taken for one now and then. But a joker shows
    two ends, and jokers are held and laid together: one that is likely there makes another likelier, and a single one is less likely than it looks.

    :param sure: N, what :func:`index_confidence` says.
    """
    joker = np.isin(probabilities[:, :REJECT].argmax(1), JOKERS)
    others = float(sure[joker].sum()) - sure
    score, rejected, company, constant = _COMPANY
    said = score * _log_odds(scores) + rejected * _log_odds(probabilities[:, REJECT]) + company * np.log(np.maximum(others, 0) + _ALONE) + constant
    share = probabilities[:, :REJECT].max(1) / np.maximum(probabilities[:, :REJECT].sum(1), 1e-6)
    return np.where(joker, share / (1 + np.exp(-said)), sure).astype(np.float32)


def _log_odds(p: Floats) -> Floats:
    clipped = np.clip(p, 1e-4, 1 - 1e-4)
    return np.asarray(np.log(clipped / (1 - clipped)), np.float32)


def _card(found: Detections, faces: Floats, there: Floats, group: tuple[int, ...]) -> SeenCard:
    """One card from its indices: corners averaged, probabilities multiplied; where they name different faces, halfway to their mean."""
    first = found.quads[group[0]]
    # Seen from the other end the corners come in the opposite order.
    quads = [min((found.quads[k], np.roll(found.quads[k], 2, 0)), key=lambda q: float(np.abs(q - first).sum())) for k in group]
    weights = np.array([found.scores[k] for k in group], np.float32)
    quad = np.asarray(np.tensordot(weights / weights.sum(), np.stack(quads), 1), np.float32)
    logs = np.sum([np.log(np.maximum(faces[k], _FLOOR)) for k in group], 0)
    posterior = np.exp(logs - logs.max())
    posterior /= posterior.sum()
    if len({int(faces[k].argmax()) for k in group}) > 1:
        # One index is another card's, or misread: which one is not sure.
        posterior = (posterior + faces[list(group)].mean(0)) / 2
    best = np.argsort(-posterior)[:N_BEST]
    exists = 1 - float(np.prod([1 - there[k] for k in group]))
    confidence = exists * float(posterior[best[0]])
    return SeenCard(
        card=FACES[best[0]] if posterior[best[0]] > 0 else UNKNOWN,
        corners_px=tuple((float(x), float(y)) for x, y in quad),
        indices_px=tuple((float(b[0]), float(b[1]), float(b[2]), float(b[3])) for b in (found.boxes[k] for k in group)),
        confidence=confidence,
        n_best=tuple((FACES[k], float(posterior[k])) for k in best),
    )
