"""Training of the reader: a small network on upright index patches, 54 faces and *reject*, calibrated by one temperature."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the usual name)
from torch import nn

from models.patches import GEOMETRY, Patches
from models.progress import of_patches
from vision.patch import PatchGeometry
from vision.reader import REJECT

CLASSES: Final = REJECT + 1
WIDTHS: Final = (24, 48, 96, 160)
_KEEP_EVERY: Final = 300.0
"""Seconds between two saves."""


class ReaderNet(nn.Module):
    """Four steps of two convolutions, each halving the patch; a layer of features; a linear head."""

    def __init__(self, size: tuple[int, int] = GEOMETRY.size, widths: tuple[int, ...] = WIDTHS, features: int = 256) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        before = 3
        for width in widths:
            layers += [*_conv(before, width, 2), *_conv(width, width, 1)]
            before = width
        self.body = nn.Sequential(*layers)
        down = 2 ** len(widths)
        self.neck = nn.Linear(before * math.ceil(size[0] / down) * math.ceil(size[1] / down), features)
        self.drop = nn.Dropout(0.25)
        self.head = nn.Linear(features, CLASSES)

    def forward(self, patches: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Patches Nx3xHxW (BGR, 0..1) to logits NxC and features NxF, the head's input."""
        features = F.relu(self.neck(self.body(patches).flatten(1)))
        return self.head(self.drop(features)), features


def _conv(before: int, after: int, stride: int) -> tuple[nn.Module, ...]:
    return nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)


