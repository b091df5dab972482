"""Cards for drawing first dealers and seats.

Poker hands are not ranked here.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from tournaments.event.domain.games import FEWEST_SEATS, MOST_SEATS


class Suit(IntEnum):
    """A suit; the greater wins the draw for the first dealer (KRRU 3.0). In hands all are equal.

    >>> Suit.SPADES > Suit.HEARTS > Suit.DIAMONDS > Suit.CLUBS
    True
    """

    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3
    SPADES = 4

    @property
    def letter(self) -> str:
        """Return the letter used in codes, "s" for spades."""
        return "cdhs"[self - 1]

    @property
    def symbol(self) -> str:
        return "♣♦♥♠"[self - 1]

    @property
    def sign(self) -> str:
        """Return the name of its SVG, `signs.svg#spade`.

        >>> Suit.SPADES.sign
        'spade'
        """
        return ("club", "diamond", "heart", "spade")[self - 1]


class Rank(IntEnum):
    """A rank, the ace high.

    >>> Rank.TEN.letter, Rank.TEN.label
    ('T', '10')
    """

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """Return the single character used in codes."""
        return "23456789TJQKA"[self - 2]

    @property
    def label(self) -> str:
        return "10" if self is Rank.TEN else self.letter


@dataclass(frozen=True, slots=True, order=True)
class Card:
    """One card of a deck of 52. Cards compare as in the draw for the dealer: rank, then suit.

    >>> Card(Rank.KING, Suit.SPADES).code, Card(Rank.TEN, Suit.HEARTS).symbol
    ('Ks', '10♥')
    """

    rank: Rank
    suit: Suit

    @property
    def code(self) -> str:
        """Return the card's two ASCII characters, as "Ks"."""
        return self.rank.letter + self.suit.letter

    @property
    def symbol(self) -> str:
        """Return the card for display, as "K♠"."""
        return self.rank.label + self.suit.symbol

    def __str__(self) -> str:
        return self.symbol


def deck() -> tuple[Card, ...]:
    """Return the 52 cards: spades, hearts, diamonds, clubs, each from the ace down to the two.

    >>> [card.code for card in deck()[:3]], deck()[-1].code, len(deck())
    (['As', 'Ks', 'Qs'], '2c', 52)
    """
    return tuple(Card(rank, suit) for suit in reversed(Suit) for rank in reversed(Rank))


_BY_CODE = {card.code: card for card in deck()}


def card_from_code(code: str) -> Card:
    """Return the card with this code.

    >>> card_from_code("Td").symbol
    '10♦'

    :raises ValueError: If no card has this code.
    """
    try:
        return _BY_CODE[code]
    except KeyError:
        raise ValueError(f"No card has the code {code!r}.") from None


def seat_cards(count: int) -> tuple[Rank, ...]:
    """Return the run of seat cards for a table, the ace low: the n-th card is seat n (HOME).

    Seat 1 is agreed before the draw, the others follow clockwise.

    >>> [rank.label for rank in seat_cards(5)]
    ['A', '2', '3', '4', '5']

    :raises ValueError: If the table has fewer than 2 or more than 10 seats.
    """
    if not FEWEST_SEATS <= count <= MOST_SEATS:
        raise ValueError(f"A table has {FEWEST_SEATS} to {MOST_SEATS} seats, not {count}.")
    return (Rank.ACE, *tuple(Rank)[: count - 1])


def seat_card(seat: int) -> Rank:
    """Return the card that stands for a seat (HOME).

    >>> seat_card(1).label, seat_card(10).label
    ('A', '10')
    """
    return seat_cards(MOST_SEATS)[seat - 1]


class CardFault(StrEnum):
    """Why drawn cards do not give seats."""

    MISSING = "missing"  # a player has no card
    OUTSIDE = "outside"  # not in the table's run
    LOCKED = "locked"  # its seat is locked
    TWICE = "twice"  # two players have it


@dataclass(frozen=True, slots=True)
class FaultyCard:
    """The fault in an entry's card; `other` has the same card."""

    fault: CardFault
    entry: int
    other: int = 0


def faulty_card(
    cards: Mapping[int, Rank | None], seats: int, locked: Collection[int] = ()
) -> FaultyCard | None:
    """Return the first fault in the cards drawn at a table, or None.

    >>> drawn = {7: Rank.ACE, 8: Rank.FIVE, 9: Rank.ACE}
    >>> faulty_card(drawn, 9)
    FaultyCard(fault=<CardFault.TWICE: 'twice'>, entry=9, other=7)
    >>> faulty_card({7: Rank.ACE, 8: Rank.FIVE}, 4).fault.value
    'outside'
    """
    run, holders = seat_cards(seats), dict[Rank, int]()
    for entry, card in cards.items():
        if card is None:
            return FaultyCard(CardFault.MISSING, entry)
        if card not in run:
            return FaultyCard(CardFault.OUTSIDE, entry)
        if run.index(card) + 1 in locked:
            return FaultyCard(CardFault.LOCKED, entry)
        if card in holders:
            return FaultyCard(CardFault.TWICE, entry, holders[card])
        holders[card] = entry
    return None


def seats_by_card(cards: Mapping[int, Rank]) -> dict[int, int]:
    """Return each entry's seat: the n-th card of the run is seat n (HOME).

    >>> seats_by_card({7: Rank.ACE, 8: Rank.FIVE})
    {7: 1, 8: 5}
    """
    run = seat_cards(MOST_SEATS)
    return {entry: run.index(card) + 1 for entry, card in cards.items()}


def rank_from_letter(letter: str) -> Rank | None:
    """Return the rank with this letter, or None.

    >>> rank_from_letter("T").label, rank_from_letter("x")
    ('10', None)
    """
    return next((rank for rank in Rank if rank.letter == letter), None)
