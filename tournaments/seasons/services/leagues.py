"""Leagues: create, change, archive; the events that belong to them."""

from dataclasses import dataclass
from datetime import date
from itertools import count

from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, Role
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Holds, Kind, declare_texts
from tournaments.models import (
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
from tournaments.people.domain.naming import spelled_out
from tournaments.people.selectors.people import is_sure, merge_of
from tournaments.people.services.people import note_names, salted
from tournaments.seasons.domain.formula import FormulaError
from tournaments.seasons.domain.points import MOST_POINTS, Terms, as_json, fault_of
from tournaments.seasons.selectors.labels import formula_fault
from tournaments.seasons.selectors.leagues import events_that_may

LONGEST_NAME = 80
# Names of the league pages themselves, not usable as addresses.
TAKEN_SLUGS = ("neu",)
declare_texts(Holds.NOTHING, ("league", "formula", "event", "team"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Takes:
    """The events that belong to a league automatically.

    :param by_rule: Whether there are any: events with `name` in their name, within the days.
    """

    by_rule: bool = True
    name: str = ""
    since: date | None = None
    until: date | None = None


LEAGUE_SAVED = Kind(
    "league.saved",
    lazy("Liga geändert: %(league)s"),
    Group.CLUB,
    outcomes={"made": lazy("Liga angelegt: %(league)s")},
)


@club_service(LEAGUE_SAVED, Permission.MANAGE)
def league_save(
    change: Change,
    *,
    name: str,
    terms: Terms,
    takes: Takes,
    is_public: bool = True,
    league: League | None = None,
    like: League | None = None,
) -> None:
    """Create a league, or change its terms and its events.

    :param like: A league whose teams and left-out people a new one begins with.
    """
    row = own_league(change, league) if league is not None else League(club=change.club)
    row.name = _name_kept(change, name, row)
    _refuse_impossible(terms, takes)
    stored = as_json(terms)
    row.terms, row.is_public = stored, is_public
    row.by_rule, row.rule_name = takes.by_rule, " ".join(takes.name.split())[:LONGEST_NAME]
    row.rule_since, row.rule_until = takes.since, takes.until
    if league is None:
        plain = slugify(spelled_out(row.name))[: LONGEST_NAME - 5].strip("-") or "liga"
        taken = {*League.objects.values_list("slug", flat=True), *TAKEN_SLUGS}
        slugs = (plain if number == 1 else f"{plain}-{number}" for number in count(1))
        row.slug = next(slug for slug in slugs if slug not in taken)
        change.record(outcome="made")
    row.save()
    if like is not None and league is None:
        _begin_like(change, row, like)
    hidden = {"formula": len(terms.formula), "purse": len(terms.purse)}
    change.record(league=row.pk, terms={**stored, **hidden})
    change.record(public=is_public, by_rule=takes.by_rule)
    change.tell(league=row.name, formula=terms.formula)


def _begin_like(change: Change, row: League, like: League) -> None:
    for model, names in ((LeagueMember, ("person_id", "team")), (LeagueGuest, ("person_id",))):
        rows = model.objects.live().filter(league=like, league__club=change.club)
        rows = rows.filter(person__erased_at=None).order_by("pk")
        model.objects.bulk_create(
            model(league=row, made_by=change.action, **copied) for copied in rows.values(*names)
        )
    change.record(like=like.pk)


LEAGUE_REMOVED = Kind("league.removed", lazy("Liga weggelegt: %(league)s"), Group.CLUB)


@club_service(LEAGUE_REMOVED, Permission.MANAGE)
def league_remove(change: Change, *, league: League) -> None:
    """Archive a league: it is hidden; its events do not change."""
    row = own_league(change, league)
    row.removed_by = change.action
    row.save(update_fields=["removed_by"])
    change.record(league=row.pk)
    change.tell(league=row.name)


LEAGUE_RESTORED = Kind("league.restored", lazy("Liga zurückgeholt: %(league)s"), Group.CLUB)


@club_service(LEAGUE_RESTORED, Permission.MANAGE)
def league_restore(change: Change, *, league: League) -> None:
    """Restore an archived league."""
    row = League.objects.select_for_update().filter(club=change.club, pk=league.pk).first()
    if row is None:
        raise Refused(_("Diese Liga gibt es nicht."), code="gone")
    if row.removed_by_id is None:
        raise Refused(_("Diese Liga ist nicht weggelegt."), code="not_removed")
    row.name = _name_kept(change, row.name, row)
    row.removed_by = None
    row.save(update_fields=["removed_by"])
    change.record(league=row.pk)
    change.tell(league=row.name)


LEAGUE_EVENING_SET = Kind(
    "league.evening_set",
    lazy("%(league)s: %(event)s zählt"),
    Group.CLUB,
    outcomes={
        "out": lazy("%(league)s: %(event)s zählt nicht"),
        "rule": lazy("%(league)s: %(event)s zählt wieder nach der Regel"),
    },
)


@club_service(LEAGUE_EVENING_SET, Permission.MANAGE)
def league_evening_set(change: Change, *, league: League, event: Event, is_in: bool | None) -> None:
    """Include an event in a league or exclude it; None leaves it to the rule."""
    row = own_league(change, league)
    if not events_that_may(change.club).filter(pk=event.pk).exists():
        raise Refused(_("Dieser Abend hat keine Plätze, die zählen könnten."), code="no_places")
    live = LeagueEvening.objects.live().filter(league=row, event=event)
    before = live.first()
    if (before.is_in if before else None) == is_in:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    live.update(voided_by=change.action)
    if is_in is not None:
        LeagueEvening.objects.create(league=row, event=event, is_in=is_in, made_by=change.action)
    outcome = {None: "rule", False: "out"}.get(is_in)
    if outcome:
        change.record(outcome=outcome)
    change.record(league=row.pk, evening=event.pk)
    change.tell(league=row.name, event=event.name)


def own_league(change: Change, league: League) -> League:
    """Return a league of the club, locked; refuse an archived one."""
    rows = League.objects.select_for_update().filter(club=change.club, removed_by=None)
    row = rows.filter(pk=league.pk).first()
    if row is None:
        raise Refused(_("Diese Liga gibt es nicht."), code="gone")
    return row


def _name_kept(change: Change, name: str, row: League) -> str:
    name = " ".join(name.split())
    if not any(char.isalnum() for char in name):
        raise Refused(_("Die Liga braucht einen Namen."), code="no_name")
    if len(name) > LONGEST_NAME:
        raise Refused(_("Höchstens %(most)d Zeichen.") % {"most": LONGEST_NAME}, code="long_name")
    others = League.objects.filter(club=change.club, removed_by=None).exclude(pk=row.pk)
    if name.casefold() in {other.casefold() for other in others.values_list("name", flat=True)}:
        raise Refused(
            _("Eine Liga mit diesem Namen gibt es schon: %(name)s.") % {"name": name},
            code="name_taken",
        )
    return name


def _refuse_impossible(terms: Terms, takes: Takes) -> None:
    try:
        fault = fault_of(terms)
    except FormulaError as error:
        raise Refused(formula_fault(error), code="bad_formula")
    sentences = {
        "no_table": _("Bitte für mindestens einen Platz etwas angeben."),
        "long_table": _("So viele Plätze sind zu viele."),
        "over_100": _("Die Anteile sind zusammen mehr als 100 %."),
        "bad_points": _("Punkte sind nicht negativ und höchstens eine Million."),
        "bad_best": _("So viele Abende kann es nicht geben."),
        "half_a_run": _("Zu Abenden in Folge gehören eine Anzahl und Punkte."),
        "twice": _("Bei gleichen Punkten steht zweimal dasselbe."),
    }
    if fault:
        raise Refused(sentences[fault], code=fault)
    if takes.since and takes.until and takes.until < takes.since:
        raise Refused(_("Der letzte Tag liegt vor dem ersten."), code="bad_days")


# --- The director's corrections in a league: points and teams; each can be undone


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
    name = " ".join(team.split())
    if len(name) > LONGEST_NAME:
        raise Refused(_("Höchstens %(most)d Zeichen.") % {"most": LONGEST_NAME}, code="long_name")
    teams = LeagueMember.objects.live().filter(league=row).values_list("team", flat=True)
    # As it was first spelled in the league.
    name = {known.casefold(): known for known in teams}.get(name.casefold(), name)
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


LEAGUE_GUEST_SET = Kind(
    "league.guest_set",
    lazy("%(league)s: %(name)s zählt nicht mit"),
    Group.CLUB,
    outcomes={"back": lazy("%(league)s: %(name)s zählt wieder mit")},
)


@club_service(LEAGUE_GUEST_SET, Permission.MANAGE)
def league_guest_set(change: Change, *, league: League, person: Person, is_guest: bool) -> None:
    """Leave a person out of a league's standings, or take the person back in."""
    row, who = own_league(change, league), _person(change, person)
    live = LeagueGuest.objects.live().filter(league=row, person=who)
    if live.exists() == is_guest:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    live.update(voided_by=change.action)
    if is_guest:
        LeagueGuest.objects.create(league=row, person=who, made_by=change.action)
    else:
        change.record(outcome="back")
    change.record(league=row.pk, person=who.pk)
    change.tell(league=row.name, name=who.name)
    note_names(change, [who])


def _person(change: Change, person: Person) -> Person:
    rows = Person.objects.select_for_update(no_key=True)
    row = rows.filter(club=change.club, pk=person.pk, erased_at=None).first()
    if row is None or merge_of(row) is not None:
        raise Refused(_("Diese Person gibt es nicht mehr."), code="gone")
    salted([row])
    return row


# --- Public profiles of people: published only by the person


PROFILE_OPENED = Kind("profile.opened", lazy("%(name)s zeigt das eigene Profil"), Group.CLUB)


@club_service(PROFILE_OPENED, Permission.CORRECT)
def profile_open(change: Change, *, person: Person) -> None:
    """Publish a person's profile; only by that person's own link."""
    row = _own_person(change, person)
    if ProfileConsent.objects.live().filter(person=row).exists():
        raise Refused(_("Dein Profil ist schon zu sehen."), code="nothing_changed")
    ProfileConsent.objects.create(person=row, made_by=change.action)
    change.record(person=row.pk)
    change.tell(name=row.name)


PROFILE_CLOSED = Kind(
    "profile.closed", lazy("%(name)s zeigt das eigene Profil nicht mehr"), Group.CLUB
)


@club_service(PROFILE_CLOSED, Permission.CORRECT)
def profile_close(change: Change, *, person: Person) -> None:
    """Hide a person's profile again: by that person's own link, or at the desk."""
    row = _own_person(change, person) if change.by.role == Role.PLAYER else person
    live = ProfileConsent.objects.live().filter(person=row, person__club=change.club)
    if not live.exists():
        raise Refused(_("Dein Profil ist nicht zu sehen."), code="nothing_changed")
    live.update(voided_by=change.action)
    change.record(person=row.pk)
    change.tell(name=row.name)


def _own_person(change: Change, person: Person) -> Person:
    rows = Registration.objects.select_related("person").filter(person=person)
    own = rows.filter(pk=change.by.registration_id or 0, event__club=change.club).first()
    if own is None or change.by.role != Role.PLAYER:
        raise Refused(_("Das kann nur, wer es selbst ist, mit dem eigenen Link."), code="not_yours")
    if not is_sure(own) or own.person.erased_at is not None:
        raise Refused(
            _("Zu deinem Namen gibt es noch andere Daten. Bitte frag die Turnierleitung nach einem "
              "eigenen Link."),
            code="not_sure",
        )  # fmt: skip
    return Person.objects.select_for_update(no_key=True).get(pk=own.person_id)
