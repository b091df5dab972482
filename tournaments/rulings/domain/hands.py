"""Poker hands: their value, and the best five of the cards there are.

A value is one integer; the greater wins, equal ones share. Suits never decide between hands (KRRU
3.0, STEFFEN, STUD, WIESBADEN). Who gets which pot is in `pots`, who shows first in `showdown`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations

from tournaments.rulings.domain.contests import OMAHAS, Contest
from tournaments.seating.domain.cards import Card

FIVE = 5
# A rank takes four bits; a value is the category and then five ranks.
BITS = 4
WHEEL = 0b1000000001111  # the ace, and two to five: bit 0 is the two


class Category(IntEnum):
    """The ten kinds of hands, the best last (KRRU 3.0, WIESBADEN, STUD).

    STEFFEN counts nine: there the royal flush is the highest straight flush. Nothing follows from
    it, for no other straight flush equals it.

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


@dataclass(frozen=True, slots=True)
class Hand:
    """The best five cards somebody has, in the order in which they are read, and their value."""

    value: int
    cards: tuple[Card, ...]


def category_of(value: int) -> Category:
    """Return the kind of hand a value is.

    >>> from tournaments.seating.domain.cards import card_from_code
    >>> category_of(value_of([card_from_code(code) for code in "5s 4s 3d 2c As".split()])).name
    'STRAIGHT'
    """
    return Category(value >> (FIVE * BITS))


def ranks_of(value: int) -> tuple[int, ...]:
    """Return the ranks that decide, the most important first; 14 is the ace.

    >>> ranks_of(0x1e9850)
    (14, 9, 8, 5)
    """
    digits = [(value >> (BITS * place)) & 15 for place in reversed(range(FIVE))]
    return tuple(rank for rank in digits if rank)


def value_of(cards: Sequence[Card]) -> int:
    """Return the value of the best five among five to seven cards.

    The ace is also low in 5-4-3-2-A, never in the middle (WIESBADEN, STUD, STEFFEN).

    >>> from tournaments.seating.domain.cards import card_from_code
    >>> cards = [card_from_code(code) for code in "Kd Ks 9h 9c 4s 4d 2h".split()]
    >>> category_of(value_of(cards)).name, ranks_of(value_of(cards))
    ('TWO_PAIR', (13, 9, 4))
    """
    return value_of_numbers([card_number(card) for card in cards])


def card_number(card: Card) -> int:
    """Return a card as a number: four bits of rank, the two being 0, above two bits of suit.

    >>> from tournaments.seating.domain.cards import card_from_code
    >>> card_number(card_from_code("2c")), card_number(card_from_code("As"))
    (0, 51)
    """
    return (card.rank - 2) * 4 + card.suit - 1


def value_of_numbers(numbers: Sequence[int]) -> int:
    """Return the value of the best five among five to seven cards, told by `card_number`.

    >>> ranks_of(value_of_numbers([0, 5, 10, 15, 48]))
    (5,)
    """
    suits, counts = [0, 0, 0, 0], [0] * 13
    for number in numbers:
        rank = number >> 2
        suits[number & 3] |= 1 << rank
        counts[rank] += 1
    for held in suits:
        if held.bit_count() >= FIVE:
            high = _STRAIGHT[held]
            # With a flush among seven cards there is neither a four nor a full house.
            if high:
                return _STRAIGHT_FLUSHES[high]
            return _FLUSH | _TOP[held]
    return _without_flush(counts, suits[0] | suits[1] | suits[2] | suits[3])


def _without_flush(counts: list[int], held: int) -> int:
    groups = [0, 0, 0, 0, 0]
    for rank, count in enumerate(counts):
        groups[count] |= 1 << rank
    _, _, pairs, threes, fours = groups
    if fours:
        return _made(Category.FOUR, (fours,), held, 1)
    three = 1 << threes.bit_length() >> 1
    rest = pairs | (threes ^ three)
    if three and rest:
        return _made(Category.FULL_HOUSE, (three, rest), held, 0)
    if _STRAIGHT[held]:
        return packed(Category.STRAIGHT, (_STRAIGHT[held],))
    if three:
        return _made(Category.THREE, (three,), held, 2)
    return _paired(pairs, held) if pairs else _TOP[held]


