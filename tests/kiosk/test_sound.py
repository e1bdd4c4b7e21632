"""The loudspeaker is heard, repeats until acknowledged, and never holds the table up."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.cards import Seat
from kiosk import phrases
from kiosk.errors import KioskError
from kiosk.sound import CHUNK, RATE, ClipBook, SilenceError, Speaker, chime
from tests.kiosk.conftest import NullSink

ROOT = Path(__file__).parents[2]

ALERTS = """
import time
from engine.cards import Seat
from kiosk import phrases
from kiosk.sound import Speaker
problems = []
speaker = Speaker("zh", notice=problems.append, repeat_s=60)
speaker.say([phrases.points(35)])
time.sleep(0.05)
while not speaker.idle():
    time.sleep(0.02)
time.sleep(0.5)
print(time.time(), flush=True)
speaker.alert("1.3.E.revoke", phrases.alert("revoke", Seat.E))
time.sleep(0.05)
while not speaker.idle():
    time.sleep(0.02)
speaker.close()
assert not problems, problems
"""


def test_alert_is_recorded_from_the_sound_card_and_is_the_right_clip(null_sink: NullSink, tmp_path: Path, clips: ClipBook) -> None:
    raw = tmp_path / "heard.raw"
    recorder = null_sink.record(raw)
    try:
        time.sleep(0.3)
        done = subprocess.run([sys.executable, "-c", ALERTS], env=null_sink.env, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        time.sleep(0.4)
    finally:
        recorder.terminate()
        recorder.wait(timeout=10)
    heard = np.frombuffer(raw.read_bytes()[: raw.stat().st_size // 2 * 2], dtype="<i2").astype(np.float32) / 32768
    assert np.abs(heard).max() > 0.5, "the alert was not heard"

    def likeness(sound: np.ndarray[Any, Any]) -> float:
        """The best normalised correlation of a sound with what was heard."""
        size = 1 << (len(heard) + len(sound)).bit_length()
        product = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(sound, size)), size)[: len(heard)]
        total = np.concatenate([[0.0], np.cumsum(heard.astype(np.float64) ** 2)])
        ends = np.minimum(np.arange(len(heard)) + len(sound), len(heard))
        window = np.sqrt(np.maximum(total[ends] - total[: len(heard)], 1e-3))
        return float((product / (window * np.sqrt(float((sound**2).sum())))).max())

    assert likeness(chime()) > 0.8
    for piece in phrases.alert("revoke", Seat.E):
        clip = clips.piece(piece, "zh")
        assert clip is not None
        assert likeness(clip) > 0.8, piece.key
    wrong = clips.piece(phrases.offence("tractor_not_followed"), "zh")
    assert wrong is not None
    assert likeness(wrong) < 0.8


class Fake:
    """An output that keeps what is written to it."""

    def __init__(self, seconds_per_chunk: float = 0.0) -> None:
        self.written: list[np.ndarray[Any, Any]] = []
        self.opened = 0
        self.aborted = 0
        self.pace = seconds_per_chunk
        self.started = threading.Event()

    def __call__(self) -> Fake:
        self.opened += 1
        return self

    def write(self, samples: np.ndarray[Any, Any]) -> None:
        self.started.set()
        self.written.append(samples)
        if self.pace:
            time.sleep(self.pace)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass

    def abort(self) -> None:
        self.aborted += 1


@pytest.fixture(scope="module")
def clips() -> ClipBook:
    """The clips, read once."""
    book = ClipBook()
    book.load()
    return book


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.005)


def test_alert_repeats_until_it_is_acknowledged(clips: ClipBook) -> None:
    output = Fake()
    speaker = Speaker(clips=clips, output=output, repeat_s=0.05)
    speaker.alert("r", phrases.alert("pair_not_followed", Seat.N))
    until(lambda: output.opened >= 3)
    speaker.acknowledge("r")
    until(speaker.idle)
    count = output.opened
    time.sleep(0.3)
    assert output.opened == count
    assert speaker.status()["alerts"] == []
    speaker.close()


def test_acknowledging_breaks_off_what_is_being_said(clips: ClipBook) -> None:
    output = Fake(seconds_per_chunk=0.05)
    speaker = Speaker(clips=clips, output=output)
    speaker.alert("r", phrases.alert("pair_not_followed", Seat.N))
    assert output.started.wait(20)
    speaker.acknowledge("r")
    until(speaker.idle)
    assert output.aborted == 1
    speaker.close()


def test_the_same_alert_given_twice_is_said_once(clips: ClipBook) -> None:
    output = Fake()
    speaker = Speaker(clips=clips, output=output)
    for _ in range(5):
        speaker.alert("r", phrases.alert("pair_not_followed", Seat.N))
    until(lambda: output.opened >= 1 and speaker.idle())
    assert output.opened == 1
    speaker.close()


def test_alerts_come_before_scores_and_only_the_newest_score_is_said(clips: ClipBook) -> None:
    output = Fake(seconds_per_chunk=0.002)
    speaker = Speaker(clips=clips, output=output)
    speaker.say([phrases.points(5)])
    assert output.started.wait(20)
    speaker.say([phrases.points(10)])
    speaker.say([phrases.points(15)])
    speaker.alert("r", phrases.alert("revoke", Seat.W))
    until(lambda: output.opened == 3 and speaker.idle())
    heard = np.concatenate(output.written).ravel()
    where = {}
    for name, piece in {"10": phrases.points(10), "15": phrases.points(15), "alert": phrases.CALL}.items():
        clip = clips.piece(piece, "zh")
        assert clip is not None
        views = np.lib.stride_tricks.sliding_window_view(heard, 64)
        at = np.flatnonzero((views == clip[-12000:-11936]).all(axis=1))
        where[name] = int(at[0]) if at.size else None
    assert where["10"] is None
    assert where["alert"] is not None
    assert where["15"] is not None
    assert where["alert"] < where["15"]
    speaker.close()


def test_muted_speaker_says_nothing(clips: ClipBook) -> None:
    output = Fake()
    speaker = Speaker(clips=clips, output=output)
    speaker.mute(60)
    speaker.say([phrases.points(5)])
    until(speaker.idle)
    assert output.opened == 0
    assert speaker.status()["muted_s"] > 50
    speaker.mute(0)
    speaker.say([phrases.points(5)])
    until(lambda: output.opened == 1)
    speaker.close()


def test_no_audio_device_is_said_once_and_the_caller_never_waits(clips: ClipBook) -> None:
    said: list[KioskError] = []

    def broken() -> Any:
        raise SilenceError("没有", "none")

    now = [0.0]
    speaker = Speaker(clips=clips, output=broken, notice=said.append, clock=lambda: now[0])
    for i in range(5):
        now[0] += 100
        speaker.say([phrases.points(5 * i)])
        until(speaker.idle)
    assert [error.en for error in said] == ["none"]
    assert speaker.status()["device"] is False
    speaker.close()


def test_unplugged_device_is_used_again_when_it_is_back(clips: ClipBook) -> None:
    said: list[KioskError] = []
    output = Fake()
    gone = [True]
    now = [0.0]

    def plug() -> Any:
        if gone[0]:
            raise OSError("device unplugged")
        return output()

    speaker = Speaker(clips=clips, output=plug, notice=said.append, clock=lambda: now[0])
    speaker.say([phrases.points(5)])
    until(lambda: len(said) == 1)
    gone[0] = False
    now[0] += 100
    speaker.say([phrases.points(10)])
    until(lambda: output.opened == 1)
    assert "unplugged" in said[0].en
    speaker.close()


def test_flood_of_messages_is_bounded(clips: ClipBook) -> None:
    output = Fake(seconds_per_chunk=0.2)
    speaker = Speaker(clips=clips, output=output)
    for _ in range(500):
        speaker.say([phrases.DEAL_OVER], urgency=1)
    assert len(speaker._queue) <= 13
    speaker.close()


def test_every_piece_has_a_clip_in_both_languages_and_none_is_silent(clips: ClipBook) -> None:
    keys = {(lang, piece.key) for lang in phrases.LANGUAGES for piece in phrases.everything()}
    assert set(clips._clips) == keys
    for key, samples in clips._clips.items():
        assert samples is not None
        assert np.abs(samples).max() > 0.3, key
        assert 0.2 * RATE < len(samples) < 6 * RATE, key


def test_words_without_a_clip_are_synthesised_or_left_out(tmp_path: Path, monkeypatch: Any) -> None:
    book = ClipBook(tmp_path)
    odd = phrases.points(1234)
    spoken = book.piece(odd, "en")
    assert spoken is not None
    assert np.abs(spoken).max() > 0.05
    monkeypatch.setenv("PATH", str(tmp_path))
    assert ClipBook(tmp_path).piece(odd, "en") is None


def test_chunks_are_short_enough_to_break_off() -> None:
    assert CHUNK / RATE <= 0.1
