"""The books of cash tables: movements of chips and money as sides of the one journal.

A booking with its cash side sums to zero. `CHIPS` holds the chips on a table, below zero like all
income; so minus the sum of a table's rows is the chips on it. `OWED` replaces cash among friends
without a drawer.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from tournaments.money.domain.accounts import Account, Side


class Step(StrEnum):
    """A movement of chips, or of money for them."""

    BOUGHT = "bought"
    CASHED = "cashed"
    TIME_FEE = "time_fee"
    POT_FEE = "pot_fee"
    TIP = "tip"
    CARRIED_OUT = "carried_out"
    CARRIED_IN = "carried_in"
    COUNTED = "counted"


# The other side of each movement of chips, and whether the chips leave the table.
_CHIPS: Mapping[Step, tuple[Account | None, bool]] = {
    Step.BOUGHT: (None, False),
    Step.CASHED: (None, True),
    Step.POT_FEE: (Account.RAKE, True),
    Step.TIP: (Account.TIPS, True),
    Step.CARRIED_OUT: (Account.CARRIED, True),
    Step.CARRIED_IN: (Account.CARRIED, False),
    Step.COUNTED: (Account.MISSING, True),
}


def sides_of_step(step: Step, cents: int, *, is_noted: bool = False) -> dict[Side, int]:
    """Return the sides of a movement, without its cash side.

    :param cents: The amount; for a count the shortage, below zero the surplus.
    :param is_noted: Whether the table is on account: the player's debt is written down instead.

    >>> def told(sides):
    ...     return {str(account): cents for (account, _part), cents in sides.items()}
    >>> told(sides_of_step(Step.BOUGHT, 5000))
    {'chips': -5000}
    >>> told(sides_of_step(Step.BOUGHT, 5000, is_noted=True))
    {'chips': -5000, 'owed': 5000}
    >>> told(sides_of_step(Step.CASHED, 7000, is_noted=True))
    {'chips': 7000, 'owed': -7000}
    >>> told(sides_of_step(Step.POT_FEE, 200))
    {'chips': 200, 'rake': -200}
    >>> told(sides_of_step(Step.TIME_FEE, 300))
    {'rake': -300}
    """
    if step is Step.TIME_FEE:
        sides = {(Account.RAKE, ""): -cents}
        return sides | {(Account.OWED, ""): cents} if is_noted else sides
    other, leaves = _CHIPS[step]
    chips = cents if leaves else -cents
    sides = {(Account.CHIPS, ""): chips}
    if other is not None:
        sides[(other, "")] = -chips
    elif is_noted:
        sides[(Account.OWED, "")] = -chips
    return sides


def on_table_cents(booked: Mapping[Account, int]) -> int:
    """Return the chips on a table, from the sums of its rows.

    >>> on_table_cents({Account.CHIPS: -12_000, Account.RAKE: -300})
    12000
    """
    return -booked.get(Account.CHIPS, 0)
