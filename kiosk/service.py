"""What people decide at a running table: corrections, undo, rulings, clocks, names, the score by hand, the next deal.

Each of these is a fact like what the camera saw, with its author beside it. ``expected`` is the log's place that the person saw when deciding:
where somebody else has changed the same thing since, the request is refused and nothing is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from engine.cards import Card, Seat
from engine.deal import verify_levels
from engine.events import (
    BottomCorrected,
    CardsPlayed,
    ClocksStarted,
    ClocksStopped,
    Corrected,
    DealStarted,
    Drawn,
    Event,
    NamesSet,
    Ruled,
    RulingDecided,
    ScoreSet,
    Source,
    TrumpFixed,
    Undone,
)
from engine.rulebook_offences import OFFENCES
from engine.rulings import first_levels
from kiosk import acts
from kiosk.errors import ConflictError, NotFoundError, RefusedError
from kiosk.plays import find_play
from kiosk.table import CAMERA, Table, Update

DECISIONS: Final = ("confirmed", "overruled", "later")
OTHER: Final = "other"
"""An offence that the rulebook has no price for."""


class RunningTable(Table):
    """A table that people may change."""

    def _fresh(self, expected: int | None, touches: Callable[[Event], bool]) -> None:
        """Refuse what was decided on a state in which somebody has changed the same thing since.

        :raises ConflictError: naming the entry.
        """
        if expected is None:
            return
        for entry in reversed(self._log):
            if entry.seq <= expected:
                return
            if entry.event.source is Source.REFEREE and touches(entry.event):
                raise ConflictError(f"第 {entry.seq} 条刚刚改过，请再看一次", f"entry {entry.seq} has just changed this; please look again")

    def _where(self, deal: int | None) -> tuple[int, Mapping[str, Any]]:
        """The number of a deal (the one in hand) and how it is shown."""
        shown = self._shown if deal is None else self.deal(deal)[1]
        return int(shown.get("deal", 0)), shown

    # ---- corrections

    def correct(
        self, trick: int, seat: Seat, was: Sequence[Card], cards: Sequence[Card], author: str, *, deal: int | None = None, expected: int | None = None
    ) -> Update:
        """Put a play right; ``was`` is what the person saw when deciding. Nothing before: a missed play is put in; no cards: it is taken out.

        :raises NotFoundError: when there is no such deal, trick or play.
        :raises ConflictError: when it no longer reads ``was``.
        """
        with self._lock:
            number, shown = self._where(deal)

            def touches(event: Event) -> bool:
                same = isinstance(event, (Corrected, CardsPlayed)) and event.trick == trick and getattr(event, "deal", None) in (None, number)
                return same or isinstance(event, (Undone, ScoreSet))

            self._fresh(expected, touches)
            play = find_play(shown, trick, seat)
            if play is None and was:
                raise NotFoundError(f"第 {trick} 墩没有 {seat} 的出牌", f"there is no play of {seat} in trick {trick}")
            if play is None and trick not in _tricks(shown):
                raise NotFoundError(f"没有第 {trick} 墩", f"there is no trick {trick}")
            self._expect_unchanged(play["cards"] if play is not None else (), was)
            if list(cards) == list(was):
                raise RefusedError("更正前后相同", "the correction changes nothing")
            evidence = {"corrected": True, "was": [str(card) for card in was]}
            fact = Corrected(
                seat=seat, trick=trick, cards=tuple(cards), by=author, deal=number, t=self.now(), source=Source.REFEREE, evidence=evidence
            )
            return self._decide([fact], author)

    def correct_bottom(
        self, was: Sequence[Card], cards: Sequence[Card], author: str, *, deal: int | None = None, expected: int | None = None
    ) -> Update:
        """Put the shown bottom right.

        :raises ConflictError: when it no longer reads ``was``.
        """
        with self._lock:
            number, shown = self._where(deal)
            self._fresh(expected, lambda event: isinstance(event, (BottomCorrected, Undone, ScoreSet)))
            found = (shown.get("bottom") or {}).get("cards")
            if found is None:
                raise NotFoundError("底牌还没有亮出", "the bottom has not been shown")
            self._expect_unchanged(found, was)
            return self._decide([BottomCorrected(cards=tuple(cards), by=author, deal=number, t=self.now(), source=Source.REFEREE)], author)

    @staticmethod
    def _expect_unchanged(found: Sequence[str], was: Sequence[str]) -> None:
        if list(found) != list(was):
            text = " ".join(found) or "—"
            raise ConflictError(f"刚才已被别人改为 {text}，请再看一次", f"somebody else has just changed it to {text}; please look again")

    def play(self, trick: int, seat: Seat, cards: Sequence[Card], author: str) -> Update:
        """Enter a play that the camera did not see.

        :raises RefusedError: when that seat's play is there already (then it is to be corrected).
        """
        with self._lock:
            if find_play(self._shown, trick, seat) is not None:
                raise RefusedError("这一家已经出牌，请用更正", "this seat has played already; correct the play instead")
            current = self._shown.get("trick") or {}
            if trick != current.get("number"):
                raise NotFoundError(f"现在不是第 {trick} 墩", f"trick {trick} is not being played now")
            if not cards:
                raise RefusedError("出牌不能为空", "a play cannot be empty")
            fact = CardsPlayed(seat=seat, trick=trick, cards=tuple(cards), t=self.now(), source=Source.REFEREE, evidence={"corrected": True})
            return self._decide([fact], author)

    # ---- undo

    def undoable(self) -> int | None:
        """The log's place of the last entry that an undo would take back, or None."""
        with self._lock:
            found = next(acts.undoable(self._log), None)
            return None if found is None else self._log[found].seq

    def undo(self, seq: int | None, author: str, *, expected: int | None = None) -> Update:
        """Take back the entry at a place of the log, or the last one; an undo that is taken back itself undoes nothing.

        :raises NotFoundError: when there is nothing there that can be taken back.
        :raises ConflictError: when it was taken back already, or the last one is not the one that the person saw.
        """
        with self._lock:
            if seq is None:
                self._fresh(expected, lambda _: True)
            target = self.undoable() if seq is None else seq
            index = next((i for i in range(len(self._log) - 1, -1, -1) if self._log[i].seq == target), None)
            if index is None:
                raise NotFoundError("没有可以撤销的操作", "there is nothing to undo")
            if not acts.is_act(self._log[index].event) or acts.is_beginning(self._log, index):
                raise NotFoundError(f"第 {target} 条不能撤销", f"entry {target} cannot be undone")
            if index in acts.undone(self._log):
                raise ConflictError("这一步已经撤销了", "this step has been undone already")
            return self._decide([Undone(target=index + 1, by=author, t=self.now(), source=Source.REFEREE)], author)

    # ---- rulings

    def _ruling(self, ruling: str) -> Mapping[str, Any]:
        found: Mapping[str, Any] | None = next((entry for entry in self._shown.get("rulings", ()) if entry["ruling"] == ruling), None)
        if found is None:
            raise NotFoundError(f"没有判罚 {ruling}", f"there is no ruling {ruling}")
        return found

    def decide(self, ruling: str, decision: str, author: str, why: str = "", choice: int = 0) -> Update:
        """Confirm or overrule a ruling, or put it off; ``choice`` is what the other side has chosen where the rulebook leaves it a choice.

        :raises NotFoundError: when there is no such ruling.
        :raises ConflictError: when it was decided already.
        """
        with self._lock:
            found = self._ruling(ruling)
            if decision not in DECISIONS:
                raise RefusedError(f"未知的决定 {decision}", f"unknown decision {decision}; expected one of {', '.join(DECISIONS)}")
            if found["state"] in ("confirmed", "overruled"):
                raise ConflictError("这项判罚已有决定；要改请先撤销", "this ruling has been decided already; undo that first to change it")
            choices = len(found["penalty"]["choices"])
            if choice and choice >= choices:
                raise RefusedError(f"没有第 {choice + 1} 项处罚，共 {choices} 项", f"there is no penalty {choice + 1}; the sheet has {choices}")
            fact = RulingDecided(ruling=ruling, decision=decision, by=author, why=why, choice=choice, t=self.now(), source=Source.REFEREE)
            return self._decide([fact], author)

    def report(self, kind: str, seat: Seat, author: str, *, trick: int | None = None, deal: int | None = None, why: str = "") -> tuple[Update, str]:
        """Propose a ruling for an offence that a person has seen; gives the ruling's name too.

        :raises RefusedError: when no such offence is known.
        """
        with self._lock:
            if kind != OTHER and kind not in OFFENCES:
                known = ", ".join((*OFFENCES, OTHER))
                raise RefusedError(f"没有这种违规 {kind}", f"no such offence: {kind}; expected one of {known}")
            number, shown = self._where(deal)
            if not number:
                raise RefusedError("还没有开局", "no deal has been started")
            at = _at_trick(shown)
            when = at if trick is None else trick
            if when > max(at, 1):
                raise NotFoundError(f"没有第 {when} 墩", f"there is no trick {when}")
            name = f"{number}.{when}.{seat}.{kind}"
            taken = {entry["ruling"] for entry in self._shown.get("rulings", ())}
            name = next(n for n in (name, *(f"{name}.{i}" for i in range(2, len(taken) + 3))) if n not in taken)
            fact = Ruled(ruling=name, kind=kind, seat=seat, trick=when, proved_by=at, reason=why, t=self.now(), source=Source.REFEREE)
            return self._decide([fact], author), name

    # ---- score, clocks, names, deals

    def set_score(
        self, points: int, trick: int, levels: Mapping[str, str], leader: Seat | None, author: str, *,
        declarer: Seat | None = None, trump: str | None = None, end: bool = False, expected: int | None = None,
    ) -> Update:  # fmt: skip
        """Set the score by hand; the log marks the gap, and what is played from there on counts again.

        :param end: these are the final points of the deal.
        :raises RefusedError: when a level is not on the path, or the trump is given without a declarer.
        """
        with self._lock:
            self._fresh(expected, lambda event: isinstance(event, (ScoreSet, Undone, DealStarted)))
            try:
                verify_levels(self._state().rules, levels)
            except ValueError as error:
                raise RefusedError(f"级别不对：{error}", f"this level cannot be: {error}") from error
            facts: list[Event] = []
            who = declarer or (Seat(self._shown["declarer"]) if self._shown.get("declarer") else None)
            what = trump or self._shown.get("trump")
            if trump or declarer:
                if who is None or what is None:
                    raise RefusedError("请同时给出庄家和主牌", "give the declarer and the trump together")
                facts.append(TrumpFixed(trump=what, declarer=who, t=self.now(), source=Source.REFEREE))
            elif end and who is None:
                raise RefusedError("不知道谁是庄家，请一并填写庄家和主牌", "the declarer is not known; give the declarer and the trump too")
            facts.append(
                ScoreSet(points=points, trick=trick, levels=dict(levels), leader=leader, by=author, end=end, t=self.now(), source=Source.REFEREE)
            )
            return self._decide(facts, author)

    def set_clocks(self, do: str, author: str) -> Update:
        """``pause`` all clocks, ``resume`` them, or ``restart`` the match's clock.

        :raises RefusedError: when they stand, or run, already.
        """
        with self._lock:
            self._state()
            standing = bool(self._shown.get("clocks_stopped"))
            if do == "pause" and standing:
                raise RefusedError("计时已经暂停", "the clocks are stopped already")
            if do == "resume" and not standing:
                raise RefusedError("计时正在进行", "the clocks are running already")
            fact: Event = ClocksStarted(by=author, restart=do == "restart", t=self.now(), source=Source.REFEREE)
            if do == "pause":
                fact = ClocksStopped(by=author, t=self.now(), source=Source.REFEREE)
            return self._decide([fact], author)

    def drawn(self, author: str) -> Update:
        """Say that the pack has been drawn, where the camera does not see it: from now on the overturn window runs.

        :raises RefusedError: when no cards are being drawn.
        """
        with self._lock:
            self._state()
            if self._shown.get("phase") not in ("dealing", "declaring"):
                raise RefusedError("现在不在抓牌", "no cards are being drawn now")
            return self._decide([Drawn(t=self.now(), source=Source.REFEREE)], author)

    def set_names(self, names: Mapping[str, str], author: str) -> Update:
        """Say who sits where; seats that are not named keep their player."""
        with self._lock:
            self._state()
            if not names:
                raise RefusedError("没有给出姓名", "no names were given")
            return self._decide([NamesSet(names=dict(names), by=author, t=self.now(), source=Source.REFEREE)], author)

    def next_deal(self, deal: int, author: str) -> Update:
        """Confirm the reckoning of a deal and start the next one with its levels and its declarer; after a game that is won another begins.

        :raises ConflictError: when another deal is being played.
        """
        with self._lock:
            reckoning = self._shown.get("reckoning")
            if self._shown.get("deal") != deal:
                raise ConflictError("下一局已经开始", "the next deal has already been started")
            if reckoning is None:
                raise RefusedError("本局还没有结算", "this deal has not been reckoned yet")
            won = self._shown.get("winner") is not None
            declarer = None if won else reckoning.get("next_declarer")
            started = DealStarted(
                deal=deal + 1, levels=first_levels(self.rules) if won else dict(reckoning["levels"]), declarer=Seat(declarer) if declarer else None,
                t=self.now(), source=Source.REFEREE, evidence={"confirmed": deal},
            )  # fmt: skip
            return self._decide([started], author)


def _tricks(shown: Mapping[str, Any]) -> set[int]:
    """The numbers of a deal's tricks, the one that is due included."""
    found = {int(trick["number"]) for trick in shown.get("tricks") or ()}
    return found | {int(trick["number"]) for trick in (shown.get("trick"), shown.get("last_trick")) if trick}


def _at_trick(shown: Mapping[str, Any]) -> int:
    """The trick that is being played (0 before the first); the last one once the hands are played out."""
    trick = shown.get("trick") or shown.get("last_trick") or {}
    return int(trick.get("number", 0))


__all__ = ["CAMERA", "DECISIONS", "OTHER", "RunningTable", "Table", "Update"]
