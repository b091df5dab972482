"""Where button, small blind and big blind are in the next hand at one table, and who waits.

Two rules: the button moves to the next player present (KRRU 3.0, HOME, WIESBADEN), or it is dead
(TDA 2024 32). Heads-up is the same in both (TDA 2024 34). Which hands were played, and who sits
where, is told by the caller; in stud nothing moves, and nobody asks here.
"""

from collections.abc import Collection, Set
from dataclasses import dataclass

from tournaments.event.domain.rules import ButtonRule

NOBODY: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Positions:
    """The seats that had button, small and big blind in a hand. Nobody has to sit there by now."""

    button: int
    small_blind: int
    big_blind: int


@dataclass(frozen=True, slots=True, kw_only=True)
class NextHand:
    """Who posts what in a hand, and who sits there and is not dealt in (`waits`).

    Where the button or the small blind is on a seat nobody sits on, it is dead: nobody deals last,
    nobody posts the small blind. The big blind is always posted.
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
    """Return some seats clockwise after a seat; that seat itself comes last.

    >>> ring(9, {2, 5, 8}, 5)
    (8, 2, 5)
    """
    return tuple(sorted(places, key=lambda seat: (seat - after - 1) % seats))


def between(seats: int, first: int, last: int) -> frozenset[int]:
    """Return the seats clockwise strictly between two; none between a seat and itself.

    >>> sorted(between(9, 8, 2)), between(9, 4, 4)
    ([1, 9], frozenset())
    """
    return frozenset((first + step) % seats + 1 for step in range((last - first) % seats - 1))


def hand_from(seats: int, players: Set[int], button: int) -> NextHand:
    """Return the hand in which the button is on a seat: the blinds are the players after it.

    For a first hand, and when all that is known is where the button is. Heads-up it has the small
    blind (TDA 2024 34), unless nobody sits there: then its holder has just gone out.

    >>> hand = hand_from(9, {1, 4, 6}, 4)
    >>> (hand.button, hand.small_blind, hand.big_blind)
    (4, 6, 1)

    :raises ValueError: If fewer than two sit there.
    """
    _require_two(players)
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
    """Return the hand after one that was played with the positions `last`.

    `players` are the seats with somebody on them now, `newcomers` those of them who sat down since
    that hand began.

    >>> last = Positions(button=1, small_blind=2, big_blind=3)
    >>> hand = next_hand(seats=9, players={1, 2, 5, 8}, last=last, rule=ButtonRule.MOVING)
    >>> (hand.button, hand.small_blind, hand.big_blind)
    (2, 5, 8)
    >>> hand = next_hand(seats=9, players={1, 2, 5, 8}, last=last, rule=ButtonRule.DEAD)
    >>> (hand.button, hand.small_blind, hand.big_blind, hand.is_small_blind_dead)
    (2, 3, 5, True)

    :raises ValueError: If fewer than two sit there.
    """
    _require_two(players)
    if len(players) == 2:
        return _heads_up(seats, players, last)
    if rule is ButtonRule.DEAD:
        return _dead(seats, players, last)
    return _moving(seats, players, last, newcomers)


def _heads_up(
    seats: int, dealt: Set[int], last: Positions, waits: frozenset[int] = NOBODY
) -> NextHand:
    """The big blind goes on; the other has small blind and button and is dealt last (TDA 2024 34).

    So the button is set right where play becomes heads-up, and nobody posts it twice in a row.
    """
    big_blind, small_blind = ring(seats, dealt, last.big_blind)
    return NextHand(button=small_blind, small_blind=small_blind, big_blind=big_blind, waits=waits)


def _moving(seats: int, players: Set[int], last: Positions, newcomers: Set[int]) -> NextHand:
    """Button and small blind go to the next two who played the last hand (KRRU 3.0).

    They pass over a newcomer, and over one who waited. Who sits between them waits (TDA 2024 10);
    after the small blind everybody may be the big blind at once.
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
    """The big blind goes on, the others follow it: hardly anybody is left of the last hand.

    Or two played it, while others waited who play now.
    """
    big_blind = ring(seats, players, last.big_blind)[0]
    button, small_blind = ring(seats, players - {big_blind}, big_blind)[-2:]
    return NextHand(button=button, small_blind=small_blind, big_blind=big_blind)


def _dead(seats: int, players: Set[int], last: Positions) -> NextHand:
    """Each post goes on by one from the last hand, to an empty seat too (TDA 2024 32).

    The big blind goes to the next player, the small blind to the seat of the last big blind, the
    button to that of the last small blind. Who sits down between the two waits (TDA 2024 10). Were
    only two dealt in then, nobody waits: the button goes to the one before the small blind.
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


def _require_two(players: Set[int]) -> None:
    if len(players) < 2:
        raise ValueError("A hand takes two players.")
