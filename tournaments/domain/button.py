"""Where the button and the blinds are at one table.

The button moves to the next player present (KRRU 3.0, HOME, WIESBADEN). The dead button (TDA 2024
32) is not computed here.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableView:
    """One table: its seats are numbered from 1 clockwise, `players` holds the entry on each seat.

    `button` is the seat that has the button in the hand being played, or had it in the last one;
    None when nobody said. The seat may be empty by now.

    :raises ValueError: If a player or the button is on no seat, or an entry sits twice.
    """

    number: int
    seats: int
    players: Mapping[int, int]
    button: int | None = None

    def __post_init__(self) -> None:
        named = [*self.players, *([] if self.button is None else [self.button])]
        if not all(1 <= seat <= self.seats for seat in named):
            raise ValueError(f"Table {self.number} has the seats 1 to {self.seats}.")
        if len(set(self.players.values())) < len(self.players):
            raise ValueError(f"An entry sits twice at table {self.number}.")

    @property
    def free(self) -> tuple[int, ...]:
        """Return the seats nobody sits on, ascending."""
        return tuple(seat for seat in range(1, self.seats + 1) if seat not in self.players)


def clockwise(view: TableView, after: int) -> tuple[int, ...]:
    """Return all seats clockwise, beginning with the one after `after` and ending with it.

    >>> clockwise(TableView(1, 4, {}), 3)
    (4, 1, 2, 3)
    """
    return tuple((after + step) % view.seats + 1 for step in range(view.seats))


def players_after(view: TableView, seat: int) -> tuple[int, ...]:
    """Return the occupied seats clockwise after a seat; the seat itself comes last.

    >>> players_after(TableView(1, 9, {2: 11, 5: 12, 8: 13}), 5)
    (8, 2, 5)
    """
    return tuple(place for place in clockwise(view, seat) if place in view.players)


def next_big_blind(view: TableView) -> int:
    """Return the seat due to post the big blind in the next hand, as the players sit now.

    The button goes to the next player present, small and big blind are the two after it; heads-up
    the button has the small blind (TDA 2024 34). When the holder of the button went out and two are
    left, the one next to it had the small blind and posts the big one now, so that nobody posts it
    twice in a row (TDA 2024 34); that two went out in the same hand is not seen from here.

    >>> next_big_blind(TableView(1, 9, {1: 11, 4: 12, 6: 13, 9: 14}, button=4))
    1
    >>> next_big_blind(TableView(1, 9, {1: 11, 4: 12}, button=4))
    4

    :raises ValueError: If nobody sits there or the button is not known.
    """
    if view.button is None or not view.players:
        raise ValueError(f"The button of table {view.number} is not known, or nobody sits there.")
    order = players_after(view, view.button)
    if len(order) == 2:
        return view.button if view.button in view.players else order[0]
    return order[min(2, len(order) - 1)]
