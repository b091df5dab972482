"""The books of cash tables: movements of chips and money as sides of the one journal.

A booking with its cash side sums to zero. `CHIPS` holds the chips on a table, below zero like all
income; so minus the sum of a table's rows is the chips on it. `OWED` replaces cash among friends
without a drawer.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, time, timedelta, tzinfo
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

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


# --- The end of a cash game: its instant, and the stage of a table


DAY = timedelta(days=1)


class Stage(StrEnum):
    """A table's stage before the end."""

    PLAYS = "plays"
    LAST_HANDS = "last_hands"
    LAST_HAND = "last_hand"
    FINISHES = "finishes"
    OVER = "over"


def end_instant(begins: datetime, ends: time, zone: tzinfo) -> datetime:
    """Return the first instant after the beginning at which the clock shows `ends`.

    Past midnight it is the next day. If an hour comes twice in October, it is the first of the two
    after the beginning. An hour left out in March ends when the next one begins.

    :param begins: The beginning of the event, with its zone.

    >>> from datetime import UTC
    >>> from zoneinfo import ZoneInfo
    >>> vienna = ZoneInfo("Europe/Vienna")
    >>> evening = datetime(2026, 10, 24, 19, tzinfo=vienna)
    >>> end_instant(evening, time(2, 30), vienna).astimezone(UTC).isoformat()
    '2026-10-25T00:30:00+00:00'
    >>> later = datetime(2026, 10, 25, 0, 45, tzinfo=UTC)
    >>> end_instant(later, time(2, 30), vienna).astimezone(UTC).isoformat()
    '2026-10-25T01:30:00+00:00'
    """
    day = begins.astimezone(zone).date()
    found = [
        datetime.combine(day + DAY * more, ends, zone).replace(fold=fold)
        for more in (0, 1)
        for fold in (0, 1)
    ]
    return next(at for at in found if at.timestamp() > begins.timestamp())


def stage(
    now: datetime, *, ends_at: datetime | None, hands_left: int | None, is_hand_running: bool
) -> Stage:
    """Return a table's stage.

    An announcement applies even beyond the fixed end. Without one, no hand begins after the end.

    :param hands_left: The announced last hands not yet begun; None without an announcement.

    >>> from datetime import UTC
    >>> end = datetime(2026, 11, 24, 1, tzinfo=UTC)
    >>> own = {"ends_at": end, "hands_left": None}
    >>> str(stage(end - DAY, **own, is_hand_running=False))
    'plays'
    >>> [str(stage(end, **own, is_hand_running=is_running)) for is_running in (True, False)]
    ['finishes', 'over']
    """
    if hands_left is not None:
        if hands_left:
            return Stage.LAST_HANDS if hands_left + is_hand_running > 1 else Stage.LAST_HAND
        return Stage.LAST_HAND if is_hand_running else Stage.OVER
    if ends_at is None or now < ends_at:
        return Stage.PLAYS
    return Stage.FINISHES if is_hand_running else Stage.OVER


# --- Who bears what was missing or too much among friends


class Bearer(StrEnum):
    """Who bears a counted difference."""

    HOUSE = "house"
    ALL = "all"
    WINNERS = "winners"
    ONE = "one"


