"""The offences that a referee may report, as a match's rulebook words and prices them."""

from __future__ import annotations

from typing import Final

from engine.rulebook import Rulebook
from engine.rulebook_offences import OFFENCES
from engine.rulebook_words import Language, penalty_words
from kiosk.models import Offence, Words

_USUAL: Final = (
    "talk", "looked_back", "bottom_touched", "draw_miscount", "bottom_miscount", "pack_miscount", "taken_back", "out_of_turn", "wrong_declaration",
    "overtime",
)  # fmt: skip
"""What a camera cannot see, and what happens most, comes first."""
_DECIDES: Final = Words(zh="由裁判裁定", en="the referee decides")
_OTHER: Final = Offence(kind="other", zh="其他违规", en="another offence", clause="silent", penalty=_DECIDES)


def offences_of(rules: Rulebook) -> list[Offence]:
    """Every offence with its clause and its price, the most usual first; what the sheet does not price the referee decides."""
    out: list[Offence] = []
    for kind in (*_USUAL, *(kind for kind in OFFENCES if kind not in _USUAL)):
        words, priced = OFFENCES[kind], rules.penalties.get(kind)
        price = _DECIDES if priced is None else Words(zh=penalty_words(priced, Language.ZH), en=penalty_words(priced, Language.EN))
        out.append(Offence(kind=kind, zh=words.zh, en=words.en, clause=rules.clause(f"penalties.{kind}"), penalty=price))
    return [*out, _OTHER]
