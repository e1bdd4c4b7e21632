"""Bundles of a match: the whole of it, for another machine to go on with, or the evidence of one question, for an appeal. Both are sealed files."""

from __future__ import annotations

import contextlib
import hashlib
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Final

from engine import referee
from engine.referee import MatchState
from engine.rulebook_toml import RulebookError, load
from kiosk import rulebooks
from kiosk.errors import ConflictError, KioskError, NotFoundError
from kiosk.export import record, sealed
from kiosk.export.sealed import Sealed, SealError
from kiosk.export.text import match_text
from kiosk.review.library import IMPORTED
from kiosk.review.logs import Log, read_log
from kiosk.store import Store

VERSION: Final = 1
RECORD: Final = "record.jsonl"
RECORD_ENDS: Final = ".jsonl"
TEXT: Final = "match.txt"
RULES: Final = "rulebook/"
MEDIA: Final = "media/"
FORM: Final = "trickwatch bundle"
MATCH: Final = "match"
EVIDENCE: Final = "evidence"
_LONGEST_NAME: Final = 200


@dataclass(frozen=True)
class Kept:
    """A picture or a clip: its file, and what it shows."""

    path: Path
    kind: str
    deal: int | None = None
    trick: int | None = None
    seat: str | None = None
    t0: float | None = None
    t1: float | None = None


@dataclass(frozen=True)
class Question:
    """What an appeal is about: a deal, perhaps one trick of it and the trick that proves something, and the ruling's name."""

    deal: int
    tricks: tuple[int, ...] = ()
    ruling: str | None = None


@dataclass(frozen=True)
class Machine:
    """What read the cards: files of models and configuration by their names."""

    models: Mapping[str, Path] = field(default_factory=dict)
    configuration: Mapping[str, bytes] = field(default_factory=dict)


def _rules(found: Mapping[str, bytes]) -> dict[str, tuple[str, bytes]]:
    """A rulebook's files (own first) with their names, by the names that they have in a bundle."""
    return {f"{RULES}{f'inherited-{i}' if i else 'own'}-{_plain(name)}": (name, content) for i, (name, content) in enumerate(found.items())}


def _plain(name: str) -> str:
    return "".join(c if c.isascii() and (c.isalnum() or c in "_-.") else "_" for c in name).lstrip("._-") or "rulebook.toml"


def write(
    target: Path, log: Log, state: MatchState, *, question: Question | None = None, media: Iterable[Kept] = (), machine: Machine | None = None,
    names: bool = True, rulebook: Mapping[str, bytes] | None = None, now: datetime | None = None,
) -> str:  # fmt: skip
    """Write the bundle of a match, or with a question the evidence for it; gives the seal.

    :param names: False leaves the players' names out; only the tokens that stand for them go along.
    :param rulebook: the files of the match's rulebook, its own first (default: this machine's of that name).
    :raises NotFoundError: when the match has no such deal, trick or ruling.
    :raises KioskError: when it cannot be written.
    """
    machine = machine or Machine()
    if question is not None:
        _check(state, question)
    kept = [item for item in media if question is None or _asked(question, item)]
    rules = _rules(rulebook or rulebooks.files(log.rulebook))
    bare = log if names else Log(log.entries, {}, log.path)
    members: dict[str, bytes | Path] = {RECORD: "".join(record.lines(bare)).encode(), TEXT: _text(state, names).encode()}
    members.update({member: content for member, (_, content) in rules.items()})
    members.update({f"{MEDIA}{item.path.name}": item.path for item in kept})
    members.update({f"configuration/{_plain(name)}": content for name, content in machine.configuration.items()})
    about: dict[str, Any] = {
        "form": FORM, "v": VERSION, "kind": MATCH if question is None else EVIDENCE, "match": log.match, "entries": len(log.entries),
        "head": log.head,
        "made_at": (now or datetime.now(UTC)).isoformat(timespec="seconds"), "program": program(), "rulebook": log.rulebook,
        "rulebook_files": {member: name for member, (name, _) in rules.items()},
        "rulebook_sha256": rulebooks.digest_of({member: content for member, (_, content) in rules.items()}),
        "models": {name: _sha(path) for name, path in sorted(machine.models.items())},
        "media": [_described(item) for item in kept],
        "question": None if question is None else {"deal": question.deal, "tricks": list(question.tricks), "ruling": question.ruling},
    }  # fmt: skip
    return sealed.write(target, about, members)


