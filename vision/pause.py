"""A pause: after a fault, or where the pictures begin in the middle of a deal, nothing is told until table and record fit again."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.cards import SEATS, Seat, seats_from
from engine.events import Event
from vision.desync import SEAT_ZH, Reason, taken_up
from vision.expected import Expected
from vision.laid import Play
from vision.looks import Look
from vision.pile import SHIFT_MM
from vision.table_card import CLEAR
from vision.told import Told
from vision.trick import Trick
from vision.zones import Zone

if TYPE_CHECKING:
    from vision.plays import PlayTracker

OPENING: Final = ("waiting", "dealing", "declaring")
QUIET_SECONDS: Final = 1.5
"""Without a fault for so long before anything is told."""
PATIENT_SECONDS: Final = 6.0
"""A table that never lies still is taken as it is after so long."""
UNSEEN_SECONDS: Final = (0.4, 3.0)
"""The same two after pictures that passed unseen: what lay still before and after need not be waited for."""
SILENT_SECONDS: Final = 4.0
"""Where it takes longer to find table and record fit after such a gap, it is said."""
LONG_SECONDS: Final = 12.0
"""In so long a whole trick may be played and taken up, and the next one be led by the same seat."""

JOINED: Final = (
    "画面从一副牌中途开始：请在首引前登记庄家、主牌、墩数和谁首引，或人工记分到下一副",
    "the pictures begin in mid-deal: before the next lead enter declarer, trump, trick and who leads, or score by hand until the next deal",
)
AGAIN_AND_AGAIN: Final = (
    "识别反复出错，保持暂停：请人工记分，录像继续；登记一项或一分钟后再试",
    "the reading fails again and again and stays paused: score by hand, recording goes on; it is tried again after an entry, or in a minute",
)
UNREADABLE: Final = (
    "牌太小、太暗或太糊，认不出：请把摄像头移近、加灯或对焦；期间请人工记分，认得出后再继续",
    "the cards are too small, too dim or too blurred to read: put the camera nearer, add light or focus; score by hand until they can be read again",
)
READABLE: Final = ("牌又认得出了", "the cards can be read again")
BEGUN: Final = ("摄像头在墩中途接上", "the camera begins in the middle of a trick")
FAULT: Final = ("识别出错，已暂停", "a fault in the reading, which has paused")
UNSEEN: Final = ("有一段画面没看到", "some pictures passed unseen")


@dataclass(slots=True)
class Pause:
    """Since when (s) nothing is told.

    ``blind``: what lies there can not be read, so it is the next cards that show whether table and record fit. ``long``: it may have lasted for
    more than a trick, so that they show it only while plays of the record still lie there. ``unseen``: pictures passed unseen, which is said only
    where table and record do not fit.
    """

    since: float
    blind: bool = False
    long: bool = False
    unseen: bool = False

    def by_hand(self) -> None:
        """A person has entered what was missing."""
        self.blind = self.long = False

    def over(self, t: float, expected: Expected, told: Told, trick: Trick, *, busy: bool) -> bool:
        """Whether all that lies there and was not told are the plays of those whose turn it is, one after another."""
        quiet, patient = UNSEEN_SECONDS if self.unseen else (QUIET_SECONDS, PATIENT_SECONDS)
        if t - self.since < quiet or (busy and t - self.since < patient):
            return False
        if expected.phase != "trick":
            return not self.long
        laid = laid_now(trick, expected.seat)
        if any(_more(play, trick, seat) for seat, play in told.plays.items()):
            return False
        moved = any(Zone(seat.value) in trick.lying.pending for seat in told.plays)
        if self.long and (moved or not told.plays):
            return False
        if self.unseen and not _one_play_each(trick, expected.count if told.plays else None):
            return False
        return in_turn(expected.seat, list(told.plays), [seat for seat in laid if seat not in told.plays]) and (bool(laid) or not self.blind)


def look_on(tracker: PlayTracker, t: float, expected: Expected, busy: Collection[Zone]) -> Event | None:
    """No play is told; what lies there waits until it fits, and the pause is over then. Gives what is to be said of the pause."""
    pause, lying, told = tracker.paused, tracker.lying, tracker.told
    by_hand = tracker.desync.settled_by_hand(expected)
    if pause is None:
        return None
    if tracker.desync.reason is Reason.UNREADABLE and pause.blind:
        tracker.legible.look(lying.pending.values())
        if expected.phase != "trick":
            tracker.paused = None
        elif tracker.legible.found:
            tracker.recall()
            tracker.pause(t, Reason.UNREADABLE, expected, blind=False, why={})
        for zone in list(lying.pending):
            lying.settle(zone)
    elif tracker.desync.reason is Reason.UNREADABLE and not by_hand:
        # How many tricks were played meanwhile nobody knows: what was missed must be entered first.
        for zone in list(lying.pending):
            lying.settle(zone)
    elif tracker.desync.reason is Reason.JOINED:
        if tracker.renewed.begun(t, lying.pending) and tracker.renewed.pack:
            tracker.open_anew()
        elif by_hand and expected.phase not in OPENING:
            tracker.paused = None
        for zone in list(lying.pending):  # what lies there now is of no trick that is followed
            lying.settle(zone)
    else:
        if by_hand:
            pause.by_hand()
        led_since = pause.unseen and expected.phase == "trick" and _led_since(tracker, t, expected)
        if led_since or (expected.phase == "trick" and not pause.long and caught_up(expected, told, tracker.trick)):
            tracker.paused = None
        elif expected.phase == "trick" and not pause.long and gone_on(told, tracker.trick):
            tracker.paused = None
            tracker.desync.instead(Reason.MISSING, *taken_up(expected, [seat for seat in SEATS if seat not in told.plays]), expected, {})
        elif pause.over(t, expected, told, tracker.trick, busy=bool(busy)):
            tracker.paused = None
        elif pause.unseen and tracker.desync.reason is None and t - pause.since >= SILENT_SECONDS:
            tracker.desync.instead(Reason.UNSEEN, *words(Reason.UNSEEN, expected, list(told.plays), blind=False, many=False), expected, {})
    if tracker.paused is None and tracker.desync.reason is not Reason.MISSING:
        tracker.desync.clear()
    return tracker.desync.event(t)


def laid_now(trick: Trick, turn: Seat | None = None) -> list[Seat]:
    """The seats before which something new lies that was not told, those that lie longest first; those that were seen at once as their turns come."""
    order = seats_from(turn or SEATS[0])
    pending = sorted(trick.lying.pending.values(), key=lambda look: (look.still, look.zone.seat is not None and order.index(look.zone.seat)))
    return [look.zone.seat for look in pending if look.zone.seat is not None and (trick.new(look).sound or trick.lying.face(look))]


def _led_since(tracker: PlayTracker, t: float, expected: Expected) -> bool:
    """While pictures passed unseen the running trick was taken up, and cards were laid since: they lead the next one."""
    trick, told, cleared = tracker.trick, tracker.told, tracker.desync.cleared
    for seat, play in told.plays.items():
        look = trick.lying.pending.get(Zone(seat.value))
        if look is not None and not trick.new(look).sound and (look.reverted or all(card.among(look.bare) for card in play.cards)):
            cleared.setdefault(seat, t)
    if not tracker.desync.laid_after(told.plays, plays_laid(trick)):
        return False
    tracker.desync.instead(Reason.MISSING, *taken_up(expected, [seat for seat in SEATS if seat not in told.plays]), expected, {})
    return True


def _one_play_each(trick: Trick, want: int | None) -> bool:
    """Nowhere lies more than a play: after a gap what lies there may be of several tricks."""
    counts = [len(trick.new(look).sure) for look in trick.lying.pending.values() if look.zone.seat is not None and look.fresh]
    return not counts or max(counts) <= (want if want is not None else min(counts) + 1)


def plays_laid(trick: Trick) -> list[Look]:
    """The looks of seats before which new cards lie."""
    return [look for look in trick.lying.pending.values() if look.zone.seat is not None and trick.new(look).sound]


def caught_up(expected: Expected, told: Told, trick: Trick) -> bool:
    """The trick was played out meanwhile and the next one led, and all of it lies there in turn: it can be told as it was laid."""
    laid = laid_now(trick, expected.seat)
    leads = [seat for seat in laid if seat in told.plays and _more(told.plays[seat], trick, seat)]
    before = laid[: laid.index(leads[0])] if leads else []
    whole = len({*told.plays, *before}) == len(SEATS)
    return bool(before) and whole and in_turn(expected.seat, list(told.plays), before)


def gone_on(told: Told, trick: Trick) -> bool:
    """The running trick was taken up, or one who has played to it has laid something else since: what the others laid before that is of no
    trick that is followed."""
    gone = 0
    for seat, play in told.plays.items():
        look = trick.lying.pending.get(Zone(seat.value))
        if look is None:
            continue
        if _more(play, trick, seat):
            for zone in [zone for zone, other in trick.lying.pending.items() if other.still < look.still]:
                trick.lying.settle(zone)
            return True
        gone += look.reverted or (bool(play.cards) and all(card.among(look.bare) for card in play.cards))
    return bool(told.plays) and gone == len(told.plays)


def _more(play: Play, trick: Trick, seat: Seat) -> bool:
    """Where a seat's play lies, something else was laid since (its own cards may have been pushed)."""
    look = trick.lying.pending.get(Zone(seat.value))
    new = trick.new(look).sound if look is not None else ()
    return any(card.n_best[0][1] >= CLEAR and not any(card.card == own.card and card.distance(own) <= SHIFT_MM for own in play.cards) for card in new)


