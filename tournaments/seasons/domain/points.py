"""League points of an event: for places, knockouts and attendance.

Points are whole hundredths of a point. Places are those of people: one entry of each counts, and
the places close up.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple

from tournaments.seasons.domain.formula import MONEY, OWN, formula_from

# --- A league's terms as JSON, and their validation


MOST_PLACES = 200
MOST_EVENINGS = 999
# A formula must have a value at every place, in a field of each of these sizes.
FIELDS = (1, 2, 9, 50, 200)
# A formula is tried with this price, paid once by each player, in cents.
TRIED_CENTS = 20_00


def as_json(terms: Terms) -> dict[str, Any]:
    """Return terms in stored form.

    >>> terms = Terms(way=Way.TABLE, table=(1000, 500), best=4)
    >>> terms_from(as_json(terms)) == terms
    True
    """
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(terms).items()
    }


def terms_from(stored: Mapping[str, Any]) -> Terms:
    """Return terms from their stored form; missing ones have their defaults.

    >>> terms_from({}) == Terms()
    True
    """
    known: dict[str, Any] = {one.name: one.default for one in fields(Terms)}
    found = {name: type(own)(stored.get(name, own)) for name, own in known.items()}
    return Terms(**found | {"tie_breaks": tuple(map(TieBreak, found["tie_breaks"]))})


def fault_of(terms: Terms) -> str:
    """Return the code of an error in the terms, or an empty text.

    Errors of a formula are raised. It is tried in fields from one player to two hundred, each for
    the same price.

    >>> fault_of(Terms(way=Way.TABLE)), fault_of(Terms(way=Way.POOL, table=(6000, 5000)))
    ('no_table', 'over_100')
    >>> fault_of(Terms(way=Way.FORMULA, formula="10 / (platz - 3)"))
    Traceback (most recent call last):
        ...
    tournaments.seasons.domain.formula.FormulaError: ('zero', '')

    :raises FormulaError: When a formula cannot be read, or has no value somewhere.
    """
    bonuses = (terms.attendance, terms.knockout, terms.leader, terms.run_bonus)
    amounts = (*terms.table, terms.each, *bonuses)
    numbers = (terms.best, terms.team_best, terms.run)
    faults = {
        "no_table": terms.way in (Way.TABLE, Way.POOL) and not terms.table,
        "long_table": len(terms.table) > MOST_PLACES,
        "over_100": terms.way is Way.POOL and sum(terms.table) > 100 * WHOLE,
        "bad_points": any(not 0 <= amount <= MOST_POINTS for amount in amounts),
        "bad_best": any(not 0 <= number <= MOST_EVENINGS for number in numbers),
        "half_a_run": bool(terms.run) != bool(terms.run_bonus),
        "twice": len(set(terms.tie_breaks)) < len(terms.tie_breaks),
    }
    found = next((code for code, is_wrong in faults.items() if is_wrong), "")
    if found:
        return found
    if terms.way is Way.FORMULA:
        formula_from(terms.formula)
        for players in FIELDS:
            for place in range(1, players + 1):
                _tried(terms, place, players)
    return ""


def _tried(terms: Terms, place: int, players: int) -> int:
    stakes = Stakes(TRIED_CENTS, TRIED_CENTS * players, TRIED_CENTS)
    return place_points(terms, place, Field(players, players, stakes), Own(spent=TRIED_CENTS))


def preview(terms: Terms, players: int, most: int = 10) -> list[tuple[int, int]]:
    """Return places of a field with their points, without re-entries, knockouts and prizes.

    >>> preview(Terms(way=Way.ROOT), 16, 2)
    [(1, 4000), (2, 2828)]

    :raises FormulaError: When a formula has no value there.
    """
    return [(place, _tried(terms, place, players)) for place in range(1, min(players, most) + 1)]


WHOLE = 100  # hundredths of a point, and of a percent
CENTS = 100  # formulas use money in whole units
MOST_POINTS = 1_000_000 * WHOLE
Exact = int | Fraction


class Way(StrEnum):
    """How points follow from the place."""

    LINEAR = "linear"
    ROOT = "root"
    TABLE = "table"
    POOL = "pool"
    FORMULA = "formula"


class Ties(StrEnum):
    """The points of tied players."""

    SHARED = "shared"
    """Each gets the mean of the points of the places they occupy, like prizes."""
    BEST = "best"
    """Each gets the points of the shared place."""


class Counts(StrEnum):
    """The counting entry of a person at an event."""

    FIRST = "first"
    BEST = "best"


class TieBreak(StrEnum):
    """The tie-break for equal points."""

    WINS = "wins"
    PLACES = "places"
    TOTAL = "total"
    BEST = "best"
    EVENINGS = "evenings"
    KNOCKOUTS = "knockouts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """The terms of a league.

    :param table: By place from the first: points in hundredths (`TABLE`), or shares of the pool in
    hundredths of a percent (`POOL`).
    :param each: Each player's contribution to the pool of `POOL`, in hundredths of a point.
    :param best: Number of each person's best events that count; 0 for all.
    :param attendance: Hundredths for every event played, whether it counts or not.
    :param knockout: Hundredths for every knockout; shared ones in equal parts.
    :param team_best: Number of a team's best members that count; 0 for all.
    :param leader: Hundredths for the stack of whoever led the table before the event.
    :param run: Number of events in a row that bring `run_bonus`, each time anew; 0 for none.
    :param purse: Name of the price's part that fills the purse of the season.
    """

    way: Way = Way.LINEAR
    table: tuple[int, ...] = ()
    each: int = 10 * WHOLE
    formula: str = ""
    ties: Ties = Ties.SHARED
    counts: Counts = Counts.FIRST
    best: int = 0
    attendance: int = 0
    knockout: int = 0
    tie_breaks: tuple[TieBreak, ...] = (TieBreak.WINS, TieBreak.PLACES, TieBreak.EVENINGS)
    team_best: int = 0
    leader: int = 0
    run: int = 0
    run_bonus: int = 0
    purse: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """One entry of a person at an event; `place` is among all entries.

    :param bounty: Its bounty winnings, in cents; so are `spent` and `prize`.
    """

    person: int
    number: int
    place: int
    knockouts: int | Fraction = 0
    bounty: int = 0
    spent: int = 0
    rebuys: int = 0
    addons: int = 0
    prize: int = 0


class Own(NamedTuple):
    """A person's sums over all entries of an event; amounts in cents."""

    knockouts: int | Fraction = 0
    bounty: int = 0
    spent: int = 0
    rebuys: int = 0
    addons: int = 0
    prize: int = 0


