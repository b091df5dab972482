"""Seven Card Stud: the forced bet, and the first to act on each later street."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from clock.domain import LimitKind
from tournaments.event.domain.cards import Card
from tournaments.rulings.domain.lows import low_rank
from tournaments.rulings.domain.unruled import Unruled

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
    values = [_open_value(cards, is_razz=is_razz) for cards in boards]
    best = min(values) if is_razz else max(values)
    first = [place for place, value in enumerate(values) if value == best]
    return tuple(first) if is_razz else (max(first, key=lambda place: max(boards[place])),)


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
