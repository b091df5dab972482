"""One table with its button, and its next hand."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Set
from dataclasses import dataclass, replace

from tournaments.event.domain.rules import ButtonRule


@dataclass(frozen=True, slots=True)
class TableView:
    """One table: seats are numbered clockwise from 1, `players` is the entry by seat.

    `button` is the seat with the button in the current or last hand, None if unknown. The seat may
    be empty by now. `small_blind` and `big_blind` belong to the same hand; by default they are the
    players after the button. `newcomers` are the seats of players who sat down since that hand
    began. Seats of `locked` are not given out. Players on the seats of `held` have no chips and may
    still buy: they post nothing and are not moved. With `is_asked_for`, staff can be asked for the
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
    held: frozenset[int] = frozenset()

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

    @property
    def playing(self) -> Mapping[int, int]:
        """Return the entries with chips by seat.

        >>> TableView(1, 9, {2: 11, 5: 12}, held=frozenset({5})).playing
        {2: 11}
        """
        return {seat: entry for seat, entry in self.players.items() if seat not in self.held}

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


def next_hand_of(view: TableView) -> NextHand | None:
    """Return the next hand of the present players.

    None while the button is unknown, or with fewer than two players with chips.

    >>> next_hand_of(TableView(1, 9, {1: 11, 4: 12, 6: 13}, button=4)).waits
    frozenset()
    """
    players = frozenset(view.playing)
    if view.button is None or len(players) < 2:
        return None
    return next_hand(
        seats=view.seats,
        players=players,
        last=_last_of(view, view.button),
        rule=view.rule,
        newcomers=view.newcomers,
    )


def _last_of(view: TableView, button: int) -> Positions:
    if view.small_blind is not None and view.big_blind is not None:
        return Positions(button=button, small_blind=view.small_blind, big_blind=view.big_blind)
    settled = view.playing.keys() - view.newcomers
    if len(settled) == 1:
        # Newcomers come after the one remaining player.
        (left,) = settled
        return Positions(button=button, small_blind=left, big_blind=left)
    return hand_from(view.seats, settled or view.playing.keys(), button).positions


def next_big_blind(view: TableView) -> int:
    """Return the seat due to post the big blind in the next hand.

    >>> next_big_blind(TableView(1, 9, {1: 11, 4: 12, 6: 13, 9: 14}, button=4))
    1
    >>> next_big_blind(TableView(1, 9, {1: 11, 4: 12}, button=4))
    4

    :raises ValueError: If nobody sits there or the button is not known.
    """
    if view.button is None or not view.playing:
        raise ValueError(f"The button of table {view.number} is not known, or nobody sits there.")
    hand = next_hand_of(view)
    return hand.big_blind if hand else next(iter(view.playing))


NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """The seats of button, small and big blind in a hand. They may be empty by now."""

    button: int
    small_blind: int
    big_blind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextHand:
    """The posts of a hand, and the seated players not dealt in (`waits`).

    A button or small blind on an empty seat is dead: no player deals last or posts it. The big
    blind is always posted.
    """

    button: int
    small_blind: int
    big_blind: int
    is_button_dead: bool = False
    is_small_blind_dead: bool = False
    waits: frozenset[int] = NOBODY

    @property
    def positions(self) -> Positions:
        return Positions(button=self.button, small_blind=self.small_blind, big_blind=self.big_blind)


def ring(seats: int, places: Collection[int], after: int) -> tuple[int, ...]:
    """Return some seats clockwise after a seat, which comes last itself.

    >>> ring(9, {2, 5, 8}, 5)
    (8, 2, 5)
    """
    return tuple(sorted(places, key=lambda seat: (seat - after - 1) % seats))


def between(seats: int, first: int, last: int) -> frozenset[int]:
    """Return the seats strictly between two, clockwise; none between a seat and itself.

    >>> sorted(between(9, 8, 2)), between(9, 4, 4)
    ([1, 9], frozenset())
    """
    return frozenset((first + step) % seats + 1 for step in range((last - first) % seats - 1))


def hand_from(seats: int, players: Set[int], button: int) -> NextHand:
    """Return the hand with the button on this seat; the players after it post the blinds.

    For a first hand, or if only the button is known. Heads-up the button has the small blind (TDA
    2024 34), unless its seat is empty: then its player has just busted.

    >>> hand = hand_from(9, {1, 4, 6}, 4)
    >>> (hand.button, hand.small_blind, hand.big_blind)
    (4, 6, 1)

    :raises ValueError: If fewer than two sit there.
    """
    if len(players) < 2:
        raise ValueError("A hand takes two players.")
    order = ring(seats, players, button)
    if len(order) == 2 and button in players:
        order = (button, order[0])
    return NextHand(
        button=button,
        small_blind=order[0],
        big_blind=order[1],
        is_button_dead=button not in players,
    )


