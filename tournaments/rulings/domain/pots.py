"""Main and side pots: returned excess, possible winners, and winnings.

A main pot is the part everybody in it has matched; each all-in for less begins a side pot above it
(HOME, KRRU 3.0). HOME calls the first one a side pot, too; here it is the main pot.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

# --- The error of the desk: the question has no answer as it stands. There is no guessing


class Unruled(ValueError):
    """An error in a question.

    `code` names it; the sentence is in `rulings.selectors.words`. `about` holds its numbers:
    players are counted from 1, cards are given by code.

    >>> no = Unruled("twice", card="As")
    >>> no.code, no.about
    ('twice', {'card': 'As'})
    """

    def __init__(self, code: str, **about: int | str) -> None:
        super().__init__(code, about)
        self.code = code
        self.about = about


@dataclass(frozen=True, slots=True, kw_only=True)
class Stake:
    """A player's chips put in during a hand, in all betting rounds.

    `stack` is the stack at the start of the hand, None if unknown.
    """

    put: int
    stack: int | None = None
    is_all_in: bool = False
    has_folded: bool = False


@dataclass(frozen=True, slots=True)
class Pot:
    """A pot, and its possible winners by place in the order of the stakes."""

    amount: int
    players: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Pots:
    """The pots, main pot first; `back` is the uncalled excess of player `to`."""

    pots: tuple[Pot, ...]
    back: int = 0
    to: int | None = None


def pots_of(stakes: Sequence[Stake], dead: int = 0) -> Pots:
    """Return the pots; `dead` chips belong to no player in the hand, like antes and left blinds.

    HOME: A has put in 70 and is all-in, B and C 140 each. A can win 70 of each of them.

    >>> found = pots_of([Stake(put=70, is_all_in=True), Stake(put=140), Stake(put=140)])
    >>> [(pot.amount, pot.players) for pot in found.pots]
    [(210, (0, 1, 2)), (140, (1, 2))]

    :raises Unruled: If the stakes are impossible.
    """
    _check(stakes, dead)
    live = [place for place, stake in enumerate(stakes) if not stake.has_folded]
    puts = [stake.put for stake in stakes]
    second, most = sorted(puts)[-2:]
    highest = puts.index(most)
    back, to = (most - second, highest) if most > second and highest in live else (0, None)
    puts[highest] -= back
    pots, below = [], 0
    levels = sorted({puts[place] for place in live})
    for level in levels:
        # A dead blind's excess over the live stakes goes to the last pot (TDA 2024 30).
        top = level if level < levels[-1] else max(puts)
        amount = sum(min(put, top) - min(put, below) for put in puts)
        players = tuple(place for place in live if puts[place] >= level)
        if amount:
            pots.append(Pot(amount, players))
        below = level
    if dead:
        first = pots[0] if pots else Pot(0, tuple(live))
        pots[:1] = [Pot(first.amount + dead, first.players)]
    return Pots(tuple(pots), back, to)


def are_opened(stakes: Sequence[Stake]) -> bool:
    """Tell whether hands are opened: a player is all-in, and no more bets are possible (HOME).

    >>> are_opened([Stake(put=70, is_all_in=True), Stake(put=70)])
    True
    >>> are_opened([Stake(put=70, is_all_in=True), Stake(put=140), Stake(put=140)])
    False
    """
    live = [stake for stake in stakes if not stake.has_folded]
    able = [stake for stake in live if not stake.is_all_in and stake.put != stake.stack]
    return len(live) > 1 and len(able) < min(2, len(live))


def _check(stakes: Sequence[Stake], dead: int) -> None:
    if len(stakes) < 2:
        raise Unruled("few_players")
    if dead < 0:
        raise Unruled("negative")
    for number, stake in enumerate(stakes, 1):
        if stake.put < 0:
            raise Unruled("negative")
        if stake.stack is not None and stake.put > stake.stack:
            raise Unruled("above_stack", player=number, put=stake.put, stack=stake.stack)
        if stake.has_folded and (stake.is_all_in or (stake.put and stake.put == stake.stack)):
            raise Unruled("folded_all_in", player=number)
    live = [stake for stake in stakes if not stake.has_folded]
    if not live:
        raise Unruled("all_folded")
    asked = max(stake.put for stake in stakes)
    for number, stake in enumerate(stakes, 1):
        is_done = stake.has_folded or stake.is_all_in or stake.put == stake.stack
        if not is_done and stake.put < asked and len(live) > 1:
            raise Unruled("owes", player=number, owes=asked - stake.put)


@dataclass(frozen=True, slots=True)
class Share:
    """A winner's share of a pot; `odd` of it are odd chips."""

    player: int
    amount: int
    odd: int = 0


