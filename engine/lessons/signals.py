"""What players tell their partners by a card, as the sheets name it: recognised in what was played, with the hands as they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.cards import RANK_OF, Card, Seat, Suit, points_of
from engine.kit import Kit
from engine.lessons.lesson import Lesson, lesson, who
from engine.lessons.played import Played, Trick

_ANSWERS: Final = ("8", "9", "J", "Q")
_HIGH, _LOW, _MIDDLE = ("9", "J", "Q"), ("2", "3", "4"), ("6", "7", "8")
_PLACES: Final = {"draw_high": (Suit.SPADES, Suit.HEARTS), "draw_low": (Suit.DIAMONDS, Suit.CLUBS)}
_SUIT_ZH: Final = {Suit.SPADES: "黑桃", Suit.HEARTS: "红桃", Suit.DIAMONDS: "方块", Suit.CLUBS: "梅花"}
_SUIT_EN: Final = {Suit.SPADES: "spades", Suit.HEARTS: "hearts", Suit.DIAMONDS: "diamonds", Suit.CLUBS: "clubs"}
_PLACE_ZH: Final = {"high": "高花（黑桃、红桃）", "low": "低花（方块、梅花）"}
_PLACE_EN: Final = {"high": "the high suits (spades, hearts)", "low": "the low suits (diamonds, clubs)"}


def _answer(deal: Played, trick: Trick) -> Card | None:
    """The partner's single card of the led suit, or None."""
    card = deal.single(trick.plays[deal.partner])
    return card if card is not None and deal.kit.group(card) == deal.kit.group(trick.lead[0]) else None


def _choice(kit: Kit, hand: list[Card], led: str) -> set[str]:
    """The ranks of a suit that a hand could choose from."""
    return {str(RANK_OF[card]) for card in hand if kit.group(card) == led}


def _place(rank: str) -> str | None:
    """What the place of a card names: ``high``, ``low``, ``middle`` or nothing."""
    return next((name for name, ranks in (("high", _HIGH), ("low", _LOW), ("middle", _MIDDLE)) if rank in ranks), None)


def ace_led(deal: Played) -> Iterator[Lesson]:
    """The declarer leads a single ace of a side suit: what the partner's card says of the other ace, of pairs, or that points are given."""
    for trick, ace in deal.led_singles(deal.declarer):
        if not deal.plain(ace) or RANK_OF.get(ace) != "A":
            continue
        held = deal.hand(trick.number, deal.declarer)
        king = Card(ace[0] + "K")
        if held[ace] == 1 and held[king] >= 2:
            yield lesson(
                deal, "ace_from_akk", trick.number, (deal.declarer,), f"{who(deal.declarer)}有AKK，先单出A，看对家应牌",
                f"{deal.declarer} holds A K K and leads the ace alone", (ace, king, king),
            )  # fmt: skip
        card = _answer(deal, trick)
        if card is None:
            continue
        partner, rank = deal.partner, str(RANK_OF[card])
        hand = list(deal.hand(trick.number, partner).elements())
        ranks, has_ace = _choice(deal.kit, hand, ace[0]), ace in hand
        if rank in _ANSWERS and has_ace:
            yield lesson(
                deal, "signal_ace", trick.number, (deal.declarer, partner), f"庄家出{ace}，{who(partner)}应{card}，手中有{ace}",
                f"{partner} answers the declarer's {ace} with {card} and holds the other {ace}", (card,),
            )  # fmt: skip
        elif rank in _ANSWERS and ranks - set(_ANSWERS) - {"A"}:
            yield lesson(
                deal, "signal_unheld", trick.number, (deal.declarer, partner), f"庄家出{ace}，{who(partner)}应{card}，但手中没有{ace}",
                f"{partner} answers the declarer's {ace} with {card} without holding the other one", (card,),
            )  # fmt: skip
        elif has_ace and ranks & set(_ANSWERS) and not points_of((card,)):
            yield lesson(
                deal, "signal_kept", trick.number, (deal.declarer, partner), f"{who(partner)}有{ace}，也有可以应的牌，出的是{card}",
                f"{partner} held the other {ace} and a card to say so, and played {card}", (card,),
            )  # fmt: skip
        elif rank in _LOW and (pairs := _strong_pairs(deal.kit, hand, ace[0])):
            yield lesson(
                deal, "reply_pairs", trick.number, (deal.declarer, partner), f"庄家出{ace}，{who(partner)}回{card}，手中有{' '.join(pairs)}",
                f"{partner} answers the declarer's {ace} with {card} and holds {' '.join(pairs)}", (card, *pairs),
            )  # fmt: skip
        elif points_of((card,)) and not has_ace:
            yield lesson(
                deal, "points_given", trick.number, (deal.declarer, partner), f"庄家出{ace}，{who(partner)}跑分{card}",
                f"{partner} gives {card} on the declarer's {ace}", (card,),
            )  # fmt: skip


def _strong_pairs(kit: Kit, hand: list[Card], led: str) -> tuple[Card, ...]:
    """Pairs of queens or kings of a suit in a hand."""
    return tuple(c for rank in ("K", "Q") if kit.group(c := Card(led + rank)) == led and hand.count(c) >= 2 for _ in range(2))


