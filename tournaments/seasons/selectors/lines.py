"""Parts of the standings for pages: table, a player's season, teams, purse, file, final."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Sum
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.models import Posting
from tournaments.money.domain.accounts import Account
from tournaments.papers.domain.sheets import in_units
from tournaments.people.domain.naming import sort_key
from tournaments.seasons.domain.pictures import bars
from tournaments.seasons.domain.points import Terms
from tournaments.seasons.domain.standings import (
    Row,
    points_after_each,
    points_to_pass,
    starting_stack,
)
from tournaments.seasons.selectors.labels import points_in_words, share_in_words
from tournaments.seasons.selectors.leagues import Standings, league_events


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


MOST_GAPS = 3
MOST_WORDS = 8


def season_of(standings: Standings, row: Row) -> dict[str, Any]:
    """Return a player's season for display; `gaps` are the players ahead, nearest first."""
    terms = standings.league.reckoning
    events = {event.pk: event for event in standings.events}
    shown = {bar.at: bar for bar in bars([score.points for score in row.scores.values()])}
    after = points_after_each(terms, row)
    ahead = [other for other in standings.rows if other.rank < row.rank][-MOST_GAPS:]
    return {
        "correction": points_in_words(row.correction) if row.correction else "",
        "attendance": points_in_words(terms.attendance * row.evenings) if terms.attendance else "",
        "bonus": points_in_words(row.bonus) if row.bonus else "",
        "played": [
            {
                "event": events[key],
                "place": score.place,
                "points": points_in_words(score.points),
                "knockouts": share_in_words(score.knockouts) if score.knockouts else "",
                "is_counted": key in row.counted,
                "after": points_in_words(after[at]),
                "bar": shown.get(at),
            }
            for at, (key, score) in enumerate(row.scores.items())
        ],
        "gaps": [
            (other.rank, standings.name(other.person), _to_pass(terms, row, other))
            for other in reversed(ahead)
        ],
    }


def file_rows(standings: Standings) -> Iterator[list[object]]:
    """Return the whole table for a file: a row for each person, a column for each event.

    Points are the sum of attendance, bonuses, correction, all events, and what was dropped of them.
    """
    events, each = standings.events, standings.league.reckoning.attendance
    days = [f"{localtime(event.starts_at):%Y-%m-%d} {event.name}" for event in events]
    yield [_("Rang"), _("Name"), _("Punkte"), _("Abende"), _("Siege"), _("Dabeisein"),
           _("Zusatzpunkte"), _("Berichtigt"), _("Gestrichen"), *days,
           _("Gestrichene Abende")]  # fmt: skip
    for row in standings.rows:
        dropped = [event for event in events if event.pk in row.scores.keys() - row.counted]
        yield [
            row.rank,
            standings.name(row.person),
            in_units(row.points),
            row.evenings,
            row.wins,
            in_units(each * row.evenings),
            in_units(row.bonus),
            in_units(row.correction),
            in_units(-sum(row.scores[event.pk].points for event in dropped)),
            *(
                in_units(row.scores[event.pk].points) if event.pk in row.scores else ""
                for event in events
            ),
            ", ".join(f"{localtime(event.starts_at):%Y-%m-%d}" for event in dropped),
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """A player's starting stack in the final."""

    rank: int
    person: int
    name: str
    points: str
    chips: int


def stacks_of(
    standings: Standings, *, base: int, per_point: int, unit: int, first: int
) -> list[Stack]:
    """Return the stacks of the top of the table, with all who share the last rank."""
    return [
        Stack(
            rank=row.rank,
            person=row.person,
            name=standings.name(row.person),
            points=points_in_words(row.points),
            chips=starting_stack(row.points, base=base, per_point=per_point, unit=unit),
        )
        for row in standings.rows
        if row.rank <= first
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


def purse_of(standings: Standings) -> int:
    """Return the purse of the season in cents: what was paid for its part of the prices."""
    name = standings.league.reckoning.purse
    rows = Posting.objects.live().filter(account=Account.EXTRA, part__iexact=name)
    events = league_events(standings.league) if name else []
    paid = rows.filter(event__in=events).aggregate(Sum("amount_cents"))["amount_cents__sum"]
    return -(paid or 0)
