"""What is said after a step: found by comparing what was shown before with what is shown now, so that only what changed is spoken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.cards import Seat
from kiosk import phrases
from kiosk.phrases import Spoken
from kiosk.sound import ALERT, RESULT, SCORE, Kind, Speaker
from kiosk.table import Update

_OPEN = ("proposed",)
_CALLED = frozenset({"overtime"})
"""Offences that the clock's gong has called already: no alarm is rung for them."""
_BY_HAND = frozenset({"Corrected", "BottomCorrected", "Undone", "ScoreSet"})


@dataclass(frozen=True, slots=True)
class Message:
    """Something to say: its pieces, how urgent, and the ruling that it repeats for (alerts only)."""

    pieces: tuple[Spoken, ...]
    urgency: Kind
    ruling: str | None = None


def _rulings(shown: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    return {entry["ruling"]: entry for entry in shown.get("rulings") or ()}


def _closed(shown: Mapping[str, Any]) -> int:
    return len(shown.get("tricks") or ())


def _earlier(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Deals before the one in hand whose points have changed, with the new points."""
    known = {entry["deal"]: entry["points"] for entry in before.get("deals") or ()}
    earlier = [entry for entry in now.get("deals") or () if entry["deal"] != now.get("deal")]
    return [(entry["deal"], entry["points"]) for entry in earlier if known.get(entry["deal"], entry["points"]) != entry["points"]]


def _reckoned(shown: Mapping[str, Any]) -> tuple[Spoken, ...]:
    reckoning = shown["reckoning"]
    steps = reckoning["steps"]
    changed = reckoning.get("stage", "") == "attackers" or steps.get("attackers", 0) > 0
    next_side = "attackers" if changed or _changes_side(shown) else "declarers"
    return phrases.DEAL_OVER, phrases.points(reckoning["points"]), phrases.steps(next_side, int(steps.get(next_side, 0)))


def _changes_side(shown: Mapping[str, Any]) -> bool:
    follower = shown["reckoning"].get("next_declarer")
    return bool(follower and shown.get("declarers") and follower not in shown["declarers"])


def messages(update: Update, *, scores: bool) -> Sequence[Message]:
    """What to say about a step.

    :param scores: also say the running points after each trick that changed them.
    """
    before, now = update.before, update.state
    kinds = {str(row.body.get("event")) for row in update.rows}
    out: list[Message] = []
    known = _rulings(before)
    for name, ruling in _rulings(now).items():
        if ruling["state"] in _OPEN and name not in known and not ruling.get("reported") and ruling["kind"] not in _CALLED:
            out.append(Message(phrases.alert(ruling["kind"], Seat(ruling["seat"])), ALERT, name))
    if "CameraLost" in kinds:
        out.append(Message((phrases.CAMERA_LOST,), RESULT))
    if "CameraBack" in kinds:
        out.append(Message((phrases.CAMERA_BACK,), RESULT))
    if "Desynced" in kinds:
        out.append(Message((phrases.DESYNCED,), RESULT))
    if "Resynced" in kinds:
        out.append(Message((phrases.RESYNCED,), RESULT))
    if kinds & _BY_HAND:
        out += [Message((phrases.CORRECTED, phrases.deal(number), phrases.points(points)), RESULT) for number, points in _earlier(before, now)]
    if now.get("reckoning") and now["reckoning"] != before.get("reckoning"):
        out.append(Message(_reckoned(now) if not kinds & _BY_HAND else (phrases.CORRECTED, *_reckoned(now)), RESULT))
    elif now.get("points") != before.get("points") and now.get("deal") == before.get("deal"):
        if kinds & _BY_HAND:
            out.append(Message((phrases.CORRECTED, phrases.points(now["points"])), RESULT))
        elif scores and _closed(now) > _closed(before):
            out.append(Message((phrases.points(now["points"]),), SCORE))
    return out


class Announcer:
    """Listens to a table and makes its loudspeaker speak."""

    def __init__(self, speaker: Speaker, *, scores: bool = True) -> None:
        self._speaker = speaker
        self._scores = scores

    def __call__(self, update: Update) -> None:
        """Say what a step changed, and stop repeating what has been decided or has gone."""
        for message in messages(update, scores=self._scores):
            if message.ruling is not None:
                self._speaker.alert(message.ruling, message.pieces)
            else:
                self._speaker.say(message.pieces, message.urgency)
        still = {name for name, ruling in _rulings(update.state).items() if ruling["state"] in _OPEN}
        for name in set(_rulings(update.before)) - still:
            self._speaker.acknowledge(name)
