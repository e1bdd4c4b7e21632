"""Reading the fields of a case: cards, plays, seats, trump, and the departures from its preset; every error says where and what was expected."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from engine.cards import Card, NotationError, Rank, Seat, Trump, parse_card, parse_rank, parse_seat, parse_trump
from engine.piles import count_cards
from engine.rulebook import Band, Rulebook, Scoring
from engine.rulebook_terms import Bombs, Principle, Side, ThrowRuffs
from engine.rulebook_toml import RefusedError, RulebookError, load

PACK: Final = 54
MOST_DECKS: Final = 12


class CaseError(ValueError):
    """A case that cannot be answered; the message says what, where and what was expected."""


def need(case: Mapping[str, Any], key: str) -> Any:
    """A field that the case must have.

    :raises CaseError: when it is missing.
    """
    if key not in case:
        raise CaseError(f"{key} is missing")
    return case[key]


def cards(value: Any, where: str, *, empty: bool = False) -> tuple[Card, ...]:
    """A list of cards.

    :raises CaseError: when it is none, or empty where cards are needed.
    """
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise CaseError(f"{where}: expected a list of cards like [\"SA\", \"H10\"], found {json.dumps(value, ensure_ascii=False)}")
    if not value and not empty:
        raise CaseError(f"{where}: no cards; expected at least one")
    out = []
    for i, item in enumerate(value):
        try:
            out.append(parse_card(item))
        except NotationError as error:
            raise CaseError(f"{where}[{i}]: {error}") from None
    return tuple(out)


def plays(value: Any, where: str, number: int) -> tuple[tuple[Card, ...], ...]:
    """So many lists of cards.

    :raises CaseError: when there are more or fewer.
    """
    if not isinstance(value, list) or len(value) != number:
        found = f"{len(value)}" if isinstance(value, list) else json.dumps(value, ensure_ascii=False)
        raise CaseError(f"{where}: expected {number} lists of cards, found {found}")
    return tuple(cards(item, f"{where}[{i}]") for i, item in enumerate(value))


def trick(value: Any, where: str) -> tuple[tuple[Card, ...], ...]:
    """Four plays of equally many cards, the leader's first.

    :raises CaseError: when they are not.
    """
    out = plays(value, where, 4)
    for i, play in enumerate(out):
        if len(play) != len(out[0]):
            raise CaseError(f"{where}[{i}]: {len(play)} cards; expected {len(out[0])}, as many as were led")
    return out


def seat(value: Any, where: str) -> Seat:
    """A seat.

    :raises CaseError: when it is none.
    """
    if isinstance(value, str):
        try:
            return parse_seat(value)
        except NotationError as error:
            raise CaseError(f"{where}: {error}") from None
    raise CaseError(f"{where}: expected a seat E N W S, found {json.dumps(value)}")


def rank(value: Any, where: str) -> Rank:
    """A level.

    :raises CaseError: when it is none.
    """
    if isinstance(value, str):
        try:
            return parse_rank(value)
        except NotationError as error:
            raise CaseError(f"{where}: {error}") from None
    raise CaseError(f"{where}: expected a rank 2..10 J Q K A, found {json.dumps(value)}")


def integer(value: Any, where: str) -> int:
    """A whole number.

    :raises CaseError: when it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise CaseError(f"{where}: expected a whole number, found {json.dumps(value)}")
    return value


def trump(case: Mapping[str, Any]) -> Trump:
    """The trump that a case must name.

    :raises CaseError: when it is missing or none.
    """
    found = trump_if_any(case)
    if found is None:
        raise CaseError("trump is missing; expected level/suit like 10/H or 2/NT")
    return found


def trump_if_any(case: Mapping[str, Any]) -> Trump | None:
    """The trump of a case that may do without.

    :raises CaseError: when it is none.
    """
    value = case.get("trump")
    if value is None:
        return None
    if not isinstance(value, str):
        raise CaseError(f"trump: expected level/suit like 10/H or 2/NT, found {json.dumps(value)}")
    try:
        return parse_trump(value)
    except NotationError as error:
        raise CaseError(f"trump: {error}") from None


