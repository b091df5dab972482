"""The director's prize plan, and the number of places it pays.

Amounts are whole cents. `prizes.domain.payouts` computes the prize of each place.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from itertools import chain, pairwise
from typing import Any

from tournaments.money.domain.tickets import Rest

# --- A share of the field in whole players: a percentage to the hundredth, and its rounding


WHOLE = 10_000  # a hundred percent, in hundredths


class Rounding(StrEnum):
    """The rounding of a share of the field. Live organisers use the nearest or up."""

    NEAREST = "nearest"
    UP = "up"
    DOWN = "down"


def share_rounded(entries: int, hundredths: int, rounding: Rounding) -> int:
    """Return a percentage of the entries as a whole number; a half counts as one.

    >>> [share_rounded(entries, 1500, Rounding.NEAREST) for entries in (155, 362, 353)]
    [23, 54, 53]
    >>> [share_rounded(201, 1250, way) for way in Rounding]
    [25, 26, 25]
    """
    part = entries * hundredths
    match rounding:
        case Rounding.NEAREST:
            return (2 * part + WHOLE) // (2 * WHOLE)
        case Rounding.UP:
            return -(-part // WHOLE)
        case Rounding.DOWN:
            return part // WHOLE


MOST_CENTS = 10_000_000_000
MOST_TYPED = 200
MOST_MINIMUM = 100
MOST_SEATS = 10_000
MOST_CHIPS = 10**9
LONGEST_NAME = 120


class Way(StrEnum):
    """How the pool is divided among the paid places."""

    NONE = "none"
    CURVE = "curve"
    SHARES = "shares"
    AMOUNTS = "amounts"
    SEATS = "seats"
    # Of a flight: who is out between the money and the bag gets one amount.
    FLIGHT = "flight"


class Shape(StrEnum):
    """How steeply the prizes of the curve fall."""

    TOP_HEAVY = "top_heavy"
    USUAL = "usual"
    FLAT = "flat"


class Unplannable(ValueError):
    """An impossible plan; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True, kw_only=True)
class PrizePlan:
    """The prize plan of an event. An empty plan means no prizes.

    :param places_percent: Whole percent of the entries paid, `places_hundredths` beside them; none
    if the number of places is typed.
    :param shares: By place, in hundredths of a percent of the pool.
    :param sizes: Other shares for small fields: up to so many entries, the smallest first.
    :param amounts: By place, in cents.
    :param seats_guaranteed: Least number of seats; the house pays the difference.
    :param seats_for: The id of the event its tickets pay for, `ANY_EVENT`, or 0: no tickets.
    :param tickets_until: The last day of the tickets, as an ISO date; empty: for ever.
    :param tickets_rest: The way of what a ticket is worth beyond the price.
    :param target_stack: A stack of so many chips wins a seat at once; 0: seats by place alone.
    :param holds_rest: Whether the pool beyond whole seats stays with the house.
    :param each_cents: What each place paid inside a flight is worth.
    :param unit_cents: Prizes are whole multiples of it; the remainder goes to the first.
    :param minimum_tenths: Least prize, in tenths of the entry price.
    :param held_back_percent: Percent of the payments kept out of the pool.
    :param in_kind: Prizes beside money, by place.
    :param desk_cents: Above this only a director pays out; 0: no limit for the desk.
    :param rooms: Whether all rooms of the day share the places and the pool.
    """

    way: Way = Way.NONE
    shape: Shape = Shape.USUAL
    places_percent: int = 0
    places_hundredths: int = 0
    places_rounding: Rounding = Rounding.UP
    shares: tuple[int, ...] = ()
    sizes: tuple[tuple[int, tuple[int, ...]], ...] = ()
    amounts: tuple[int, ...] = ()
    seat_cents: int = 0
    seat_name: str = ""
    seats_guaranteed: int = 0
    seats_for: int = 0
    tickets_until: str = ""
    tickets_rest: Rest = Rest.LOST
    target_stack: int = 0
    holds_rest: bool = False
    each_cents: int = 0
    unit_cents: int = 100
    minimum_tenths: int = 0
    added_cents: int = 0
    guarantee_cents: int = 0
    held_back_cents: int = 0
    held_back_percent: int = 0
    refunds_bubble: bool = False
    in_kind: tuple[str, ...] = ()
    desk_cents: int = 0
    rooms: bool = False

    @property
    def has_money(self) -> bool:
        return self.way is not Way.NONE

    @property
    def least_pool_cents(self) -> int:
        """Return the least pool, by the guarantee in money or in seats.

        >>> PrizePlan(way=Way.SEATS, seat_cents=55000, seats_guaranteed=20).least_pool_cents
        1100000
        """
        return max(self.guarantee_cents, self.seat_cents * self.seats_guaranteed)

    @property
    def counts_itself(self) -> bool:
        """Tell whether the plan sets the number of paid places, overriding a typed number."""
        return self.way in (Way.SHARES, Way.AMOUNTS, Way.SEATS, Way.FLIGHT) or bool(
            self.way is Way.CURVE and self.places_share
        )

    @property
    def places_share(self) -> int:
        """Return the share of the entries paid, in hundredths of a percent."""
        return 100 * self.places_percent + self.places_hundredths

    def shares_for(self, entries: int) -> tuple[int, ...]:
        """Return the shares for a field of this size.

        >>> plan = PrizePlan(way=Way.SHARES, shares=(10000,), sizes=((10, (6000, 4000)),))
        >>> plan.shares_for(10), plan.shares_for(11)
        ((6000, 4000), (10000,))
        """
        return next((shares for most, shares in self.sizes if entries <= most), self.shares)

    def as_data(self) -> dict[str, Any]:
        """Return the stored form: the differences from an empty plan.

        >>> PrizePlan(places_percent=15, in_kind=("Pokal",)).as_data()
        {'places_percent': 15, 'in_kind': ['Pokal']}
        """
        own = [(one.name, getattr(self, one.name), one.default) for one in fields(self)]
        changed = {name: value for name, value, usual in own if value != usual}
        return {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in changed.items()
        }


