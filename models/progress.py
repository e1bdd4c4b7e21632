"""How far training is, in words for a terminal."""

from __future__ import annotations

from models.train_detector import Progress


def span(seconds: float | None) -> str:
    """A time as a person says it: ``40 s``, ``12 min``, ``2 h 05 min``; None is not known."""
    if seconds is None:
        return "?"
    whole = max(0, round(seconds))
    if whole < 90:
        return f"{whole} s"
    minutes = round(whole / 60)
    return f"{minutes} min" if minutes < 90 else f"{minutes // 60} h {minutes % 60:02d} min"


def of_detector(progress: Progress, minutes: float) -> str:
    """One line on the detector's run: how much of it is over, its speed, how long it still takes, the losses."""
    done = min(1.0, progress.seconds / (minutes * 60))
    return (
        f"detector {done:4.0%}  {progress.seen} pictures  {progress.speed:.1f}/s  {span(minutes * 60 - progress.seconds)} left  "
        f"loss: box {progress.box:.3f}, corners {progress.corners:.3f}, index {progress.score:.3f}"
    )


def of_patches(name: str, share: float, seconds: float, speed: float, loss: float) -> str:
    """One line on the run of a small network: how much of it is over, its speed, how long it still takes, the loss."""
    left = seconds * (1 - share) / share if share > 0 else None
    return f"{name} {share:4.0%}  {speed:.0f} patches/s  {span(left)} left  loss {loss:.4f}"
