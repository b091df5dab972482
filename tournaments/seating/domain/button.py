"""One table with its button, and its next hand.

The rules are in `blinds`; this module applies them to one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tournaments.event.domain.rules import ButtonRule
from tournaments.seating.domain.blinds import NextHand, Positions, hand_from, next_hand


@dataclass(frozen=True, slots=True)
class TableView:
    """One table: seats are numbered clockwise from 1, `players` is the entry by seat.

    `button` is the seat with the button in the current or last hand, None if unknown. The seat may
    be empty by now. `small_blind` and `big_blind` belong to the same hand; by default they are the
    players after the button. `newcomers` are the seats of players who sat down since that hand
    began. Seats of `locked` are not given out. With `is_asked_for`, staff can be asked for the
    button.

    :raises ValueError: If a player or a post is on no seat, or an entry sits twice.
    """

    number: int
    seats: int
    players: Mapping[int, int]
    button: int | None = None
    locked: frozenset[int] = frozenset()
    small_blind: int | None = None
    big_blind: int | None = None
    newcomers: frozenset[int] = frozenset()
    rule: ButtonRule = ButtonRule.MOVING
    is_asked_for: bool = False

    def __post_init__(self) -> None:
        posts = (self.button, self.small_blind, self.big_blind)
        named = [*self.players, *(seat for seat in posts if seat is not None)]
        if not all(1 <= seat <= self.seats for seat in named):
            raise ValueError(f"Table {self.number} has the seats 1 to {self.seats}.")
        if len(set(self.players.values())) < len(self.players):
            raise ValueError(f"An entry sits twice at table {self.number}.")

    @property
    def free(self) -> tuple[int, ...]:
        """Return the free unlocked seats, ascending."""
        taken = self.locked.union(self.players)
        return tuple(seat for seat in range(1, self.seats + 1) if seat not in taken)

    def left_by(self, seat: int) -> TableView:
        """Return the table after the player on a seat has left.

        >>> TableView(1, 9, {2: 11, 5: 12}).left_by(2).players
        {5: 12}
        """
        players = {place: entry for place, entry in self.players.items() if place != seat}
        return replace(self, players=players, newcomers=self.newcomers - {seat})

    def joined_by(self, entry: int, seat: int) -> TableView:
        """Return the table after an entry has sat down on a free seat, as a newcomer.

        >>> TableView(1, 9, {5: 12}).joined_by(11, 2).players
        {2: 11, 5: 12}
        """
        players = dict(sorted({**self.players, seat: entry}.items()))
        return replace(self, players=players, newcomers=self.newcomers | {seat})


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


def next_hand_of(view: TableView) -> NextHand | None:
    """Return the table's next hand with its present players; None while the button is unknown.

    Also None with fewer than two players.

    >>> next_hand_of(TableView(1, 9, {1: 11, 4: 12, 6: 13}, button=4)).waits
    frozenset()
    """
    if view.button is None or len(view.players) < 2:
        return None
    players = frozenset(view.players)
    return next_hand(
        seats=view.seats,
        players=players,
        last=_last_of(view, view.button),
        rule=view.rule,
        newcomers=view.newcomers,
    )


def _last_of(view: TableView, button: int) -> Positions:
    """Return the last positions; if only the button is known, the players after it."""
    if view.small_blind is not None and view.big_blind is not None:
        return Positions(button=button, small_blind=view.small_blind, big_blind=view.big_blind)
    settled = view.players.keys() - view.newcomers
    if len(settled) == 1:
        # Newcomers come after the one remaining player.
        (left,) = settled
        return Positions(button=button, small_blind=left, big_blind=left)
    return hand_from(view.seats, settled or view.players.keys(), button).positions


def next_big_blind(view: TableView) -> int:
    """Return the seat due to post the big blind in the next hand.

    >>> next_big_blind(TableView(1, 9, {1: 11, 4: 12, 6: 13, 9: 14}, button=4))
    1
    >>> next_big_blind(TableView(1, 9, {1: 11, 4: 12}, button=4))
    4

    :raises ValueError: If nobody sits there or the button is not known.
    """
    if view.button is None or not view.players:
        raise ValueError(f"The button of table {view.number} is not known, or nobody sits there.")
    hand = next_hand_of(view)
    return hand.big_blind if hand else next(iter(view.players))
