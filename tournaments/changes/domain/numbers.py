"""Whole numbers as people and scripts type them, within what every database counts."""

import re
from collections.abc import Iterable

MOST = 2**31 - 1
MOST_ID = 10**18 - 1
GROUPED = re.compile(r"(?<=\d)[.,'’\s](?=\d{3}(?!\d))")  # 1.000, as shown on pages
WHOLE = re.compile(r"[-−]?[0-9]{1,18}")


def whole(text: str, *, least: int = 0, most: int = MOST) -> int | None:
    """Return a whole number between bounds, or None for any other text.

    >>> whole("007"), whole(" 12 "), whole("3", most=2), whole("−3", least=-9)
    (7, 12, None, -3)
    >>> [whole(text) for text in ("", "-1", "²", "٣", "1.5", "9" * 400)]
    [None, None, None, None, None, None]
    """
    typed = text.strip()
    number = int(typed.replace("−", "-")) if WHOLE.fullmatch(typed) else None
    return number if number is not None and least <= number <= most else None


def numbers_in(texts: Iterable[str]) -> list[int]:
    """Return the ids among these texts.

    >>> numbers_in(["7", "x", "", "9"])
    [7, 9]
    """
    typed = (whole(text, most=MOST_ID) for text in texts)
    return [number for number in typed if number is not None]