def borne(
    balances: Mapping[int, int], cents: int, bears: Bearer, *, one: int | None = None, unit: int = 1
) -> dict[int, int]:
    """Return each person's share of missing cents, to be added to the balances.

    All bear alike; winners bear in proportion to what they won, and all where nobody won.

    :param balances: By person, of those who played.
    :param cents: What others paid and nobody holds; below zero what is held and nobody paid.
    :param unit: The smallest amount, in which the shares are whole.

    >>> borne({1: -500, 2: 300, 3: 0}, 200, Bearer.ALL, unit=100)
    {1: 100, 2: 100, 3: 0}
    >>> borne({1: -500, 2: 400, 3: 200}, -100, Bearer.WINNERS)
    {2: -67, 3: -33}
    >>> borne({1: -500, 2: 460}, 40, Bearer.ONE, one=2)
    {2: 40}
    """
    if bears is Bearer.ONE and one is not None:
        return {one: cents}
    won = {person: balance for person, balance in sorted(balances.items()) if balance > 0}
    weights = won if bears is Bearer.WINNERS and won else dict.fromkeys(sorted(balances), 1)
    if bears is Bearer.HOUSE or not weights:
        return {}
    units, sign = abs(cents) // unit, 1 if cents > 0 else -1
    total = sum(weights.values())
    shares = {person: units * weight // total for person, weight in weights.items()}
    rest = {person: units * weight % total for person, weight in weights.items()}
    for person in sorted(weights, key=lambda each: -rest[each])[: units - sum(shares.values())]:
        shares[person] += 1
    return {person: sign * share * unit for person, share in shares.items()}


# --- Settle without a drawer: the fewest payments among players


# Twenty, and the house: up to so many the payments are certainly the fewest.
MOST_EXACT = 21


class Payment(NamedTuple):
    """A payment of cents from one person to another."""

    payer: int
    payee: int
    cents: int


def payments_fewest(balances: Mapping[int, int]) -> list[Payment]:
    """Return the fewest payments that settle balances, in cents and above zero to receive.

    >>> payments_fewest({1: -500, 2: 300, 3: 200})
    [Payment(payer=1, payee=2, cents=300), Payment(payer=1, payee=3, cents=200)]
    >>> len(payments_fewest({1: 500, 2: -300, 3: -200, 4: 400, 5: -400}))
    3

    :raises ValueError: The balances do not sum to zero.
    """
    if sum(balances.values()):
        raise ValueError("What some get is not what the others owe.")
    return list(fewest_known(tuple(one for one in sorted(balances.items()) if one[1])))


# The page for everybody asks again and again, and twenty people take a second to reckon.
@lru_cache(maxsize=128)
def fewest_known(open_: tuple[tuple[int, int], ...]) -> tuple[Payment, ...]:
    """Return the fewest payments for these balances, reckoned once."""
    return tuple(payment for group in _groups(dict(open_)) for payment in _within(group))


def payments_left(balances: Mapping[int, int], done: Sequence[Payment]) -> list[Payment]:
    """Return the payments, with those that are done as long as they fit.

    Once a payment that is done is none of them, the rest is reckoned anew.

    >>> balances = {1: -500, 2: 300, 3: 200}
    >>> [tuple(one) for one in payments_left(balances, [Payment(1, 2, 300)])]
    [(1, 2, 300), (1, 3, 200)]
    >>> [tuple(one) for one in payments_left(balances, [Payment(1, 3, 300)])]
    [(1, 2, 200), (3, 2, 100)]
    """
    planned = payments_fewest(balances)
    if set(done) <= set(planned):
        return planned
    left = Counter(balances)
    for payer, payee, cents in done:
        left[payer] += cents
        left[payee] -= cents
    return payments_fewest(left)


def _within(group: Mapping[int, int]) -> list[Payment]:
    """Return payments inside a group, at most one fewer than its people."""
    gets = sorted(([cents, person] for person, cents in group.items() if cents > 0), reverse=True)
    owes = sorted(([-cents, person] for person, cents in group.items() if cents < 0), reverse=True)
    found = []
    while gets and owes:
        cents = min(gets[0][0], owes[0][0])
        found.append(Payment(owes[0][1], gets[0][1], cents))
        for side in (gets, owes):
            side[0][0] -= cents
            if not side[0][0]:
                side.pop(0)
    return found


def _groups(balances: Mapping[int, int]) -> list[dict[int, int]]:
    """Return the people in groups with sum zero: in as many as possible, if few enough are left."""
    left, found = dict(balances), []
    # Two people with opposite balances form a group in some best answer: without them, the rest of
    # their groups still sums to zero.
    for person, cents in balances.items():
        other = next((each for each, own in left.items() if own == -cents), None)
        if person in left and other is not None:
            found.append({person: left.pop(person), other: left.pop(other)})
    return found + (_most_groups(left) if len(left) <= MOST_EXACT else [left])


def _most_groups(balances: Mapping[int, int]) -> list[dict[int, int]]:
    """Return the people in as many groups as possible, each with sum zero.

    A set of people is a number with a bit for each. Of all orders to add one after the other, the
    best passes the most sets with sum zero: between two of these lies a group.
    """
    # numpy takes a tenth of a second to load and is rarely needed.
    import numpy as np  # noqa: PLC0415

    sums = np.zeros(1, np.int64)
    for cents in balances.values():
        sums = np.concatenate([sums, sums + cents])
    is_even, sets = sums == 0, np.arange(len(sums))
    most, sizes = np.zeros(len(sums), np.int8), np.bitwise_count(sets)
    bits = {person: 1 << at for at, person in enumerate(balances)}
    for size in range(1, len(balances) + 1):
        own = sets[sizes == size]
        most[own] = np.max([most[own & ~bit] for bit in bits.values()], axis=0) + is_even[own]
    left, found = len(sums) - 1, list[dict[int, int]]()
    while left:
        if is_even[left]:
            found.append({})
        before = most[left] - is_even[left]
        person = next(
            one for one, bit in bits.items() if left & bit and most[left & ~bit] == before
        )
        found[-1][person] = balances[person]
        left &= ~bits[person]
    return found
