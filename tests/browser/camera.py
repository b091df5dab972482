"""A camera for Chromium that sees one code for ever, and a browser that has it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import segno
from playwright.sync_api import Browser, BrowserType

from krru.devtools import chromium

WIDTH, HEIGHT = 640, 480
MODULE, QUIET = 8, 4


def picture_of(text: str, path: Path) -> Path:
    """Write a film of one frame: the code of this text, dark on a bright wall."""
    code = segno.make(text, error="m", micro=False)
    rows = [bytes(16 if dark else 235 for dark in row)
            for row in code.matrix_iter(scale=MODULE, border=QUIET)]  # fmt: skip
    left, top = (WIDTH - len(rows[0])) // 2, (HEIGHT - len(rows)) // 2
    wall = bytes([235]) * WIDTH
    lines = [wall] * top
    lines += [wall[:left] + row + wall[: WIDTH - left - len(row)] for row in rows]
    lines += [wall] * (HEIGHT - len(lines))
    grey = bytes([128]) * (WIDTH * HEIGHT // 2)
    head = f"YUV4MPEG2 W{WIDTH} H{HEIGHT} F10:1 Ip A1:1 C420jpeg\nFRAME\n"
    path.write_bytes(head.encode() + b"".join(lines) + grey)
    return path


@contextmanager
def browser_that_sees(browser_type: BrowserType, film: Path) -> Iterator[Browser]:
    """Launch a browser of its own whose camera shows this film, and which asks nobody."""
    flags = [
        *chromium.FLAGS,
        "--use-fake-device-for-media-stream",
        "--use-fake-ui-for-media-stream",
        f"--use-file-for-fake-video-capture={film}",
    ]
    browser = browser_type.launch(executable_path=chromium.find(), args=flags)
    try:
        yield browser
    finally:
        browser.close()
