"""Poker hands: their value, and the best five of the available cards.

A value is one integer; the greater wins, equal ones share. Suits never decide between hands (KRRU
3.0, STEFFEN, STUD, WIESBADEN). `pots` divides pots, `showdown` orders the showing.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations

from clock.domain import LimitKind
from tournaments.event.domain.cards import Card
from tournaments.rulings.domain.pots import LOWS, OMAHAS, Contest, Unruled

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


# --- Low hands: razz, deuce to seven, and the low half of hi-lo games


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
