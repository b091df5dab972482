"""The showdown: winners of each pot, order of showing, and hands that need not be shown."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tournaments.event.domain.cards import Card
from tournaments.rulings.domain.hands import (
    MOST_OPEN,
    Hand,
    best_hand,
    best_low,
    first_to_act,
    low_rank,
)
from tournaments.rulings.domain.pots import (
    HALVED,
    HOLE,
    LOWS,
    STUDS,
    Contest,
    Pot,
    Unruled,
    board_of,
)

DOWN_BEFORE = 2  # stud: the first two cards and the seventh are dealt face down


@dataclass(frozen=True, slots=True)
class Held:
    """A player's cards at the showdown; a dead hand wins nothing."""

    cards: tuple[Card, ...]
    is_dead: bool = False


def hands_of(
    contest: Contest, board: Sequence[Card], held: Sequence[Held], aside: Sequence[Card] = ()
) -> tuple[dict[int, Hand], dict[int, Hand]]:
    """Return the best hand of each live player by place, and the low one for half a pot.

    In low games the best hand is the low one; a low hand for half a pot must qualify.

    :param aside: Cards out of play, for example exposed in dealing.

    :raises Unruled: If a card occurs twice, or cards are missing or too many.
    """
    _check(contest, board, held, aside)
    live = {place: one.cards for place, one in enumerate(held) if not one.is_dead}
    lows: dict[int, Hand] = {}
    if contest in LOWS | HALVED:
        found = {place: best_low(contest, cards, board) for place, cards in live.items()}
        lows = {place: hand for place, hand in found.items() if hand is not None}
    if contest in LOWS:
        return lows, {}
    return {place: best_hand(contest, cards, board) for place, cards in live.items()}, lows


def _check(
    contest: Contest, board: Sequence[Card], held: Sequence[Held], aside: Sequence[Card]
) -> None:
    seen = Counter([*board, *(card for one in held for card in one.cards), *aside])
    for card, count in seen.items():
        if count > 1:
            raise Unruled("twice", card=card.code)
    if len(held) < 2 or all(one.is_dead for one in held):
        raise Unruled("few_players")
    # In stud with an exhausted deck, one community card is everybody's seventh.
    is_stud, least = contest in STUDS, board_of(contest)
    most = 1 if is_stud else least
    if len(board) > most:
        raise Unruled("many_board", there=len(board), most=most)
    if len(board) < least:
        raise Unruled("few_board", there=len(board), most=least)
    own = HOLE[contest] - (len(board) if is_stud else 0)
    for number, one in enumerate(held, 1):
        if len(one.cards) > own:
            raise Unruled("many_cards", player=number, there=len(one.cards), most=own)
        if len(one.cards) < own and not one.is_dead:
            raise Unruled("few_cards", player=number, there=len(one.cards), most=own)


def winners_of(pot: Pot, hands: Mapping[int, Hand], contest: Contest) -> tuple[int, ...]:
    """Return the winners of a pot, in the order of giving odd chips.

    Only players in the pot are compared. Players are in the order of their seats from the left of
    the button (TDA 2024 20-A); in stud games the highest card by suit of the five comes first
    (20-B), of a low hand with the ace as the lowest (our reading).

    >>> from tournaments.event.domain.cards import card_from_code as card
    >>> low, high = Hand(7, (card("2c"),)), Hand(9, (card("3c"),))
    >>> winners_of(Pot(10, (0, 1)), {0: low, 1: low, 2: high}, Contest.HOLDEM)
    (0, 1)

    :raises Unruled: If no player in the pot has a live hand.
    """
    able = [place for place in pot.players if place in hands]
    if not able:
        raise Unruled("nobody_wins", amount=pot.amount)
    best = max(hands[place].value for place in able)
    winners = [place for place in able if hands[place].value == best]
    if contest in STUDS:
        winners.sort(key=lambda place: _highest(hands[place]), reverse=True)
    return tuple(winners)


def _highest(hand: Hand) -> tuple[int, int]:
    is_low = hand.value < 0
    return max((low_rank(card) if is_low else card.rank, card.suit) for card in hand.cards)


def first_shown(contest: Contest, held: Sequence[Held]) -> int:
    """Return the first to show if there was no bet on the last card.

    In stud the best open board, in razz the lowest (TDA 2024 17): of the cards in the order of
    dealing, the third to the sixth are open. Else the first left of the button.
    """
    live = [place for place, one in enumerate(held) if not one.is_dead]
    if contest not in STUDS or len(live) < 2:
        return 0
    boards = [held[place].cards[DOWN_BEFORE : DOWN_BEFORE + MOST_OPEN] for place in live]
    return live[first_to_act(boards, is_razz=contest is Contest.RAZZ)[0]]


def show_order(
    count: int, *, last_raiser: int | None, folded: Sequence[int] = (), first: int = 0
) -> list[int]:
    """Return the order of showing hands.

    The last to bet or raise in the last betting round shows first, otherwise `first` (HOME, TDA
    2024 17). Players are in the order of their seats from the left of the button.

    >>> show_order(4, last_raiser=2, folded=[3])
    [2, 0, 1]
    >>> show_order(3, last_raiser=None)
    [0, 1, 2]

    :raises Unruled: If the last raiser has folded.
    """
    if last_raiser is not None and last_raiser in folded:
        raise Unruled("raiser_folded", player=last_raiser + 1)
    if last_raiser is not None:
        first = last_raiser
    order = [(first + step) % count for step in range(count)]
    return [place for place in order if place not in folded]


def need_not_show(
    order: Sequence[int],
    pots: Sequence[Pot],
    hands: Mapping[int, Hand],
    lows: Mapping[int, Hand] | None = None,
) -> tuple[int, ...]:
    """Return the players who may muck: better hands were shown for all their pots.

    In hi-lo games both of the player's hands are beaten, or there is no low one. Not for an all-in,
    where everybody shows (HOME, TDA 2024 16).

    >>> best, beaten = Hand(9, ()), Hand(7, ())
    >>> need_not_show([1, 0], [Pot(10, (0, 1))], {0: beaten, 1: best})
    (0,)
    >>> need_not_show([1, 0], [Pot(10, (0, 1))], {0: beaten, 1: best}, {0: beaten})
    ()
    """
    shown: list[int] = []
    free = []
    low = lows or {}
    for place in order:
        is_low_beaten = place not in low or _is_beaten(place, shown, pots, low)
        if place in hands and is_low_beaten and _is_beaten(place, shown, pots, hands):
            free.append(place)
        else:
            shown.append(place)
    return tuple(free)


def _is_beaten(
    place: int, shown: Sequence[int], pots: Sequence[Pot], hands: Mapping[int, Hand]
) -> bool:
    own = [pot for pot in pots if place in pot.players]
    return all(
        any(
            other in pot.players and other in hands and hands[other].value > hands[place].value
            for other in shown
        )
        for pot in own
    )
