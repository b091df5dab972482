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


def obstacle_to_rebuy(
    offer: Offer, buyer: Buyer, *, position: int | None, number: int = 1, lets_pass: bool = False
) -> No | None:
    """Return why this buyer may not re-buy now, or None (S17: stack lost, or below a threshold).

    :param position: Position of the present level; None before the start.
    :param lets_pass: Whether a director overrides what can be overridden.

    >>> offer = Offer(last=5, most=2)
    >>> obstacle_to_rebuy(offer, Buyer(stack=0), position=5)
    >>> obstacle_to_rebuy(offer, Buyer(stack=0), position=6)
    <No.TOO_LATE: 'too_late'>
    >>> obstacle_to_rebuy(offer, Buyer(stack=0), position=6, lets_pass=True)
    >>> obstacle_to_rebuy(offer, Buyer(stack=0, bought=2), position=0)
    <No.TOO_OFTEN: 'too_often'>
    >>> obstacle_to_rebuy(offer, Buyer(stack=100), position=6, lets_pass=True)
    <No.HAS_CHIPS: 'has_chips'>
    >>> obstacle_to_rebuy(Offer(last=5, threshold=100), Buyer(stack=100), position=0)
    """

    def reasons() -> Iterator[No]:
        yield from _play_on(offer, buyer, position)
        if not 1 <= number <= offer.at_once:
            yield No.ONE_AT_A_TIME
        if offer.most and buyer.bought + number > offer.most:
            yield No.TOO_OFTEN
        if buyer.stack is None:
            yield No.STACK_UNKNOWN
        elif buyer.stack > offer.threshold:
            yield No.HAS_CHIPS

    return _first(reasons(), lets_pass=lets_pass)


def obstacle_to_add_on(
    offer: Offer, buyer: Buyer, *, position: int | None, lets_pass: bool = False
) -> No | None:
    """Return why this buyer may not take an add-on now, or None: open to all still in.

    >>> in_the_break = Offer(first=4, last=4, most=1)
    >>> obstacle_to_add_on(in_the_break, Buyer(), position=3)
    <No.NOT_YET: 'not_yet'>
    >>> obstacle_to_add_on(in_the_break, Buyer(), position=4)
    >>> obstacle_to_add_on(in_the_break, Buyer(stack=0), position=4)
    <No.LOST_ALL: 'lost_all'>
    """

    def reasons() -> Iterator[No]:
        yield from _play_on(offer, buyer, position)
        if offer.most and buyer.bought >= offer.most:
            yield No.TOO_OFTEN
        if buyer.stack == 0:
            yield No.LOST_ALL

    return _first(reasons(), lets_pass=lets_pass)


def obstacle_to_reenter(
    offer: Offer, buyer: Buyer, *, position: int | None, lets_pass: bool = False
) -> No | None:
    """Return why this buyer may not re-enter, or None: after an out, not if disqualified (S7).

    >>> offer = Offer(last=5, most=1)
    >>> obstacle_to_reenter(offer, Buyer(is_out=True), position=5)
    >>> obstacle_to_reenter(offer, Buyer(), position=5)
    <No.IS_IN: 'is_in'>
    >>> obstacle_to_reenter(offer, Buyer(is_out=True, is_disqualified=True), position=0)
    <No.DISQUALIFIED: 'disqualified'>
    """

    def reasons() -> Iterator[No]:
        if offer.last is None:
            yield No.NOT_OFFERED
        if buyer.is_disqualified:
            yield No.DISQUALIFIED
        if not buyer.is_out:
            yield No.IS_IN
        yield from _phase(offer, position)
        if buyer.bought >= offer.most:
            yield No.TOO_OFTEN

    return _first(reasons(), lets_pass=lets_pass)


def _first(reasons: Iterator[No], *, lets_pass: bool) -> No | None:
    return next((no for no in reasons if not (lets_pass and no in MAY_BE_LET_PASS)), None)


def _play_on(offer: Offer, buyer: Buyer, position: int | None) -> Iterator[No]:
    if offer.last is None:
        yield No.NOT_OFFERED
    if buyer.is_disqualified:
        yield No.DISQUALIFIED
    if buyer.is_out:
        yield No.IS_OUT
    yield from _phase(offer, position)


def _phase(offer: Offer, position: int | None) -> Iterator[No]:
    if offer.last is None:
        yield No.NOT_OFFERED
    elif position is None:
        yield No.NOT_BEGUN
    elif position < offer.first:
        yield No.NOT_YET
    elif position > offer.last:
        yield No.TOO_LATE