def next_hand(
    *,
    seats: int,
    players: Set[int],
    last: Positions,
    rule: ButtonRule,
    newcomers: Set[int] = NOBODY,
) -> NextHand:
    """Return the hand after one played with the positions `last`.

    `players` are the occupied seats, `newcomers` those of them taken since that hand began.

    >>> last = Positions(button=1, small_blind=2, big_blind=3)
    >>> hand = next_hand(seats=9, players={1, 2, 5, 8}, last=last, rule=ButtonRule.MOVING)
    >>> (hand.button, hand.small_blind, hand.big_blind)
    (2, 5, 8)
    >>> hand = next_hand(seats=9, players={1, 2, 5, 8}, last=last, rule=ButtonRule.DEAD)
    >>> (hand.button, hand.small_blind, hand.big_blind, hand.is_small_blind_dead)
    (2, 3, 5, True)

    :raises ValueError: If fewer than two sit there.
    """
    if len(players) < 2:
        raise ValueError("A hand takes two players.")
    if len(players) == 2:
        return _heads_up(seats, players, last)
    if rule is ButtonRule.DEAD:
        return _dead(seats, players, last)
    return _moving(seats, players, last, newcomers)


def _heads_up(
    seats: int, dealt: Set[int], last: Positions, waits: frozenset[int] = NOBODY
) -> NextHand:
    """Move the big blind on; the other has small blind and button, dealt last (TDA 2024 34).

    The button may have to be adjusted, so that no player posts the big blind twice in a row.
    """
    big_blind, small_blind = ring(seats, dealt, last.big_blind)
    return NextHand(button=small_blind, small_blind=small_blind, big_blind=big_blind, waits=waits)


def _moving(seats: int, players: Set[int], last: Positions, newcomers: Set[int]) -> NextHand:
    """Move button and small blind to the next two players of the last hand (KRRU 3.0).

    Newcomers and players who waited are passed over. Players between the two wait (TDA 2024 10);
    after the small blind, anyone may be the big blind at once.
    """
    settled = players - newcomers - between(seats, last.button, last.small_blind)
    was_heads_up = last.button == last.small_blind
    have_waited = was_heads_up and not settled <= {last.small_blind, last.big_blind}
    if len(settled) < 2 or have_waited:
        return _by_big_blind(seats, players, last)
    button, small_blind = ring(seats, settled, last.button)[:2]
    waits = players & between(seats, button, small_blind)
    dealt = players - waits
    if len(dealt) == 2:
        return _heads_up(seats, dealt, last, frozenset(waits))
    return NextHand(
        button=button,
        small_blind=small_blind,
        big_blind=ring(seats, dealt, small_blind)[0],
        waits=frozenset(waits),
    )


def _by_big_blind(seats: int, players: Set[int], last: Positions) -> NextHand:
    """Move the big blind on and place the others behind it: few players of the last hand remain.

    Also after a heads-up hand during which others waited.
    """
    big_blind = ring(seats, players, last.big_blind)[0]
    button, small_blind = ring(seats, players - {big_blind}, big_blind)[-2:]
    return NextHand(button=button, small_blind=small_blind, big_blind=big_blind)


def _dead(seats: int, players: Set[int], last: Positions) -> NextHand:
    """Move each post one on from the last hand, even to an empty seat (TDA 2024 32).

    The big blind goes to the next player, the small blind to the last big blind's seat, the button
    to the last small blind's seat. Players between the two wait (TDA 2024 10). If only two were
    dealt in, no player waits: the button goes to the seat before the small blind.
    """
    big_blind = ring(seats, players, last.big_blind)[0]
    small_blind, button = last.big_blind, last.small_blind
    waits = players & between(seats, button, small_blind)
    if button == big_blind or len(players - waits) < 3:
        button, waits = ring(seats, players - {small_blind}, small_blind)[-1], NOBODY
    return NextHand(
        button=button,
        small_blind=small_blind,
        big_blind=big_blind,
        is_button_dead=button not in players,
        is_small_blind_dead=small_blind not in players,
        waits=frozenset(waits),
    )
