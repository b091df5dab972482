"""The known games by their names in schedules, and their rotations.

Schedules name games freely; an unknown name is only shown, and no rule follows from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from clock.domain import LimitKind
from tournaments.event.domain.betting import Game


class Family(StrEnum):
    """The way a game is dealt and bet."""

    FLOP = "flop"  # button, blinds, shared cards
    STUD = "stud"  # ante and bring-in, open cards, no button (STUD)
    DRAW = "draw"  # button, blinds, cards exchanged


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownGame:
    """A game by its name.

    :param bets_as: The game whose betting rounds it has.
    """

    key: str
    name: str
    family: Family
    bets_as: Game


HOLDEM = KnownGame(
    key="holdem", name="Texas Hold’em", family=Family.FLOP, bets_as=Game.HOLDEM,
)  # fmt: skip
OMAHA = KnownGame(
    key="omaha",
    name="Omaha",
    family=Family.FLOP,
    bets_as=Game.OMAHA,
)
OMAHA_HILO = KnownGame(
    key="omaha_hilo",
    name="Omaha Hi-Lo",
    family=Family.FLOP,
    bets_as=Game.OMAHA,
)
STUD = KnownGame(
    key="stud",
    name="Seven Card Stud",
    family=Family.STUD,
    bets_as=Game.STUD,
)
STUD_HILO = KnownGame(
    key="stud_hilo",
    name="Stud Hi-Lo",
    family=Family.STUD,
    bets_as=Game.STUD,
)
RAZZ = KnownGame(
    key="razz", name="Razz", family=Family.STUD, bets_as=Game.STUD,
)  # fmt: skip
TRIPLE_DRAW = KnownGame(
    key="triple_draw", name="2-7 Triple Draw", family=Family.DRAW, bets_as=Game.HOLDEM,
)  # fmt: skip
KNOWN_GAMES = (HOLDEM, OMAHA, OMAHA_HILO, STUD, STUD_HILO, RAZZ, TRIPLE_DRAW)

DEALERS_CHOICE = "Dealer’s Choice"
# Other names in schedules, without blanks and punctuation.
_OTHERWISE = {
    "holdem": HOLDEM, "texas": HOLDEM, "limitholdem": HOLDEM, "nolimitholdem": HOLDEM,
    "potlimitomaha": OMAHA, "plo": OMAHA, "omahahigh": OMAHA,
    "omaha8": OMAHA_HILO, "omahahilo8": OMAHA_HILO,
    "stud": STUD, "studhigh": STUD, "7cardstud": STUD,
    "stud8": STUD_HILO, "sevencardstudhilo": STUD_HILO, "studhilo8": STUD_HILO,
    "27tripledraw": TRIPLE_DRAW, "tripledraw": TRIPLE_DRAW,
}  # fmt: skip


class Mix(StrEnum):
    """A rotation of games."""

    HORSE = "horse"
    EIGHT_GAME = "eight_game"
    DEALERS_CHOICE = "dealers_choice"


# Each game with its limit, in the order of play.
_HORSE = tuple(
    (game.name, LimitKind.SPLIT_LIMIT) for game in (HOLDEM, OMAHA_HILO, RAZZ, STUD, STUD_HILO)
)
MIXES: Mapping[Mix, tuple[tuple[str, LimitKind], ...]] = MappingProxyType(
    {
        Mix.HORSE: _HORSE,
        Mix.EIGHT_GAME: (
            (TRIPLE_DRAW.name, LimitKind.SPLIT_LIMIT),
            *_HORSE,
            (HOLDEM.name, LimitKind.NO_LIMIT),
            (OMAHA.name, LimitKind.POT_LIMIT),
        ),
        Mix.DEALERS_CHOICE: ((DEALERS_CHOICE, LimitKind.SPLIT_LIMIT),),
    }
)


def game_named(name: str) -> KnownGame | None:
    """Return the game of a name in a schedule or an event; None if unknown.

    >>> [game_named(name).key for name in ("stud", "Texas Hold’em", "OMAHA hi/lo", "Razz")]
    ['stud', 'holdem', 'omaha_hilo', 'razz']
    >>> game_named("Dealer’s Choice") is None
    True
    """
    return _BY_NAME.get(_plain(name))


def deals_stud(game: str) -> bool:
    """Tell whether a game is dealt as stud, without button and blinds; names are free.

    >>> [deals_stud(game) for game in ("holdem", "stud", "Seven Card Stud Hi/Lo", "Razz")]
    [False, True, True, True]
    """
    return any(word in game.lower() for word in ("stud", "razz"))


def _plain(name: str) -> str:
    return "".join(sign for sign in name.lower() if sign.isalnum())


_BY_NAME = {_plain(game.name): game for game in KNOWN_GAMES} | _OTHERWISE
