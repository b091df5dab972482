"""The rule book of a tournament for players to read and search: chapters of short parts.

The house rules are separate: they are chosen, versioned and shown on the same page. `ANCHORS` gives
the place on that page of each rule behind an answer of the desk.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from clock.selectors import clock_levels
from tournaments.changes.access import Sentence
from tournaments.event.domain.cards import Suit, seat_cards
from tournaments.event.domain.games import (
    DEALERS_CHOICE,
    FEWEST_SEATS,
    KNOWN_GAMES,
    MOST_SEATS,
    game_named,
)
from tournaments.models import Event
from tournaments.rules.selectors import book_evening
from tournaments.rules.selectors.book_evening import Words

# Always explained; other games only if the schedule contains them.
ALWAYS = ("holdem", "omaha", "stud")
# By the codes of `words.RULES`.
ANCHORS: Mapping[str, str] = {
    **dict.fromkeys(("double_bet", "by_double", "previous_raise", "largest_raise"), "raising"),
    **{name: name for name in ("no_limit", "pot_limit", "split_limit", "spread_limit")},
    **{name: name for name in ("holdem", "omaha", "stud", "opener", "first", "show", "pots")},
    "opened": "pots",
    "odd": "odd",
    "odd_stud": "odd",
    "odd_hilo": "odd",
    "opener_razz": "opener",
    "first_razz": "first",
    "show_stud": "show",
    "silent": "in_turn",
    "straddle": "in_turn",
    "under_call": "in_turn",
}


def anchors_of(event: Event) -> dict[str, str]:
    """Return the anchors of the rules on an event's page.

    A game that is neither always explained nor played here has no chapter; its anchor is the part
    on who shows.
    """
    games, _limits = _played(event)
    known = {game.key for game in KNOWN_GAMES} - ANCHORS.keys()
    return {**ANCHORS, **{key: key if key in games else "show" for key in known}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The text of one heading; `key` is its anchor.

    :param is_played: Whether it is a game or limit of this tournament.
    :param cards: Drawn cards below it, as (rank, name of the suit's drawing).
    """

    key: str
    title: Sentence
    texts: tuple[Sentence, ...]
    is_played: bool = False
    cards: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Chapter:
    """A group of parts."""

    key: str
    title: Promise
    parts: tuple[Part, ...]


def chapters_before(event: Event) -> list[Chapter]:
    """Return the chapters before the hands and the house rules: games, betting."""
    games, limits = _played(event)
    named = {**book_evening.GAMES, **book_evening.DEALERS_CHOICE}
    shown = {key: words for key, words in named.items() if key in ALWAYS or key in games}
    play = {**book_evening.GOAL, **shown, **book_evening.SHOWDOWN}
    return [
        Chapter(key="book-play", title=_("So wird gespielt"), parts=_parts(play, games)),
        Chapter(key="book-bets", title=_("Einsätze"), parts=_parts(book_evening.BETTING, limits)),
    ]


def chapters_after(event: Event) -> list[Chapter]:
    """Return the chapters after them: conduct, times, seats by drawn cards."""
    times = Part(key="times", title=_("Heute"), texts=tuple(book_evening.times(event)))
    seats = min(max(event.seats_per_table, FEWEST_SEATS), MOST_SEATS)
    drawn = [
        replace(part, cards=tuple((rank.label, Suit.SPADES.sign) for rank in seat_cards(seats)))
        for part in _parts(book_evening.SEAT_CARDS)
    ]
    return [
        Chapter(key="book-conduct", title=_("Miteinander"), parts=_parts(book_evening.CONDUCT)),
        Chapter(key="book-times", title=_("Zeiten"), parts=(times,)),
        Chapter(key="book-seats", title=_("Platzkarten"), parts=tuple(drawn)),
    ]


def _parts(words: Words, played: frozenset[str] = frozenset()) -> tuple[Part, ...]:
    return tuple(
        Part(key=key, title=title, texts=tuple(texts), is_played=key in played)
        for key, (title, *texts) in words.items()
    )


def _played(event: Event) -> tuple[frozenset[str], frozenset[str]]:
    levels = [level for level in clock_levels(event.clock) if not level.is_break]
    limits = frozenset(level.limit or event.limit for level in levels)
    return frozenset(_keys({level.game or event.game for level in levels})), limits


def _keys(names: set[str]) -> Iterator[str]:
    for name in names:
        game = game_named(name)
        if game is not None:
            yield game.key
        elif name == DEALERS_CHOICE:
            yield "dealers_choice"
