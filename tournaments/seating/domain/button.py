"""A table as the rules of the floor see it, and what its next hand will be.

The rules themselves are in `blinds`; here they are asked for one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tournaments.event.domain.rules import ButtonRule
from tournaments.seating.domain.blinds import NextHand, Positions, hand_from, next_hand


@dataclass(frozen=True, slots=True)
class TableView:
    """One table: its seats are numbered from 1 clockwise, `players` holds the entry on each seat.

    `button` is the seat that has the button in the hand being played, or had it in the last one;
    None when nobody said. The seat may be empty by now. `small_blind` and `big_blind` are those of
    the same hand; without them they are taken to be the players after the button. `newcomers` are
    the seats of those who sat down since that hand began. Nobody is given a seat of `locked`. With
    `is_asked_for` staff can be asked where the button is.

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
        """Return the seats that can be given to somebody, ascending."""
        taken = self.locked.union(self.players)
        return tuple(seat for seat in range(1, self.seats + 1) if seat not in taken)

    def left_by(self, seat: int) -> TableView:
        """Return the table once the player there has left.

        >>> TableView(1, 9, {2: 11, 5: 12}).left_by(2).players
        {5: 12}
        """
        players = {place: entry for place, entry in self.players.items() if place != seat}
        return replace(self, players=players, newcomers=self.newcomers - {seat})

    def joined_by(self, entry: int, seat: int) -> TableView:
        """Return the table once an entry has sat down on a free seat: a newcomer.

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
    """Return the next hand of a table as the players sit now; None while its button is not known.

    None as well while fewer than two sit there, so that no hand can be played.

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
    """Return the posts of the last hand; where only its button is known, as if nobody had left."""
    if view.small_blind is not None and view.big_blind is not None:
        return Positions(button=button, small_blind=view.small_blind, big_blind=view.big_blind)
    settled = view.players.keys() - view.newcomers
    if len(settled) == 1:
        # So the newcomers come after the one who is left.
        (left,) = settled
        return Positions(button=button, small_blind=left, big_blind=left)
    return hand_from(view.seats, settled or view.players.keys(), button).positions


def next_big_blind(view: TableView) -> int:
    """Return the seat due to post the big blind in the next hand, as the players sit now.

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
