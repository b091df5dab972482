"""A price in parts, as typed by a director: amounts outside the prize pool.

Amounts are whole cents. The rest of a price goes to the pool; the price's purpose is not used here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

# --- Amounts of money: integers in the smallest unit, never floats


_AMOUNT = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}|-|–))?", re.ASCII)


def cents_of(text: str) -> int:
    """Parse a typed amount into cents.

    >>> [cents_of(typed) for typed in ("12", "12,5", "12.50 €", "CHF 0,05", "12,-")]
    [1200, 1250, 1250, 5, 1200]

    :raises ValueError: If it is no amount, or is more exact than a cent.
    """
    found = _AMOUNT.fullmatch(text.replace("€", "").replace("CHF", "").strip())
    if found is None:
        raise ValueError(f"No amount: {text!r}.")
    whole, part = found.group(1), found.group(2) or ""
    return int(whole) * 100 + int(part.strip("-–").ljust(2, "0"))


def amount_typed(cents: int, *, point: str = ",") -> str:
    """Return an amount as typed.

    >>> amount_typed(1250), amount_typed(1200), amount_typed(5, point=".")
    ('12,50', '12', '0.05')
    """
    whole, part = divmod(cents, 100)
    return f"{whole}{point}{part:02}" if part else str(whole)


HOUSE, BOUNTY, EXTRA = "house", "bounty", "extra"
# Words for house and bounty, in any language of the interface.
WORDS: Mapping[str, str] = {
    "haus": HOUSE, "house": HOUSE, "verein": HOUSE, "club": HOUSE, "bounty": BOUNTY,
    "bounties": BOUNTY, "kopfgeld": BOUNTY,
}  # fmt: skip
MOST_PARTS, LONGEST_NAME, LONGEST_TYPED = 6, 30, 300
# Destination, cents, and the name of an extra part.
Part = tuple[str, int, str]
_APART = re.compile(r"[;\n]|,(?=\s*[^\W\d])")
_PART = re.compile(r"(?P<name>[^\W\d].*?)[\s:]+(?P<amount>[\d€][^a-zA-Z]*)")


class PartsError(ValueError):
    """Invalid parts: the reason, and the part."""

    def __init__(self, code: str, part: str = "") -> None:
        super().__init__(code)
        self.code, self.part = code, part


def parts_typed(text: str) -> list[Part]:
    """Parse typed parts, in order.

    >>> parts_typed("Haus 2, Bounty 5,50, Personal 1")
    [('house', 200, ''), ('bounty', 550, ''), ('extra', 100, 'Personal')]
    >>> parts_typed("")
    []

    :raises PartsError: "unreadable" for what is no part, else as `check_parts` says.
    """
    found: list[Part] = []
    for typed in filter(None, map(str.strip, _APART.split(text))):
        read = _PART.fullmatch(typed)
        try:
            cents = cents_of(read["amount"]) if read else 0
        except ValueError:
            cents = 0
        if read is None or not cents:
            raise PartsError("unreadable", typed)
        name = " ".join(read["name"].split())
        to = WORDS.get(name.casefold(), EXTRA)
        found.append((to, cents, name if to == EXTRA else ""))
    check_parts(found)
    return found


def parts_text(parts: Iterable[Sequence[int | str]], words: Mapping[str, str]) -> str:
    """Return parts as typed, with these words for house and bounty.

    >>> parts_text([["house", 200, ""], ["extra", 150, "Personal"]], {"house": "Haus"})
    'Haus 2, Personal 1,50'
    """
    return ", ".join(
        f"{name or words[str(to)]} {amount_typed(int(cents))}" for to, cents, name in parts
    )


def parts_cents(parts: Iterable[Sequence[int | str]]) -> int:
    """Return the sum of the parts.

    >>> parts_cents([["house", 200, ""], ["extra", 150, "Personal"]])
    350
    """
    return sum(int(cents) for _to, cents, _name in parts)


def check_parts(parts: Sequence[Sequence[int | str]]) -> None:
    """Refuse invalid parts: each must be above zero, with no name twice.

    >>> check_parts([("house", 200, ""), ("house", 100, "")])
    Traceback (most recent call last):
    tournaments.event.domain.prices.PartsError: twice

    :raises PartsError: "too_many", "long_name", "twice", or "unreadable".
    """
    if len(parts) > MOST_PARTS:
        raise PartsError("too_many")
    seen = set()
    for to, cents, name in parts:
        level = str(name or to)
        is_known = (to in (HOUSE, BOUNTY) and not name) or (to == EXTRA and name)
        if not is_known or int(cents) < 1:
            raise PartsError("unreadable", level)
        if len(level) > LONGEST_NAME:
            raise PartsError("long_name", level)
        if level.casefold() in seen:
            raise PartsError("twice", level)
        seen.add(level.casefold())
