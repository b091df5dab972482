"""The preview picture of a link in a chat: the evening's name, time and place, on felt.

Drawn from texts and colours; the caller chooses the content.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

WIDTH, HEIGHT = 1200, 630
MARGIN = 90
EDGE = 24
PAPER, SOFT, BRASS = "#fdf8ec", "#c4dccd", "#efb92f"
SIZES = (96, 80, 66, 54)
MOST_LINES = 2
SMALL = 38
SUITS_WIDE = 3 * 52 + 36
# The characters in the two font files, see `tournaments/css/fonts.css`.
EXTENDED = (0x0100, 0x024F)
SIGNS = frozenset("–—‘’‚“”„…€ſẞ№\u00a0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """The picture's texts: small above, large, then lines below. `ground` is a colour."""

    above: str
    title: str
    below: tuple[str, ...]
    ground: str = "#0b382a"


@dataclass(frozen=True, slots=True)
class Fonts:
    """The paths of the program's two font files."""

    usual: str
    extended: str


def readable(text: str) -> str:
    """Return the part of a text that the font can show.

    >>> readable("Žižkov 🃏 Cup — 2. „Runde“")
    'Žižkov Cup — 2. „Runde“'
    """
    kept = (c for c in text if (0x20 <= ord(c) <= EXTENDED[1] and ord(c) != 0x7F) or c in SIGNS)
    return " ".join("".join(kept).split())


def wrapped(words: str, most: int, width: int, measure: Callable[[str], float]) -> list[str] | None:
    """Wrap a text into lines of this width, or None; `measure` returns a line's width.

    >>> wrapped("eins zwei drei", 2, 9, len)
    ['eins zwei', 'drei']
    >>> wrapped("eins zwei drei", 1, 9, len) is None
    True
    """
    lines: list[str] = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if measure(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    lines = [line for line in lines if line]
    fits = len(lines) <= most and all(measure(line) <= width for line in lines)
    return lines if fits else None


def drawn(preview: Preview, fonts: Fonts) -> bytes:
    """Return the picture as PNG, 1200 by 630 as used by chats."""
    # The library is slow to load, and few processes draw.
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), preview.ground)
    draw = ImageDraw.Draw(image)
    frame = (EDGE, EDGE, WIDTH - EDGE, HEIGHT - EDGE)
    draw.rounded_rectangle(frame, radius=28, outline=BRASS, width=4)
    pen = _Pen(draw, fonts)
    top = 92
    above = pen.fitting(readable(preview.above), SMALL, 650, beside=SUITS_WIDE + 40)
    pen.write(above, SMALL, 650, top, SOFT)
    for place, suit in enumerate("shdc"):
        _suit(draw, suit, WIDTH - MARGIN - SUITS_WIDE + 52 * place, top + 4)
    size, lines = pen.title(readable(preview.title))
    top = 188
    for line in lines:
        pen.write(line, size, 880, top, PAPER)
        top += round(size * 1.12)
    top = max(top + 34, 390)
    for place, line in enumerate(filter(None, map(readable, preview.below))):
        weight, colour = (750, BRASS) if place == 0 else (600, PAPER)
        pen.write(pen.fitting(line, SMALL, weight), SMALL, weight, top, colour)
        top += 58
    out = io.BytesIO()
    image.quantize(64).save(out, "PNG", optimize=True)
    return out.getvalue()


class _Pen:
    """Write with the program's font, each letter from the file that has it."""

    def __init__(self, draw: ImageDraw, fonts: Fonts) -> None:
        self._draw, self._fonts = draw, fonts
        self.width = WIDTH - 2 * MARGIN

    def measure(self, text: str, size: int, weight: int) -> float:
        return sum(font.getlength(run) for font, run in self._runs(text, size, weight))

    def write(self, text: str, size: int, weight: int, top: int, colour: str) -> None:
        left: float = MARGIN
        for font, run in self._runs(text, size, weight):
            self._draw.text((left, top), run, font=font, fill=colour)
            left += font.getlength(run)

    def title(self, text: str) -> tuple[int, list[str]]:
        """Return the largest size that fits, and its lines."""
        for size in SIZES:
            lines = wrapped(
                text, MOST_LINES, self.width, partial(self.measure, size=size, weight=880)
            )
            if lines is not None:
                return size, lines
        return SIZES[-1], [self.fitting(text, SIZES[-1], 880)]

    def fitting(self, text: str, size: int, weight: int, *, beside: int = 0) -> str:
        """Return a text cut with dots to fit; `beside` is occupied width."""
        width = self.width - beside
        if self.measure(text, size, weight) <= width:
            return text
        while text and self.measure(text + "…", size, weight) > width:
            text = text[:-1].rstrip()
        return text + "…"

    def _runs(self, text: str, size: int, weight: int) -> Iterator[tuple[FreeTypeFont, str]]:
        for is_extended, run in groupby(text, lambda c: EXTENDED[0] <= ord(c) <= EXTENDED[1]):
            file = self._fonts.extended if is_extended else self._fonts.usual
            yield _font(file, size, weight), "".join(run)


@lru_cache(maxsize=32)
def _font(file: str, size: int, weight: int) -> FreeTypeFont:
    from PIL import ImageFont

    font = ImageFont.truetype(file, size)
    font.set_variation_by_axes([weight])
    return font


def _suit(draw: ImageDraw, suit: str, x: int, y: int) -> None:
    stem = [(x + 18, y + 20), (x + 10, y + 38), (x + 26, y + 38)]
    if suit == "d":
        draw.polygon([(x + 18, y), (x + 33, y + 19), (x + 18, y + 38), (x + 3, y + 19)], fill=BRASS)
    elif suit == "h":
        draw.ellipse((x, y + 1, x + 19, y + 20), fill=BRASS)
        draw.ellipse((x + 17, y + 1, x + 36, y + 20), fill=BRASS)
        draw.polygon([(x + 2, y + 15), (x + 34, y + 15), (x + 18, y + 38)], fill=BRASS)
    elif suit == "s":
        draw.ellipse((x, y + 13, x + 19, y + 32), fill=BRASS)
        draw.ellipse((x + 17, y + 13, x + 36, y + 32), fill=BRASS)
        draw.polygon([(x + 2, y + 19), (x + 34, y + 19), (x + 18, y - 1)], fill=BRASS)
        draw.polygon(stem, fill=BRASS)
    else:
        for left, top in ((x + 9, y), (x, y + 13), (x + 18, y + 13)):
            draw.ellipse((left, top, left + 18, top + 18), fill=BRASS)
        draw.polygon(stem, fill=BRASS)
