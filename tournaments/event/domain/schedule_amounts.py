"""Chips, minutes and antes of blind schedules, as others type them."""

import re
from typing import Any

_MINUTES = re.compile(
    r"(\d{1,6}(?:[.,]\d{1,6})?)\s*(?:min(?:uten|utes|s)?\b\.?|['’′])", re.IGNORECASE
)
_TIME = re.compile(r"\b(?:(\d{1,2}):)?(\d{1,2}):(\d{2})\b")
# A time of two parts below is of hours: no level lasts half a minute.
LEAST_LONG_MINUTES = 3
_HOURS = re.compile(r"(\d{1,6}(?:[.,]\d{1,6})?)\s*(?:h|std|stunden?|hours?)\b", re.IGNORECASE)
_WORDS = {
    "dreiviertelstunde": 45, "viertelstunde": 15, "halbe stunde": 30, "half an hour": 30,
    "half hour": 30, "quarter of an hour": 15, "eine stunde": 60, "an hour": 60,
}  # fmt: skip
_WORD_FOR_BIG = re.compile(r"(?:1 ?)?bb[- ]?a?(?:nte)?|big ?blind(?:[- ]?ante)?", re.IGNORECASE)
_TAKEN_OUT = re.compile(
    r"(\d[\d.]*)(?:er)?[- ]?(?:chips?)?\s*(?:aus dem spiel|raus|weg\b|eintauschen|tauschen|off\b)"
    r"|(?:colou?r|chip)[- ]?up\D{0,10}(\d[\d.]*)|(?:race|chip[- ]?race)\D{0,10}(\d[\d.]*)",
    re.IGNORECASE,
)


def amount_of(text: str) -> int:
    """Return an amount of chips as typed.

    >>> [amount_of(text) for text in ("1.000", "1,5k", "25", "1'200", "2M", "")]
    [1000, 1500, 25, 1200, 2000000, 0]
    """
    text = text.strip().lower()
    times = {"k": 1_000, "m": 1_000_000}.get(text[-1:], 1)
    bare = text.rstrip("km").strip()
    if times > 1:
        number = re.fullmatch(r"\d{1,9}(?:[.,]\d{1,6})?", bare, re.ASCII)
        return round(float(bare.replace(",", ".")) * times) if number else 0
    digits = re.sub(r"[.,'’\s]", "", bare)
    if not digits.isdecimal():
        return 0
    return int(digits[:12])


def minutes_of(text: str) -> int | None:
    """Return minutes as typed, half ones rounded up; None if there are none.

    >>> [minutes_of(text) for text in ("20", "20 min", "00:20:00", "20:00", "7,5", "")]
    [20, 20, 20, 20, 8, None]
    >>> [minutes_of(text) for text in ("0:30", "1 Std.", "eine halbe Stunde")]
    [30, 60, 30]
    """
    worded = next((minutes for words, minutes in _WORDS.items() if words in text.casefold()), None)
    if worded is not None:
        return worded
    time = _TIME.search(text)
    if time is not None:
        hours, minutes, seconds = (int(part or 0) for part in time.groups())
        if time[1] is None and minutes < LEAST_LONG_MINUTES:
            return minutes * 60 + seconds
        return (hours * 60 + minutes) + (seconds >= 30)
    if long := _HOURS.search(text):
        return int(float(long[1].replace(",", ".")) * 60)
    told = _MINUTES.search(text) or re.fullmatch(r"\s*(\d{1,6}(?:[.,]\d{1,6})?)\s*", text)
    return None if told is None else int(float(told[1].replace(",", ".")) + 0.5)


def taken_out(text: str) -> list[int]:
    """Return the chips that a text takes out of play.

    >>> taken_out("Pause, 1er aus dem Spiel"), taken_out("Color up 25")
    ([1], [25])
    """
    found = _TAKEN_OUT.search(text)
    return [amount_of(next(filter(None, found.groups())))] if found else []


def ante_of(told: Any, big: int) -> int:
    """Return an ante, also one told by a word for the big blind.

    >>> [ante_of(told, 400) for told in (50, "BB", "bba", True, "25", "-", None, "no")]
    [50, 400, 400, 400, 25, 0, 0, 0]
    """
    if isinstance(told, str):
        return amount_of(told) or big * bool(_WORD_FOR_BIG.fullmatch(told.strip()))
    return big if told is True else told if is_number(told) else 0


def is_number(value: Any) -> bool:
    """Tell whether a value of JSON is a number."""
    return isinstance(value, int | float) and not isinstance(value, bool)
