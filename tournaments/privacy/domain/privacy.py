"""What is left in texts of somebody whose data are erased: a word, or initials."""

import re
from collections.abc import Iterable

ERASED = "gelöscht"


def list_without(listed: str, names: Iterable[str], instead: str) -> str:
    """Return a list of names, as the log tells them, with another word for some.

    >>> list_without("Max, Max Müller", ["Max"], "M.")
    'M., Max Müller'
    """
    for name in _longest_first(names):
        listed = re.sub(rf"(?:(?<=^)|(?<=, )){re.escape(name)}(?=$|, )", lambda _: instead, listed)
    return listed


def text_without(text: str, names: Iterable[str], instead: str) -> str:
    """Return a free text with another word where it has one of the names in full.

    A name of a single word may be any word, and is left.

    >>> text_without("petra probst bitte zur Leitung", ["Petra Probst"], "P. P.")
    'P. P. bitte zur Leitung'
    >>> text_without("Gute Nacht", ["Nacht"], "N.")
    'Gute Nacht'
    """
    for name in _longest_first(names):
        if " " in name:
            pattern = rf"(?<!\w){re.escape(name)}(?!\w)"
            text = re.sub(pattern, lambda _: instead, text, flags=re.IGNORECASE)
    return text


def _longest_first(names: Iterable[str]) -> list[str]:
    return sorted((name for name in names if name), key=len, reverse=True)
