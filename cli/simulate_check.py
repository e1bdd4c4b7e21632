"""What must hold for every simulated deal, checked against full knowledge of the hands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from time import process_time
from typing import Final

from cli.simulate_sooner import Follow, sooner
from engine import notation, referee
from engine.audit import Audit, Verdict, audit
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
    before: int = 0
    later: int = 0
    never: int = 0
    accused: int = 0
    sooner: int = 0
    throws: int = 0
    throws_planted: int = 0
    throws_found: int = 0
    refused: int = 0
    audit_s: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)


def simulate(rules: Rulebook, seed: int, offences: int, kinds: Collection[Offence] = tuple(Offence)) -> SimulatedDeal:
    """The deal of a seed: level, declarer, style and whether it is the first deal change with it."""
    first = seed % 3 == 0
    path = rules.levels.path
    level = str(path[0] if first else path[seed * 7 % len(path)])
    style = Style.SENSIBLE if seed % 4 == 0 else Style.RANDOM
    declarer = None if first else SEATS[seed % 4]
    levels = {"EW": level, "NS": level}
    return play_deal(
        rules,
        seed,
        levels=levels,
        declarer=declarer,
        deal=1 if first else 2,
        offences=offences,
        kinds=kinds,
        style=style,
        bad_throws=min(offences, 1),
    )


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
    rng = SplitMix64(seed).fork(3)
    for follow in follows:
        _lawful(kit, follow, rng, tally, fail)
    started = process_time()
    result = audit(rules, done.trump, done.declarer, tricks)
    tally.audit_s.append(process_time() - started)
    _judged(kit, done, follows, result, tally, fail)
    _throws(kit, done, tricks, leaders, result, tally, fail)
    proven = {(p.seat, p.trick): p.by for p in result.proven}
    tally.sooner += sum(sooner(rules, kit, f, tricks, leaders, proven[f.seat, f.trick]) for f in follows if (f.seat, f.trick) in proven)


def _judged(kit: Kit, done: SimulatedDeal, follows: list[Follow], result: Audit, tally: Tally, fail: Fail) -> None:
    """The audit proves what the hands say, each at the first trick whose cards prove it, and has decided everything in the end."""
    expected = {(f.seat, f.trick): by for f in follows if (by := _first_proof(kit, f)) is not None}
    proven = {(p.seat, p.trick): p.by for p in result.proven}
    tally.found += sum(proven.get((p.seat, p.trick)) == p.proved_by for p in done.planted)
    tally.before += sum(by < expected[key] for key, by in proven.items() if key in expected)
    tally.later += sum(by > expected[key] for key, by in proven.items() if key in expected)
    guilty = {(f.seat, f.trick) for f in follows if not kit.legal(f.lead, f.hand, f.play)}
    tally.never += len(guilty - set(proven))
    tally.accused += len(set(proven) - guilty)
    if proven != expected:
        fail(f"the audit proves {proven}, a recomputation {expected}")
    if set(proven) != guilty:
        fail(f"the audit accuses {set(proven)}, the hands {guilty}")
    if any(p.kind != "throw" for p in result.others) or (result.bottom is None) or sorted(result.bottom) != sorted(done.bottom):
        fail(f"others {result.others}, bottom {result.bottom}")
    if any(verdict not in (Verdict.LEGAL, Verdict.PROVEN) for trick in result.verdicts for verdict in trick):
        fail("a play is not decided at the end of the deal")


def _throws(
    kit: Kit, done: SimulatedDeal, tricks: list[list[tuple[Card, ...]]], leaders: list[Seat], result: Audit, tally: Tally, fail: Fail
) -> None:
    """A throw is proven bad at the first card that could have stopped it, and a throw that nobody could stop never."""
    expected: dict[tuple[Seat, int], int] = {}
    for number, trick in enumerate(tricks, 1):
        lead, leader = trick[0], leaders[number - 1]
        if not kit.is_throw(lead):
            continue
        tally.throws += 1
        shown: list[list[Card]] = [[], [], []]
        for later in range(number, len(tricks) + 1):
            for seat, play in zip(seats_from(leaders[later - 1]), tricks[later - 1], strict=True):
                if seat is not leader:
                    shown[seats_from(leader).index(seat) - 1] += play
                if (leader, number) not in expected and kit.throw_breach(lead, shown) is not None:
                    expected[leader, number] = later
    proven = {(p.seat, p.trick): p.by for p in result.others if p.kind == "throw"}
    tally.throws_planted += len(done.bad_throws)
    tally.throws_found += sum(key in expected and proven.get(key) == expected[key] for key in done.bad_throws)
    if proven != expected or set(expected) != set(done.bad_throws):
        fail(f"the audit proves the throws {proven}, a recomputation {expected}, planted were {done.bad_throws}")


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
    rng = SplitMix64(seed).fork(4)
    at = 3 + rng.randrange(len(facts) - 3)
    for number, event in enumerate(facts, 1):
        before = state
        state, _ = referee.step(state, event)
        if number == at and referee.step(state, Undone(target=before.place + 1))[0] != before:
            fail(f"undoing {number} at once is not exact")
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
        target = 3 + rng.randrange(len(facts) - 3)
        if referee.fold([*facts, Undone(target=target)], rules) != referee.fold([*facts[: target - 1], *facts[target:]], rules):
            fail(f"undoing {target} afterwards is not exact")


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


def _follows(done: SimulatedDeal, tricks: list[list[tuple[Card, ...]]], leaders: list[Seat]) -> list[Follow]:
    out: list[Follow] = []
    for seat in SEATS:
        own = [(n, trick[seats_from(leaders[n - 1]).index(seat)]) for n, trick in enumerate(tricks, 1)]
        hand = Counter(done.hands[seat])
        for i, (number, play) in enumerate(own):
            if leaders[number - 1] is not seat:
                out.append(Follow(number, seat, tricks[number - 1][0], play, tuple(hand.elements()), tuple(own[i + 1 :])))
            hand -= Counter(play)
    return out


def _lawful(kit: Kit, follow: Follow, rng: SplitMix64, tally: Tally, fail: Fail) -> None:
    """A legal follow exists and is found; an illegal one, the one played or any other, is told a legal alternative that the hand holds."""
    found = kit.legal_follow(follow.lead, follow.hand, lambda card: float(kit.strength(card)))
    if len(found) != len(follow.lead) or Counter(found) - Counter(follow.hand) or not kit.legal(follow.lead, follow.hand, found):
        fail(f"trick {follow.trick} {follow.seat}: {found} is no legal follow")
    cards = list(follow.hand)
    rng.shuffle(cards)
    for play in (follow.play, tuple(cards[: len(follow.lead)])):
        breach = kit.breach(follow.lead, follow.hand, play)
        if breach is None:
            continue
        tally.refused += 1
        left = Counter(follow.hand) - Counter(breach.owed)
        led = kit.group(follow.lead[0])
        rest = sorted(left.elements(), key=lambda card: (kit.group(card) != led, kit.strength(card)))
        named = (*breach.owed, *rest[: len(follow.lead) - len(breach.owed)])
        if not breach.owed or Counter(breach.owed) - Counter(follow.hand) or not kit.legal(follow.lead, follow.hand, named):
            fail(f"trick {follow.trick} {follow.seat}: {play} is refused, the alternative {breach.owed} ({named}) is none")


def _first_proof(kit: Kit, follow: Follow) -> int | None:
    """The first trick at which the cards shown from the follow on make it illegal."""
    shown = follow.play
    for number, cards in follow.later:
        shown += cards
        if not kit.legal(follow.lead, shown, follow.play):
            return number
    return None
