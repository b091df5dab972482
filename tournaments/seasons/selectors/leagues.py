"""A league's events and standings, and their parts for pages and files. Reads only."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet, Sum
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.models import (
    Club,
    Event,
    League,
    LeagueCorrection,
    LeagueEvening,
    LeagueGuest,
    LeagueMember,
    Person,
    Posting,
    ProfileConsent,
    Registration,
)
from tournaments.money.domain.accounts import Account
from tournaments.papers.domain.sheets import in_units
from tournaments.people.domain.naming import shown_name, sort_key
from tournaments.people.selectors.people import meant_by
from tournaments.seasons.domain.formula import FormulaError
from tournaments.seasons.domain.points import Terms, asks_money
from tournaments.seasons.domain.review import bars
from tournaments.seasons.domain.standings import (
    Evening,
    Row,
    TeamRow,
    points_after_each,
    points_to_pass,
    scores_of,
    standings,
    starting_stack,
    team_standings,
)
from tournaments.seasons.selectors.labels import formula_fault, points_in_words, share_in_words
from tournaments.seasons.selectors.review import evenings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A player's name for this reader, and whether the profile is open."""

    text: str
    sort: str
    has_profile: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The standings of a league; `fault` says in a sentence why there are none."""

    league: League
    events: Sequence[Event]
    rows: Sequence[Row]
    names: Mapping[int, Name]
    teams: Sequence[TeamRow]
    team_names: Mapping[int, str]
    fault: str = ""

    def name(self, person: int) -> str:
        return self.names[person].text

    def row_of(self, person: int) -> Row | None:
        return next((row for row in self.rows if row.person == person), None)


def leagues_of(club: Club, *, only_public: bool = False) -> QuerySet[League]:
    """Return the leagues that are not archived, latest first."""
    rows = League.objects.filter(club=club, removed_by=None).order_by("-pk")
    return rows.filter(is_public=True) if only_public else rows


def events_that_may(club: Club) -> QuerySet[Event]:
    """Return the events that can belong to a league, earliest first."""
    return Event.objects.with_tournament(club).filter(is_clock_only=False)


def league_events(league: League) -> list[Event]:
    """Return the events of a league, over or not, earliest first."""
    decisions = dict(
        LeagueEvening.objects.live().filter(league=league).values_list("event", "is_in")
    )
    wanted = Q(pk__in=[event for event, is_in in decisions.items() if is_in])
    if league.by_rule:
        rule = Q(name__icontains=league.rule_name)
        if league.rule_since:
            rule &= Q(starts_at__date__gte=league.rule_since)
        if league.rule_until:
            rule &= Q(starts_at__date__lte=league.rule_until)
        wanted |= rule
    rows = events_that_may(league.club).filter(wanted)
    return list(rows.exclude(pk__in=[event for event, is_in in decisions.items() if not is_in]))


def league_standings(league: League, *, to_staff: bool) -> Standings:
    """Return the standings, with names for this reader.

    Only finished events count: undoing an end takes its event out.
    """
    events = [event for event in league_events(league) if event.ended_by_id is not None]
    terms = league.reckoning
    evenings = evenings_of(events, with_money=asks_money(terms))
    meant = meant_by(league.club)
    given: Counter[int] = Counter()
    corrections = LeagueCorrection.objects.live().filter(league=league)
    for person, points in corrections.values_list("person", "points"):
        given[meant.get(person, person)] += points
    fault, rows = "", []
    try:
        rows = standings(terms, evenings, given, _guests(league, meant))
    except FormulaError as error:
        fault = _("Ohne Punkte: %(fault)s") % {"fault": formula_fault(error)}
        fault += _faulty_evening(terms, events, evenings)
    teams, team_names = _teams(league, meant, rows)
    names = names_of(rows, evenings, to_staff=to_staff)
    return Standings(
        league=league,
        events=events,
        # Equal ranks are ordered by name.
        rows=sorted(rows, key=lambda row: (row.rank, names[row.person].sort, row.person)),
        names=names,
        teams=teams,
        team_names=team_names,
        fault=fault,
    )


def _faulty_evening(terms: Terms, events: Sequence[Event], evenings: Sequence[Evening]) -> str:
    for event, evening in zip(events, evenings, strict=True):
        try:
            scores_of(terms, evening)
        except FormulaError:
            day = date_format(localtime(event.starts_at), "j. F Y")
            return " " + _("Zuerst bei: %(event)s, %(day)s.") % {"event": event.name, "day": day}
    return ""


def _guests(league: League, meant: Mapping[int, int]) -> frozenset[int]:
    rows = LeagueGuest.objects.live().filter(league=league).values_list("person", flat=True)
    return frozenset(meant.get(person, person) for person in rows)


def _teams(
    league: League, meant: Mapping[int, int], rows: Sequence[Row]
) -> tuple[list[TeamRow], dict[int, str]]:
    decisions = LeagueMember.objects.live().filter(league=league).order_by("pk")
    # Doubles first: the own team of the kept person counts.
    rows_of_all = decisions.values_list("person", "team")
    said = sorted(rows_of_all, key=lambda row: row[0] not in meant)
    pairs = [(meant.get(person, person), team) for person, team in said]
    if not pairs:
        return [], {}
    numbers = {team: at for at, team in enumerate(sorted({team for _person, team in pairs}))}
    team_of = {person: numbers[team] for person, team in pairs}
    found = team_standings(rows, team_of, league.reckoning.team_best)
    return found, {number: team for team, number in numbers.items()}


def names_of(
    rows: Iterable[Row], evenings: Iterable[Evening], *, to_staff: bool
) -> dict[int, Name]:
    """Return everybody's name: initials if the person was unlisted at any of these events.

    An erased person has the remaining name.
    """
    wanted = [row.person for row in rows]
    hidden = hidden_people([evening.key for evening in evenings])
    open_profiles = set(ProfileConsent.objects.live().values_list("person", flat=True))
    people = Person.objects.in_bulk(wanted)
    return {
        pk: Name(
            text=shown_name(
                person.name,
                is_listed=pk not in hidden or person.erased_at is not None,
                to_staff=to_staff,
            ),
            sort=person.sort_name,
            has_profile=pk in open_profiles and person.erased_at is None,
        )
        for pk, person in people.items()
    }


def hidden_people(events: Sequence[int]) -> set[int]:
    """Return the people unlisted at one or more of these events."""
    rows = Registration.objects.live().filter(event__in=events, is_listed=False)
    return set(rows.values_list("person", flat=True))


# --- Parts of the standings: table, a player's season, teams, purse, file, final


MOST_GAPS = 3
MOST_WORDS = 8


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


def lines_of(standings: Standings, rows: Iterable[Ranked]) -> list[dict[str, Any]]:
    """Return these rows for display; `to_pass` is empty for the leader."""
    terms = standings.league.reckoning
    return [
        {
            "person": row.person,
            "rank": row.rank,
            "evenings": row.evenings,
            "wins": row.wins,
            "name": standings.name(row.person),
            "points": points_in_words(row.points),
            "to_pass": _to_pass(terms, row, ahead),
        }
        for row, ahead in rows
    ]


def _to_pass(terms: Terms, row: Row, ahead: Row | None) -> str:
    return points_in_words(points_to_pass(terms, row, ahead)) if ahead else ""


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
        "bonus": points_in_words(round(row.bonus)) if round(row.bonus) else "",
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
            in_units(round(row.bonus)),
            in_units(row.correction),
            in_units(-sum(row.scores[event.pk].points for event in dropped)),
            *(
                in_units(row.scores[event.pk].points) if event.pk in row.scores else ""
                for event in events
            ),
            ", ".join(f"{localtime(event.starts_at):%Y-%m-%d}" for event in dropped),
        ]


def stacks_of(
    standings: Standings, *, base: int, per_point: int, unit: int, first: int
) -> list[dict[str, Any]]:
    """Return the starting stacks of the top of the table, with all who share the last rank."""
    return [
        {
            "rank": row.rank,
            "person": row.person,
            "name": standings.name(row.person),
            "points": points_in_words(row.points),
            "chips": starting_stack(row.points, base=base, per_point=per_point, unit=unit),
        }
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
