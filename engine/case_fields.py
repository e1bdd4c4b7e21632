"""Reading the fields of a case: cards, plays, seats, trump, and the departures from its preset; every error says where and what was expected."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.cards import Card, NotationError, Rank, Seat, Trump, parse_card, parse_rank, parse_seat, parse_trump
from engine.piles import count_cards
from engine.rulebook import Rulebook
from engine.rulebook_policy import PolicyError, depart
from engine.rulebook_toml import RulebookError, RulebookRefusedError, load

MOST_DECKS: Final = 12
_SHOWN: Final = 80


class CaseError(ValueError):
    """A case that cannot be answered; the message says where, what and what was expected, in both languages."""

    def __init__(self, where: str, zh: str, en: str) -> None:
        super().__init__(f"{where}：{zh} / {where}: {en}")


def shown(value: Any) -> str:
    """A value of a case as it stood in its JSON, shortened."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def need(case: Mapping[str, Any], key: str) -> Any:
    """A field that the case must have.

    :raises CaseError: when it is missing.
    """
    if key not in case:
        raise CaseError(key, "缺少这一项", f"{key} is missing")
    return case[key]


def cards(value: Any, where: str, *, empty: bool = False) -> tuple[Card, ...]:
    """A list of cards.

    :raises CaseError: when it is none, or empty where cards are needed.
    """
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise CaseError(
            where, f'应为牌的列表，如["SA", "H10"]，却是{shown(value)}', f'expected a list of cards like ["SA", "H10"], found {shown(value)}'
        )
    if not value and not empty:
        raise CaseError(where, "没有牌，至少应有一张", "no cards; expected at least one")
    out = []
    for i, item in enumerate(value):
        try:
            out.append(parse_card(item))
        except NotationError as error:
            raise CaseError(f"{where}[{i}]", f"不是一张牌：{shown(item)}", str(error)) from None
    return tuple(out)


def plays(value: Any, where: str, number: int) -> tuple[tuple[Card, ...], ...]:
    """So many lists of cards.

    :raises CaseError: when there are more or fewer.
    """
    if not isinstance(value, list) or len(value) != number:
        found = f"{len(value)}" if isinstance(value, list) else shown(value)
        raise CaseError(where, f"应有{number}手牌，却是{found}", f"expected {number} lists of cards, found {found}")
    return tuple(cards(item, f"{where}[{i}]") for i, item in enumerate(value))


def trick(value: Any, where: str) -> tuple[tuple[Card, ...], ...]:
    """Four plays of equally many cards, the leader's first.

    :raises CaseError: when they are not.
    """
    out = plays(value, where, 4)
    for i, play in enumerate(out):
        if len(play) != len(out[0]):
            raise CaseError(
                f"{where}[{i}]", f"{len(play)}张，应与首引同为{len(out[0])}张", f"{len(play)} cards; expected {len(out[0])}, as many as were led"
            )
    return out


def seat(value: Any, where: str) -> Seat:
    """A seat.

    :raises CaseError: when it is none.
    """
    if isinstance(value, str):
        try:
            return parse_seat(value)
        except NotationError as error:
            raise CaseError(where, f"不是座位：{shown(value)}，应为E N W S之一", str(error)) from None
    raise CaseError(where, f"应为座位E N W S之一，却是{shown(value)}", f"expected a seat E N W S, found {shown(value)}")


def rank(value: Any, where: str) -> Rank:
    """A level.

    :raises CaseError: when it is none.
    """
    if isinstance(value, str):
        try:
            return parse_rank(value)
        except NotationError as error:
            raise CaseError(where, f"不是级数：{shown(value)}，应为2..10 J Q K A之一", str(error)) from None
    raise CaseError(where, f"应为级数2..10 J Q K A，却是{shown(value)}", f"expected a rank 2..10 J Q K A, found {shown(value)}")


def level(value: Any, where: str) -> str:
    """A level in its text form; below the start it has a minus (``-A``).

    :raises CaseError: when it is no text.
    """
    if not isinstance(value, str):
        raise CaseError(where, f'应为级数，如"2"、"A"，却是{shown(value)}', f'expected a level like "2" or "A", found {shown(value)}')
    return value.strip().upper()


