"""The house fee of a cash game: by time, from the pot, for each hand, or none.

Amounts are whole cents. Source: WIESBADEN (S19): a fee from the pot; HOME (S18): none, or by time.
"""

from datetime import UTC, datetime, timedelta
from enum import StrEnum


class FeeWay(StrEnum):
    """How the house takes its fee."""

    NONE = "none"
    TIME = "time"
    POT = "pot"
    DROP = "drop"  # from the pots by hand, typed in when the box is emptied
    HAND = "hand"


def time_fee_cents(since: datetime, until: datetime, *, cents: int, minutes: int) -> int:
    """Return the time fee for a stay at a table; a begun period counts in full.

    Instants are compared, not clock times: if an hour comes twice in October, both are paid.

    >>> at = datetime(2026, 11, 23, 23, 50, tzinfo=UTC)
    >>> minutes = [at + timedelta(minutes=later) for later in (0, 1, 30, 31)]
    >>> [time_fee_cents(at, until, cents=300, minutes=30) for until in minutes]
    [0, 300, 300, 600]

    :raises ValueError: The period is not at least one minute.
    """
    if minutes < 1:
        raise ValueError("A period is at least one minute.")
    seconds = max(0, int(until.timestamp() - since.timestamp()))
    return -(-seconds // (60 * minutes)) * cents


def period_end(since: datetime, now: datetime, *, minutes: int) -> datetime:
    """Return the end of the latest begun period: time is counted until then.

    >>> at = datetime(2026, 11, 23, 23, 50, tzinfo=UTC)
    >>> period_end(at, at + timedelta(minutes=31), minutes=30).isoformat()
    '2026-11-24T00:50:00+00:00'
    >>> period_end(at, at, minutes=30) == at
    True
    """
    periods = time_fee_cents(since, now, cents=1, minutes=minutes)
    return since.astimezone(UTC) + periods * timedelta(minutes=minutes)


def pot_fee_cents(pot_cents: int, *, percent: int, most_cents: int, step_cents: int = 1) -> int:
    """Return the fee from a pot: a percentage, rounded down to a chip, up to a limit.

    :param most_cents: The most from one pot; 0: without a limit.
    :param step_cents: The smallest chip. A smaller remainder stays in the pot.

    >>> pot_fee_cents(8_650, percent=5, most_cents=500, step_cents=50)
    400
    >>> pot_fee_cents(80_000, percent=5, most_cents=500)
    500

    :raises ValueError: A figure is below zero, or above a hundred percent.
    """
    if pot_cents < 0 or not 0 <= percent <= 100 or most_cents < 0 or step_cents < 1:
        raise ValueError("That is no pot, or no fee.")
    fee = pot_cents * percent // 100
    fee = min(fee, most_cents) if most_cents else fee
    return fee - fee % step_cents


def hand_fee_cents(
    way: FeeWay, *, cents: int, percent: int, most_cents: int, pot_cents: int, step_cents: int
) -> int:
    """Return the chips that leave the table for the house at the end of a hand.

    >>> own = {"cents": 100, "percent": 5, "most_cents": 300, "pot_cents": 4000, "step_cents": 50}
    >>> [hand_fee_cents(way, **own) for way in FeeWay]
    [0, 0, 200, 0, 100]
    """
    if way is FeeWay.HAND:
        return cents
    if way is FeeWay.POT:
        return pot_fee_cents(
            pot_cents, percent=percent, most_cents=most_cents, step_cents=step_cents
        )
    return 0
