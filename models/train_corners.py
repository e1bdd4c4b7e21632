"""Training of the corner network: from a quad as the detector gives it to the true one, on patches of rendered scenes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from datasets.shards import read_shard
from datasets.themes import GAME, MIXED
from models.export import list_network
from models.progress import of_patches
from vision.corners import LIST_NAME, MODEL_NAME, SCALES, WIDE, apply_change, change_between
from vision.patch import at_right, cut_many

Floats = NDArray[np.float32]

WIDTHS: Final = (16, 32, 48, 64)
_SMALLEST: Final = 24.0
"""Pixels; narrower cards show no edges to go by."""
_LARGEST: Final = 0.4


class CornerNet(nn.Module):
    """Four halving steps, then six numbers."""

    def __init__(self, widths: tuple[int, ...] = WIDTHS) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = 3
        for step, width in enumerate(widths):
            layers += [nn.Conv2d(before, width, 3, 2, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)]
            if step in (1, 2):
                layers += [nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width), nn.ReLU(inplace=True)]
            before = width
        self.body = nn.Sequential(*layers)
        down = 2 ** len(widths)
        self.neck = nn.Linear(before * math.ceil(WIDE.size[0] / down) * math.ceil(WIDE.size[1] / down), 128)
        self.head = nn.Linear(128, len(SCALES))

    def forward(self, patches: torch.Tensor) -> torch.Tensor:
        """Patches Nx3xHxW (BGR, 0..1) to changes Nx6 in units of ``SCALES``."""
        out: torch.Tensor = self.head(torch.relu(self.neck(self.body(patches - 0.5).flatten(1))))
        return out


def disturb(quads: Floats, rng: np.random.Generator) -> Floats:
    """Err as the detector does: a turn of some degrees with wide tails, a tenth in size, a little shear and shift."""
    n = len(quads)
    turn = np.deg2rad(np.clip(rng.standard_t(4, n) * 4.5, -22, 22))
    c, s = np.cos(turn), np.sin(turn)
    across = quads[:, 1] - quads[:, 0]
    down = quads[:, 3] - quads[:, 0]
    centre = quads[:, 0] + 0.11 * across + 0.13 * down
    width = np.linalg.norm(across, axis=1)[:, None]
    spokes = quads - centre[:, None]
    turned = np.stack([spokes[..., 0] * c[:, None] - spokes[..., 1] * s[:, None], spokes[..., 0] * s[:, None] + spokes[..., 1] * c[:, None]], 2)
    moved = (centre + rng.normal(0, 0.03, (n, 2)) * width)[:, None] + turned
    change = np.zeros((n, 6), np.float32)
    change[:, 2], change[:, 5] = np.exp(rng.normal(0, 0.08, n)) - 1, np.exp(rng.normal(0, 0.08, n)) - 1
    change[:, 3], change[:, 4] = rng.normal(0, 0.035, n), rng.normal(0, 0.035, n)
    stretched = apply_change(np.asarray(moved, np.float32), change)
    return np.asarray(stretched + rng.normal(0, 0.012, (n, 4, 2)) * width[:, None], np.float32)


def examples(shards: Sequence[Path], rng: np.random.Generator, per_scene: int = 8) -> tuple[NDArray[np.uint8], Floats]:
    """Wide patches (N x height x width x 3) cut by disturbed quads, and the changes that put them right, in units of ``SCALES``."""
    patches: list[NDArray[np.uint8]] = []
    changes: list[Floats] = []
    for path in shards:
        shard = read_shard(path)
        for scene in range(len(shard.jpegs)):
            rows = shard.rows(scene)
            quads = rows[:, 7:15].reshape(-1, 4, 2)
            centres = np.asarray((rows[:, 3:5] + rows[:, 5:7]) / 2, np.float32)
            wide = np.linalg.norm(quads[:, 1] - quads[:, 0], axis=1) > _SMALLEST if len(rows) else np.zeros(0, bool)
            usable = np.flatnonzero((rows[:, 2] == 1) & wide & (np.abs(quads).max((1, 2)) < 5000) & ~at_right(quads, centres))
            if len(usable) == 0:
                continue
            true = quads[rng.permutation(usable)[:per_scene]]
            seen = disturb(true, rng)
            change = change_between(seen, true)
            good = np.abs(change).max(1) < _LARGEST
            if good.any():
                patches.append(cut_many(shard.picture(scene), seen[good], WIDE))
                changes.append(change[good] / SCALES)
    if not patches:
        raise ValueError("no scenes to learn corners from; draw some with `trickwatch train`")
    return np.concatenate(patches), np.concatenate(changes)


def train(
    patches: NDArray[np.uint8],
    changes: Floats,
    minutes: float,
    tell: Callable[[str], None],
    epochs: float = 10,
    threads: int = 1,
    batch: int = 128,
    start: CornerNet | None = None,
) -> CornerNet:
    """Train for some epochs or until the minutes are over, whichever comes first; ``start`` is trained on, at a lower rate."""
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = (start or CornerNet()).to(device).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=3e-3, weight_decay=0.01)
    rng, begun, told, losses = np.random.default_rng(0), time.monotonic(), time.monotonic(), 0.0
    total, done = max(1, int(epochs * len(changes) / batch)), 0
    net.train()
    while True:
        share = max(done / total, (time.monotonic() - begun) / (minutes * 60))
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = (1.5e-3 if start else 3e-3) * min(1.0, share / 0.03 + 0.02) * (0.5 * (1 + math.cos(math.pi * share)) + 0.005)
        picks = rng.integers(0, len(changes), batch)
        x = torch.from_numpy(patches[picks]).permute(0, 3, 1, 2).float().div_(255)
        x = _relight(x).to(device).contiguous(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16):
            said = net(x)
        loss = torch.nn.functional.smooth_l1_loss(said.float(), torch.from_numpy(changes[picks]).to(device), beta=0.3)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        done, losses = done + 1, losses + float(loss.detach())
        if time.monotonic() - told > 20:
            seconds = time.monotonic() - begun
            tell(of_patches("corners", share, seconds, done * batch / seconds, losses / done))
            told = time.monotonic()
    torch.set_num_threads(before)
    return net.cpu().eval()


def _relight(x: torch.Tensor) -> torch.Tensor:
    """Other light, other colours, noise."""
    n = len(x)
    x = x * (1 + 0.5 * (torch.rand(n, 1, 1, 1) - 0.5)) + 0.2 * (torch.rand(n, 1, 1, 1) - 0.5)
    x = x * (1 + 0.2 * (torch.rand(n, 3, 1, 1) - 0.5))
    return x + torch.randn_like(x) * torch.rand(n, 1, 1, 1) * 0.05


def test(net: CornerNet, patches: NDArray[np.uint8], changes: Floats) -> Floats:
    """Median error of each number before and after, 2 x 6, in the units of :func:`vision.corners.apply_change`."""
    with torch.no_grad():
        said = [
            net(torch.from_numpy(patches[start : start + 256]).permute(0, 3, 1, 2).float().div(255)).numpy() for start in range(0, len(patches), 256)
        ]
    left = np.abs(changes - np.concatenate(said))
    return np.asarray(np.stack([np.median(np.abs(changes), 0), np.median(left, 0)]) * SCALES, np.float32)


def save(net: CornerNet, folder: Path) -> None:
    """Write ``corners.onnx``, its list ``corners.json``, and ``corners.pt`` to train on from."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / MODEL_NAME
    torch.save(net.state_dict(), folder / _STATE)
    torch.onnx.export(
        net.cpu().eval(), (torch.zeros(2, 3, WIDE.size[1], WIDE.size[0]),), str(path), input_names=["patches"], output_names=["logits"],
        dynamic_axes={"patches": {0: "n"}, "logits": {0: "n"}}, opset_version=17, dynamo=False,
    )  # fmt: skip
    list_network(folder, LIST_NAME, MODEL_NAME, WIDE)