class Stakes(NamedTuple):
    """An event's money in cents; `average` is the spending for each entry."""

    buy_in: int = 0
    pool: int = 0
    average: int | Fraction = 0


class Field(NamedTuple):
    """The size of an event and its money."""

    players: int
    entries: int
    stakes: Stakes = Stakes()


NO_STAKES, NOTHING = Stakes(), Own()


@dataclass(frozen=True, slots=True)
class Score:
    """A person's score of an event: hundredths, without attendance."""

    points: int
    place: int
    knockouts: int | Fraction


def evening_scores(
    terms: Terms, starts: Sequence[Start], stakes: Stakes = NO_STAKES
) -> dict[int, Score]:
    """Return everybody's score of an event, by person, rounded once.

    Knockouts, bounties and money of all entries count.

    >>> starts = [Start(7, 1, 1), Start(8, 2, 3), Start(9, 3, 3), Start(8, 4, 2, knockouts=1)]
    >>> terms = Terms(way=Way.LINEAR, knockout=50)
    >>> {person: (row.place, row.points) for person, row in evening_scores(terms, starts).items()}
    {7: (1, 300), 8: (2, 200), 9: (2, 150)}
    >>> best = evening_scores(Terms(counts=Counts.BEST), starts)
    >>> {person: row.place for person, row in best.items()}
    {7: 1, 8: 2, 9: 3}

    :raises FormulaError: When a formula has no value for one of the places.
    """
    own = _own(starts)
    people = people_places(terms.counts, starts)
    if starts and not stakes.average:
        stakes = stakes._replace(average=Fraction(sum(one.spent for one in starts), len(starts)))
    field = Field(len(people), len(starts), stakes)
    asks_own = not OWN.isdisjoint(_names(terms))
    worth = _worth(terms, people, field, own if asks_own else None)
    return {
        person: Score(
            _hundredths(worth[person] + terms.knockout * own[person].knockouts),
            place,
            own[person].knockouts,
        )
        for person, place in people.items()
    }


def people_places(counts: Counts, starts: Iterable[Start]) -> dict[int, int]:
    """Return the people's places at an event, best first: ties stay, gaps close."""
    key = attrgetter("number" if counts is Counts.FIRST else "place")
    chosen: dict[int, Start] = {}
    for start in starts:
        if key(start) <= key(chosen.get(start.person, start)):
            chosen[start.person] = start
    placed: dict[int, int] = {}
    in_turn = sorted(chosen.values(), key=lambda start: (start.place, start.person))
    for _place, tied in groupby(in_turn, key=lambda start: start.place):
        placed.update(dict.fromkeys([start.person for start in tied], len(placed) + 1))
    return placed


