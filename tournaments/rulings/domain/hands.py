"""Poker hands: their value, and the best five of the available cards.

A value is one integer; the greater wins, equal ones share. Suits never decide between hands (KRRU
3.0, STEFFEN, STUD, WIESBADEN). `pots` divides pots, `showdown` orders the showing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations

from tournaments.event.domain.cards import Card
from tournaments.rulings.domain.contests import OMAHAS, Contest

FIVE = 5
# A rank takes four bits; a value is the category followed by five ranks.
BITS = 4
ACE = 14
WHEEL = (ACE, 5, 4, 3, 2)


class Category(IntEnum):
    """The ten kinds of hands, the best last (KRRU 3.0, WIESBADEN, STUD).

    STEFFEN counts nine: there the royal flush is the highest straight flush. The result is the
    same, as no other straight flush equals it.

    >>> Category.FLUSH > Category.STRAIGHT, len(Category)
    (True, 10)
    """

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


# By the counts of equal ranks in five cards; straights and flushes are added later.
_BY_COUNTS = {
    (4, 1): Category.FOUR,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE,
    (2, 2, 1): Category.TWO_PAIR,
    (2, 1, 1, 1): Category.PAIR,
    (1, 1, 1, 1, 1): Category.HIGH_CARD,
}


@dataclass(frozen=True, slots=True)
class Hand:
    """The best five cards of a player in reading order, and their value."""

    value: int
    cards: tuple[Card, ...]


def category_of(value: int) -> Category:
    """Return the category of a value.

    >>> from tournaments.event.domain.cards import card_from_code
    >>> category_of(value_of([card_from_code(code) for code in "5s 4s 3d 2c As".split()])).name
    'STRAIGHT'
    """
    return Category(value >> (FIVE * BITS))


def ranks_of(value: int) -> tuple[int, ...]:
    """Return the deciding ranks, most important first; 14 is the ace.

    >>> ranks_of(0x1e9850)
    (14, 9, 8, 5)
    """
    digits = [(value >> (BITS * place)) & 15 for place in reversed(range(FIVE))]
    return tuple(rank for rank in digits if rank)


def value_of(cards: Sequence[Card]) -> int:
    """Return the value of the best five among five to seven cards.

    The ace is also low in 5-4-3-2-A, never in the middle (WIESBADEN, STUD, STEFFEN).

    >>> from tournaments.event.domain.cards import card_from_code
    >>> cards = [card_from_code(code) for code in "Kd Ks 9h 9c 4s 4d 2h".split()]
    >>> category_of(value_of(cards)).name, ranks_of(value_of(cards))
    ('TWO_PAIR', (13, 9, 4))
    """
    return max(_value_of_five(five) for five in combinations(cards, FIVE))


def _value_of_five(cards: Sequence[Card]) -> int:
    category, ranks = grouped([int(card.rank) for card in cards])
    if category is not Category.HIGH_CARD:
        return packed(category, ranks)
    is_flush = len({card.suit for card in cards}) == 1
    if ranks == WHEEL or ranks[0] - ranks[-1] == FIVE - 1:
        high = FIVE if ranks == WHEEL else ranks[0]
        category = Category.STRAIGHT
        if is_flush:
            category = Category.ROYAL_FLUSH if high == ACE else Category.STRAIGHT_FLUSH
        return packed(category, (high,))
    return packed(Category.FLUSH if is_flush else category, ranks)


def grouped(ranks: Iterable[int]) -> tuple[Category, tuple[int, ...]]:
    """Return the category of five ranks by their counts, and the deciding ranks.

    >>> category, ranks = grouped([4, 13, 4, 13, 9])
    >>> category.name, ranks
    ('TWO_PAIR', (13, 4, 9))
    """
    counts = sorted(((count, rank) for rank, count in Counter(ranks).items()), reverse=True)
    return _BY_COUNTS[tuple(count for count, _rank in counts)], tuple(rank for _, rank in counts)


def packed(category: int, ranks: Sequence[int]) -> int:
    """Return a category and the deciding ranks, most important first, as one value.

    >>> hex(packed(Category.PAIR, (14, 9, 8, 5)))
    '0x1e9850'
    """
    value = int(category)
    for place in range(FIVE):
        value = value << BITS | (ranks[place] if place < len(ranks) else 0)
    return value


def best_hand(contest: Contest, hole: Sequence[Card], board: Sequence[Card]) -> Hand:
    """Return the best five: any of seven in hold'em and stud, two and three in Omaha (WIESBADEN).

    >>> from tournaments.event.domain.cards import card_from_code
    >>> read = lambda codes: [card_from_code(code) for code in codes.split()]
    >>> board = read("9s Ts Js Qs 2d")
    >>> hand = best_hand(Contest.OMAHA, read("Ks 3h 4h 5c"), board)
    >>> category_of(hand.value).name, " ".join(card.code for card in hand.cards)
    ('HIGH_CARD', 'Ks Qs Js Ts 5c')
    """
    value, cards = best_of(contest, hole, board, _value_of_five)
    return Hand(value, _in_order(cards, value))


def best_of(
    contest: Contest,
    hole: Sequence[Card],
    board: Sequence[Card],
    worth: Callable[[Sequence[Card]], int],
) -> tuple[int, tuple[Card, ...]]:
    """Return the best five by `worth`, and their worth."""
    there = combinations(sorted_down([*hole, *board]), FIVE)
    fives = omaha_fives(hole, board) if contest in OMAHAS else there
    return max(((worth(five), five) for five in fives), key=lambda found: found[0])


def omaha_fives(hole: Sequence[Card], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield every five of two own and three community cards.

    >>> from tournaments.event.domain.cards import deck
    >>> len(list(omaha_fives(deck()[:4], deck()[4:9])))
    60
    """
    for own in combinations(sorted_down(hole), 2):
        for shared in combinations(sorted_down(board), 3):
            yield (*own, *shared)


def sorted_down(cards: Sequence[Card]) -> list[Card]:
    """Return cards from the highest, by rank and then suit.

    >>> from tournaments.event.domain.cards import deck
    >>> [card.code for card in sorted_down(deck()[-2:] + deck()[:1])]
    ['As', '3c', '2c']
    """
    return sorted(cards, reverse=True)


def read_order(cards: Sequence[Card], rank_of: Callable[[Card], int]) -> tuple[Card, ...]:
    """Return five cards in reading order: pairs before kickers, then from the highest.

    >>> from tournaments.event.domain.cards import card_from_code
    >>> cards = [card_from_code(code) for code in "Kd 4s 4h".split()]
    >>> [card.code for card in read_order(cards, lambda card: card.rank)]
    ['4s', '4h', 'Kd']
    """
    ranks = [card.rank for card in cards]
    return tuple(
        sorted(
            cards,
            key=lambda card: (ranks.count(card.rank), rank_of(card), card.suit),
            reverse=True,
        )
    )


def _in_order(cards: Sequence[Card], value: int) -> tuple[Card, ...]:
    is_wheel = ranks_of(value) == (FIVE,)
    return read_order(cards, lambda card: 1 if is_wheel and card.rank == ACE else card.rank)
