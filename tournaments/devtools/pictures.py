"""Make the screenshots of the documentation: `python -m tournaments.devtools.pictures [PART …]`.

Plays a club into an interesting state in a data folder of its own, starts a real server on it, and
takes one picture a page with a real Chromium. A page that does not answer as it should, or whose
scripts complain, ends this with an error: a picture of a fault must not get into the documentation.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from krru.data.folder import BASE_DIR
from krru.devtools import chromium
from krru.devtools.serving import HALL_NAME, NOT_INHERITED, ServerProcess
from krru.starting import texts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Response

    from tournaments.devtools.picture_evening import Scene
    from tournaments.devtools.picture_screens import Faces

PICTURES = BASE_DIR / "docs" / "pictures"
LARGEST_BYTES = 300 * 1000
PATIENCE_MS = 15_000
SCREEN: dict[str, Any] = {"width": 1024, "height": 576}
BAD_STATUS = 400


class PictureFailed(Exception):
    """A page is not as it should be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shot:
    """One picture: which page, seen by whom, on what."""

    name: str
    path: str
    width: int
    height: int
    cookies: dict[str, str] = field(default_factory=dict)
    scale: float = 1
    is_phone: bool = False
    # What somebody does on the page before the picture is taken.
    taken: Callable[[Page], None] | None = None
    # Where only a part of the page is shown.
    part: str = ""


def shots_of(scene: Scene) -> list[Shot]:
    """Return the pictures of the documentation."""
    laptop: dict[str, Any] = {"width": 1366, "height": 768}
    phone: dict[str, Any] = {"width": 390, "height": 844, "scale": 1.5, "is_phone": True}
    return [
        Shot(name="screen", path=f"/t/{scene.running}/screen/", width=1920, height=1080),
        Shot(
            name="director",
            path=f"/t/{scene.running}/leitung/",
            cookies={scene.cookie_name: scene.director},
            **laptop,
        ),
        Shot(
            name="desk",
            path=f"/t/{scene.planned}/anmeldung/",
            cookies={scene.cookie_name: scene.desk},
            **laptop,
        ),
        Shot(name="results", path=f"/t/{scene.ended}/ergebnis/", **laptop),
        Shot(
            name="arbiter",
            path=f"/t/{scene.running}/tische/{scene.table}/",
            cookies={scene.cookie_name: scene.arbiter},
            **phone,
        ),
        Shot(name="player", path=f"/p/{scene.player}/", **phone),
        Shot(name="tournament", path=f"/t/{scene.planned}/", **phone),
    ]


def screen_shots_of(scene: Scene) -> Iterator[Shot]:
    """Return a picture of each face of the big screen, making each only when it is asked for."""
    module = importlib.import_module("tournaments.devtools.picture_screens")
    models = importlib.import_module("tournaments.models")
    faces: Faces = module.Faces(models.Club.objects.get())
    for name, make in module.FACES.items():
        yield _screen_shot(name, f"/t/{make(faces).slug}/screen/")
    yield _screen_shot("ended", f"/t/{scene.ended}/screen/")
    running = models.Event.objects.get(slug=scene.running)
    for shows in ("seating", "moves", "places"):
        yield _screen_shot(shows, "/leinwand/", krru_screen=faces.paired(running, shows))
    yield _screen_shot("code", "/leinwand/", krru_screen=faces.code(datetime.now(UTC)))
    yield _screen_shot("theme", f"/t/{faces.theme().slug}/screen/")
    faces.undress()
    importlib.import_module("django.db").connections.close_all()


def registration_shots_of(scene: Scene) -> Iterator[Shot]:
    """Return a picture of each step from the poster to the seats."""
    module = importlib.import_module("tournaments.devtools.picture_registration")
    models = importlib.import_module("tournaments.models")
    desk = {scene.cookie_name: scene.desk}
    laptop: dict[str, Any] = {"width": 1200, "height": 750}
    phone: dict[str, Any] = {"width": 390, "height": 844, "is_phone": True}
    seen: dict[str, dict[str, Any]] = {
        "phone": phone,
        "desk-phone": {**phone, "cookies": desk},
        "desk": {**laptop, "cookies": desk},
        "desk-tall": {**laptop, "height": 930, "cookies": desk},
        "director": {**laptop, "cookies": {scene.cookie_name: scene.director}},
        "paper": {"width": 900, "height": 950, "scale": 0.7, "cookies": desk},
        "slip": {"width": 700, "height": 930, "scale": 0.7, "cookies": desk},
    }
    for step in module.steps(models.Club.objects.get()):
        own: dict[str, Any] = {"path": step.path, "taken": step.taken, "part": step.part}
        yield Shot(name=step.name, **own, **seen[step.who])
    importlib.import_module("django.db").connections.close_all()


def cash_shots_of(scene: Scene) -> Iterator[Shot]:
    """Return a picture of the cash tables: the director's page, and the screen."""
    module = importlib.import_module("tournaments.devtools.picture_cash")
    event = module.make_cash_evening(datetime.now(UTC))
    importlib.import_module("django.db").connections.close_all()
    director = {scene.cookie_name: scene.director}
    own: dict[str, Any] = {"width": 1024, "height": 768, "cookies": director}
    yield Shot(name="cash", path=f"/t/{event.slug}/cash/", **own)
    yield _screen_shot("cash", f"/t/{event.slug}/screen/")


