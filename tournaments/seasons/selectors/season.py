"""Parts of the standings for pages: table, a player's season, file, final."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.models import Event
from tournaments.people.domain.naming import sort_key
from tournaments.seasons.domain.pictures import Bar, bars
from tournaments.seasons.domain.points import Score, Terms
from tournaments.seasons.domain.standings import (
    Row,
    points_after_each,
    points_to_pass,
    starting_stack,
)
from tournaments.seasons.selectors.labels import points_in_words, share_in_words
from tournaments.seasons.selectors.leagues import Standings


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the table for display; `to_pass` is empty for the leader."""

    person: int
    rank: int
    name: str
    points: str
    evenings: int
    wins: int
    to_pass: str


Ranked = tuple[Row, Row | None]


def ranked(standings: Standings, search: str = "") -> list[Ranked]:
    """Return the rows whose displayed name contains every word, each with the row ahead."""
    words = sort_key(search).split()[:MOST_WORDS]
    ahead: Row | None = None
    before: Row | None = None
    found: list[Ranked] = []
    for row in standings.rows:
        if before is not None and before.rank < row.rank:
            ahead = before
        before = row
        name = sort_key(standings.name(row.person)) if words else ""
        if all(word in name for word in words):
            found.append((row, ahead))
    return found


def lines_of(standings: Standings, rows: Iterable[Ranked]) -> list[Line]:
    """Return these rows for display."""
    terms = standings.league.reckoning
    return [
        Line(
            person=row.person,
            rank=row.rank,
            name=standings.name(row.person),
            points=points_in_words(row.points),
            evenings=row.evenings,
            wins=row.wins,
            to_pass=_to_pass(terms, row, ahead),
        )
        for row, ahead in rows
    ]


def _to_pass(terms: Terms, row: Row, ahead: Row | None) -> str:
    return points_in_words(points_to_pass(terms, row, ahead)) if ahead else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """One event of a player's season, for display."""

    event: Event
    place: int
    points: str
    knockouts: str
    is_counted: bool
    after: str
    bar: Bar | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Season:
    """A player's season by event; `gaps` are the players ahead, nearest first."""

    name: str
    row: Row
    points: str
    correction: str
    attendance: str
    played: Sequence[Played]
    gaps: Sequence[tuple[int, str, str]]


MOST_GAPS = 3
MOST_WORDS = 8


def season_of(standings: Standings, row: Row) -> Season:
    """Return a player's season."""
    terms = standings.league.reckoning
    events = {event.pk: event for event in standings.events}
    scores: list[tuple[int, Score]] = list(row.scores.items())
    shown = {bar.at: bar for bar in bars([score.points for _key, score in scores])}
    after = points_after_each(terms, row)
    ahead = [other for other in standings.rows if other.rank < row.rank][-MOST_GAPS:]
    return Season(
        name=standings.name(row.person),
        row=row,
        points=points_in_words(row.points),
        correction=points_in_words(row.correction) if row.correction else "",
        attendance=points_in_words(terms.attendance * row.evenings) if terms.attendance else "",
        played=[
            Played(
                event=events[key],
                place=score.place,
                points=points_in_words(score.points),
                knockouts=share_in_words(score.knockouts) if score.knockouts else "",
                is_counted=key in row.counted,
                after=points_in_words(after[at]),
                bar=shown.get(at),
            )
            for at, (key, score) in enumerate(scores)
        ],
        gaps=[
            (other.rank, standings.name(other.person), _to_pass(terms, row, other))
            for other in reversed(ahead)
        ],
    )


def file_rows(standings: Standings) -> Iterator[list[object]]:
    """Return the whole table for a file: a row for each person, a column for each event."""
    events = standings.events
    days = [f"{localtime(event.starts_at):%Y-%m-%d} {event.name}" for event in events]
    yield [_("Rang"), _("Name"), _("Punkte"), _("Abende"), _("Siege"), _("Berichtigt"), *days]
    for row in standings.rows:
        yield [
            row.rank,
            standings.name(row.person),
            plain(row.points),
            row.evenings,
            row.wins,
            plain(row.correction) if row.correction else "",
            *(_cell(row, event.pk) for event in events),
        ]


def _cell(row: Row, event: int) -> str:
    """Return the points of an event; dropped ones in brackets."""
    if event not in row.scores:
        return ""
    points = plain(row.scores[event].points)
    return points if event in row.counted else f"({points})"


def plain(hundredths: int) -> str:
    """Return points with a decimal point: exact, and never a float.

    >>> plain(-1250), plain(300)
    ('-12.50', '3.00')
    """
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A player's starting stack in the final."""

    rank: int
    name: str
    points: str
    chips: int


def stacks_of(
    standings: Standings, *, base: int, per_point: int, unit: int, first: int
) -> list[Stack]:
    """Return the stacks of the top of the table, with all who share the last rank."""
    rows = [row for row in standings.rows if row.rank <= first]
    return [
        Stack(
            rank=row.rank,
            name=standings.name(row.person),
            points=points_in_words(row.points),
            chips=starting_stack(row.points, base=base, per_point=per_point, unit=unit),
        )
        for row in rows
    ]


def team_lines(standings: Standings) -> list[dict[str, Any]]:
    """Return the teams with their members' names, counting ones first."""
    return [
        {
            "rank": team.rank,
            "name": standings.team_names[team.team],
            "points": points_in_words(team.points),
            "members": [standings.name(person) for person in team.members],
            "counted": len(team.counted),
        }
        for team in standings.teams
    ]
