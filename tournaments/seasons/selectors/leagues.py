"""A league's events and standings for pages. Reads only."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
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
    ProfileConsent,
    Registration,
)
from tournaments.people.domain.naming import shown_name
from tournaments.people.selectors.people import meant_by
from tournaments.seasons.domain.formula import FormulaError
from tournaments.seasons.domain.points import Terms, asks_money
from tournaments.seasons.domain.standings import (
    Evening,
    Row,
    TeamRow,
    scores_of,
    standings,
    team_standings,
)
from tournaments.seasons.selectors.labels import formula_fault
from tournaments.seasons.selectors.review import evenings_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A player's name for this reader, and whether the profile is open."""

    text: str
    sort: str
    has_profile: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """The standings of a league.

    :param events: The counting events, earliest first.
    :param fault: Why there are no standings, as a sentence, or an empty text.
    """

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
    chosen = Q(pk__in=[event for event, is_in in decisions.items() if is_in])
    wanted = (chosen | _by_rule(league)) if league.by_rule else chosen
    rows = events_that_may(league.club).filter(wanted)
    return list(rows.exclude(pk__in=[event for event, is_in in decisions.items() if not is_in]))


def _by_rule(league: League) -> Q:
    rule = Q(name__icontains=league.rule_name)
    if league.rule_since:
        rule &= Q(starts_at__date__gte=league.rule_since)
    if league.rule_until:
        rule &= Q(starts_at__date__lte=league.rule_until)
    return rule


def league_standings(league: League, *, to_staff: bool) -> Standings:
    """Return the standings, with names for this reader.

    Only finished events count: undoing an end takes its event out.
    """
    events = [event for event in league_events(league) if event.ended_by_id is not None]
    terms = league.reckoning
    evenings = evenings_of(events, with_money=asks_money(terms))
    meant = meant_by(league.club)
    given = _corrections(league, meant)
    fault, rows = "", []
    try:
        rows = standings(terms, evenings, given, _guests(league, meant))
    except FormulaError as error:
        fault = _("Ohne Punkte: %(fault)s") % {"fault": formula_fault(error)}
        fault += _faulty_evening(terms, events, evenings)
    teams, team_names = _teams(league, meant, rows)
    return Standings(
        league=league,
        events=events,
        rows=_by_name(rows, names := names_of(rows, evenings, to_staff=to_staff)),
        names=names,
        teams=teams,
        team_names=team_names,
        fault=fault,
    )


def _faulty_evening(terms: Terms, events: Sequence[Event], evenings: Sequence[Evening]) -> str:
    """Return the first event at which the formula has no value, as a sentence."""
    for event, evening in zip(events, evenings, strict=True):
        try:
            scores_of(terms, evening)
        except FormulaError:
            day = date_format(localtime(event.starts_at), "j. F Y")
            return " " + _("Zuerst bei: %(event)s, %(day)s.") % {"event": event.name, "day": day}
    return ""


def _by_name(rows: Iterable[Row], names: Mapping[int, Name]) -> list[Row]:
    """Return the rows, equal ranks ordered by name."""
    return sorted(rows, key=lambda row: (row.rank, names[row.person].sort, row.person))


def _corrections(league: League, meant: Mapping[int, int]) -> dict[int, int]:
    found: dict[int, int] = {}
    rows = LeagueCorrection.objects.live().filter(league=league)
    for person, points in rows.values_list("person", "points"):
        who = meant.get(person, person)
        found[who] = found.get(who, 0) + points
    return found


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
