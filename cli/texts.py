"""Events in words for a terminal, Chinese first, English after it."""

from __future__ import annotations

from engine import events as ev
from engine.cards import Seat

SEATS = {Seat.E: "东", Seat.N: "北", Seat.W: "西", Seat.S: "南"}


def _who(seat: Seat | None) -> str:
    return f"{SEATS[seat]} {seat.value}" if seat is not None else "–"


def describe(event: ev.Event) -> str:
    """One readable line for an event: its time, what happened, who, which cards."""
    return f"{event.t:8.2f} s  {_words(event)}"


def _words(event: ev.Event) -> str:
    match event:
        case ev.MatchStarted():
            return f"比赛开始 match  {event.rulebook}"
        case ev.DealStarted():
            levels = " ".join(f"{team} {level}" for team, level in event.levels.items())
            return f"第 {event.deal} 局 deal {event.deal}  {levels}"
        case ev.Declared():
            return f"亮主 declared  {_who(event.seat)}  {' '.join(event.cards)}"
        case ev.Drawn():
            return "抓完牌 drawn"
        case ev.BottomTaken():
            return f"拿底 bottom taken  {_who(event.seat)}"
        case ev.Buried():
            return f"扣底 buried  {_who(event.seat)}  {event.count}"
        case ev.CardsPlayed():
            return f"第 {event.trick} 墩 trick {event.trick}  {_who(event.seat)}  {' '.join(event.cards)}"
        case ev.TakenBack():
            return f"收回 taken back  {_who(event.seat)}  {' '.join(event.cards)}"
        case ev.TrickClosed():
            return f"第 {event.trick} 墩归 trick won by  {_who(event.winner)}  {event.points} 分 points"
        case ev.BottomShown():
            return f"亮底牌 bottom  {' '.join(event.cards)}"
        case ev.DealEnded():
            levels = " ".join(f"{team} {level}" for team, level in event.levels.items())
            return f"本局结束 deal ended  {event.points} 分 points（抠底 dig {event.dig_points} ×{event.multiplier}）  {levels}"
        case ev.Ruled():
            proof = f"第 {event.trick} 墩 trick {event.trick}（证据 proved by {event.proved_by}）"
            return f"!! 疑似违规 possible offence  {_who(event.seat)}  {event.kind}  {proof}"
        case ev.Corrected():
            return f"更正 corrected  第 {event.trick} 墩 trick {event.trick}  {_who(event.seat)}  {' '.join(event.cards)}"
        case ev.CameraLost():
            return f"画面中断 camera lost  {event.reason}"
        case ev.CameraBack():
            return f"画面恢复 camera back  {event.gap:.1f} s"
        case ev.Desynced():
            return f"?? {event.zh}  {event.en}"
        case ev.Resynced():
            return "牌桌与记录一致 table and record fit again"
        case ev.CameraMoved():
            outcome = "已重新标定 measured anew" if event.registered else "未能重新标定 not measured anew"
            return f"摄像头移位 camera moved  {event.moved_mm:.0f} mm  {outcome}"
        case _:
            data = ev.to_json(event)
            return f"{data.pop('event')}  " + "  ".join(f"{k}={v}" for k, v in data.items() if k not in ("v", "t", "source", "evidence"))
