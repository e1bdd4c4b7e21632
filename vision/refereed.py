"""A table with a referee: the facts of a pipeline, and what follows from them, as one stream of events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.cards import Card, Seat
from engine.events import CardsPlayed, Corrected, DealStarted, Event, MatchStarted, Source, TakenBack
from engine.referee import Expectation, MatchState, expectation, rulings, start, step
from engine.rulebook import Rulebook
from vision.by_deal import by_deal
from vision.pipeline import Pipeline


class Table:
    """A pipeline and the state of the match; iterate :meth:`events`.

    :param match: as a film's ``table.json`` has it: ``deal``, ``levels`` by team, ``declarer``.
    """

    def __init__(self, pipeline: Pipeline, rulebook: Rulebook, match: Mapping[str, Any] | None = None) -> None:
        self.pipeline = pipeline
        self.match = dict(match or {})
        self.state: MatchState = start(rulebook)

    def expected(self) -> Expectation:
        """What may come next."""
        return expectation(self.state)

    def what_if(self, facts: Sequence[Event]) -> tuple[Expectation, int]:
        """What would be expected next if these facts came, and how many offences the deal would have."""
        state = self.state
        for fact in facts:
            state, _ = step(state, fact)
        return expectation(state), len(rulings(state)) if state.deal is not None else 0

    def take(self, fact: Event) -> Iterator[Event]:
        """Take a fact into the state; gives it and what follows. One that can not be taken is none."""
        try:
            self.state, follows = step(self.state, fact)
        except Exception as error:  # noqa: BLE001  whatever fails, the match goes on
            self.pipeline.refused(error)
            return
        yield fact
        yield from follows

    def deal(self, number: int) -> DealStarted:
        """The start of a deal with the match's levels and declarer, as the one who set the table up has said."""
        levels = self.match.get("levels") or dict.fromkeys(("EW", "NS"), str(self.state.rules.levels.path[0]))
        declarer = self.match.get("declarer")
        return DealStarted(
            source=Source.REFEREE,
            deal=number,
            levels={str(k): str(v) for k, v in levels.items()},
            declarer=Seat(declarer) if declarer else None,
        )

    def events(self) -> Iterator[Event]:
        """Facts and what follows from them, from the start of the match to the end of the source."""
        yield from self.take(MatchStarted(source=Source.INFERRED, rulebook=self.state.rules.name, names=dict(self.match.get("names") or {})))
        yield from self.take(self.deal(int(self.match.get("deal") or 1)))
        for fact in self.pipeline.facts(self.expected, self.what_if, lambda: self.state.deal):
            yield from self.take(fact)


def final_plays(events: Sequence[Event]) -> dict[tuple[int, int, Seat], tuple[Card, ...]]:
    """The plays of a log as they stand at its end, by deal, trick and seat."""
    out: dict[tuple[int, int, Seat], tuple[Card, ...]] = {}
    for deal, event in by_deal(events):
        match event:
            case CardsPlayed() | Corrected():
                out[deal, event.trick, event.seat] = event.cards
            case TakenBack():
                left = list(out.get((deal, event.trick, event.seat), ()))
                for card in event.cards:
                    if card in left:
                        left.remove(card)
                out[deal, event.trick, event.seat] = tuple(left)
            case _:
                pass
    return {key: cards for key, cards in out.items() if cards}