def king_led(deal: Played) -> Iterator[Lesson]:
    """The declarer leads a single king from two aces, and the partner answers that it holds the other king."""
    for trick, king in deal.led_singles(deal.declarer):
        ace = Card(king[0] + "A")
        if not deal.plain(king) or RANK_OF.get(king) != "K" or not deal.plain(ace):
            continue
        if deal.hand(trick.number, deal.declarer)[ace] >= 2:
            yield lesson(
                deal, "king_from_aces", trick.number, (deal.declarer,), f"{who(deal.declarer)}出单{king}，手中有双{ace}",
                f"{deal.declarer} leads a single {king} and holds both {ace}", (king, ace, ace),
            )  # fmt: skip
            card = _answer(deal, trick)
            if card is not None and RANK_OF[card] in ("8", "9") and deal.hand(trick.number, deal.partner)[king]:
                yield lesson(
                    deal, "king_answered", trick.number, (deal.declarer, deal.partner), f"庄家出{king}，{who(deal.partner)}应{card}，手中有{king}",
                    f"{deal.partner} answers the declarer's {king} with {card} and holds the other one", (card,),
                )  # fmt: skip


def five_led(deal: Played) -> Iterator[Lesson]:
    """The declarer leads a single 5 of a side suit from two aces."""
    for trick, five in deal.led_singles(deal.declarer):
        ace, king = Card(five[0] + "A"), Card(five[0] + "K")
        if not deal.plain(five) or RANK_OF.get(five) != "5" or not deal.plain(ace) or deal.hand(trick.number, deal.declarer)[ace] < 2:
            continue
        has, gave = deal.hand(trick.number, deal.partner)[king] > 0, king in trick.plays[deal.partner]
        zh = "对家出了K" if gave else "对家有K没有出" if has else "对家没有K"
        en = "the partner played the king" if gave else "the partner held the king and did not play it" if has else "the partner had no king"
        yield lesson(
            deal, "five_from_aces", trick.number, (deal.declarer, deal.partner), f"{who(deal.declarer)}出单{five}，手中有双{ace}；{zh}",
            f"{deal.declarer} leads a single {five} and holds both {ace}; {en}", (five, ace, ace),
        )  # fmt: skip


def trumps_drawn(deal: Played) -> Iterator[Lesson]:
    """Trumps drawn with one card: what its place says, what the partner's first one says, and the level card in the middle of a deal."""
    first = True
    for trick, card in deal.led_singles(deal.declarer):
        if deal.plain(card):
            continue
        if RANK_OF.get(card) == deal.kit.trump.level and any(deal.plain(t.lead[0]) for t in deal.tricks[: trick.number - 1]):
            yield lesson(
                deal, "level_card_draws", trick.number, (deal.declarer, deal.partner), f"{who(deal.declarer)}打过副牌之后用级牌{card}吊主",
                f"{deal.declarer} has led side suits and now draws trumps with the level card {card}", (card,),
            )  # fmt: skip
        if not deal.of_trump_suit(card):
            first = False
            continue
        place = _place(str(RANK_OF[card]))
        if place is not None:
            yield _draw(deal, trick, card, place)
        answer = _answer(deal, trick)
        if first and answer is not None and deal.of_trump_suit(answer) and (said := _place(str(RANK_OF[answer]))) is not None:
            yield _reply(deal, trick, answer, said)
        first = False


def _draw(deal: Played, trick: Trick, card: Card, place: str) -> Lesson:
    seats = (deal.declarer, deal.partner)
    if place == "middle":
        zh = f"{who(deal.declarer)}用{card}吊主：照此信号是中间位置，不指副牌"
        en = f"{deal.declarer} draws trumps with {card}: by this signal the place between, which names no suit"
    else:
        zh = f"{who(deal.declarer)}用{card}吊主：照此信号指{_PLACE_ZH[place]}"
        en = f"{deal.declarer} draws trumps with {card}: by this signal {_PLACE_EN[place]}"
        there = _there(deal, trick.number, deal.declarer, f"draw_{place}")
        zh, en = zh + there[0], en + there[1]
    return lesson(deal, f"draw_{place}", trick.number, seats, zh, en, (card,))


def _there(deal: Played, trick: int, seat: Seat, place: str) -> tuple[str, str]:
    """What a seat really held in the suits that a signal names, in both languages."""
    found = way_in(deal, trick, seat, place)
    if not found:
        return "；那里并无绝门或双A", "; there it was out of no suit and held no two aces"
    return f"；那里{'、'.join(_SUIT_ZH[s] + w[0] for s, w in found)}", f"; there: {', '.join(f'{w[1]} in {_SUIT_EN[s]}' for s, w in found)}"


def way_in(deal: Played, trick: int, seat: Seat, place: str) -> list[tuple[Suit, tuple[str, str]]]:
    """The side suits of a place in which a seat has a way in: it is out of the suit, or holds two aces."""
    hand = deal.hand(trick, seat)
    out: list[tuple[Suit, tuple[str, str]]] = []
    for suit in _PLACES[place]:
        if suit is deal.kit.trump.suit:
            continue
        if not any(deal.kit.group(card) == suit.value for card in hand):
            out.append((suit, ("绝门", "none")))
        elif hand[Card(f"{suit}A")] >= 2:
            out.append((suit, ("双A", "two aces")))
    return out


def _reply(deal: Played, trick: Trick, card: Card, place: str) -> Lesson:
    seat = deal.partner
    zh = {"middle": "副牌不好，没有进手张"}.get(place) or f"{_PLACE_ZH[place]}有进手张"
    en = {"middle": "nothing to get in with"}.get(place) or f"a way in by {_PLACE_EN[place]}"
    there = _there(deal, trick.number, seat, f"draw_{place}") if place != "middle" else ("", "")
    return lesson(
        deal, f"reply_{place}", trick.number, (deal.declarer, seat), f"第一次吊主，{who(seat)}跟{card}：照此信号{zh}{there[0]}",
        f"{seat} follows the first drawn trump with {card}: by this signal {en}{there[1]}", (card,),
    )  # fmt: skip