def integer(value: Any, where: str) -> int:
    """A whole number.

    :raises CaseError: when it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise CaseError(where, f"应为整数，却是{shown(value)}", f"expected a whole number, found {shown(value)}")
    return value


def trump(case: Mapping[str, Any]) -> Trump:
    """The trump that a case must name.

    :raises CaseError: when it is missing or none.
    """
    found = trump_if_any(case)
    if found is None:
        raise CaseError("trump", "缺少主牌，应为级数/花色，如10/H、2/NT", "trump is missing; expected level/suit like 10/H or 2/NT")
    return found


def trump_if_any(case: Mapping[str, Any]) -> Trump | None:
    """The trump of a case that may do without.

    :raises CaseError: when it is none.
    """
    value = case.get("trump")
    if value is None:
        return None
    if not isinstance(value, str):
        raise CaseError("trump", f"应为级数/花色，如10/H、2/NT，却是{shown(value)}", f"expected level/suit like 10/H or 2/NT, found {shown(value)}")
    try:
        return parse_trump(value)
    except NotationError as error:
        raise CaseError("trump", f"不是主牌：{shown(value)}，应为级数/花色，如10/H、2/NT", str(error)) from None


def check_packs(rules: Rulebook, lists: Mapping[str, Sequence[Card]], *, together: bool) -> None:
    """Check that no face occurs more often than there are packs.

    :param together: the lists lie on one table, so that they are counted together too.
    :raises CaseError: naming the face and where.
    """
    decks = rules.pack.decks
    for where, held in lists.items():
        for card, count in count_cards(held).items():
            if count > decks:
                raise CaseError(
                    where, f"{card}有{count}张，{decks}副牌最多{decks}张", f"{card} occurs {count} times; expected at most {decks} with {decks} packs"
                )
    if together:
        for card, count in count_cards(card for held in lists.values() for card in held).items():
            if count > decks:
                raise CaseError(
                    ", ".join(lists),
                    f"{card}共有{count}张，{decks}副牌最多{decks}张",
                    f"{card} occurs {count} times in all; expected at most {decks} with {decks} packs",
                )


def check_held(hand: Sequence[Card], play: Sequence[Card]) -> None:
    """Check that a play comes from the hand.

    :raises CaseError: naming the card that is not there.
    """
    held = count_cards(hand)
    for card, count in count_cards(play).items():
        if count > held.get(card, 0):
            has = held.get(card, 0)
            raise CaseError(
                "play", f"{card}{count}张，手中只有{has}张，应出手中的牌", f"{count} × {card}, but the hand holds {has}; expected cards of the hand"
            )


_RULEBOOKS: Final[dict[str, Rulebook]] = {}


def rulebook(case: Mapping[str, Any]) -> Rulebook:
    """The rulebook of a case: its preset with the named departures.

    :raises CaseError: when the preset or a departure is not known.
    """
    name = need(case, "rulebook")
    if not isinstance(name, str):
        raise CaseError("rulebook", f"应为规则的名称，却是{shown(name)}", f"expected the name of a preset, found {shown(name)}")
    decks, policy = case.get("decks"), case.get("policy")
    key = json.dumps([name, decks, policy], sort_keys=True)
    known = _RULEBOOKS.get(key)
    if known is None:
        try:
            known = load(name)
        except RulebookRefusedError as error:
            raise CaseError("rulebook", f"{name}已拒绝：{error}", f"{name} is refused") from None
        except RulebookError as error:
            raise CaseError("rulebook", f"{name}读不出", str(error)) from None
        if decks is not None and not 1 <= integer(decks, "decks") <= MOST_DECKS:
            raise CaseError("decks", f"{decks}副，应为1至{MOST_DECKS}", f"{decks}; expected 1 to {MOST_DECKS}")
        if policy is not None and not isinstance(policy, dict):
            raise CaseError("policy", f"应为一张表，却是{shown(policy)}", f"expected a table, found {shown(policy)}")
        try:
            known = depart(known, decks=decks, policy=policy)
        except PolicyError as error:
            raise CaseError("policy", "不能这样改", str(error)) from None
        if len(_RULEBOOKS) > 256:
            _RULEBOOKS.clear()
        _RULEBOOKS[key] = known
    return known
