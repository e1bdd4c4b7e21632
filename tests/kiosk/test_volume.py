"""How loud each kind of message is, set from a page and kept for the next start."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.cards import Seat
from kiosk import phrases
from kiosk.sound import ALERT, CLOCK, ClipBook, Kind, Speaker, chime, gong
from tests.kiosk.tables import Maker, until_trick
from tests.kiosk.test_sound import Fake, until
from tests.kiosk.test_web import client


class Silent(ClipBook):
    """No speech, only the signals."""

    def load(self) -> int:
        return 0

    def piece(self, spoken: phrases.Spoken, lang: str) -> Any:
        return None


def loudness(output: Fake) -> float:
    return float(np.abs(np.concatenate(output.written)).max())


def test_each_kind_has_its_own_volume() -> None:
    output = Fake()
    speaker = Speaker(clips=Silent(), output=output)
    speaker.set_volume(Kind.ALERT, 0.25)
    speaker.alert("r", phrases.alert("suit", Seat.E))
    until(lambda: bool(output.written) and speaker.idle())
    quiet = loudness(output)
    output.written.clear()
    speaker.say((phrases.TIME_UP,), CLOCK)
    until(lambda: bool(output.written) and speaker.idle())
    assert quiet < 0.3 * float(np.abs(chime()).max())
    assert loudness(output) > 0.9 * float(np.abs(gong()).max())
    assert speaker.status()["volumes"]["alert"] == 0.25
    speaker.set_volume(Kind.ALERT, 7)
    assert speaker.status()["volumes"]["alert"] == 1.0
    speaker.close()


def test_a_clock_waits_for_an_alert_and_a_score_for_a_clock() -> None:
    output = Fake(seconds_per_chunk=0.01)
    heard: list[Kind] = []

    class Listening(Speaker):
        def _samples(self, item: Any) -> Any:
            heard.append(item.urgency)
            return super()._samples(item)

    speaker = Listening(clips=Silent(), output=output)
    speaker.say((phrases.TEST,), ALERT)
    until(lambda: bool(heard))
    speaker.say((phrases.points(5),))
    speaker.say((phrases.TIME_UP,), CLOCK)
    speaker.alert("r", phrases.alert("suit", Seat.E))
    until(lambda: len(heard) == 4)
    speaker.close()
    assert heard == [Kind.ALERT, Kind.ALERT, Kind.CLOCK, Kind.SCORE]


def test_a_volume_set_from_a_page_is_kept(make_table: Maker) -> None:
    speaker = Speaker(clips=Silent(), output=Fake())
    made = make_table(until_trick(1), speaker=speaker)
    with client(made) as found:
        assert found.post("/api/sound", json={"do": "volume", "kind": "score", "value": 0.5}).status_code == 200
        assert found.get("/api/status").json()["sound"]["volumes"]["score"] == 0.5
        for bad in ({"kind": "score"}, {"value": 0.5}, {"kind": "score", "value": 2}, {"kind": "drum", "value": 0.5}):
            assert found.post("/api/sound", json={"do": "volume", **bad}).status_code == 422
    assert made.store.setting("volume.score") == "0.5"
    speaker.close()
