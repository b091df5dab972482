"""Make the screenshots of the README: `python -m tournaments.devtools.pictures`.

Plays a club into an interesting state in its own data folder, starts a real server on it, and takes
one picture of each page with Chromium. A page with an unexpected answer or a script error stops the
run.
"""

from __future__ import annotations

import importlib
import os
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from krru.data.folder import BASE_DIR
from krru.devtools import chromium
from krru.devtools.serving import HALL_NAME, NOT_INHERITED, ServerProcess
from krru.starting import texts

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

PICTURES = BASE_DIR / "docs" / "pictures"
PATIENCE_MS = 15_000
LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}
WALL: dict[str, Any] = {"viewport": {"width": 1920, "height": 1080}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844}, "device_scale_factor": 1.5, "is_mobile": True,
}  # fmt: skip
# All others are of phones.
WINDOWS = {"screen": WALL, "director": LAPTOP, "desk": LAPTOP, "results": LAPTOP}


def take(browser: Browser, url: str, file: Path, window: dict[str, Any], **cookie: str) -> None:
    """Take one picture.

    :raises RuntimeError: The page, a resource or a script failed.
    """
    faults: list[str] = []
    with browser.new_context(locale="de-AT", reduced_motion="reduce", **window) as context:
        for name, value in cookie.items():
            context.add_cookies([{"name": name, "value": value, "url": url}])
        page = context.new_page()
        page.on("response", lambda one: faults.append(one.url) if one.status >= 400 else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(url, timeout=PATIENCE_MS)
        _settle(page)
        page.screenshot(path=file)
    if faults:
        file.unlink()
        raise RuntimeError(f"{file.stem}: " + "; ".join(faults))


def _settle(page: Page) -> None:
    """Wait for fonts and panels loaded after the page; its stream stays open."""
    page.wait_for_load_state("load", timeout=PATIENCE_MS)
    page.evaluate("document.fonts.ready.then(() => true)")
    page.locator(".htmx-request").first.wait_for(state="detached", timeout=PATIENCE_MS)
    page.wait_for_timeout(500)


def _play(data: Path) -> dict[str, tuple[str, dict[str, str]]]:
    """Set up Django on the data folder, as the models require, and play."""
    for name in NOT_INHERITED:
        os.environ.pop(name, None)
    os.environ |= {"KRRU_DATA": str(data), "DJANGO_SETTINGS_MODULE": "krru.settings"}
    importlib.import_module("django").setup()
    management = importlib.import_module("django.core.management")
    management.call_command("migrate", interactive=False, verbosity=0)
    evening = importlib.import_module("tournaments.devtools.picture_evening")
    pages: dict[str, tuple[str, dict[str, str]]] = evening.make_scene(datetime.now(UTC))
    importlib.import_module("django.db").connections.close_all()
    return pages


def main() -> int:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - for developers only

    texts.compile_texts()
    with tempfile.TemporaryDirectory(prefix="krru-pictures-") as name:
        pages = _play(Path(name))
        with ServerProcess(Path(name)) as server, sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium.find(), args=chromium.FLAGS
            )
            for shot, (path, cookies) in pages.items():
                file, window = PICTURES / f"{shot}.png", WINDOWS.get(shot, PHONE)
                take(browser, f"http://{HALL_NAME}:{server.port}{path}", file, window, **cookies)
                print(f"{file.stat().st_size:>8}  {file.relative_to(BASE_DIR)}")
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