def asks_money(terms: Terms) -> bool:
    """Tell whether points depend on what was spent or won.

    >>> asks_money(Terms(way=Way.FORMULA, formula="ko")), asks_money(Terms(formula="preis"))
    (False, False)
    >>> asks_money(Terms(way=Way.FORMULA, formula="wenn(ko > 2; preis; 0)"))
    True
    """
    return not MONEY.isdisjoint(_names(terms))


def _names(terms: Terms) -> frozenset[str]:
    return formula_from(terms.formula).names if terms.way is Way.FORMULA else frozenset()


def _own(starts: Iterable[Start]) -> dict[int, Own]:
    found: dict[int, Own] = {}
    for start in starts:
        before = found.get(start.person, NOTHING)
        more = (getattr(start, name) for name in Own._fields)
        found[start.person] = Own(*(one + other for one, other in zip(before, more, strict=True)))
    return found


def _worth(
    terms: Terms, people: Mapping[int, int], field: Field, own: Mapping[int, Own] | None
) -> dict[int, Exact]:
    worth: dict[int, Exact] = {}
    for place, tied in groupby(people.items(), key=lambda item: item[1]):
        group = [person for person, _place in tied]
        count = 1 if terms.ties is Ties.BEST else len(group)
        for person in group if own else group[:1]:
            points = [
                _exact(terms, at, field, own[person] if own else NOTHING)
                for at in range(place, place + count)
            ]
            worth[person] = Fraction(sum(points)) / count if count > 1 else points[0]
        if not own:
            worth.update(dict.fromkeys(group, worth[group[0]]))
    return worth


def place_points(terms: Terms, place: int, field: Field, own: Own = NOTHING) -> int:
    """Return the points of a place alone, in hundredths of a point, rounded half up.

    >>> place_points(Terms(way=Way.LINEAR), 1, Field(20, 20))
    2000
    >>> place_points(Terms(way=Way.ROOT), 2, Field(50, 50))
    5000
    >>> place_points(Terms(way=Way.TABLE, table=(1000, 700)), 3, Field(50, 50))
    0
    >>> place_points(Terms(way=Way.POOL, each=1000, table=(5000, 3000, 2000)), 2, Field(10, 12))
    3000

    :raises FormulaError: When a formula has no value there.
    """
    return _hundredths(_exact(terms, place, field, own))


def _exact(terms: Terms, place: int, field: Field, own: Own) -> Exact:
    if terms.way is Way.LINEAR:
        return (field.players - place + 1) * WHOLE
    if terms.way is Way.ROOT:
        return _root_points(field.players, place)
    if terms.way is Way.TABLE:
        return terms.table[place - 1] if place <= len(terms.table) else 0
    if terms.way is Way.POOL:
        share = terms.table[place - 1] if place <= len(terms.table) else 0
        return Fraction(terms.each * field.players * share, 100 * WHOLE)
    found = formula_points(terms.formula, place, field, own) * WHOLE
    return max(Fraction(-MOST_POINTS), min(Fraction(MOST_POINTS), found))


@lru_cache(maxsize=65_536)
def formula_points(text: str, place: int, field: Field, own: Own) -> Fraction:
    """Return a formula's points for a place; money in whole units.

    :raises FormulaError: When it has no value there.
    """
    stakes = field.stakes
    value = formula_from(text).value(
        place=place,
        players=field.players,
        entries=field.entries,
        knockouts=_decimal(own.knockouts),
        rebuys=own.rebuys,
        addons=own.addons,
        **{name: _decimal(Fraction(cents, CENTS)) for name, cents in (
            ("bounty", own.bounty), ("spent", own.spent), ("prize", own.prize),
            ("buy_in", stakes.buy_in), ("pool", stakes.pool), ("average", stakes.average),
        )},
    )  # fmt: skip
    return Fraction(value)


def _decimal(value: int | Fraction) -> Decimal:
    exact = Fraction(value)
    return Decimal(exact.numerator) / exact.denominator


@lru_cache(maxsize=4096)
def _root_points(players: int, place: int) -> Fraction:
    """Return 10·√players/√place in hundredths, of 28 digits: √(10⁶ · players / place)."""
    return Fraction((Decimal(10**6 * players) / place).sqrt())


def _hundredths(value: int | Fraction) -> int:
    if isinstance(value, int):
        return value
    return (2 * value.numerator + value.denominator) // (2 * value.denominator)
