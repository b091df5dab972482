"""Replacements in texts about an erased person: a word, or initials."""

import re
from collections.abc import Iterable

ERASED = "gelöscht"


def list_without(listed: str, names: Iterable[str], instead: str) -> str:
    """Replace some names in a log entry's list of names.

    >>> list_without("Max, Max Müller", ["Max"], "M.")
    'M., Max Müller'
    """
    for name in _longest_first(names):
        listed = re.sub(rf"(?:(?<=^)|(?<=, )){re.escape(name)}(?=$|, )", lambda _: instead, listed)
    return listed


def text_without(text: str, names: Iterable[str], instead: str) -> str:
    """Replace full names in a free text.

    A single-word name may be any word, so it stays.

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
