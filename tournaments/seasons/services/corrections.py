"""The director's corrections in a league: points and teams; each can be undone."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.models import League, LeagueCorrection, LeagueMember, Person
from tournaments.people.selectors.club_people import merge_of
from tournaments.people.services.names import note_names, salted
from tournaments.seasons.domain.points import MOST_POINTS
from tournaments.seasons.services.leagues import LONGEST_NAME, own_league

LEAGUE_CORRECTED = Kind(
    "league.corrected", lazy("%(league)s: Punkte von %(name)s berichtigt"), Group.CLUB
)


@club_service(LEAGUE_CORRECTED, Permission.MANAGE)
def league_correct(
    change: Change, *, league: League, person: Person, points: int, reason: str
) -> None:
    """Add or subtract league points by hand, in hundredths, with a reason."""
    row, who = own_league(change, league), _person(change, person)
    if not points or abs(points) > MOST_POINTS:
        raise Refused(_("Bitte Punkte angeben, mit Minus für einen Abzug."), code="bad_points")
    reason = " ".join(reason.split())[:200]
    if not reason:
        raise Refused(_("Bitte einen Grund angeben."), code="no_reason")
    made = LeagueCorrection.objects.create(
        league=row, person=who, points=points, made_by=change.action
    )
    change.record(league=row.pk, correction=made.pk, person=who.pk, points=points)
    change.tell(league=row.name, name=who.name, reason=reason)
    note_names(change, [who])


LEAGUE_CORRECTION_WITHDRAWN = Kind(
    "league.correction_withdrawn",
    lazy("%(league)s: Berichtigung von %(name)s zurückgenommen"),
    Group.CLUB,
)


@club_service(LEAGUE_CORRECTION_WITHDRAWN, Permission.MANAGE)
def league_correction_withdraw(change: Change, *, correction: LeagueCorrection) -> None:
    """Withdraw a correction."""
    rows = LeagueCorrection.objects.live().select_for_update(of=("self",))
    rows = rows.select_related("league", "person").filter(league__club=change.club)
    row = rows.filter(pk=correction.pk).first()
    if row is None:
        raise Refused(_("Das ist schon zurückgenommen."), code="already_undone")
    own_league(change, row.league)
    LeagueCorrection.objects.filter(pk=row.pk).update(voided_by=change.action)
    change.record(league=row.league_id, correction=row.pk, person=row.person_id)
    change.tell(league=row.league.name, name=row.person.name)


LEAGUE_TEAM_SET = Kind(
    "league.team_set",
    lazy("%(league)s: %(name)s spielt für %(team)s"),
    Group.CLUB,
    outcomes={"none": lazy("%(league)s: %(name)s spielt für kein Team")},
)


@club_service(LEAGUE_TEAM_SET, Permission.MANAGE)
def league_team_set(change: Change, *, league: League, person: Person, team: str) -> None:
    """Put a player into a team by name; an empty name means no team."""
    row, who = own_league(change, league), _person(change, person)
    name = _team_named(row, team)
    live = LeagueMember.objects.live().filter(league=row, person=who)
    before = live.first()
    if (before.team if before else "") == name:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    live.update(voided_by=change.action)
    if name:
        LeagueMember.objects.create(league=row, person=who, team=name, made_by=change.action)
    else:
        change.record(outcome="none")
    change.record(league=row.pk, person=who.pk)
    change.tell(league=row.name, name=who.name, team=name)
    note_names(change, [who])


def _team_named(league: League, team: str) -> str:
    """Return a team's name as first spelled in the league."""
    name = " ".join(team.split())
    if len(name) > LONGEST_NAME:
        raise Refused(_("Höchstens %(most)d Zeichen.") % {"most": LONGEST_NAME}, code="long_name")
    rows = LeagueMember.objects.live().filter(league=league)
    known = {row.casefold(): row for row in rows.values_list("team", flat=True)}
    return known.get(name.casefold(), name)


def _person(change: Change, person: Person) -> Person:
    """Return the row of a known person.

    :raises Refused: If it is erased, or merged into another.
    """
    rows = Person.objects.select_for_update(no_key=True)
    row = rows.filter(club=change.club, pk=person.pk, erased_at=None).first()
    if row is None or merge_of(row) is not None:
        raise Refused(_("Diese Person gibt es nicht mehr."), code="gone")
    salted([row])
    return row
