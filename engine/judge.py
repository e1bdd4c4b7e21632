"""Judging cases: one question put to the engine as a JSON object, one answer back.

The asks and their fields are those of ``trickwatch judge``: follow, shapes, winner, throw, dig, score, declare, audit, adjacent, readings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from engine import case_fields as fields
from engine.audit import audit
from engine.beat import trick_points, winner
from engine.case_fields import CaseError
from engine.declare import Phase, advance, begin, finish, offer
from engine.dig import dig
from engine.follow import FollowError, verify_follow
from engine.order import adjacent, order_of
from engine.rulebook_terms import Since
from engine.score import LevelError, score
from engine.shapes import ShapeError, one_group, read, readings
from engine.throw import judge_throw

_ID: Final = re.compile(r'"id"\s*:\s*"([^"\\]*)"')

Case = Mapping[str, Any]
Answer = dict[str, Any]


def answer(case: Case) -> Answer:
    """Answer one case; the answer carries the case's ``id``.

    :raises CaseError: when the case cannot be answered, saying what, where and what was expected.
    """
    ask = fields.need(case, "ask")
    found = _ASKS.get(ask) if isinstance(ask, str) else None
    if found is None:
        raise CaseError(
            "ask", f"没有{fields.shown(ask)}这种问题，应为{'、'.join(_ASKS)}", f"{fields.shown(ask)} is not known; expected one of {', '.join(_ASKS)}"
        )
    try:
        return {"id": case.get("id"), **found(case)}
    except ShapeError as error:
        raise CaseError("cards", "不是同一花色的牌，或读法太多", str(error)) from None
    except LevelError as error:
        raise CaseError("levels", "级数不在规则的级数之内", str(error)) from None


def answer_line(line: str | bytes) -> Answer:
    """Answer a case in its JSON form (UTF-8, if as bytes); a case that cannot be answered gives ``{"id", "error"}``."""
    if isinstance(line, str):
        text = line
    else:
        try:
            text = line.decode("utf-8")
        except UnicodeDecodeError as error:
            where = f"第{error.start + 1}个字节不是UTF-8 / byte {error.start + 1} is not UTF-8; expected one JSON object a line in UTF-8"
            return {"id": _id_in(line.decode("utf-8", "replace")), "error": where}
    try:
        case = json.loads(text)
    except json.JSONDecodeError as error:
        where = f"第{error.colno}列不是JSON，应为每行一个对象 / not JSON: {error.msg} at column {error.colno}; expected one object a line"
        return {"id": _id_in(text), "error": where}
    except (ValueError, RecursionError) as error:
        where = f"JSON过深或数字过长，应为每行一个对象 / JSON too deep or a number too long ({error}); expected one object a line"
        return {"id": _id_in(text), "error": where}
    if not isinstance(case, dict):
        return {"id": None, "error": f"应为JSON对象，却是{fields.shown(case)} / expected a JSON object, found {fields.shown(case)}"}
    try:
        return answer(case)
    except CaseError as error:
        return {"id": case.get("id"), "error": str(error)}


def _id_in(text: str) -> str | None:
    """The id in a line that is no JSON, so that its answer can be told apart."""
    named = _ID.search(text)
    return named.group(1) if named else None


def _lead(case: Case) -> tuple[Any, Any, tuple[Any, ...]]:
    """Rulebook, trump and lead, the lead being of one suit."""
    rules, trump = fields.rulebook(case), fields.trump(case)
    lead = fields.cards(fields.need(case, "lead"), "lead")
    try:
        one_group(order_of(rules, trump), lead)
    except ShapeError as error:
        raise CaseError("lead", "首引须为同一花色", str(error)) from None
    return rules, trump, lead


def _follow(case: Case) -> Answer:
    rules, trump, lead = _lead(case)
    hand = fields.cards(fields.need(case, "hand"), "hand")
    play = fields.cards(fields.need(case, "play"), "play")
    lists = {"hand": hand} if "decks" in case else {"lead": lead, "hand": hand}
    fields.check_packs(rules, lists, together=True)
    fields.check_held(hand, play)
    if len(hand) < len(lead):
        raise CaseError(
            "hand", f"{len(hand)}张，至少应有首引的{len(lead)}张", f"{len(hand)} cards; expected at least {len(lead)}, as many as were led"
        )
    try:
        verify_follow(rules, trump, lead, hand, play)
    except FollowError as error:
        return {"legal": False, "reason": f"{error.reason['zh']} / {error.reason['en']}", "kind": error.kind, "owed": list(error.owed)}
    return {"legal": True, "reason": ""}


def _shapes(case: Case) -> Answer:
    rules, trump = fields.rulebook(case), fields.trump_if_any(case)
    cards = fields.cards(fields.need(case, "cards"), "cards")
    fields.check_packs(rules, {"cards": cards}, together=False)
    return {"units": [[unit.kind.value, unit.width, unit.length, unit.top] for unit in read(rules, trump, cards)]}


def _readings(case: Case) -> Answer:
    rules, trump = fields.rulebook(case), fields.trump_if_any(case)
    cards = fields.cards(fields.need(case, "cards"), "cards")
    fields.check_packs(rules, {"cards": cards}, together=False)
    return {"readings": [[list(unit.cards) for unit in reading] for reading in readings(rules, trump, cards)]}


def _adjacent(case: Case) -> Answer:
    rules, trump = fields.rulebook(case), fields.trump_if_any(case)
    cards = fields.cards(fields.need(case, "cards"), "cards")
    if len(cards) != 2:
        raise CaseError("cards", f"{len(cards)}张，应为两张", f"{len(cards)} cards; expected two faces")
    return {"adjacent": adjacent(rules, trump, cards[0], cards[1])}


def _winner(case: Case) -> Answer:
    rules, trump = fields.rulebook(case), fields.trump(case)
    plays = fields.trick(fields.need(case, "plays"), "plays")
    fields.check_packs(rules, {f"plays[{i}]": play for i, play in enumerate(plays)}, together=True)
    try:
        one_group(order_of(rules, trump), plays[0])
    except ShapeError as error:
        raise CaseError("plays[0]", "首引须为同一花色", str(error)) from None
    return {"winner": winner(rules, trump, plays), "points": trick_points(plays)}


def _throw(case: Case) -> Answer:
    rules, trump, lead = _lead(case)
    others = fields.plays(fields.need(case, "others"), "others", 3)
    fields.check_packs(rules, {"lead": lead, **{f"others[{i}]": hand for i, hand in enumerate(others)}}, together=True)
    verdict = judge_throw(rules, trump, lead, others)
    stopped = [{"part": list(s.part), "other": s.by, "cards": list(s.cards)} for s in verdict.stopped]
    return {"stands": verdict.stands, "played": list(verdict.played), "penalty": verdict.penalty, "stopped": stopped}


def _dig(case: Case) -> Answer:
    rules, trump = fields.rulebook(case), fields.trump(case)
    declarer = fields.seat(fields.need(case, "declarer"), "declarer")
    leader = fields.seat(fields.need(case, "leader"), "leader")
    last = fields.trick(fields.need(case, "last"), "last")
    bottom = fields.cards(fields.need(case, "bottom"), "bottom", empty=True) if rules.pack.bottom or "bottom" in case else ()
    fields.check_packs(rules, {"bottom": bottom, **{f"last[{i}]": play for i, play in enumerate(last)}}, together=True)
    if len(bottom) > rules.pack.bottom:
        raise CaseError("bottom", f"{len(bottom)}张，应为{rules.pack.bottom}张", f"{len(bottom)} cards; expected {rules.pack.bottom}")
    burier = fields.seat(case["burier"], "burier") if "burier" in case else None
    result = dig(rules, trump, declarer, leader, last, bottom, burier)
    return {"winner": result.winner.value, "multiplier": result.multiplier, "points": result.points}


def _score(case: Case) -> Answer:
    rules = fields.rulebook(case)
    points = fields.integer(fields.need(case, "points"), "points")
    if points % 5:
        raise CaseError("points", f"{points}分，应为5的倍数", f"{points}; expected a multiple of 5")
    levels = fields.need(case, "levels")
    if not isinstance(levels, dict) or set(levels) != {"declarers", "attackers"}:
        raise CaseError(
            "levels", f"应有declarers和attackers，却是{fields.shown(levels)}", f"expected declarers and attackers, found {fields.shown(levels)}"
        )
    result = score(rules, points, {side: fields.level(level, f"levels.{side}") for side, level in levels.items()})
    out: Answer = {"stage": result.stage.value, "steps": dict(result.steps), "levels": dict(result.levels)}
    if result.winner is not None:
        out["match"] = result.winner.value
    return out


def _declare(case: Case) -> Answer:
    rules = fields.rulebook(case)
    deal = fields.integer(fields.need(case, "deal"), "deal")
    if deal < 1:
        raise CaseError("deal", f"第{deal}局，应从1起", f"{deal}; expected 1 for the first deal or more")
    level = fields.rank(fields.need(case, "level"), "level")
    bids = fields.need(case, "bids")
    if not isinstance(bids, list):
        raise CaseError("bids", f"应为[座位, 牌]的列表，却是{fields.shown(bids)}", f"expected a list of [seat, cards], found {fields.shown(bids)}")
    fixed = fields.seat(case["declarer"], "declarer") if case.get("declarer") is not None else None
    flipped = fields.cards([case["flipped"]], "flipped")[0] if "flipped" in case else None
    state = begin(rules, deal, level, fixed, flipped)
    if rules.declaring.since is Since.AFTER_DRAW:
        state = advance(state, Phase.DRAWN)
    accepted: list[bool] = []
    reasons: list[str] = []
    for i, bid in enumerate(bids):
        if not isinstance(bid, list) or len(bid) != 2:
            raise CaseError(f"bids[{i}]", f"应为[座位, 牌]，却是{fields.shown(bid)}", f"expected [seat, cards], found {fields.shown(bid)}")
        seat, cards = fields.seat(bid[0], f"bids[{i}][0]"), fields.cards(bid[1], f"bids[{i}][1]")
        fields.check_packs(rules, {f"bids[{i}][1]": cards}, together=False)
        came = offer(state, seat, cards)
        state = came.state
        accepted.append(came.accepted)
        reasons.append(f"{came.zh} / {came.en}" if came.zh else "")
    bottom = fields.cards(case["bottom"], "bottom", empty=True) if "bottom" in case else ()
    outcome = finish(state, bottom)
    declarer = outcome.declarer if deal == 1 else None
    return {
        "accepted": accepted,
        "trump": str(outcome.trump) if outcome.trump else None,
        "declarer": declarer.value if declarer else None,
        "reasons": reasons,
    }


def _audit(case: Case) -> Answer:
    rules, trump = fields.rulebook(case), fields.trump(case)
    fields.seat(fields.need(case, "declarer"), "declarer")
    leader = fields.seat(fields.need(case, "leader"), "leader")
    tricks = fields.need(case, "tricks")
    if not isinstance(tricks, list):
        raise CaseError("tricks", f"应为各墩的列表，却是{fields.shown(tricks)}", f"expected a list of tricks, found {fields.shown(tricks)}")
    read_tricks = [fields.trick(trick, f"tricks[{i}]") for i, trick in enumerate(tricks)]
    lists = {f"tricks[{i}][{j}]": play for i, trick in enumerate(read_tricks) for j, play in enumerate(trick)}
    for where, play in lists.items():
        fields.check_packs(rules, {where: play}, together=False)
    _count_all(rules.pack.decks, lists)
    played = sum(len(trick[0]) for trick in read_tricks)
    if played > rules.pack.hand:
        raise CaseError(
            "tricks", f"每家出了{played}张，最多{rules.pack.hand}张", f"{played} cards from each hand; expected at most {rules.pack.hand}"
        )
    result = audit(rules, trump, leader, read_tricks)
    proven = [{"seat": p.seat.value, "trick": p.trick, "by": p.by, "kind": p.kind} for p in result.proven]
    out: Answer = {"proven": proven}
    if result.bottom is not None and played == rules.pack.hand:
        out["bottom"] = list(result.bottom)
    return out


def _count_all(decks: int, lists: Mapping[str, tuple[Any, ...]]) -> None:
    """Check that no face was played more often than there are packs, naming the play that has one too many."""
    seen: dict[Any, int] = {}
    for where, play in lists.items():
        for card in play:
            seen[card] = seen.get(card, 0) + 1
            if seen[card] > decks:
                raise CaseError(
                    where,
                    f"第{seen[card]}张{card}，{decks}副牌最多{decks}张",
                    f"{card} is played {seen[card]} times by now; expected at most {decks} with {decks} packs",
                )


_ASKS: Final[Mapping[str, Callable[[Case], Answer]]] = {
    "follow": _follow,
    "shapes": _shapes,
    "winner": _winner,
    "throw": _throw,
    "dig": _dig,
    "score": _score,
    "declare": _declare,
    "audit": _audit,
    "adjacent": _adjacent,
    "readings": _readings,
}


def differences(want: Mapping[str, Any], got: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    """The keys of ``want`` in which an answer differs, with what was wanted and what came; the order of readings and of proofs does not matter."""
    out = []
    for key, value in want.items():
        found = got.get(key)
        if key == "error" and found is not None:
            if isinstance(value, str) and value not in found:
                out.append((key, value, found))
        elif _comparable(key, value) != _comparable(key, found):
            out.append((key, value, found))
    return out


def _comparable(key: str, value: Any) -> Any:
    if key == "readings" and isinstance(value, list):
        return sorted(sorted(sorted(unit) for unit in reading) for reading in value)
    if key == "proven" and isinstance(value, list):
        return sorted(json.dumps(item, sort_keys=True) for item in value)
    if key in ("bottom", "played") and isinstance(value, list):
        return sorted(value)
    return value
