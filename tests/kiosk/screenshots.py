"""The pictures in docs/images, taken of a real run: ``python -m tests.kiosk.screenshots docs/images``.

The demonstration film goes through the whole pipeline (decoder, detector, reader, referee), as slowly as this machine needs; what the pipeline told
is kept in the temporary folder, so that pages can be photographed again without reading the film again. Then the kiosk is led through those facts
and photographed at the moments that matter: every page at 1920x1080, 1280x800 and 390x844, some in English too.
"""

from __future__ import annotations

import hashlib
import json
import pickle
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect

from engine.cards import Seat
from engine.events import BottomShown, CardsPlayed, DealStarted, Event, MatchStarted
from engine.rulebook_toml import load
from kiosk.access import Access, Mode
from kiosk.service import RunningTable
from kiosk.store import Store
from kiosk.web import Kiosk
from tests.kiosk.browsing import PHONE, TABLET, WALL
from tests.kiosk.conftest import CHROMIUM_FLAGS
from tests.kiosk.serving import serving
from tests.kiosk.tables import CHEAP, Clock, Fixture

FILM: Final = Path(__file__).parent.parent.parent / "datasets" / "demo"
NAMES: Final = {"E": "李小明", "N": "王芳", "W": "张伟", "S": "陈静"}
COLOURS: Final = 256
"""Colours of a kept picture: pages are flat, so this loses nothing that one sees."""


@dataclass(frozen=True)
class Told:
    """A fact that the pipeline told, and the picture of the table at that moment."""

    fact: Event
    picture: bytes | None


def opening() -> tuple[MatchStarted, DealStarted]:
    """How the demonstration's match begins."""
    match = json.loads((FILM / "table.json").read_text("utf-8"))["match"]
    declarer = Seat(match["declarer"]) if match.get("declarer") else None
    return MatchStarted(rulebook=match["rulebook"], names=NAMES), DealStarted(deal=match.get("deal", 1), levels=match["levels"], declarer=declarer)


def read_film() -> list[Told]:
    """Every fact of the demonstration film as the pipeline reads it."""
    from engine import referee
    from vision.open_table import open_table

    begins = opening()
    now = [referee.start(load(begins[0].rulebook))]
    for begin in begins:
        now[0], _ = referee.step(now[0], begin)
    out: list[Told] = []
    pipeline = open_table(str(FILM), realtime=False)
    try:
        for fact in pipeline.facts(lambda: referee.expectation(now[0])):
            now[0], _ = referee.step(now[0], fact)
            out.append(Told(fact, pipeline.jpeg()))
            print(f"{fact.t:7.2f} {type(fact).__name__}", flush=True)
    finally:
        pipeline.close()
    return out


def kept() -> Path:
    """Where the facts of this very film are kept."""
    name = hashlib.sha256((FILM / "film.mp4").read_bytes()).hexdigest()[:12]
    return Path(tempfile.gettempdir()) / f"trickwatch-run-{name}.pickle"


def raw_picture(t: float) -> Any:
    """The film's picture at a time (s), BGR, as the camera delivers it."""
    import cv2

    film = cv2.VideoCapture(str(FILM / "film.mp4"))
    film.set(cv2.CAP_PROP_POS_MSEC, 1000 * t)
    there, image = film.read()
    film.release()
    assert there, t
    return image


class Taps(list[Any]):
    """Whoever wants pictures of the source is given the same one, as often as wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.image: Any = None

    def append(self, tap: Any) -> None:
        """Give a second's pictures at once."""
        super().append(tap)
        for _ in range(15 if self.image is not None else 0):
            tap(SimpleNamespace(image=self.image))


class Picture:
    """A camera that stands still: it shows one picture, raw and as the pipeline draws on it."""

    def __init__(self) -> None:
        from vision import calibration

        self.shown: bytes | None = None
        self.feed = self
        self.calibration = calibration.load(FILM / "table.json")
        self.source = SimpleNamespace(taps=Taps(), spec="0", fps=15.0)

    def recalibrate(self, calibration: Any) -> None:
        """As a camera that stands still is calibrated: nothing changes."""

    def jpeg(self) -> bytes | None:
        """The picture of the moment."""
        return self.shown

    def status(self) -> Mapping[str, Any]:
        """As the pipeline says it of itself when all is well."""
        return {"table": "trick", "detection": "still", "fps": 15.0, "frame_age_s": 0.05, "ended": False}


