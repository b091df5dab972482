"""Low hands: razz, deuce to seven, and the low half of hi-lo games.

As for high hands, the greater value wins: a low value is a bound minus the hand's badness as a
five-card value. The ranking is the common one, in our words: in razz and hi-lo the ace is low, and
straights and flushes do not count; for half a pot all five ranks differ and none is above eight; in
deuce to seven the ace is high, and straights and flushes count against the hand.
"""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.event.domain.cards import Card
from tournaments.rulings.domain.contests import LOWS, Contest
from tournaments.rulings.domain.hands import (
    ACE,
    FIVE,
    WHEEL,
    Category,
    Hand,
    best_of,
    category_of,
    grouped,
    packed,
    ranks_of,
    read_order,
    value_of,
)

BOUND = 1 << 24  # above every value of a high hand
EIGHT = 8
LOW_ACE = 1


def low_rank(card: Card) -> int:
    """Return the rank of a card with the ace low.

    >>> from tournaments.event.domain.cards import card_from_code
    >>> low_rank(card_from_code("As")), low_rank(card_from_code("Ks"))
    (1, 13)
    """
    return LOW_ACE if card.rank == ACE else int(card.rank)


def low_value(cards: Sequence[Card]) -> int:
    """Return the value of five cards in razz: the lowest unpaired hand is the best.

    >>> from tournaments.event.domain.cards import card_from_code
    >>> wheel, rough, pair = (
    ...     low_value([card_from_code(code) for code in codes.split()])
    ...     for codes in ("5s 4s 3s 2s As", "8d 7d 6c 5c 4s", "2s 2d 3s 4s 5s")
    ... )
    >>> wheel > rough > pair
    True
    """
    return BOUND - packed(*grouped(low_rank(card) for card in cards))


def deuce_value(cards: Sequence[Card]) -> int:
    """Return the value of five cards in deuce to seven: 7-5-4-3-2 of mixed suits is the best.

    The ace is only high: 5-4-3-2-A is no straight but ace high.

    >>> from tournaments.event.domain.cards import card_from_code
    >>> best, ace, straight = (
    ...     deuce_value([card_from_code(code) for code in codes.split()])
    ...     for codes in ("7s 5d 4s 3s 2s", "5s 4d 3s 2s As", "6s 5d 4s 3s 2s")
    ... )
    >>> best > ace > straight
    True
    """
    value = value_of(cards)
    if ranks_of(value) == (FIVE,):
        is_flush = category_of(value) is Category.STRAIGHT_FLUSH
        value = packed(Category.FLUSH if is_flush else Category.HIGH_CARD, WHEEL)
    return BOUND - value


def low_category(value: int) -> Category:
    """Return the category of a low hand: a mere high card is the best.

    >>> low_category(BOUND - packed(Category.PAIR, (2, 5, 4, 3))).name
    'PAIR'
    """
    return category_of(BOUND - value)


def low_ranks(value: int) -> tuple[int, ...]:
    """Return the deciding ranks of a low hand, most important first; a low ace is 1.

    >>> low_ranks(BOUND - packed(Category.HIGH_CARD, (8, 6, 4, 2, 1)))
    (8, 6, 4, 2, 1)
    """
    return ranks_of(BOUND - value)


def best_low(contest: Contest, hole: Sequence[Card], board: Sequence[Card]) -> Hand | None:
    """Return the best low five; None if eight or better is required and missing.

    >>> from tournaments.event.domain.cards import card_from_code
    >>> read = lambda codes: [card_from_code(code) for code in codes.split()]
    >>> hand = best_low(Contest.OMAHA_HILO, read("As 2d Kh Ks"), read("3s 7d 8h Qs Jc"))
    >>> " ".join(card.code for card in hand.cards)
    '8h 7d 3s 2d As'
    >>> best_low(Contest.OMAHA_HILO, read("As Qd Kh Ks"), read("3s 7d 8h Qs Jc")) is None
    True
    """
    worth = deuce_value if contest is Contest.TRIPLE_DRAW else low_value
    value, cards = best_of(contest, hole, board, worth)
    if contest not in LOWS and not _is_eight_or_better(value):
        return None
    rank_of = _high_rank if contest is Contest.TRIPLE_DRAW else low_rank
    return Hand(value, read_order(cards, rank_of))


def _high_rank(card: Card) -> int:
    return int(card.rank)


def _is_eight_or_better(value: int) -> bool:
    return low_category(value) is Category.HIGH_CARD and low_ranks(value)[0] <= EIGHT
