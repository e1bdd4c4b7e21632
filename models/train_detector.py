"""Training of the detector: a YOLO pose network with one class, *index*, and the four corners of the index's card.

The loop is our own, because three things matter on a processor: bfloat16 with channels last (several times faster where the
processor has it), corners that lie outside of the picture, and a loss of the corners that stays exact when they are nearly right.
"""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from numpy.typing import NDArray

from models.scene_feed import UNKNOWN_QUAD, Ahead, Feed

SIGMA: Final = 0.8
"""Tolerance of a corner in box sizes; with the usual 0.25 far corners get no gradient."""
_LINEAR: Final = 0.3


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train: minutes of this run, pictures a step, the highest and lowest rate of learning, threads, and minutes between saves.

    Without a batch it is 16 on a processor and 64 on a GPU, which would else wait for its pictures.
    """

    minutes: float
    batch: int | None = None
    rate: float = 1.2e-3
    last_rate: float = 2.0e-5
    threads: int = 1
    save_every: float = 5.0
    decay: float = 0.999


@dataclass(frozen=True, slots=True)
class Progress:
    """Where training stands: pictures seen in all runs, seconds of this run, pictures a second, mean losses (box, corners, class)."""

    seen: int
    seconds: float
    speed: float
    box: float
    corners: float
    score: float


class CornerLoss(torch.nn.Module):
    """Object keypoint similarity with :data:`SIGMA`, plus the plain distance in box sizes, which keeps pulling when it is small."""

    def forward(self, found: torch.Tensor, wanted: torch.Tensor, known: torch.Tensor, area: torch.Tensor) -> torch.Tensor:
        """Mean loss of Nx4 corners; ``known`` masks them, ``area`` (Nx1) is the box's."""
        squared = (found[..., :2] - wanted[..., :2]).pow(2).sum(-1)
        close = 1 - torch.exp(-squared / ((2 * SIGMA) ** 2 * (area + 1e-9) * 2))
        far = torch.sqrt(squared / (area + 1e-9) + 1e-6)
        return ((close + _LINEAR * far) * known).sum() / known.sum().clamp(min=1)


def new_model(start: Path | None) -> Any:
    """A pose network: from a checkpoint (ultralytics form), or from nothing."""
    from ultralytics import YOLO
    from ultralytics.cfg import get_cfg
    from ultralytics.utils import DEFAULT_CFG

    if start is not None:
        model: Any = YOLO(str(start), task="pose").model.float()
    else:
        from ultralytics.nn.tasks import PoseModel

        model = PoseModel("yolo11n-pose.yaml", nc=1, data_kpt_shape=(4, 3), verbose=False)
    model.args = get_cfg(DEFAULT_CFG)
    model.names = {0: "index"}
    for weight in model.parameters():
        weight.requires_grad_(True)
    return model


def _criterion(model: Any) -> Any:
    criterion = model.init_criterion()
    criterion.keypoint_loss = CornerLoss()
    return criterion


def _single(outputs: Any) -> Any:
    """The same outputs in single precision."""
    if isinstance(outputs, torch.Tensor):
        return outputs.float()
    if isinstance(outputs, dict):
        return {key: _single(value) for key, value in outputs.items()}
    return [_single(value) for value in outputs] if isinstance(outputs, list | tuple) else outputs


def targets(labels: NDArray[np.float32], size: int, device: str) -> dict[str, torch.Tensor]:
    """Label rows (scene, box, quad) in the form of the ultralytics losses; corners keep their places outside of the picture."""
    box, quad = labels[:, 1:5] / size, labels[:, 5:].reshape(-1, 4, 2) / size
    centre = np.column_stack([(box[:, 0] + box[:, 2]) / 2, (box[:, 1] + box[:, 3]) / 2, box[:, 2] - box[:, 0], box[:, 3] - box[:, 1]])
    known = (labels[:, 5:].reshape(-1, 4, 2)[..., :1] > UNKNOWN_QUAD / 2).astype(np.float32)
    points = np.concatenate([quad * known, known * 2], 2)
    return {
        "batch_idx": torch.from_numpy(labels[:, 0].copy()).to(device),
        "cls": torch.zeros(len(labels), 1, device=device),
        "bboxes": torch.from_numpy(centre.astype(np.float32)).to(device),
        "keypoints": torch.from_numpy(points.astype(np.float32)).to(device),
    }