def in_turn(turn: Seat | None, played: Collection[Seat], laid: Sequence[Seat]) -> bool:
    """Those who have laid something, in this order, are the next ones to play, without a gap."""
    if turn is None:
        return len(laid) <= 1
    start = SEATS.index(turn)
    order = [seat for seat in (*SEATS[start:], *SEATS[:start]) if seat not in played]
    return list(laid) == order[: len(laid)]


def words(reason: Reason, expected: Expected | None, played: Sequence[Seat], *, blind: bool, many: bool) -> tuple[str, str]:
    """The line for the referee: what is the matter, where the record stands, what to do (Chinese, English)."""
    if reason is Reason.JOINED:
        return JOINED
    if reason is Reason.UNREADABLE and blind:
        return UNREADABLE
    if many:
        return AGAIN_AND_AGAIN
    zh, en = {Reason.BEGUN: BEGUN, Reason.UNREADABLE: READABLE, Reason.UNSEEN: UNSEEN}.get(reason, FAULT)
    if expected is None or expected.phase != "trick":
        return f"{zh}：请照常进行，稍后自动继续；漏掉的请补录", f"{en}: go on, it resumes by itself; enter what it has missed"
    told = "、".join(f"{SEAT_ZH[seat]}家" for seat in played)
    zh_at = f"记录为第{expected.trick}墩" + (f"{told}已出" if played else "未首引")
    en_at = f"the record has trick {expected.trick}, " + (f"played by {' '.join(played)}" if played else "not led yet")
    if expected.seat is not None:
        zh_at, en_at = f"{zh_at}，轮到{SEAT_ZH[expected.seat]}家", f"{en_at}, {expected.seat} is next"
    if blind and reason is Reason.FAULT:
        return f"{zh}：{zh_at}；桌上若已有未记录的牌，请补录", f"{en}: {en_at}; cards that lie there and are not in the record must be entered"
    return f"{zh}：{zh_at}；相符时自动继续，否则请补录或登记得分", f"{en}: {en_at}; it goes on when that fits, else enter what is missing"