def check_packs(rules: Rulebook, lists: Mapping[str, Sequence[Card]], *, together: bool) -> None:
    """Check that no face occurs more often than there are packs.

    :param together: the lists lie on one table, so that they are counted together too.
    :raises CaseError: naming the face and where.
    """
    decks = rules.pack.decks
    for where, held in lists.items():
        for card, count in count_cards(held).items():
            if count > decks:
                raise CaseError(f"{where}: {card} occurs {count} times; expected at most {decks} with {decks} packs")
    if together:
        for card, count in count_cards(card for held in lists.values() for card in held).items():
            if count > decks:
                raise CaseError(f"{', '.join(lists)}: {card} occurs {count} times in all; expected at most {decks} with {decks} packs")


def check_held(hand: Sequence[Card], play: Sequence[Card]) -> None:
    """Check that a play comes from the hand.

    :raises CaseError: naming the card that is not there.
    """
    held = count_cards(hand)
    for card, count in count_cards(play).items():
        if count > held.get(card, 0):
            raise CaseError(f"play: {count} × {card}, but the hand holds {held.get(card, 0)}; expected cards of the hand")


_RULEBOOKS: Final[dict[str, Rulebook]] = {}


def rulebook(case: Mapping[str, Any]) -> Rulebook:
    """The rulebook of a case: its preset with the named departures.

    :raises CaseError: when the preset or a departure is not known.
    """
    name = need(case, "rulebook")
    if not isinstance(name, str):
        raise CaseError(f"rulebook: expected the name of a preset, found {json.dumps(name)}")
    decks, policy = case.get("decks"), case.get("policy")
    key = json.dumps([name, decks, policy], sort_keys=True)
    known = _RULEBOOKS.get(key)
    if known is None:
        try:
            known = load(name)
        except RefusedError as error:
            raise CaseError(f"rulebook: {name} is refused: {error}") from None
        except RulebookError as error:
            raise CaseError(f"rulebook: {error}") from None
        known = depart(known, decks, policy)
        if len(_RULEBOOKS) > 256:
            _RULEBOOKS.clear()
        _RULEBOOKS[key] = known
    return known


_DRAW: Final[Mapping[str, tuple[Principle, bool, bool]]] = {
    "no_protections": (Principle.SHAPE, False, False),
    "longer_protected": (Principle.SHAPE, True, False),
    "tractor_only": (Principle.SHAPE, False, True),
    "longer_protected_and_tractor_only": (Principle.SHAPE, True, True),
    "no_format_draw": (Principle.SUIT, False, False),
}
_RUFFS: Final[Mapping[str, ThrowRuffs]] = {term.value: term for term in ThrowRuffs}
_BOMBS: Final[Mapping[str, Bombs]] = {term.value: term for term in Bombs}
_SCORING: Final[Mapping[str, Any]] = {"step_per_deck": 20, "steps_to_turnover": 2, "deadzone_steps": 1, "zero_special": True}


def depart(rules: Rulebook, decks: Any, policy: Any) -> Rulebook:
    """A rulebook with the departures that a case names.

    :raises CaseError: when a departure is not known.
    """
    if decks is not None:
        rules = _with_decks(rules, integer(decks, "decks"))
    if policy is None:
        return rules
    if not isinstance(policy, dict):
        raise CaseError(f"policy: expected a table, found {json.dumps(policy)}")
    for key, value in policy.items():
        match key:
            case "draw":
                principle, protect, tractor_only = _DRAW[_word(value, "policy.draw", tuple(_DRAW))]
                following = replace(rules.following, principle=principle, protect_longer=protect, tractor_only_for_tractor=tractor_only)
                rules = replace(rules, following=following)
            case "throw_eval":
                ruffs = _RUFFS[_word(value, "policy.throw_eval", tuple(_RUFFS))]
                rules = replace(rules, beating=replace(rules.beating, throw_ruffs=ruffs))
            case "bomb":
                rules = replace(rules, beating=replace(rules.beating, bombs=_BOMBS[_word(value, "policy.bomb", tuple(_BOMBS))]))
            case "tractor":
                width, length = _numbers(value, "policy.tractor", {"min_width": rules.shapes.min_width, "min_length": rules.shapes.min_length})
                rules = replace(rules, shapes=replace(rules.shapes, min_width=width, min_length=length))
            case "scoring":
                rules = replace(rules, scoring=_scoring(rules.pack.decks, value))
            case _:
                raise CaseError(f"policy: unknown key {key!r}; expected draw, throw_eval, bomb, tractor or scoring")
    return rules