def _paired(pairs: int, held: int) -> int:
    high = 1 << pairs.bit_length() >> 1
    if pairs ^ high:
        return _made(Category.TWO_PAIR, (high, pairs ^ high), held, 1)
    return _made(Category.PAIR, (high,), held, 3)


def _made(category: Category, groups: tuple[int, ...], held: int, kickers: int) -> int:
    """Return the value of groups, of each of which the highest rank counts, with kickers."""
    ranks = [group.bit_length() + 1 for group in groups]
    for rank in ranks:
        held &= ~(1 << (rank - 2))
    for _number in range(kickers):
        rank = held.bit_length() + 1
        ranks.append(rank)
        held ^= 1 << (rank - 2)
    return packed(category, ranks)


def packed(category: int, ranks: Sequence[int]) -> int:
    """Return a category and the ranks that decide, the most important first, as one value.

    >>> hex(packed(Category.PAIR, (14, 9, 8, 5)))
    '0x1e9850'
    """
    value = int(category)
    for place in range(FIVE):
        value = value << BITS | (ranks[place] if place < len(ranks) else 0)
    return value


def _straight_in(held: int) -> int:
    """Return the highest rank of a straight among ranks, 0 without one."""
    for high in range(12, 3, -1):
        if held >> (high - 4) & 31 == 31:
            return high + 2
    return 5 if held & WHEEL == WHEEL else 0


def _top_five(held: int) -> int:
    ranks = [rank + 2 for rank in range(12, -1, -1) if held >> rank & 1][:FIVE]
    return packed(0, ranks)


_STRAIGHT = [_straight_in(held) for held in range(1 << 13)]
_TOP = [_top_five(held) for held in range(1 << 13)]
_FLUSH = packed(Category.FLUSH, ())
_STRAIGHT_FLUSHES = {
    high: packed(Category.ROYAL_FLUSH if high == 14 else Category.STRAIGHT_FLUSH, (high,))
    for high in range(5, 15)
}


def best_hand(contest: Contest, hole: Sequence[Card], board: Sequence[Card]) -> Hand:
    """Return the best five: any of seven in hold'em and stud, two and three in Omaha (WIESBADEN).

    >>> from tournaments.seating.domain.cards import card_from_code
    >>> read = lambda codes: [card_from_code(code) for code in codes.split()]
    >>> board = read("9s Ts Js Qs 2d")
    >>> hand = best_hand(Contest.OMAHA, read("Ks 3h 4h 5c"), board)
    >>> category_of(hand.value).name, " ".join(card.code for card in hand.cards)
    ('HIGH_CARD', 'Ks Qs Js Ts 5c')
    """
    if contest in OMAHAS:
        fives = [(value_of(five), five) for five in omaha_fives(hole, board)]
        value, cards = max(fives, key=lambda found: found[0])
        return Hand(value, _in_order(cards, value))
    cards_there = sorted_down([*hole, *board])
    value = value_of(cards_there)
    five = next(five for five in combinations(cards_there, FIVE) if value_of(five) == value)
    return Hand(value, _in_order(five, value))


def omaha_fives(hole: Sequence[Card], board: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
    """Yield every five of two own cards and three of the middle.

    >>> from tournaments.seating.domain.cards import deck
    >>> len(list(omaha_fives(deck()[:4], deck()[4:9])))
    60
    """
    for own in combinations(sorted_down(hole), 2):
        for shared in combinations(sorted_down(board), 3):
            yield (*own, *shared)


def sorted_down(cards: Sequence[Card]) -> list[Card]:
    """Return cards from the highest, by rank and then suit.

    >>> from tournaments.seating.domain.cards import deck
    >>> [card.code for card in sorted_down(deck()[-2:] + deck()[:1])]
    ['As', '3c', '2c']
    """
    return sorted(cards, reverse=True)


def read_order(cards: Sequence[Card], rank_of: Callable[[Card], int]) -> tuple[Card, ...]:
    """Return five cards as they are read: pairs before kickers, then from the highest.

    >>> from tournaments.seating.domain.cards import card_from_code
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
    is_wheel = ranks_of(value) == (5,)
    return read_order(cards, lambda card: 1 if is_wheel and card.rank == 14 else card.rank)