def shares_of(pot: Pot, winners: Sequence[int], unit: int = 1) -> tuple[Share, ...]:
    """Return each winner's share of a pot, in units of the smallest chip in play.

    Odd chips go one each to the winners in the given order: in hold'em and Omaha the first left of
    the button first, in stud the highest card by suit (TDA 2024 20).

    >>> [share.amount for share in shares_of(Pot(100, (0, 1, 2)), [2, 0, 1])]
    [34, 33, 33]
    >>> [share.amount for share in shares_of(Pot(100, (0, 1)), [0, 1], unit=25)]
    [50, 50]

    :raises Unruled: If a winner is not in the pot, or the chips cannot pay it.
    """
    if unit < 1:
        raise Unruled("no_unit")
    if not winners:
        raise Unruled("no_winner")
    for player in winners:
        if player not in pot.players:
            raise Unruled("cannot_win", player=player + 1)
    if pot.amount % unit:
        raise Unruled("odd_for_nobody", amount=pot.amount, unit=unit)
    each, odd = divmod(pot.amount // unit, len(winners))
    return tuple(
        Share(player, (each + (place < odd)) * unit, unit if place < odd else 0)
        for place, player in enumerate(winners)
    )


def halves_of(
    pot: Pot, high: Sequence[int], low: Sequence[int], unit: int = 1
) -> tuple[tuple[Share, ...], tuple[Share, ...]]:
    """Return the shares of the high and of the low half of a pot.

    The odd chip of the whole pot goes to the high half (TDA 2024 20-C). Without a low hand the high
    one takes all. If the same players win both halves, they split the whole pot evenly (20-D).

    >>> high, low = halves_of(Pot(101, (0, 1, 2)), [0], [1, 2])
    >>> [share.amount for share in high], [share.amount for share in low]
    ([51], [25, 25])
    >>> high, low = halves_of(Pot(7, (0, 1)), [0, 1], [1, 0])
    >>> [share.amount for share in high], low
    ([4, 3], ())

    :raises Unruled: If a winner is not in the pot, or the chips cannot pay it.
    """
    whole = shares_of(pot, high, unit)
    if not low or set(low) == set(high):
        return whole, ()
    half = pot.amount // unit // 2 * unit
    rest = Pot(pot.amount - half, pot.players)
    return shares_of(rest, high, unit), shares_of(Pot(half, pot.players), low, unit)


# --- The showdown of each game: the cards that count, and the winning side


class Contest(StrEnum):
    """A game by its showdown; the names are those of `event.domain.games`.

    >>> from tournaments.event.domain.games import KNOWN_GAMES
    >>> {game.key for game in KNOWN_GAMES} == set(Contest)
    True
    """

    HOLDEM = "holdem"
    OMAHA = "omaha"
    OMAHA_HILO = "omaha_hilo"
    OMAHA5 = "omaha5"
    OMAHA5_HILO = "omaha5_hilo"
    STUD = "stud"
    STUD_HILO = "stud_hilo"
    RAZZ = "razz"
    TRIPLE_DRAW = "triple_draw"


# Cards of each player, and community cards.
HOLE: Mapping[Contest, int] = {
    Contest.HOLDEM: 2,
    Contest.OMAHA: 4,
    Contest.OMAHA_HILO: 4,
    Contest.OMAHA5: 5,
    Contest.OMAHA5_HILO: 5,
    Contest.STUD: 7,
    Contest.STUD_HILO: 7,
    Contest.RAZZ: 7,
    Contest.TRIPLE_DRAW: 5,
}
STUDS = frozenset({Contest.STUD, Contest.STUD_HILO, Contest.RAZZ})
# Exactly two own cards and three community cards count (WIESBADEN).
OMAHAS = frozenset({Contest.OMAHA, Contest.OMAHA_HILO, Contest.OMAHA5, Contest.OMAHA5_HILO})
FLOP = frozenset({Contest.HOLDEM, *OMAHAS})
# The lowest hand wins the pot, or half of it.
LOWS = frozenset({Contest.RAZZ, Contest.TRIPLE_DRAW})
HALVED = frozenset({Contest.OMAHA_HILO, Contest.OMAHA5_HILO, Contest.STUD_HILO})


def board_of(contest: Contest) -> int:
    """Return the final number of community cards.

    >>> board_of(Contest.OMAHA), board_of(Contest.RAZZ)
    (5, 0)
    """
    return 5 if contest in FLOP else 0
