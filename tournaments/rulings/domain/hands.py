"""Poker hands: their value, and the best five of the available cards.

A value is one integer; the greater wins, equal ones share. Suits never decide between hands (KRRU
3.0, STEFFEN, STUD, WIESBADEN). `pots` divides pots, `showdown` orders the showing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations

from clock.domain import LimitKind
from tournaments.event.domain.cards import Card
from tournaments.rulings.domain.pots import LOWS, OMAHAS, Contest, Unruled

FIVE = 5
# A rank takes four bits; a value is the category followed by five ranks, below zero for a low hand.
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
    """Return the category of a value; a mere high card is the best of the low hands.

    >>> category_of(0x1e9850).name, category_of(-0x154320).name
    ('PAIR', 'PAIR')
    """
    return Category(abs(value) >> (FIVE * BITS))


def ranks_of(value: int) -> tuple[int, ...]:
    """Return the deciding ranks, most important first; the ace is 14, in a low hand 1.

    >>> ranks_of(0x1e9850)
    (14, 9, 8, 5)
    """
    digits = [(abs(value) >> (BITS * place)) & 15 for place in reversed(range(FIVE))]
    return tuple(rank for rank in digits if rank)


def value_of(cards: Sequence[Card]) -> int:
    """Return the value of five cards.

    The ace is also low in 5-4-3-2-A, never in the middle (WIESBADEN, STUD, STEFFEN).

    >>> from tournaments.event.domain.cards import card_from_code
    >>> cards = [card_from_code(code) for code in "Kd Ks 9h 9c 4s".split()]
    >>> category_of(value_of(cards)).name, ranks_of(value_of(cards))
    ('TWO_PAIR', (13, 9, 4))
    """
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
    value, cards = _best_of(contest, hole, board, value_of)
    return Hand(value, _in_order(cards, is_ace_low=ranks_of(value) == (FIVE,)))


def _best_of(
    contest: Contest,
    hole: Sequence[Card],
    board: Sequence[Card],
    worth: Callable[[Sequence[Card]], int],
) -> tuple[int, tuple[Card, ...]]:
    """Return the best five by `worth`, and their worth."""
    fives: Iterable[tuple[Card, ...]] = combinations(sorted([*hole, *board], reverse=True), FIVE)
    if contest in OMAHAS:
        own = combinations(sorted(hole, reverse=True), 2)
        shared = list(combinations(sorted(board, reverse=True), 3))
        fives = (two + three for two in own for three in shared)
    return max(((worth(five), five) for five in fives), key=lambda found: found[0])


def _in_order(cards: Sequence[Card], *, is_ace_low: bool) -> tuple[Card, ...]:
    """Return five cards in reading order: pairs before kickers, then from the highest."""
    ranks = [card.rank for card in cards]

    def place(card: Card) -> tuple[int, int, int]:
        rank = low_rank(card) if is_ace_low else int(card.rank)
        return ranks.count(card.rank), rank, card.suit

    return tuple(sorted(cards, key=place, reverse=True))


# --- Low hands: razz, deuce to seven, and the low half of hi-lo games


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
    return -packed(*grouped(low_rank(card) for card in cards))


def deuce_value(cards: Sequence[Card]) -> int:
    """Return the value of five cards in deuce to seven: 7-5-4-3-2 of mixed suits is the best.

    The ace is only high: 5-4-3-2-A is no straight but ace high.

    >>> from tournaments.event.domain.cards import card_from_code
    >>> told = "7s 5d 4s 3s 2s, As 5d 4s 3s 2s, 2s 2d 3s 4s 5s, 6s 5d 4s 3s 2s, 7s 5s 4s 3s 2s"
    >>> hands = [[card_from_code(code) for code in hand.split()] for hand in told.split(", ")]
    >>> values = [deuce_value(hand) for hand in hands]
    >>> values == sorted(values, reverse=True)
    True
    """
    value = value_of(cards)
    if ranks_of(value) == (FIVE,):
        is_flush = category_of(value) is Category.STRAIGHT_FLUSH
        value = packed(Category.FLUSH if is_flush else Category.HIGH_CARD, WHEEL)
    return -value


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
    is_deuce = contest is Contest.TRIPLE_DRAW
    value, cards = _best_of(contest, hole, board, deuce_value if is_deuce else low_value)
    is_unpaired = category_of(value) is Category.HIGH_CARD
    if contest not in LOWS and not (is_unpaired and ranks_of(value)[0] <= EIGHT):
        return None
    return Hand(value, _in_order(cards, is_ace_low=not is_deuce))


# --- Seven Card Stud: the forced bet, and the first to act on each later street


MOST_OPEN = 4


def opener(cards: Sequence[Card], limit: LimitKind, *, is_razz: bool = False) -> int:
    """Return the player of the forced bet: lowest open card, highest in pot and no limit.

    Equal ranks are decided by suit, ♠ ♥ ♦ ♣; the ace is high (STUD, KRRU 3.0).

    >>> from tournaments.event.domain.cards import card_from_code as card
    >>> cards = [card("2d"), card("2c"), card("As")]
    >>> opener(cards, LimitKind.SPLIT_LIMIT), opener(cards, LimitKind.NO_LIMIT)
    (1, 2)

    :param is_razz: In razz it is the highest card in every limit, and the ace is low.

    :raises Unruled: If a card occurs twice, or there are too few players.
    """
    check_open([[card] for card in cards])
    if is_razz:
        keys = [(low_rank(card), card.suit) for card in cards]
        return keys.index(max(keys))
    is_high = limit in {LimitKind.POT_LIMIT, LimitKind.NO_LIMIT}
    return cards.index(max(cards) if is_high else min(cards))


def first_to_act(boards: Sequence[Sequence[Card]], *, is_razz: bool = False) -> tuple[int, ...]:
    """Return the first to act from the fourth card on: the highest open cards (STUD).

    Pairs, threes and fours count; straights and flushes need five cards. For equal ranks the
    highest card by suit decides (TDA 2024 RP-10).

    >>> from tournaments.event.domain.cards import card_from_code as card
    >>> first_to_act([[card("As"), card("Kd")], [card("2s"), card("2d")]])
    (1,)
    >>> first_to_act([[card("Ah"), card("Kd")], [card("As"), card("Kc")]])
    (1,)

    :param is_razz: In razz it is the lowest open cards, the ace low; pairs are worse than none.
    With equal ranks several are returned: the first of them left of the dealer acts (ours, the
    field's custom).

    :raises Unruled: If a card occurs twice, or players have different numbers of cards.
    """
    check_open(boards)
    first = boards_leading(boards, is_razz=is_razz)
    return first if is_razz else (max(first, key=lambda place: max(boards[place])),)


def boards_leading(boards: Sequence[Sequence[Card]], *, is_razz: bool = False) -> tuple[int, ...]:
    """Return all who show the highest open cards by rank, in razz the lowest."""
    values = [_open_value(cards, is_razz=is_razz) for cards in boards]
    best = min(values) if is_razz else max(values)
    return tuple(place for place, value in enumerate(values) if value == best)


def _open_value(cards: Sequence[Card], *, is_razz: bool) -> list[tuple[int, int]]:
    counts = Counter(low_rank(card) if is_razz else int(card.rank) for card in cards)
    return sorted(((count, rank) for rank, count in counts.items()), reverse=True)


def check_open(boards: Sequence[Sequence[Card]]) -> None:
    """Refuse impossible open cards.

    :raises Unruled: If a card occurs twice, or players have different numbers of cards.
    """
    if len(boards) < 2:
        raise Unruled("few_players")
    for card, count in Counter(card for cards in boards for card in cards).items():
        if count > 1:
            raise Unruled("twice", card=card.code)
    asked = max(len(cards) for cards in boards)
    if asked > MOST_OPEN:
        raise Unruled("many_open", most=MOST_OPEN)
    for number, cards in enumerate(boards, 1):
        if len(cards) != asked or not cards:
            raise Unruled("few_open", player=number, there=len(cards), most=max(asked, 1))
