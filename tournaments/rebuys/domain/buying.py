"""Purchase rules: re-buy, add-on, re-entry. Works with positions, counts and chips only.

A re-buy is no elimination: the entry goes on. A re-entry follows one: it is a new entry (HOME;
common practice). Knows no prices, names or present time.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum


class No(StrEnum):
    """Why a good cannot be bought."""

    NOT_OFFERED = "not_offered"
    NOT_BEGUN = "not_begun"
    NOT_YET = "not_yet"
    TOO_LATE = "too_late"
    TOO_OFTEN = "too_often"
    ONE_AT_A_TIME = "one_at_a_time"
    STACK_UNKNOWN = "stack_unknown"
    HAS_CHIPS = "has_chips"
    IS_OUT = "is_out"
    IS_IN = "is_in"
    LOST_ALL = "lost_all"
    DISQUALIFIED = "disqualified"


# A director may override these; the others make no sense or break a rule (S7).
MAY_BE_LET_PASS = frozenset({No.NOT_YET, No.TOO_LATE, No.TOO_OFTEN, No.ONE_AT_A_TIME})


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The limits of an offer: schedule positions and counts.

    :param first: First position with the offer.
    :param last: Last position, until its end; None: not offered.
    :param most: Most for one person; 0: unlimited.
    :param at_once: Most in one purchase.
    :param threshold: Largest stack that may buy; 0: only without chips.
    """

    last: int | None
    first: int = 0
    most: int = 0
    at_once: int = 1
    threshold: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Buyer:
    """The buyer: state of the stack, and earlier purchases.

    :param stack: Remaining chips; None: unknown. 0 while the seat is held.
    :param bought: Earlier purchases of this good, over all entries of the player.
    """

    bought: int = 0
    stack: int | None = None
    is_out: bool = False
    is_disqualified: bool = False


def purchase_obstacle(
    what: str,
    offer: Offer,
    buyer: Buyer,
    *,
    position: int | None,
    number: int = 1,
    lets_pass: bool = False,
) -> No | None:
    """Return why this buyer may not have a `rebuy`, `addon` or `reentry` now, or None.

    A re-buy needs a stack lost, or below the threshold (S17). An add-on is open to all still in, a
    re-entry to those out and not disqualified (S7).

    :param position: Position of the present level; None before the start.
    :param lets_pass: Whether a director overrides what can be overridden.

    >>> offer = Offer(last=5, most=2)
    >>> purchase_obstacle("rebuy", offer, Buyer(stack=0), position=5)
    >>> purchase_obstacle("rebuy", offer, Buyer(stack=0), position=6)
    <No.TOO_LATE: 'too_late'>
    >>> purchase_obstacle("rebuy", offer, Buyer(stack=0), position=6, lets_pass=True)
    >>> purchase_obstacle("rebuy", offer, Buyer(stack=0, bought=2), position=0)
    <No.TOO_OFTEN: 'too_often'>
    >>> purchase_obstacle("rebuy", offer, Buyer(stack=100), position=6, lets_pass=True)
    <No.HAS_CHIPS: 'has_chips'>
    >>> purchase_obstacle("rebuy", Offer(last=5, threshold=100), Buyer(stack=100), position=0)
    >>> in_the_break = Offer(first=4, last=4, most=1)
    >>> purchase_obstacle("addon", in_the_break, Buyer(), position=3)
    <No.NOT_YET: 'not_yet'>
    >>> purchase_obstacle("addon", in_the_break, Buyer(), position=4)
    >>> purchase_obstacle("addon", in_the_break, Buyer(stack=0), position=4)
    <No.LOST_ALL: 'lost_all'>
    >>> purchase_obstacle("reentry", offer, Buyer(is_out=True), position=5)
    >>> purchase_obstacle("reentry", offer, Buyer(), position=5)
    <No.IS_IN: 'is_in'>
    >>> purchase_obstacle("reentry", offer, Buyer(is_out=True, is_disqualified=True), position=0)
    <No.DISQUALIFIED: 'disqualified'>
    """
    reasons = _reasons(what, offer, buyer, position, number)
    return next((no for no in reasons if not (lets_pass and no in MAY_BE_LET_PASS)), None)


def _reasons(
    what: str, offer: Offer, buyer: Buyer, position: int | None, number: int
) -> Iterator[No]:
    if offer.last is None:
        yield No.NOT_OFFERED
        return
    if buyer.is_disqualified:
        yield No.DISQUALIFIED
    if buyer.is_out is not (what == "reentry"):
        yield No.IS_OUT if buyer.is_out else No.IS_IN
    if position is None:
        yield No.NOT_BEGUN
    elif not offer.first <= position <= offer.last:
        yield No.NOT_YET if position < offer.first else No.TOO_LATE
    if not 1 <= number <= offer.at_once:
        yield No.ONE_AT_A_TIME
    if offer.most and buyer.bought + number > offer.most:
        yield No.TOO_OFTEN
    yield from _by_stack(what, offer, buyer.stack)


def _by_stack(what: str, offer: Offer, stack: int | None) -> Iterator[No]:
    if what == "addon" and stack == 0:
        yield No.LOST_ALL
    if what != "rebuy":
        return
    if stack is None:
        yield No.STACK_UNKNOWN
    elif stack > offer.threshold:
        yield No.HAS_CHIPS