_STATE: Final = "corners.pt"


def load(folder: Path) -> CornerNet | None:
    """The network that :func:`save` left in a folder, or None."""
    path = folder / _STATE
    if not path.exists():
        return None
    net = CornerNet()
    net.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return net.eval()


def learnt_from(scenes: Path, most: int) -> list[Path]:
    """Shards of mixed scenes and of games, half of each, at most ``most`` in all."""
    each = most // 2
    mixed, game = (sorted(scenes.glob(f"{theme.name}-*.npz"))[:each] for theme in (MIXED, GAME))
    return [*mixed, *game]


def run(scenes: Path, folder: Path, minutes: float, tell: Callable[[str], None], most: int = 120, threads: int = 1) -> None:
    """Learn from the shards of a folder, going on from the last run's network; write the network unless the former one errs less.

    :raises ValueError: when there are no scenes.
    """
    rng = np.random.default_rng(0)
    patches, changes = examples(learnt_from(scenes, most), rng)
    tell(f"corners: {len(changes)} patches, {minutes:.1f} minutes")
    former = load(folder)
    held = [path for theme in (MIXED, GAME) for path in sorted(scenes.glob(f"{theme.held_name}-*.npz"))[:2]]
    unseen = examples(held, np.random.default_rng(1)) if held else None
    before = test(former, *unseen)[1] if former is not None and unseen is not None else None
    net = train(patches, changes, minutes, tell, threads=threads, start=former)
    if unseen is not None:
        left = test(net, *unseen)
        tell(f"corners, median errors before and after on unseen decks: {np.round(left, 4).tolist()}")
        if before is not None and float(before.mean()) < float(left[1].mean()):
            tell("corners: the former network errs less and stays")
            return
    save(net, folder)
