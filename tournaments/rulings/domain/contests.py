"""The showdown of each game: the cards that count, and the winning side."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Contest(StrEnum):
    """A game by its showdown; the names are those of `event.domain.games`.

    >>> from tournaments.event.domain.games import KNOWN_GAMES
    >>> {game.key for game in KNOWN_GAMES} == set(Contest)
    True
    """

    HOLDEM = "holdem"
    OMAHA = "omaha"
    OMAHA_HILO = "omaha_hilo"
    STUD = "stud"
    STUD_HILO = "stud_hilo"
    RAZZ = "razz"
    TRIPLE_DRAW = "triple_draw"


# Cards of each player, and community cards.
HOLE: Mapping[Contest, int] = MappingProxyType(
    {
        Contest.HOLDEM: 2,
        Contest.OMAHA: 4,
        Contest.OMAHA_HILO: 4,
        Contest.STUD: 7,
        Contest.STUD_HILO: 7,
        Contest.RAZZ: 7,
        Contest.TRIPLE_DRAW: 5,
    }
)
FLOP = frozenset({Contest.HOLDEM, Contest.OMAHA, Contest.OMAHA_HILO})
STUDS = frozenset({Contest.STUD, Contest.STUD_HILO, Contest.RAZZ})
# Exactly two own cards and three community cards count (WIESBADEN).
OMAHAS = frozenset({Contest.OMAHA, Contest.OMAHA_HILO})
# The lowest hand wins the pot, or half of it.
LOWS = frozenset({Contest.RAZZ, Contest.TRIPLE_DRAW})
HALVED = frozenset({Contest.OMAHA_HILO, Contest.STUD_HILO})


def board_of(contest: Contest) -> int:
    """Return the final number of community cards.

    >>> board_of(Contest.OMAHA), board_of(Contest.RAZZ)
    (5, 0)
    """
    return 5 if contest in FLOP else 0
