"""Amounts of money: integers in the smallest unit, never floats."""

import re

_AMOUNT = re.compile(r"(\d{1,9})(?:[.,](\d{1,2}|-|–))?", re.ASCII)


def cents_of(text: str) -> int:
    """Parse a typed amount into cents.

    >>> [cents_of(typed) for typed in ("12", "12,5", "12.50 €", "€ 0,05", "12,-")]
    [1200, 1250, 1250, 5, 1200]

    :raises ValueError: If it is no amount, or is more exact than a cent.
    """
    found = _AMOUNT.fullmatch(text.replace("€", "").strip())
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