# What may be named on the command line, in the order in which it is taken.
PARTS: Mapping[str, Callable[[Scene], Iterable[Shot]]] = {
    "evening": shots_of,
    "screens": screen_shots_of,
    "registration": registration_shots_of,
    "cash": cash_shots_of,
}


def _made_apart(shots: Iterator[Shot]) -> Iterator[Shot]:
    """Take each from a thread of its own: Django refuses the one with Playwright's loop."""
    with ThreadPoolExecutor(1) as apart:
        while (shot := apart.submit(next, shots, None).result()) is not None:
            yield shot


def _screen_shot(name: str, path: str, **cookies: str) -> Shot:
    return Shot(name=f"screen-{name}", path=path, cookies=cookies, **SCREEN)


# A big screen fetches its list after the page, and says first which one it shows.
HALL_IS_DRAWN = """() => {
  const { hall } = document.body.dataset;
  return !document.querySelector(".hall") || hall === "clock"
    || (hall && document.querySelector(".hall-rows li, .hall-empty:not([hidden])"));
}"""


class Camera:
    """A browser that looks at one server, and distrusts it."""

    def __init__(self, browser: Browser, server: ServerProcess, folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self._base = f"http://{HALL_NAME}:{server.port}"

    def take(self, shot: Shot) -> Path:
        """Take one picture.

        :raises PictureFailed: the page, or anything it fetches, or its scripts, went wrong.
        """
        with self._browser.new_context(
            viewport={"width": shot.width, "height": shot.height},
            device_scale_factor=shot.scale,
            is_mobile=shot.is_phone,
            locale="de-AT",
            timezone_id="Europe/Vienna",
            reduced_motion="reduce",
        ) as context:
            for name, value in shot.cookies.items():
                context.add_cookies([{"name": name, "value": value, "url": self._base}])
            page = context.new_page()
            faults = _faults_of(page)
            page.goto(self._base + shot.path, timeout=PATIENCE_MS)
            settle(page)
            if shot.taken is not None:
                shot.taken(page)
                settle(page)
            file = self._folder / f"{shot.name}.png"
            seen = page.locator(shot.part) if shot.part else page
            seen.screenshot(path=file, timeout=PATIENCE_MS)
            if faults:
                file.unlink()
                raise PictureFailed(f"{shot.name}: " + "; ".join(faults))
        _refuse_if_large(file)
        return file


def _faults_of(page: Page) -> list[str]:
    """Return the list that everything wrong with the page will be written to."""
    faults: list[str] = []

    def heard(response: Response) -> None:
        if response.status >= BAD_STATUS:
            faults.append(f"{response.status} {response.url}")

    page.on("response", heard)
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    return faults


def settle(page: Page) -> None:
    """Wait for fonts, panels and lists that are fetched after the page; its stream stays open."""
    page.wait_for_load_state("load", timeout=PATIENCE_MS)
    page.evaluate("document.fonts.ready.then(() => true)")
    page.locator(".htmx-request").first.wait_for(state="detached", timeout=PATIENCE_MS)
    page.wait_for_function(HALL_IS_DRAWN, timeout=PATIENCE_MS)
    page.wait_for_timeout(500)


def _refuse_if_large(file: Path) -> None:
    size = file.stat().st_size
    if size > LARGEST_BYTES:
        raise PictureFailed(f"{file.name} has {size} bytes, the most is {LARGEST_BYTES}.")


def make_pictures(data: Path, folder: Path, parts: Sequence[str] = tuple(PARTS)) -> list[Path]:
    """Fill the data folder, serve from it, and take the pictures of these parts into `folder`."""
    scene = _play(data)
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - for developers only

    program = chromium.find()
    if program is None:
        raise PictureFailed(chromium.HOW_TO)
    folder.mkdir(exist_ok=True)
    with ServerProcess(data) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium.FLAGS)
        camera = Camera(browser, server, folder)
        made = (iter(PARTS[part](scene)) for part in parts)
        shots = itertools.chain.from_iterable(map(_made_apart, made))
        files = [camera.take(shot) for shot in shots]
        browser.close()
    return files


def _play(data: Path) -> Scene:
    """Set Django up on the data folder, which the models need, and play."""
    for name in NOT_INHERITED:
        os.environ.pop(name, None)
    os.environ |= {"KRRU_DATA": str(data), "DJANGO_SETTINGS_MODULE": "krru.settings"}
    importlib.import_module("django").setup()
    management = importlib.import_module("django.core.management")
    management.call_command("migrate", interactive=False, verbosity=0)
    evening = importlib.import_module("tournaments.devtools.picture_evening")
    scene: Scene = evening.make_scene(datetime.now(UTC))
    importlib.import_module("django.db").connections.close_all()
    return scene


def main() -> int:
    """Make the pictures and name them."""
    parser = argparse.ArgumentParser(prog="python -m tournaments.devtools.pictures")
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parts = parser.parse_args().parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    texts.compile_texts()
    with tempfile.TemporaryDirectory(prefix="krru-pictures-") as name:
        try:
            files = make_pictures(Path(name), PICTURES, parts)
        except PictureFailed as fault:
            print(fault, file=sys.stderr)
            return 1
    for file in files:
        print(f"{file.stat().st_size:>8}  {file.relative_to(BASE_DIR)}")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nAbgebrochen.")
