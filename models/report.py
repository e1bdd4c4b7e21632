"""The figures of an evaluation as text: a table for each question, Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from engine.cards import BIG_JOKER, LITTLE_JOKER
from models.evaluate import SHIPPED, SetResult
from models.evaluate_speed import Speeds, speed_text
from models.measure import Outcome, Stacking, Tally, Verdict, calibration_error, reliability, suit_errors

WIDTHS: Final = ((0, 45), (45, 60), (60, 90), (90, 150), (150, 10_000))
_HEAD: Final = "| set | pictures | indices | found | misread | missed | cards | on a label |\n|---|---|---|---|---|---|---|---|\n"
_FAN_WIDTHS: Final = ((60, 75), (75, 95), (95, 130))


def table_of_sets(results: Sequence[SetResult]) -> str:
    """The table of sets, Markdown."""
    return _HEAD + "\n".join(_row(result.name, result.tally) for result in results) + "\n"


def _put_right_text(photos: Sequence[SetResult]) -> str:
    """The table of those sets that have labels known to be wrong, with these put right."""
    rows = [_row(f"{r.name}, {r.wrong_labels} labels put right", Tally.of(r.put_right)) for r in photos if r.wrong_labels]
    if not rows:
        return ""
    total = sum(result.wrong_labels for result in photos)
    said = f"{total} labels name another face than the picture shows (listed in `models/label_faults.py`; only labels that the recogniser "
    return said + "disagrees with were looked at). With these put right:\n\n" + _HEAD + "\n".join(rows) + "\n"


def _row(name: str, t: Tally) -> str:
    shares = " | ".join(f"{t.share(outcome):.2%}" for outcome in Outcome)
    return f"| {name} | {t.pictures} | {t.indices} | {shares} | {t.cards} | {t.on_label:.2%} |"


def table_by(results: Sequence[SetResult], title: str, parts: Mapping[str, Callable[[Verdict], bool]]) -> str:
    """A table of parts of the indices, Markdown."""
    verdicts = [v for result in results for v in result.verdicts]
    lines = [f"| {title} | indices | found | misread | missed |", "|---|---|---|---|---|"]
    for name, keep in parts.items():
        counts = Counter(v.outcome for v in verdicts if keep(v))
        total = max(1, counts.total())
        lines.append(f"| {name} | {counts.total()} | " + " | ".join(f"{counts[outcome] / total:.2%}" for outcome in Outcome) + " |")
    return "\n".join(lines) + "\n"


def by_width() -> dict[str, Callable[[Verdict], bool]]:
    """Parts by card width."""

    def part(low: int, high: int) -> Callable[[Verdict], bool]:
        return lambda v: v.label.width is not None and low <= v.label.width < high

    return {f"{low} to {high} px" if high < 10_000 else f"over {low} px": part(low, high) for low, high in WIDTHS}


def by_joker() -> dict[str, Callable[[Verdict], bool]]:
    """Parts by joker."""
    jokers = (LITTLE_JOKER, BIG_JOKER)
    return {
        "little joker": lambda v: v.label.card == LITTLE_JOKER,
        "big joker": lambda v: v.label.card == BIG_JOKER,
        "jokers, read as some joker or missed": lambda v: v.label.card in jokers and (v.read in jokers or v.read is None),
        "other cards": lambda v: v.label.card not in jokers,
    }


def suits_text(results: Sequence[SetResult]) -> str:
    """One line: which suits were taken for which."""
    errors = suit_errors([v for result in results for v in result.verdicts])
    return ", ".join(f"{true} as {read}: {n}" for (true, read), n in errors.most_common()) or "none"


def table_of_groups(results: Sequence[SetResult]) -> str:
    """Identical cards counted right, a line a set that has any."""
    lines = [f"| set | groups | counted right | {' | '.join(f'{low} to {high} px' for low, high in _FAN_WIDTHS)} |", "|---|---|---|---|---|---|"]
    for result in results:
        groups = [group for judged in result.judged for group in judged.groups]
        if not groups:
            continue
        parts = [[g.right for g in groups if low <= g.width < high] for low, high in _FAN_WIDTHS]
        shares = [f"{sum(part) / len(part):.1%} of {len(part)}" if part else "" for part in parts]
        lines.append(f"| {result.name} | {len(groups)} | {sum(g.right for g in groups) / len(groups):.2%} | {' | '.join(shares)} |")
    return "\n".join(lines) + "\n"


def _stacking_text(results: Sequence[SetResult]) -> str:
    total = sum((judged.stacking for result in results for judged in result.judged), Stacking())
    pairs = max(1, total.right + total.wrong + total.unsaid)
    return (
        f"Which of two overlapping cards lies on the other, {pairs} pairs: said right {total.right / pairs:.2%}, "
        f"wrong {total.wrong / pairs:.2%}, not said {total.unsaid / pairs:.2%}.\n"
    )


def empty_text(results: Sequence[SetResult]) -> str:
    """How many cards were read where no face lies, a line a set without labels."""
    lines = []
    for result in results:
        if result.judged and not any(judged.verdicts for judged in result.judged):
            false = [card for judged in result.judged for card in judged.false]
            pictures = sum(bool(judged.false) for judged in result.judged)
            most = f", the surest with {max(card.confidence for card in false):.2f}" if false else ""
            lines.append(f"`{result.name}`: {len(result.judged)} pictures without a face, {len(false)} false cards in {pictures} of them{most}.\n")
    return "\n".join(lines)


def report(photos: Sequence[SetResult], rendered: Sequence[SetResult], speeds: Speeds | None, commands: str) -> str:
    """All figures as Markdown."""
    everything = [*photos, *rendered]
    bins = reliability([j for result in everything for j in result.judged])
    parts = [f"Least confidence: {SHIPPED}. Repeat with:\n\n```\n{commands}\n```\n"]
    if photos:
        parts += ["### Photographs that training never saw\n", table_of_sets(photos), _put_right_text(photos)]
    if rendered:
        parts += ["### Rendered scenes with art that training never saw\n", table_of_sets(rendered), empty_text(rendered)]
        parts += [
            "### Identical cards\n",
            "Pairs and triples of one face counted right, by how far apart they lie and how wide a card is:\n",
        ]
        parts += [table_of_groups(rendered), _stacking_text(rendered)]
        parts += ["### Size and cover\n"]
        parts += ["By card width:\n", table_by(rendered, "card width", by_width())]
        parts += ["By how many of a card's indices show:\n", table_by(rendered, "shown", _by_shown(rendered))]
    parts += ["### Jokers and suits\n", table_by(everything, "card", by_joker()), f"Suits taken for others: {suits_text(everything)}.\n"]
    parts += [
        "### Calibration\n",
        f"Mean distance between confidence and the share that is right: {calibration_error(bins):.3f}.\n",
        "![confusion](figures/confusion.png) ![reliability](figures/reliability.png)\n",
    ]
    if speeds is not None:
        parts += [
            "### Speed\n",
            speed_text(speeds),
        ]
        parts += ["| set | processor seconds a picture |\n|---|---|\n" + "\n".join(f"| {r.name} | {r.seconds:.2f} |" for r in everything) + "\n"]
    return "\n".join(parts)


def _by_shown(rendered: Sequence[SetResult]) -> dict[str, Callable[[Verdict], bool]]:
    """Parts by whether the card's other index shows too."""
    twice: set[int] = set()
    for result in rendered:
        for j in result.judged:
            seen = Counter(v.label.owner for v in j.verdicts)
            twice |= {id(v) for v in j.verdicts if v.label.owner is not None and seen[v.label.owner] > 1}
    return {"one index, the rest covered or cut": lambda v: id(v) not in twice, "two or more indices": lambda v: id(v) in twice}