def prize_plan_from(data: Mapping[str, Any]) -> PrizePlan:
    """Return a plan from its stored form.

    >>> prize_plan_from({"way": "amounts", "amounts": [5000, 3000]}).amounts
    (5000, 3000)
    """
    known: dict[str, Any] = {one.name: one.default for one in fields(PrizePlan)}
    values = {name: type(own)(data.get(name, own)) for name, own in known.items()}
    values["sizes"] = tuple((most, tuple(row)) for most, row in values["sizes"])
    # Plans of before the third way said only whether the rest is kept.
    if data.get("tickets_keep_rest") and "tickets_rest" not in data:
        values["tickets_rest"] = Rest.TICKET
    return PrizePlan(**values)


def check_plan(plan: PrizePlan) -> None:
    """Refuse a plan that is impossible for every pool.

    >>> check_plan(PrizePlan(way=Way.SHARES, shares=(6000, 4100)))
    Traceback (most recent call last):
    tournaments.prizes.domain.plans.Unplannable: over_all

    :raises Unplannable: With the code of the error.
    """
    rows = [shares for _most, shares in plan.sizes]
    bounds = [most for most, _shares in plan.sizes]
    for is_wrong, code in (
        (not _are_amounts(plan), "absurd"),
        (not 1 <= plan.unit_cents <= MOST_CENTS, "unit"),
        (not 0 <= plan.places_share <= WHOLE, "places_percent"),
        (not 0 <= plan.held_back_percent <= 100, "held_back"),
        (not 0 <= plan.minimum_tenths <= 10 * MOST_MINIMUM, "minimum"),
        (len(plan.shares) > MOST_TYPED or len(plan.amounts) > MOST_TYPED, "too_many"),
        (len(plan.in_kind) > MOST_TYPED, "too_many"),
        (any(len(text) > LONGEST_NAME for text in (*plan.in_kind, plan.seat_name)), "long"),
        (plan.way is Way.SHARES and not plan.shares, "no_shares"),
        (plan.way is Way.AMOUNTS and not plan.amounts, "no_amounts"),
        (plan.way is Way.SEATS and not plan.seat_cents, "no_seat"),
        (plan.way is Way.FLIGHT and not (plan.each_cents and plan.places_share), "no_flight"),
        (not 0 <= plan.seats_guaranteed <= MOST_SEATS, "absurd"),
        (not 0 <= plan.target_stack <= MOST_CHIPS, "target"),
        (min((*plan.shares, *plan.amounts, *chain(*rows)), default=1) < 1, "nothing"),
        (not all(map(_falls, (plan.shares, plan.amounts, *rows))), "rising"),
        (bounds != sorted({most for most in bounds if most > 0}), "sizes"),
        (len(rows) + len(list(chain(*rows))) > MOST_TYPED, "too_many"),
        (max(map(sum, (plan.shares, *rows))) > WHOLE, "over_all"),
        (plan.way is Way.SHARES and min(map(sum, (plan.shares, *rows))) < WHOLE, "under_all"),
    ):
        if is_wrong:
            raise Unplannable(code)