class Stage:
    """A kiosk that is led through the facts, and a browser before it."""

    def __init__(self, made: Fixture, told: Sequence[Told], browser: Browser, port: int, out: Path) -> None:
        self.made, self.browser, self.port, self.out = made, browser, port, out
        self.picture = Picture()
        made.kiosk.feed = self.picture  # type: ignore[assignment]
        self._told = iter(told)
        self._last: Told | None = None

    def until(self, stop: Callable[[Event], bool]) -> None:
        """Take facts up to the first that fits."""
        for told in self._told:
            self.made.table.record(told.fact)
            self.picture.shown = told.picture
            self.made.clock.now = told.fact.t
            if stop(told.fact):
                return

    def shoot(self, name: str, path: str, size: dict[str, int], act: Callable[[Page], None] | None = None, *, clear: bool = False) -> None:
        """Open a page and keep its picture."""
        context = self.browser.new_context(viewport=size, reduced_motion="reduce")  # type: ignore[arg-type]
        context.set_default_timeout(120_000)
        page = context.new_page()
        page.goto(f"http://localhost:{self.port}{path}")
        expect(page.locator("#app")).not_to_have_attribute("aria-busy", "true")
        if path.startswith("/referee"):
            expect(page.locator("img.live")).to_be_visible()
        if act is not None:
            act(page)
        page.wait_for_timeout(300)
        target = self.out / f"{name}.png"
        page.screenshot(path=target, omit_background=clear)
        context.close()
        if not clear:
            shrink(target)
        print(target, target.stat().st_size // 1024, "kB", flush=True)

    def everywhere(self, name: str, path: str, first: dict[str, int], act: Callable[[Page], None] | None = None) -> None:
        """The page at all three sizes; the first gives the picture that bears the bare name."""
        for size in (WALL, TABLET, PHONE):
            self.shoot(name if size is first else f"{name}-{size['width']}", path, size, act, clear=path == "/overlay")


def shrink(path: Path) -> None:
    """Keep a picture in few colours."""
    from PIL import Image

    with Image.open(path) as picture:
        picture.convert("RGB").quantize(COLOURS, kmeans=6, dither=Image.Dither.NONE).save(path, optimize=True)


def table_in(folder: Path) -> Iterator[Fixture]:
    """A kiosk over a fresh log, opened as the demonstration opens it."""
    from kiosk.enrolment import Enrolment
    from vision.recogniser import Recogniser

    match, deal = opening()
    with Store.open(folder / "table.db") as store:
        clock = Clock()
        table = RunningTable(store, rulebooks=load, clock=clock)
        table.begin(match.rulebook, NAMES, deal.levels, deal.declarer, deal.deal)
        kiosk = Kiosk(table, Access(store, Mode.PRACTICE, clock, CHEAP))
        kiosk.addresses = ("http://192.168.1.5:8000",)
        kiosk.enrolment = Enrolment(Recogniser.load, folder / "table.deck")
        yield Fixture(store, table, kiosk, clock)


def correction(page: Page) -> None:
    """Tap a card."""
    page.locator(".slot .card").first.click()
    expect(page.locator(".sheet .suggestions .card").first).to_be_visible()


def english(page: Page) -> None:
    """Switch the language."""
    page.get_by_role("button", name="切换到英文").click()


def play(trick: int, count: int) -> Callable[[Event], bool]:
    """Stop at the so-manieth play of a trick."""
    seen: set[Seat] = set()

    def stop(fact: Event) -> bool:
        if isinstance(fact, CardsPlayed) and fact.trick == trick:
            seen.add(fact.seat)
        return len(seen) >= count

    return stop


def checked(page: Page) -> None:
    """Let the set-up look at the picture."""
    expect(page.locator("img.raw")).to_be_visible()
    page.locator('[data-key="checks"]').click()
    expect(page.locator(".checks li").first).to_be_visible()
    page.evaluate("scrollTo(0, 0)")


def photograph(stage: Stage) -> None:
    """The moments that matter."""
    stage.until(play(2, 4))
    stage.everywhere("table-throw", "/table", WALL)
    stage.until(play(3, 3))
    stage.picture.source.taps.image = raw_picture(stage.made.clock.now)
    stage.everywhere("table", "/table", WALL)
    stage.shoot("table-en", "/table", WALL, english)
    stage.shoot("table-correct", "/table", WALL, correction)
    stage.everywhere("player", "/player", PHONE)
    stage.everywhere("overlay", "/overlay", WALL)
    stage.everywhere("index", "/", TABLET)
    stage.everywhere("setup", "/setup", TABLET, checked)
    stage.until(lambda _: bool(stage.made.table.shown()[1]["rulings"]))
    stage.everywhere("table-alert", "/table", WALL)
    stage.everywhere("referee", "/referee", TABLET)
    stage.shoot("referee-en", "/referee", WALL, english)
    stage.until(lambda fact: isinstance(fact, BottomShown))
    for ruling in stage.made.table.shown()[1]["rulings"]:
        stage.made.table.decide(ruling["ruling"], "confirmed", "local")
    stage.everywhere("table-end", "/table", WALL)


def main(out: Path) -> None:
    """Read the film where that was not done before, then photograph."""
    import shutil

    from playwright.sync_api import sync_playwright

    out.mkdir(parents=True, exist_ok=True)
    if not kept().is_file():
        kept().write_bytes(pickle.dumps(read_film()))
    told = pickle.loads(kept().read_bytes())
    found = next(path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name)))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=CHROMIUM_FLAGS)
        for made in table_in(Path(folder)):
            with serving(made) as port:
                photograph(Stage(made, told, browser, port, out))
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
