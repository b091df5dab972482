"""A league's terms as JSON, and their validation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tournaments.seasons.domain.formula import FormulaError, formula_from
from tournaments.seasons.domain.points import (
    MOST_POINTS,
    WHOLE,
    Counts,
    Field,
    Own,
    Stakes,
    Terms,
    TieBreak,
    Ties,
    Way,
    place_points,
)

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
    usual = Terms()
    return Terms(
        way=Way(stored.get("way", usual.way)),
        table=tuple(stored.get("table", ())),
        each=stored.get("each", usual.each),
        formula=stored.get("formula", ""),
        ties=Ties(stored.get("ties", usual.ties)),
        counts=Counts(stored.get("counts", usual.counts)),
        best=stored.get("best", 0),
        attendance=stored.get("attendance", 0),
        knockout=stored.get("knockout", 0),
        tie_breaks=tuple(TieBreak(way) for way in stored.get("tie_breaks", usual.tie_breaks)),
        team_best=stored.get("team_best", 0),
        leader=stored.get("leader", 0),
        run=stored.get("run", 0),
        run_bonus=stored.get("run_bonus", 0),
        purse=stored.get("purse", ""),
    )


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


__all__ = ["FormulaError", "as_json", "fault_of", "preview", "terms_from"]
