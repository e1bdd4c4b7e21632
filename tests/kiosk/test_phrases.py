"""Every sentence that a match can give rise to has its clip in both languages."""

from __future__ import annotations

import pytest

from engine.cards import SEATS, Seat
from engine.clock import Limit, Running
from engine.penalty import OFFENCE_OF
from engine.rulebook_offences import OFFENCES
from engine.rulebook_toml import load, playable
from kiosk import phrases
from kiosk.clock_watch import Due, words
from kiosk.phrases import LANGUAGES, Spoken
from kiosk.sound import CLIPS


def has_clip(spoken: Spoken) -> bool:
    return all((CLIPS / lang / f"{spoken.key}.ogg").is_file() for lang in LANGUAGES)


def test_every_alert_has_its_clips() -> None:
    for kind in (*OFFENCE_OF, *OFFENCES, "throw", "lead", "other"):
        for seat in SEATS:
            assert all(map(has_clip, phrases.alert(kind, seat))), kind


def test_everything_that_is_named_has_its_clip_and_nothing_else_lies_there() -> None:
    named = {spoken.key for spoken in phrases.everything()}
    for lang in LANGUAGES:
        assert {path.stem for path in (CLIPS / lang).glob("*.ogg")} == named


@pytest.mark.parametrize("name", playable())
def test_every_warning_of_a_sheets_clocks_has_its_clip(name: str) -> None:
    clocks = load(name).clocks
    limits = {Limit.PLAY: clocks.play_s, Limit.BURY: clocks.bury_s, Limit.OVERTURN: clocks.overturn_s, Limit.PAUSE: clocks.pause_s}
    for limit, seconds in limits.items():
        for up in (False, True):
            said = words(Due(Running(limit, Seat.E, 0.0, seconds, max(1, min(10, seconds // 3))), up))
            assert all(map(has_clip, said)), (limit, seconds)
    if clocks.match_min:
        for up in (False, True):
            assert all(map(has_clip, words(Due(Running(Limit.MATCH, None, 0.0, 60, 60 * (clocks.warning_min or 10)), up))))


@pytest.mark.parametrize("name", playable())
def test_every_score_of_a_sheets_packs_has_its_clip(name: str) -> None:
    top = 100 * load(name).pack.decks
    assert all(has_clip(phrases.points(count)) for count in range(0, top + 1, 5))
