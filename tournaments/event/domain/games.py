"""The known games by their names in schedules, and their rotations.

Schedules name games freely; an unknown name is only shown, and no rule follows from it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import cycle
from types import MappingProxyType

from clock.domain import Level, LimitKind

# --- Games and limits for schedules, screens and tables


__all__ = ["Game", "LimitKind", "final_table_size", "most_seats", "seat_limit", "shows_big_bet"]

MOST_SEATS = 10  # KRRU 3.0: two to ten players at a table
FEWEST_SEATS = 2
MOST_STUD_SEATS = 8  # seven cards each from a deck of 52; five-card Omaha as well


class Game(StrEnum):
    """A game of a level (KRRU 3.0, WIESBADEN, STUD)."""

    HOLDEM = "holdem"
    OMAHA = "omaha"
    STUD = "stud"


def shows_big_bet(limit: LimitKind) -> bool:
    """Return whether to show and speak the big bet of a level.

    Only split limit has two fixed bets, the big one for the later betting rounds (STEFFEN, STUD).
    Spread limit allows any bet between two amounts; a schedule's big bet is neither of them (our
    reading).

    >>> [limit.value for limit in LimitKind if shows_big_bet(limit)]
    ['split_limit']
    """
    return limit is LimitKind.SPLIT_LIMIT


def seat_limit(game: str) -> int:
    """Return the most seats at a table: 8 in stud, else 10 (KRRU 3.0, TDA 2024).

    >>> seat_limit(Game.STUD), seat_limit(Game.OMAHA)
    (8, 10)
    """
    return MOST_STUD_SEATS if game == Game.STUD else MOST_SEATS


def most_seats(name: str) -> int:
    """Return the most seats at which one deck serves a game of this name; names are free.

    Five-card Omaha with a board and three burnt cards takes 48 cards for 8 players.

    >>> [most_seats(name) for name in ("holdem", "PLO5", "Big O", "Razz", "HORSE")]
    [10, 8, 8, 8, 10]
    """
    known = game_named(name)
    is_short = deals_stud(name) or known in (OMAHA5, OMAHA5_HILO)
    return MOST_STUD_SEATS if is_short else MOST_SEATS


def final_table_size(seats_per_table: int) -> int:
    """Return the size of the final table (TDA 2024 RP-9; other sizes keep their own, ours).

    >>> {seats: final_table_size(seats) for seats in (10, 9, 8, 7, 6, 5)}
    {10: 10, 9: 9, 8: 9, 7: 7, 6: 7, 5: 5}
    """
    return {8: 9, 6: 7}.get(seats_per_table, seats_per_table)


class Family(StrEnum):
    """The way a game is dealt and bet."""

    FLOP = "flop"  # button, blinds, shared cards
    STUD = "stud"  # ante and bring-in, open cards, no button (STUD)
    DRAW = "draw"  # button, blinds, cards exchanged


@dataclass(frozen=True, slots=True)
class KnownGame:
    """A game by its name.

    :param bets_as: The game whose betting rounds it has.
    """

    key: str
    name: str
    family: Family
    bets_as: Game


HOLDEM = KnownGame("holdem", "Texas Hold’em", Family.FLOP, Game.HOLDEM)
OMAHA = KnownGame("omaha", "Omaha", Family.FLOP, Game.OMAHA)
OMAHA_HILO = KnownGame("omaha_hilo", "Omaha Hi-Lo", Family.FLOP, Game.OMAHA)
OMAHA5 = KnownGame("omaha5", "Five Card Omaha", Family.FLOP, Game.OMAHA)
OMAHA5_HILO = KnownGame("omaha5_hilo", "Five Card Omaha Hi-Lo", Family.FLOP, Game.OMAHA)
STUD = KnownGame("stud", "Seven Card Stud", Family.STUD, Game.STUD)
STUD_HILO = KnownGame("stud_hilo", "Stud Hi-Lo", Family.STUD, Game.STUD)
RAZZ = KnownGame("razz", "Razz", Family.STUD, Game.STUD)
TRIPLE_DRAW = KnownGame("triple_draw", "2-7 Triple Draw", Family.DRAW, Game.HOLDEM)
KNOWN_GAMES = (
    HOLDEM, OMAHA, OMAHA_HILO, OMAHA5, OMAHA5_HILO, STUD, STUD_HILO, RAZZ, TRIPLE_DRAW,
)  # fmt: skip

DEALERS_CHOICE = "Dealer’s Choice"
# Other names in schedules, without blanks and punctuation.
_OTHERWISE = {
    "holdem": HOLDEM, "texas": HOLDEM, "limitholdem": HOLDEM, "nolimitholdem": HOLDEM,
    "potlimitomaha": OMAHA, "plo": OMAHA, "omahahigh": OMAHA,
    "omaha8": OMAHA_HILO, "omahahilo8": OMAHA_HILO,
    "plo5": OMAHA5, "5plo": OMAHA5, "omaha5": OMAHA5, "5cardomaha": OMAHA5, "5cardplo": OMAHA5,
    "fivecardplo": OMAHA5, "potlimitomaha5": OMAHA5,
    "bigo": OMAHA5_HILO, "plo58": OMAHA5_HILO, "plo5hilo": OMAHA5_HILO, "5cardplo8": OMAHA5_HILO,
    "omaha5hilo": OMAHA5_HILO, "5cardomahahilo": OMAHA5_HILO, "5cardomaha8": OMAHA5_HILO,
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


# --- Turn a blind schedule into mixed games: another game each level, or after so many hands


ANTE_PART = 4  # an ante is a quarter of the small bet, rounded to chips (ours)


def mixed_schedule(
    levels: Sequence[Level], mix: Mix, *, hands: int | None = None, unit: int = 1
) -> list[Level]:
    """Return the schedule with the games of a mix in turn; breaks stay.

    Without `hands` each level is another game. With `hands` each level is played in every game of
    the mix for so many hands, before the amounts rise. All rows but the first of a level are new
    and have id 0.

    Stud has the level's bets, the small blind as bring-in, and an ante of a quarter of the small
    bet, in whole chips of `unit` (STUD names these amounts, the figures are ours).

    >>> plan = [Level(id=n, small_blind=n, big_blind=2 * n) for n in (1, 2, 3)]
    >>> [level.game for level in mixed_schedule(plan, Mix.HORSE)]
    ['Texas Hold’em', 'Omaha Hi-Lo', 'Razz']
    >>> razz = mixed_schedule(plan, Mix.HORSE)[2]
    >>> razz.big_blind, razz.small_bet, razz.big_bet, razz.bring_in, razz.ante
    (0, 6, 12, 3, 1)
    >>> by_hands = mixed_schedule(plan, Mix.HORSE, hands=6)
    >>> len(by_hands), by_hands[1].hands, by_hands[1].id
    (15, 6, 0)
    """
    games = MIXES[mix]
    if hands is None:
        turns = cycle(games)
        return [
            level if level.is_break else _played_as(level, *next(turns), unit) for level in levels
        ]
    return [row for level in levels for row in _each_game(level, games, hands, unit)]


def _each_game(
    level: Level, games: Sequence[tuple[str, LimitKind]], hands: int, unit: int
) -> Iterator[Level]:
    if level.is_break:
        yield level
        return
    for turn, (game, limit) in enumerate(games):
        row = replace(_played_as(level, game, limit, unit), duration=None, hands=hands)
        yield row if turn == 0 else replace(row, id=0, colour_up=())


def _played_as(level: Level, game: str, limit: LimitKind, unit: int) -> Level:
    small_blind, small_bet = level.small_blind or level.bring_in, level.unit
    big_bet = level.big_bet or 2 * small_bet
    named = replace(level, game=game, limit=limit.value, big_bet=big_bet)
    known = game_named(game)
    if known is None or known.family is not Family.STUD:
        ante = level.ante if level.big_blind else 0
        return replace(
            named, small_blind=small_blind, big_blind=small_bet, small_bet=0, bring_in=0, ante=ante
        )
    ante = max(small_bet // ANTE_PART // unit, 1) * unit
    return replace(
        named,
        small_blind=0, big_blind=0, small_bet=small_bet, bring_in=small_blind, ante=ante,
        ante_kind=Level(id=0).ante_kind,
    )  # fmt: skip