def program() -> str:
    """The program's version."""
    try:
        return metadata.version("trickwatch")
    except metadata.PackageNotFoundError:
        return "unknown"


def _text(state: MatchState, names: bool) -> str:
    return match_text(state if names else replace(state, names={}))


def _sha(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def _described(item: Kept) -> dict[str, Any]:
    return {
        "file": f"{MEDIA}{item.path.name}", "kind": item.kind, "deal": item.deal, "trick": item.trick, "seat": item.seat,
        "t0": item.t0, "t1": item.t1,
    }  # fmt: skip


def _check(state: MatchState, question: Question) -> None:
    deal = next((deal for deal in state.deals if deal.number == question.deal), None)
    if deal is None:
        raise NotFoundError(f"没有第 {question.deal} 局", f"there is no deal {question.deal}")
    for number in question.tricks:
        if number and deal.trick(number) is None:
            raise NotFoundError(f"第 {question.deal} 局没有第 {number} 墩", f"deal {question.deal} has no trick {number}")


def ask(state: MatchState, ruling: str) -> Question:
    """The question of a ruling: its trick and the one that proves it.

    :raises NotFoundError: when there is no such ruling.
    """
    for deal in state.deals:
        for found in referee.rulings(state, deal):
            if found.ruling == ruling:
                return Question(deal.number, tuple(sorted({found.trick, found.proved_by})), ruling)
    raise NotFoundError(f"没有判罚 {ruling}", f"there is no ruling {ruling}")


def _asked(question: Question, item: Kept) -> bool:
    if item.deal is not None:
        return item.deal == question.deal and (not question.tricks or item.trick is None or item.trick in question.tricks)
    return False


# ---- and back


@dataclass(frozen=True)
class Checked:
    """A bundle that was verified to its last byte, with the log that it holds."""

    file: Sealed
    log: Log

    @property
    def kind(self) -> str:
        """``match`` or ``evidence``."""
        return str(self.file.manifest["kind"])


def verify(path: Path, seal: str | None = None) -> Checked:
    """Check a bundle: its frame, every file in it, and the chain of the log.

    :param seal: what was printed when it was made; a bundle that was made anew with other content has another.
    :raises SealError: naming what was changed.
    :raises KioskError: when it is no bundle of a version that is known.
    """
    found = sealed.verify(path)
    manifest = found.manifest
    if seal is not None and seal != found.seal:
        raise SealError("", f"封条不符：应为 {seal}，实为 {found.seal}", f"the seal differs: expected {seal}, found {found.seal}")
    if manifest.get("form") != FORM or manifest.get("v") != VERSION or manifest.get("kind") not in (MATCH, EVIDENCE):
        raise KioskError(
            f"{path.name} 不是本程序认识的比赛包（{manifest.get('form')!r} {manifest.get('v')!r}）",
            f"{path.name} is no bundle that this program knows ({manifest.get('form')!r} {manifest.get('v')!r})",
        )
    try:
        log = record.parse(found.read(RECORD).decode().splitlines())
    except UnicodeDecodeError as error:
        raise SealError(RECORD, f"{RECORD} 不是文本", f"{RECORD} is no text: {error}") from error
    if (log.match, log.head) != (manifest.get("match"), manifest.get("head")):
        raise SealError(RECORD, "清单说的是另一场比赛", "the manifest speaks of another match than the record")
    return Checked(found, log)


@dataclass(frozen=True)
class Brought:
    """An imported match: its log here, and whether it was new, went on (``longer``) or was here already (``same``)."""

    path: Path
    match: str
    entries: int
    how: str
    own_rulebook: bool = False


def bring(source: Path, folder: Path, here: Path | None = None) -> Brought:
    """Import a bundle or a record (``.jsonl``) into a folder of logs, so that a table can go on with it.

    :param here: the log of this match that is in the folder already.
    :raises ConflictError: when that one went on differently, or further.
    :raises KioskError: when what is to be imported is damaged or cannot be written.
    """
    checked, log = _opened(source)
    how = "new"
    target = here or folder / IMPORTED / f"{log.match}.db"
    if here is not None or target.exists():
        known = read_log(target)
        mine, theirs = [e.hash for e in known.entries], [e.hash for e in log.entries]
        if mine[: len(theirs)] == theirs:
            if len(mine) == len(theirs):
                return Brought(target, log.match, len(mine), "same", rulebooks.folder_of(target).is_dir())
            raise ConflictError(
                f"本机这场比赛已有 {len(mine)} 条记录，比导入的 {len(theirs)} 条多；未作改动",
                f"this machine has {len(mine)} entries of this match, more than the {len(theirs)} to be imported; nothing was changed",
            )
        if theirs[: len(mine)] != mine:
            raise ConflictError(
                "本机这场比赛之后的记录与导入的不同；未作改动", "this machine's log of the match went on differently; nothing was changed"
            )
        how = "longer"
    own = _own_rulebook(checked) if checked is not None else None
    if own is not None:
        rulebooks.keep(target, log.rulebook, own)
    _write_log(log, target)
    if checked is not None:
        _bring_media(checked, target)
    return Brought(target, log.match, len(log.entries), how, own is not None)


def match_in(source: Path) -> str:
    """The name of the match in a bundle or a record.

    :raises KioskError: when it is neither, is damaged, or holds no match.
    """
    return _opened(source)[1].match


def _opened(source: Path) -> tuple[Checked | None, Log]:
    """A verified bundle and its log; a record has only the latter."""
    checked = None if source.suffix == RECORD_ENDS else verify(source)
    log = checked.log if checked is not None else _record(source)
    if not log.entries:
        raise KioskError("这个包里没有比赛", "there is no match in it: the record is empty")
    return checked, log


def _record(source: Path) -> Log:
    try:
        with source.open(encoding="utf-8") as lines:
            return record.parse(lines)
    except (OSError, UnicodeDecodeError) as error:
        raise KioskError(f"无法读取 {source}：{error}", f"{source} cannot be read: {error}") from error


def _own_rulebook(checked: Checked) -> dict[str, bytes] | None:
    """The rulebook's files, where this machine does not have the same under its name.

    :raises KioskError: when it is no rulebook that can be read here.
    """
    names = checked.file.manifest.get("rulebook_files") or {}
    if not isinstance(names, dict) or not all(isinstance(name, str) and _is_file_name(name) for name in names.values()):
        raise KioskError(f"包里的规则无法使用：文件名 {names!r:.200}", f"the bundle's rulebook cannot be used: file names {names!r:.200}")
    found = {names[member]: checked.file.read(member) for member in sorted(names, key=lambda member: not member.startswith(f"{RULES}own-"))}
    if not found:
        return None
    with contextlib.suppress(RulebookError, OSError):
        if rulebooks.files(checked.log.rulebook) == found:
            return None
    with tempfile.TemporaryDirectory(prefix="trickwatch-") as folder:
        for name, content in found.items():
            (Path(folder) / name).write_bytes(content)
        try:
            load(Path(folder) / next(iter(found)))
        except (RulebookError, UnicodeDecodeError, OSError) as error:
            raise KioskError(f"包里的规则无法使用：{error}", f"the bundle's rulebook cannot be used: {error}") from error
    return found


def _is_file_name(name: str) -> bool:
    """Whether a file of a folder may be called so: the name leads nowhere else."""
    return name not in ("", ".", "..") and not set(name) & set("/\\\0") and len(name.encode()) <= _LONGEST_NAME


def _write_log(log: Log, target: Path) -> None:
    """The log as a table's file; written beside and moved into place when it is whole."""
    part = target.with_name(target.name + ".part")
    for old in (part, part.with_name(part.name + "-wal"), part.with_name(part.name + "-shm")):
        old.unlink(missing_ok=True)
    try:
        with Store.open(part) as store:
            store.adopt([(e.seq, e.at, e.author, e.text, e.hash) for e in log.entries], log.people)
        for old in (target.with_name(target.name + "-wal"), target.with_name(target.name + "-shm")):
            old.unlink(missing_ok=True)
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise KioskError(f"无法写入 {target}：{error}", f"{target} cannot be written: {error}") from error


def _bring_media(checked: Checked, target: Path) -> None:
    """Put the bundle's pictures and clips where the log's are looked for."""
    names = [name for name in checked.file.names if name.startswith(MEDIA)]
    if names:
        folder = target.with_name(f"{target.stem}.video")
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            (folder / name.removeprefix(MEDIA)).write_bytes(checked.file.read(name))
