"""Turn a blind schedule into mixed games: another game each level, or after so many hands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle

from clock.domain import Level, LimitKind
from tournaments.event.domain.games import MIXES, Family, Mix, game_named

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
    """Convert a level's blinds or bets to this game."""
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
