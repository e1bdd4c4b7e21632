"""What must hold for every simulated deal, checked against full knowledge of the hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from time import process_time
from typing import Final

from engine import notation, referee
from engine.audit import audit
from engine.cards import SEATS, Card, Seat, Team, points_of, seats_from
from engine.events import CardsPlayed, Event, Undone
from engine.kit import Kit
from engine.offences import Offence
from engine.prng import SplitMix64
from engine.rulebook import Rulebook
from engine.simulate import SimulatedDeal, Style, play_deal

PACK_POINTS: Final = 100
FACES: Final = 54
Fail = Callable[[str], None]


@dataclass(slots=True)
class Tally:
    """What came of the deals of one rulebook."""

    deals: int = 0
    plays: int = 0
    follows: int = 0
    planted: int = 0
    found: int = 0
    sooner: int = 0
    audit_s: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Follow:
    """A follow with the hand it was played from and everything the seat played from then on."""

    trick: int
    seat: Seat
    lead: tuple[Card, ...]
    play: tuple[Card, ...]
    hand: tuple[Card, ...]
    later: tuple[tuple[int, tuple[Card, ...]], ...]


def simulate(rules: Rulebook, seed: int, offences: int, kinds: Collection[Offence] = tuple(Offence)) -> SimulatedDeal:
    """The deal of a seed: level, declarer, style and whether it is the first deal change with it."""
    first = seed % 3 == 0
    path = rules.levels.path
    level = str(path[0] if first else path[seed * 7 % len(path)])
    style = Style.SENSIBLE if seed % 4 == 0 else Style.RANDOM
    declarer = None if first else SEATS[seed % 4]
    levels = {"EW": level, "NS": level}
    return play_deal(rules, seed, levels=levels, declarer=declarer, deal=1 if first else 2, offences=offences, kinds=kinds, style=style)


def check(rules: Rulebook, seed: int, offences: int, tally: Tally, kinds: Collection[Offence] = tuple(Offence)) -> None:
    """Simulate a deal and write into the tally what does not hold."""
    done = simulate(rules, seed, offences, kinds)
    tally.deals += 1
    tally.planted += len(done.planted)

    def fail(what: str) -> None:
        tally.failures.append(f"{rules.name} seed {seed}: {what}")

    facts = [event for event in done.events if not referee.is_derived(event)]
    _conserved(rules, done, fail)
    _folds(rules, facts, seed, fail)
    if list(notation.parse_deal(notation.format_events(facts, done.hands), rules).events) != facts:
        fail("the text does not parse back")
    tricks, leaders = _tricks(rules, done)
    tally.plays += sum(map(len, tricks))
    follows = _follows(done, tricks, leaders)
    tally.follows += len(follows)
    kit = Kit(rules, done.trump)
    for follow in follows:
        _lawful(kit, follow, fail)
    started = process_time()
    result = audit(rules, done.trump, done.declarer, done.declarer, tricks)
    tally.audit_s.append(process_time() - started)
    expected = {(f.seat, f.trick): by for f in follows if (by := _first_proof(kit, f)) is not None}
    proven = {(p.seat, p.trick): p.by for p in result.proven}
    tally.found += sum(proven.get((p.seat, p.trick)) == p.proved_by for p in done.planted)
    guilty = {(f.seat, f.trick) for f in follows if not kit.legal(f.lead, f.hand, f.play)}
    if proven != expected:
        fail(f"the audit proves {proven}, a recomputation {expected}")
    if set(proven) != guilty:
        fail(f"the audit accuses {set(proven)}, the hands {guilty}")
    if result.others or (result.bottom is None) or sorted(result.bottom) != sorted(done.bottom):
        fail(f"others {result.others}, bottom {result.bottom}")
    tally.sooner += sum(_sooner(rules, kit, f, tricks, leaders, proven[f.seat, f.trick]) for f in follows if (f.seat, f.trick) in proven)


def _conserved(rules: Rulebook, done: SimulatedDeal, fail: Fail) -> None:
    count = Counter(done.bottom)
    for event in done.events:
        if isinstance(event, CardsPlayed):
            count.update(event.cards)
    if set(count.values()) != {rules.pack.decks} or len(count) != FACES:
        fail("cards are not conserved")


def _folds(rules: Rulebook, facts: list[Event], seed: int, fail: Fail) -> None:
    """The same facts give the same state, points add up, and an undo is as if the fact had never been."""
    state = referee.start(rules)
    for event in facts:
        state, _ = referee.step(state, event)
    if referee.fold(facts, rules) != state:
        fail("stepping and folding differ")
    deal = state.deal
    if deal is None or deal.declarer is None or referee.reckon(state, deal) is None:
        fail("the deal is not reckoned")
        return
    won = {team: sum(t.points for t in deal.tricks if t.winner is not None and t.winner.team is team) for team in Team}
    if sum(won.values()) + points_of(deal.bottom or ()) != PACK_POINTS * rules.pack.decks or won[deal.declarer.team.other] != deal.trick_points:
        fail("points do not add up")
    if seed % 10 == 0:
        target = 3 + SplitMix64(seed).randrange(len(facts) - 3)
        undone = referee.fold([*facts, Undone(target=target)], rules)
        if undone != referee.fold([*facts[: target - 1], *facts[target:]], rules):
            fail(f"undoing {target} is not exact")


def _tricks(rules: Rulebook, done: SimulatedDeal) -> tuple[list[list[tuple[Card, ...]]], list[Seat]]:
    kit = Kit(rules, done.trump)
    plays: dict[int, list[tuple[Card, ...]]] = {}
    for event in done.events:
        if isinstance(event, CardsPlayed):
            plays.setdefault(event.trick, []).append(event.cards)
    tricks = [plays[number] for number in sorted(plays)]
    leaders = [done.declarer]
    for trick in tricks:
        leaders.append(seats_from(leaders[-1])[kit.winner(trick)])
    return tricks, leaders


def _follows(done: SimulatedDeal, tricks: list[list[tuple[Card, ...]]], leaders: list[Seat]) -> list[_Follow]:
    out: list[_Follow] = []
    for seat in SEATS:
        own = [(n, trick[seats_from(leaders[n - 1]).index(seat)]) for n, trick in enumerate(tricks, 1)]
        hand = Counter(done.hands[seat])
        for i, (number, play) in enumerate(own):
            if leaders[number - 1] is not seat:
                out.append(_Follow(number, seat, tricks[number - 1][0], play, tuple(hand.elements()), tuple(own[i + 1 :])))
            hand -= Counter(play)
    return out


def _lawful(kit: Kit, follow: _Follow, fail: Fail) -> None:
    """A legal follow exists and is found; an illegal one is told what was owed, with cards that the hand holds."""
    found = kit.legal_follow(follow.lead, follow.hand, lambda card: float(kit.strength(card)))
    if len(found) != len(follow.lead) or Counter(found) - Counter(follow.hand) or not kit.legal(follow.lead, follow.hand, found):
        fail(f"trick {follow.trick} {follow.seat}: {found} is no legal follow")
    breach = kit.breach(follow.lead, follow.hand, follow.play)
    if breach is not None and (not breach.owed or Counter(breach.owed) - Counter(follow.hand)):
        fail(f"trick {follow.trick} {follow.seat}: owed {breach.owed} is not in the hand")


def _first_proof(kit: Kit, follow: _Follow) -> int | None:
    """The first trick at which the cards shown from the follow on make it illegal."""
    shown = follow.play
    for number, cards in follow.later:
        shown += cards
        if not kit.legal(follow.lead, shown, follow.play):
            return number
    return None


def _sooner(rules: Rulebook, kit: Kit, follow: _Follow, tricks: list[list[tuple[Card, ...]]], leaders: list[Seat], by: int) -> bool:
    """Whether the pack's conservation alone would have proven a suit revoke at the end of an earlier trick than the player's own cards.

    That is so when the unseen cards of other groups are fewer than the cards left in the player's hand.
    """
    group = kit.group(follow.lead[0])
    if all(kit.group(card) == group for card in follow.play):
        return False
    seen: Counter[Card] = Counter()
    left = rules.pack.hand
    for number, trick in enumerate(tricks[: by - 1], 1):
        for play in trick:
            seen.update(play)
        left -= len(trick[seats_from(leaders[number - 1]).index(follow.seat)])
        if number >= follow.trick:
            other = sum(rules.pack.decks - seen[card] for card, where in kit.order.group.items() if where not in (group, "?"))
            if other < left:
                return True
    return False