@contextmanager
def _threads(count: int) -> Iterator[None]:
    """Let torch use this many threads; ultralytics sets one on a two-core machine."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def _bfloat16(device: str) -> bool:
    """Whether 16-bit floats are fast here."""
    if device == "cuda":
        return bool(torch.cuda.is_bf16_supported())
    text = Path("/proc/cpuinfo")
    return text.exists() and ("amx_bf16" in text.read_text() or "avx512_bf16" in text.read_text())


class DetectorTraining:
    """A run of training that can be left and resumed: network, its running mean, optimiser and counters live in one state file."""

    def __init__(self, feed: Feed, state: Path, start: Path | None, plan: Plan, measure: str = "") -> None:
        """Take up the state if there is one, else begin with ``start`` or nothing.

        :param measure: what the merit is measured on; a best merit of another measure is forgotten.
        """
        self.plan, self.feed, self.state, self.measure = plan, feed, state, measure
        self.device = "cuda" if torch.cuda.is_available() else "cpu"
        self.batch = plan.batch or (64 if self.device == "cuda" else 16)
        self.seen, self.best = 0, -math.inf
        saved: Any = torch.load(state, map_location="cpu", weights_only=False) if state.exists() else None
        self.model = saved["model"] if saved else new_model(start)
        self.mean = saved["mean"] if saved else copy.deepcopy(self.model)
        for weight in self.mean.parameters():
            weight.requires_grad_(False)
        self.model.to(self.device, memory_format=torch.channels_last)
        self.mean.to(self.device)
        self.optimiser = torch.optim.AdamW(self._groups(), lr=plan.rate, betas=(0.9, 0.99))
        if saved:
            self.optimiser.load_state_dict(saved["optimiser"])
            self.seen = saved["seen"]
            self.best = saved["best"] if saved.get("measure", "") == measure else -math.inf

    def _groups(self) -> list[dict[str, Any]]:
        heavy = [w for w in self.model.parameters() if w.requires_grad and w.ndim > 1]
        light = [w for w in self.model.parameters() if w.requires_grad and w.ndim <= 1]
        return [{"params": heavy, "weight_decay": 5e-4}, {"params": light, "weight_decay": 0.0}]

    def save(self) -> None:
        """Write the state; a crash in the middle leaves the former one."""
        self.state.parent.mkdir(parents=True, exist_ok=True)
        part = self.state.with_suffix(".part")
        criterion, self.model.criterion = getattr(self.model, "criterion", None), None
        torch.save(
            {
                "model": self.model,
                "mean": self.mean,
                "optimiser": self.optimiser.state_dict(),
                "seen": self.seen,
                "best": self.best,
                "measure": self.measure,
                "plan": asdict(self.plan),
            },
            part,
        )
        self.model.criterion = criterion
        part.replace(self.state)

    def rate(self, done: float) -> float:
        """The rate of learning when this share of the run is done: a short warm-up, then a cosine."""
        plan = self.plan
        if done < 0.01:
            return plan.rate * max(done / 0.01, 0.05)
        return plan.last_rate + (plan.rate - plan.last_rate) * 0.5 * (1 + math.cos(math.pi * min(1.0, done)))

    def run(
        self,
        tell: Callable[[Progress], None],
        judge: Callable[[Any], float] | None = None,
        keep: Callable[[Any], None] | None = None,
        steps: int | None = None,
    ) -> None:
        """Train for the plan's minutes, or for a number of steps.

        :param judge: gives a figure of merit of the running mean, asked at each save.
        :param keep: called with the running mean whenever it is the best so far (or always, without ``judge``).
        """
        with _threads(self.plan.threads):
            self.feed.look()
            ahead = max(2, self.plan.threads) if self.device == "cuda" else 0
            with Ahead(self.feed, self.batch, ahead) as self._pictures:
                self._run(tell, judge, keep, steps)

    def _run(
        self, tell: Callable[[Progress], None], judge: Callable[[Any], float] | None, keep: Callable[[Any], None] | None, steps: int | None
    ) -> None:
        plan, begun, saved, told = self.plan, time.monotonic(), time.monotonic(), time.monotonic()
        half, criterion = _bfloat16(self.device), _criterion(self.model)
        losses, done, first = np.zeros(3), 0, self.seen
        while True:
            now = time.monotonic()
            share = done / steps if steps else (now - begun) / (plan.minutes * 60)
            if share >= 1:
                break
            for group in self.optimiser.param_groups:
                group["lr"] = self.rate(share)
            losses += self._step(criterion, half=half)
            done += 1
            if now - told > 20 or done == steps:
                self.feed.look()
                mean = losses / max(1, done if steps else self._since)
                tell(Progress(self.seen, now - begun, (self.seen - first) / max(now - begun, 1e-6), *(float(v) for v in mean)))
                losses, self._since, told = np.zeros(3), 0, now
            if now - saved > plan.save_every * 60:
                self._keep(judge, keep)
                saved = time.monotonic()
        self._keep(judge, keep)

    _since = 0
    _pictures: Ahead

    def _keep(self, judge: Callable[[Any], float] | None, keep: Callable[[Any], None] | None) -> None:
        self.mean.eval()
        merit = judge(self.mean) if judge else math.inf
        if merit >= self.best or not judge:
            self.best = merit if judge else self.best
            if keep:
                keep(self.mean)
        self.save()

    def _step(self, criterion: Any, *, half: bool) -> NDArray[np.float64]:
        pictures, labels = self._pictures.take()
        x = torch.from_numpy(pictures).to(self.device).permute(0, 3, 1, 2).float().div_(255).contiguous(memory_format=torch.channels_last)
        self.model.train()
        with torch.autocast(self.device, torch.bfloat16, enabled=half):
            outputs = self.model(x)
        loss, parts = criterion(_single(outputs), targets(labels, pictures.shape[1], self.device))
        self.optimiser.zero_grad(set_to_none=True)
        loss.sum().div(self.batch).backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 10.0)
        self.optimiser.step()
        self.seen += self.batch
        self._since += 1
        decay = min(self.plan.decay, (1 + self.seen / self.batch) / (10 + self.seen / self.batch))
        with torch.no_grad():
            for mean, weight in zip(self.mean.state_dict().values(), self.model.state_dict().values(), strict=True):
                if mean.dtype.is_floating_point:
                    mean.lerp_(weight.to(mean.dtype), 1 - decay)
                else:
                    mean.copy_(weight)
        return np.array([float(parts["box_loss"]), float(parts["pose_loss"]), float(parts["cls_loss"])])


def write_checkpoint(model: Any, path: Path) -> None:
    """Write a network as an ultralytics checkpoint, half precision, without anything but the weights."""
    import ultralytics

    light = copy.deepcopy(model).cpu().half()
    light.criterion = None
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    light.pt_path = path.name  # else the file would name a folder of the machine that it was trained on
    torch.save(
        {"model": light, "ema": None, "optimizer": None, "epoch": -1, "train_args": {"task": "pose"}, "version": ultralytics.__version__, "date": ""},
        part,
    )
    part.replace(path)
