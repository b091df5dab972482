"""Readable shades of a club's colour, with contrast by the formulas of WCAG 2.2."""

import colorsys
import re
from dataclasses import dataclass

AAA = 7.0
# Backgrounds of the big screen (clock/static/clock/screen.css): the usual one and the lightest.
NIGHT, FELT = "#06110d", "#0c3d2d"
PAPER = "#fdf8ec"  # the text on felt (tournaments/static/tournaments/css/tokens.css)
STEPS = 200
FORM = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shades:
    """The shades of a club's colour: `accent` on the night, `bright` on any background of the
    screen, `deep` under light text.
    """

    accent: str
    bright: str
    deep: str


def colour_read(typed: str) -> str | None:
    """Return a typed colour as lower-case #rrggbb, from three or six hexadecimal digits.

    Empty input is no colour, an empty text. Invalid input is None.

    >>> colour_read(" #7A1F2B "), colour_read("7a1"), colour_read(""), colour_read("rot")
    ('#7a1f2b', '#77aa11', '', None)
    """
    digits = typed.strip().lower().removeprefix("#")
    if not digits:
        return ""
    if len(digits) == 3:
        digits = "".join(digit * 2 for digit in digits)
    return f"#{digits}" if FORM.fullmatch(f"#{digits}") else None


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, 0 for black and 1 for white (WCAG 2.2).

    >>> round(luminance("#ffffff"), 3), round(luminance("#ff0000"), 4)
    (1.0, 0.2126)
    """
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in _parts(colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21 (WCAG 2.2, 1.4.3).

    >>> contrast("#000000", "#ffffff"), contrast("#123456", "#123456")
    (21.0, 1.0)
    """
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def shades_of(colour: str) -> Shades:
    """Return the shades of a colour readable at AAA: on dark backgrounds, under paper white.

    The hue stays; the colour becomes lighter or darker by as little as needed.

    >>> shades_of("#f5c445")
    Shades(accent='#f5c445', bright='#f5c445', deep='#6d5006')
    >>> shades_of("#12315e").accent
    '#6e9ee3'
    """
    return Shades(
        accent=_until_readable(colour, NIGHT, lightest=1.0),
        bright=_until_readable(colour, FELT, lightest=1.0),
        deep=_until_readable(colour, PAPER, lightest=0.0),
    )


def _until_readable(colour: str, ground: str, *, lightest: float) -> str:
    """Return a colour, or the first of its hue towards white or black that is readable."""
    shade, step = colour, 0
    hue, light, full = colorsys.rgb_to_hls(*_parts(colour))
    while contrast(shade, ground) < AAA:
        step += 1
        lightness = light + (lightest - light) * step / STEPS
        parts = colorsys.hls_to_rgb(hue, lightness, full)
        shade = "#" + "".join(f"{round(part * 255):02x}" for part in parts)
    return shade


def _parts(colour: str) -> tuple[float, float, float]:
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    return red, green, blue
