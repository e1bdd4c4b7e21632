"""Training of the wide reader: the reader's network on a patch that shows more of the card, the whole word JOKER and a part of the picture.

It begins with the reader's convolutions, which see the card in the same size, and learns from scenes of jokers before all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from datasets.themes import EMPTY, GAME, JOKERS, MIXED, Theme
from models.export import list_network
from models.patches import Patches
from models.train_reader import ReaderNet, Result, judged, load_net, save_reader, train
from vision.wide import GEOMETRY, LIST_NAME, MODEL_NAME, NAME

DRAWN: Final[Mapping[Theme, float]] = {JOKERS: 0.5, GAME: 0.2, MIXED: 0.15, EMPTY: 0.15}
"""Parts of the shards that it learns from."""


def begun_from(reader: ReaderNet) -> ReaderNet:
    """A wide network with a reader's convolutions and last layer; what joins them begins from nothing."""
    net = ReaderNet(GEOMETRY.size)
    net.body.load_state_dict(reader.body.state_dict())
    net.head.load_state_dict(reader.head.state_dict())
    return net


def run(patches: Patches, test: Patches, reader: Path, folder: Path, minutes: float, tell: Callable[[str], None], threads: int = 1) -> Result:
    """Learn from patches, going on from the last run's network; the one before stays where it reads unseen patches better.

    :param reader: ``reader.pt`` to begin from when there is no wide one.
    """
    known = folder / f"{NAME}.pt"
    before = judged(load_net(known), test) if known.exists() else None
    tell(f"wide reader: {len(patches)} patches, {minutes:.1f} minutes")
    start = begun_from(load_net(reader)) if before is None else load_net(known)
    result = train(patches, test, 60, tell, start, minutes=minutes, threads=threads, name="wide reader")
    tell(f"wide reader: {result.right:.2%} of unseen indices right, {result.rejected:.2%} of what is none rejected")
    if before is not None and before.merit > result.merit:
        tell("wide reader: the one before was better and stays")
        return before
    save(result, folder)
    return result


def save(result: Result, folder: Path) -> None:
    """Write ``wide.onnx``, its list ``wide.json``, and ``wide.pt`` to train on from."""
    save_reader(result.net, folder, GEOMETRY, NAME)
    list_network(folder, LIST_NAME, MODEL_NAME, GEOMETRY, temperature=round(result.temperature, 4))