def _word(value: Any, where: str, known: Sequence[str]) -> str:
    if value not in known:
        raise CaseError(f"{where}: {json.dumps(value)} is not known; expected one of {', '.join(known)}")
    return str(value)


def _numbers(value: Any, where: str, known: Mapping[str, int]) -> list[int]:
    if not isinstance(value, dict) or any(key not in known for key in value):
        raise CaseError(f"{where}: expected a table with {', '.join(known)}, found {json.dumps(value)}")
    out = [integer(value.get(key, default), f"{where}.{key}") for key, default in known.items()]
    if any(number < 1 for number in out):
        raise CaseError(f"{where}: expected numbers of at least 1, found {json.dumps(value)}")
    return out


def _with_decks(rules: Rulebook, decks: int) -> Rulebook:
    """The same rules with another number of packs: the bottom stays as near as the hands allow, and a table of results by packs is made anew."""
    if not 1 <= decks <= MOST_DECKS:
        raise CaseError(f"decks: {decks}; expected 1 to {MOST_DECKS}")
    if decks == rules.pack.decks:
        return rules
    total = decks * PACK
    bottom = rules.pack.bottom - (rules.pack.bottom - total) % 4
    if bottom < rules.pack.bottom and bottom < 4:
        bottom += 4
    scoring = rules.scoring
    if scoring == _scoring(rules.pack.decks, _SCORING):
        scoring = _scoring(decks, _SCORING)
    pack = replace(rules.pack, decks=decks, bottom=bottom, hand=(total - bottom) // 4)
    return replace(rules, pack=pack, shapes=replace(rules.shapes, max_width=max(decks, rules.shapes.max_width)), scoring=scoring)


def _scoring(decks: int, value: Any) -> Scoring:
    """The result table by packs: a step of so many points a pack, so many steps to change the declarers, a dead zone of steps without a gain."""
    if not isinstance(value, Mapping) or any(key not in _SCORING for key in value):
        raise CaseError(f"policy.scoring: expected a table with {', '.join(_SCORING)}, found {json.dumps(value)}")
    told = {**_SCORING, **value}
    step = integer(told["step_per_deck"], "policy.scoring.step_per_deck") * decks
    turns = integer(told["steps_to_turnover"], "policy.scoring.steps_to_turnover")
    dead = integer(told["deadzone_steps"], "policy.scoring.deadzone_steps")
    zero = told["zero_special"]
    if not isinstance(zero, bool) or step < 5 or step % 5 or turns < 1 or dead < 0:
        raise CaseError(f"policy.scoring: expected a step in fives, 1 step or more to turnover, a dead zone of 0 or more, found {json.dumps(told)}")
    first = 5 if zero else 0
    bands = [Band(high=first - 5, stage=Side.DECLARERS, steps=turns + 1, every=step)]
    bands += [Band(low=max(first, i * step), high=(i + 1) * step - 5, stage=Side.DECLARERS, steps=turns - i) for i in range(turns)]
    turnover = turns * step
    if dead:
        bands.append(Band(low=turnover, high=turnover + dead * step - 5, stage=Side.ATTACKERS, steps=0))
    bands.append(Band(low=turnover + dead * step, stage=Side.ATTACKERS, steps=1, every=step))
    return Scoring(bands=tuple(bands))
