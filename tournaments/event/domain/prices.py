"""A price in parts, as typed by a director: amounts outside the prize pool.

Amounts are whole cents. The rest of a price goes to the pool; the price's purpose is not used here.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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


# --- Prices by person: a name, cents, and parts; None for the parts of the entry


Rate = tuple[str, int, list[list[Any]] | None]
MOST_RATES = 8
# Names of the prices given by themselves: to members, and after the start.
OF_MEMBERS = frozenset({"mitglied", "mitglieder", "member", "members"})
OF_THE_LATE = frozenset({"spät", "nachmeldung", "late", "late entry"})
_RATE = re.compile(r"(?P<name>[^\W\d].*?)\s+(?P<amount>\d[^:]*?)\s*(?P<has_parts>:(?P<parts>.*))?")


def rates_typed(text: str) -> list[Rate]:
    """Parse typed prices by person, one a line; after a colon, their own parts.

    >>> rates_typed("Mitglied 15")
    [('Mitglied', 1500, None)]
    >>> rates_typed("Ohne Bounty 10: Haus 2")
    [('Ohne Bounty', 1000, [['house', 200, '']])]
    >>> rates_typed("Helfer 0:")
    [('Helfer', 0, [])]

    :raises PartsError: "unreadable" for a line or its parts, else as `check_rates` says.
    """
    found: list[Rate] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        read = _RATE.fullmatch(line)
        try:
            cents = cents_of(read["amount"]) if read else 0
        except ValueError:
            read = None
        if read is None:
            raise PartsError("unreadable", line)
        parts = parts_typed(read["parts"]) if read["has_parts"] else None
        own = parts if parts is None else [list(part) for part in parts]
        found.append((" ".join(read["name"].split()), cents, own))
    check_rates(found)
    return found


def rates_text(rates: Iterable[Sequence[Any]], words: Mapping[str, str]) -> str:
    """Return prices by person as typed.

    >>> rates_text([["Mitglied", 1500, None], ["Helfer", 0, []]], {})
    'Mitglied 15\\nHelfer 0:'
    """
    return "\n".join(
        f"{name} {amount_typed(cents)}"
        + ("" if parts is None else f": {parts_text(parts, words)}".rstrip())
        for name, cents, parts in rates
    )


def check_rates(rates: Sequence[Sequence[Any]]) -> None:
    """Refuse invalid prices by person.

    :raises PartsError: "many_rates", "long_name" or "twice", or as `check_parts` says.
    """
    if len(rates) > MOST_RATES:
        raise PartsError("many_rates")
    seen = set[str]()
    for name, cents, parts in rates:
        if len(name) > LONGEST_NAME:
            raise PartsError("long_name", name)
        if not name or cents < 0 or name.casefold() in seen:
            raise PartsError("twice" if name else "unreadable", name)
        seen.add(name.casefold())
        check_parts(parts or ())


def rate_for(rates: Iterable[Sequence[Any]], *, is_member: bool, is_late: bool) -> str:
    """Return the name of the price that somebody has without being asked; empty for the full one.

    >>> rates = [["Spät", 2500, None], ["Mitglied", 1500, None]]
    >>> [rate_for(some, is_member=True, is_late=True) for some in (rates, rates[:1])]
    ['Mitglied', 'Spät']
    >>> rate_for(rates, is_member=False, is_late=False)
    ''
    """
    names = {name.casefold(): name for name, _cents, _parts in rates}
    wanted = (OF_MEMBERS if is_member else frozenset(), OF_THE_LATE if is_late else frozenset())
    found = (names[one] for some in wanted for one in names if one in some)
    return next(found, "")