def disturb(x: torch.Tensor) -> torch.Tensor:
    """Light (poor now and then), colour, a little turn, shift and stretch, distance, focus, noise, and a covered strip now and then."""
    n, _, height, width = x.shape
    x = x * (1 + 0.5 * (torch.rand(n, 1, 1, 1) - 0.5)) + 0.2 * (torch.rand(n, 1, 1, 1) - 0.5)
    x = x * (1 + 0.2 * (torch.rand(n, 3, 1, 1) - 0.5))
    dim = torch.where(torch.rand(n, 1, 1, 1) < 0.15, torch.empty(n, 1, 1, 1).uniform_(0.3, 0.8), torch.ones(n, 1, 1, 1))
    grey = x.mean(1, keepdim=True)
    x = (grey + (x - grey) * (1 - 0.6 * torch.rand(n, 1, 1, 1) * (dim < 1))) * dim
    x = _moved(x) if float(torch.rand(())) < 0.6 else x
    if float(torch.rand(())) < 0.35:  # a whole batch seen from far away
        factor = float(torch.empty(()).uniform_(0.3, 0.8))
        small = F.interpolate(x, scale_factor=factor, mode="area")
        x = F.interpolate(small, (height, width), mode="bilinear")
    if float(torch.rand(())) < 0.25:  # a whole batch out of focus
        sigma = float(torch.empty(()).uniform_(0.6, 1.7))
        taps = torch.exp(-(torch.arange(-4.0, 5.0) ** 2) / (2 * sigma**2))
        taps = (taps / taps.sum()).repeat(3, 1)
        x = F.conv2d(F.conv2d(x, taps[:, None, :, None], padding=(4, 0), groups=3), taps[:, None, None, :], padding=(0, 4), groups=3)
    for i in torch.nonzero(torch.rand(n) < 0.12).flatten().tolist():
        edge, colour = int(torch.randint(1, width // 4, ())), torch.rand(3, 1, 1)
        if float(torch.rand(())) < 0.5:
            x[i, :, :, width - edge :] = colour
        else:
            x[i, :, height - edge :] = colour
    return x + _noise(x.shape) * torch.rand(n, 1, 1, 1) * 0.06


def _moved(x: torch.Tensor) -> torch.Tensor:
    """A little turned, shifted and stretched."""
    n = len(x)
    angle, scale = (torch.rand(n) - 0.5) * 0.16, 1 + (torch.rand(n) - 0.5) * 0.2
    other = scale * (1 + (torch.rand(n) - 0.5) * 0.24)
    tx, ty = (torch.rand(n) - 0.5) * 0.14, (torch.rand(n) - 0.5) * 0.1
    turn = torch.stack(
        [torch.stack([scale * angle.cos(), -scale * angle.sin(), tx], 1), torch.stack([other * angle.sin(), other * angle.cos(), ty], 1)], 1
    )
    return F.grid_sample(x, F.affine_grid(turn, list(x.shape), align_corners=False), padding_mode="border", align_corners=False)


@functools.cache
def _bank() -> torch.Tensor:
    return torch.randn(6_000_011)


def _noise(shape: torch.Size) -> torch.Tensor:
    """Noise out of a bank that is drawn once, which is ten times faster than drawing it."""
    bank, count = _bank(), shape.numel()
    if count >= len(bank):
        return torch.randn(shape)
    start = int(torch.randint(len(bank) - count, ()))
    return bank[start : start + count].reshape(shape)


@dataclass(frozen=True, slots=True)
class Result:
    """What came out: the network, its temperature, and the share of test patches read right (faces; places without one)."""

    net: ReaderNet
    temperature: float
    right: float
    rejected: float

    @property
    def merit(self) -> float:
        """For choosing between readers: a false card costs as much as a misread one."""
        return self.right + (0.0 if math.isnan(self.rejected) else self.rejected)


def judged(net: ReaderNet, test: Patches) -> Result:
    """How well a network reads test patches, and the temperature that fits them best."""
    logits = predict(net, test)
    found = logits.argmax(1)
    card = test.faces != REJECT
    right = float((found[card] == test.faces[card]).mean()) if card.any() else math.nan
    rejected = float((found[~card] == REJECT).mean()) if (~card).any() else math.nan
    return Result(net, temperature(logits, test.faces), right, rejected)


def strict_as(result: Result, test: Patches, rejected: float) -> Result:
    """The same network, made to reject as large a share of what is no index as another one does, if it rejects less.

    Training moves the two kinds of error against each other; only at like strictness does the share of right ones tell which network is better.
    """
    card = test.faces != REJECT
    if card.all() or math.isnan(rejected) or result.rejected >= rejected:
        return result
    logits = predict(result.net, test)[~card]
    short = np.sort(np.delete(logits, REJECT, 1).max(1) - logits[:, REJECT])
    with torch.no_grad():
        result.net.head.bias[REJECT] += max(0.0, float(short[min(len(short) - 1, math.ceil(rejected * len(short)) - 1)])) + 1e-4
    return judged(result.net, test)


def train(
    patches: Patches,
    test: Patches,
    epochs: float,
    tell: Callable[[str], None],
    start: ReaderNet | None = None,
    rate: float = 2.5e-3,
    batch: int = 128,
    threads: int = 1,
    minutes: float | None = None,
    keep: Callable[[ReaderNet], None] | None = None,
    name: str = "reader",
) -> Result:
    """Train for some epochs (or until the minutes are over), then find the temperature on the test patches.

    :param keep: called with the network every few minutes, so that nothing is lost when the run is ended early.
    :param name: what is trained, for the lines that are told.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    net = (start or ReaderNet()).to(device).to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    kept = time.monotonic()
    total, begun, done, told, losses = int(epochs * len(patches) / batch), time.monotonic(), 0, time.monotonic(), 0.0
    faces = torch.from_numpy(patches.faces)
    chances = np.cumsum(patches.weights.astype(np.float64))
    generator = np.random.default_rng(len(patches))
    net.train()
    while True:
        share = max(done / max(1, total), (time.monotonic() - begun) / (minutes * 60) if minutes else 0.0)
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * min(1.0, share / 0.03 + 0.02) * (0.5 * (1 + math.cos(math.pi * share)) + 0.005)
        picks = np.minimum(np.searchsorted(chances, generator.random(batch) * chances[-1]), len(patches) - 1)
        x = torch.from_numpy(patches.pictures[picks]).permute(0, 3, 1, 2).float().div_(255)
        x = disturb(x).to(device).contiguous(memory_format=torch.channels_last)
        with torch.autocast(device, torch.bfloat16):
            logits, _ = net(x)
        loss = F.cross_entropy(logits.float(), faces[picks].to(device), label_smoothing=0.03)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
        done, losses = done + 1, losses + float(loss.detach())
        if time.monotonic() - told > 20:
            seconds = time.monotonic() - begun
            tell(of_patches(name, share, seconds, done * batch / seconds, losses / done))
            told = time.monotonic()
        if keep is not None and time.monotonic() - kept > _KEEP_EVERY:
            keep(net)
            net.to(device).train()
            kept = time.monotonic()
    torch.set_num_threads(before)
    return judged(net.cpu().eval(), test)


def predict(net: ReaderNet, patches: Patches) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    """Logits of patches, N x 55."""
    net.eval()
    out = []
    with torch.no_grad():
        for i in range(0, len(patches), 256):
            x = torch.from_numpy(patches.pictures[i : i + 256]).permute(0, 3, 1, 2).float().div(255)
            out.append(net(x)[0].numpy())
    return cast("np.ndarray[tuple[int, int], np.dtype[np.float32]]", np.concatenate(out))


def temperature(logits: np.ndarray[Any, np.dtype[np.float32]], faces: np.ndarray[Any, np.dtype[np.int64]]) -> float:
    """The temperature with the least cross-entropy."""
    x, y = torch.from_numpy(logits), torch.from_numpy(faces)
    grid = np.exp(np.linspace(math.log(0.3), math.log(3), 47))
    return float(min(grid, key=lambda t: float(F.cross_entropy(x / float(t), y))))


def save_reader(net: ReaderNet, folder: Path, geometry: PatchGeometry = GEOMETRY, name: str = "reader") -> None:
    """Write ``reader.pt``, ``reader.onnx`` (outputs ``logits`` and ``features``) and ``reader_head.npz`` (its last layer); or the
    first two of another ``name``."""
    folder.mkdir(parents=True, exist_ok=True)
    net = net.cpu().eval()
    state = {key: value.half() if value.dtype.is_floating_point else value for key, value in net.state_dict().items()}
    torch.save(
        {"arch": {"widths": list(WIDTHS), "features": net.head.in_features, "patch": geometry.to_json()}, "state_dict": state}, folder / f"{name}.pt"
    )
    sample = torch.zeros(2, 3, geometry.size[1], geometry.size[0])
    torch.onnx.export(
        net, (sample,), str(folder / f"{name}.onnx"), input_names=["patches"], output_names=["logits", "features"],
        dynamic_axes={"patches": {0: "n"}, "logits": {0: "n"}, "features": {0: "n"}}, opset_version=17, dynamo=False,
    )  # fmt: skip
    if name == "reader":
        np.savez(folder / "reader_head.npz", weight=net.head.weight.detach().numpy(), bias=net.head.bias.detach().numpy())


def load_net(path: Path) -> ReaderNet:
    """Read ``reader.pt``."""
    data: Any = torch.load(path, map_location="cpu", weights_only=True)
    width, height = (int(v) for v in data["arch"]["patch"]["size"])
    net = ReaderNet((width, height), tuple(data["arch"]["widths"]), data["arch"]["features"])
    net.load_state_dict({name: value.float() if value.dtype.is_floating_point else value for name, value in data["state_dict"].items()})
    return net