def _are_amounts(plan: PrizePlan) -> bool:
    single = (
        plan.seat_cents,
        plan.added_cents,
        plan.guarantee_cents,
        plan.held_back_cents,
        plan.each_cents,
        plan.desk_cents,
    )
    return all(0 <= cents <= MOST_CENTS for cents in (*single, *plan.amounts))


def _falls(prizes: tuple[int, ...]) -> bool:
    return all(upper >= lower for upper, lower in pairwise(prizes))


def places_paid(plan: PrizePlan, *, typed: int, entries: int, pool_cents: int = 0) -> int:
    """Return the number of paid places; 0 if unknown.

    :param typed: The typed number, used if the plan sets none.
    :param pool_cents: The pool; used only for a satellite.

    >>> places_paid(PrizePlan(way=Way.CURVE, places_percent=15), typed=4, entries=37)
    6
    >>> places_paid(PrizePlan(way=Way.CURVE), typed=4, entries=37)
    4
    >>> seats = PrizePlan(way=Way.SEATS, seat_cents=25000)
    >>> places_paid(seats, typed=0, entries=9, pool_cents=62000)
    3
    >>> places_paid(PrizePlan(in_kind=("Pokal", "Buch")), typed=0, entries=9)
    2
    """
    if plan.way is Way.SHARES:
        return len(plan.shares_for(entries))
    if plan.way is Way.AMOUNTS:
        return len(plan.amounts)
    if plan.way is Way.SEATS:
        return min(entries, -(-pool_cents // plan.seat_cents))
    if plan.way is Way.FLIGHT:
        return share_rounded(entries, plan.places_share, plan.places_rounding)
    if plan.way is Way.CURVE and plan.places_share:
        return max(min(1, entries), share_rounded(entries, plan.places_share, plan.places_rounding))
    return typed or len(plan.in_kind)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The pool and its parts: `cents = paid + added + overlay - held_back`."""

    paid: int
    added: int
    overlay: int
    held_back: int

    @property
    def cents(self) -> int:
        return self.paid + self.added + self.overlay - self.held_back


def pool_of(plan: PrizePlan, paid_cents: int) -> Pool:
    """Return the pool of these payments. The guarantee applies to the final pool.

    A percentage held back is rounded down; it never exceeds the money there.

    >>> plan = PrizePlan(guarantee_cents=50000, held_back_percent=10, added_cents=2500)
    >>> pool = pool_of(plan, 37000)
    >>> pool.held_back, pool.overlay, pool.cents
    (3700, 14200, 50000)
    >>> pool_of(PrizePlan(way=Way.SEATS, seat_cents=25000, holds_rest=True), 62000).held_back
    12000
    """
    asked = plan.held_back_cents + paid_cents * plan.held_back_percent // 100
    held_back = min(asked, paid_cents + plan.added_cents)
    there = paid_cents + plan.added_cents - held_back
    overlay = max(0, plan.least_pool_cents - there)
    if plan.holds_rest and plan.seat_cents:
        held_back += (there + overlay) % plan.seat_cents
    return Pool(paid=paid_cents, added=plan.added_cents, overlay=overlay, held_back=held_back)
