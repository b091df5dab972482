"""Contests: make them, change their terms, add flights and days."""

from dataclasses import asdict

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Holds, Kind, declare_texts
from tournaments.contests.domain.carrying import MOST_CENTS, Terms
from tournaments.contests.domain.stopping import StopRule, Unstoppable, check_stop
from tournaments.event.domain.hours import closing_typed
from tournaments.models import Bag, Contest, Entry, Event, Stage

LONGEST_NAME, LONGEST_LABEL, MOST_ORDER = 120, 20, 30
declare_texts(Holds.NOTHING, ("contest", "label", "event"))

CONTEST_SAVED = Kind(
    "contest.saved",
    lazy("Turnier mit Flights geändert: %(contest)s"),
    Group.CLUB,
    outcomes={"made": lazy("Turnier mit Flights angelegt: %(contest)s")},
)


@club_service(CONTEST_SAVED, Permission.MANAGE)
def contest_save(
    change: Change, *, name: str, terms: Terms, contest: Contest | None = None
) -> None:
    """Make a contest, or change its name and terms."""
    row = own_contest(change, contest) if contest is not None else Contest(club=change.club)
    row.name = " ".join(name.split())
    if not 0 < len(row.name) <= LONGEST_NAME:
        raise Refused(_("Bitte einen Namen angeben, höchstens 120 Zeichen."), code="bad_name")
    if not all(0 <= cents <= MOST_CENTS for cents in (terms.further_cents, terms.travel_cents)):
        raise Refused(_("Einer dieser Beträge kann nicht stimmen."), code="bad_amount")
    row.terms = asdict(terms)
    if contest is None:
        change.record(outcome="made")
    row.save()
    change.record(contest=row.pk, terms=row.terms)
    change.tell(contest=row.name)


STAGE_SAVED = Kind(
    "stage.saved",
    lazy("%(contest)s: %(label)s geändert"),
    Group.CLUB,
    outcomes={"made": lazy("%(contest)s: %(label)s ist %(event)s")},
)


@club_service(STAGE_SAVED, Permission.MANAGE)
def stage_save(
    change: Change, *, contest: Contest, event: Event, label: str, order: int, stop: StopRule
) -> None:
    """Make an event a flight or a day of the contest, or change its label, order and end."""
    row = own_contest(change, contest)
    # An event that starts meanwhile waits, or is seen as started.
    own = Event.objects.locked(event.pk)
    before = Stage.objects.live().filter(event=own).select_related("contest").first()
    name = " ".join(label.split())
    _refuse_stage(change, row, own, before, name=name, order=order)
    _refuse_stop(stop)
    if before is None:
        change.record(outcome="made")
    Stage.objects.live().filter(event=own).update(voided_by=change.action)
    Stage.objects.create(
        contest=row,
        event=own,
        label=name,
        order=order,
        stop=stop.as_data(),
        made_by=change.action,
    )
    change.record(contest=row.pk, stage_of=own.pk, order=order, stop=stop.as_data())
    change.tell(contest=row.name, label=name, event=own.name)


def _refuse_stage(
    change: Change, contest: Contest, event: Event, before: Stage | None, *, name: str, order: int
) -> None:
    if event.club_id != change.club.pk or event.is_clock_only or event.is_cash_only:
        raise Refused(_("Ein Flight ist ein Turnier dieses Vereins mit Namen."), code="no_flight")
    if before is not None and before.contest_id != contest.pk:
        raise Refused(
            _("%(event)s gehört schon zu %(contest)s.")
            % {"event": event.name, "contest": before.contest.name},
            code="elsewhere",
        )
    if not 0 < len(name) <= LONGEST_LABEL or not 1 <= order <= MOST_ORDER:
        raise Refused(
            _("Ein Flight hat eine Bezeichnung wie „1A“ und einen Tag ab 1."), code="bad_label"
        )
    taken = Stage.objects.live().filter(contest=contest, label=name).exclude(event=event)
    if taken.exists():
        raise Refused(_("„%(label)s“ gibt es schon.") % {"label": name}, code="label_taken")
    moves = before is None or before.order != order
    if moves and event.has_started and order > 1:
        raise Refused(
            _("Die Uhr von %(event)s läuft schon. Ein weiterer Tag beginnt erst mit den Säcken.")
            % {"event": event.name},
            code="started",
        )


def _refuse_stop(stop: StopRule) -> None:
    try:
        check_stop(stop)
    except Unstoppable as problem:
        reasons = {
            "percent": _("Weiter kommen mehr als 0 % und weniger als 100 %."),
            "players": _("Weiter kommt mindestens einer."),
            "level": _("Ein Flight endet nach einer der Stufen 1 bis 200."),
        }
        raise Refused(reasons[problem.code], code=f"bad_{problem.code}")
    if stop.time and closing_typed(stop.time) is None:
        raise Refused(_("Bitte eine Uhrzeit wie 23:30 angeben."), code="bad_time")


STAGE_REMOVED = Kind("stage.removed", lazy("%(contest)s: ohne %(label)s"), Group.CLUB)


@club_service(STAGE_REMOVED, Permission.MANAGE)
def stage_remove(change: Change, *, stage: Stage) -> None:
    """Take an event out of the contest; with entries it can only be cancelled."""
    row = Stage.objects.live().select_related("contest").filter(pk=stage.pk).first()
    if row is None or row.contest.club_id != change.club.pk:
        raise Refused(_("Diesen Flight gibt es hier nicht mehr."), code="gone")
    event = Event.objects.locked(row.event_id)
    has_entries = Entry.objects.live().filter(event=event).exists()
    if has_entries or Bag.objects.live().filter(event=event).exists():
        raise Refused(
            _("In %(label)s sind schon Teilnehmer. Der Flight lässt sich nur absagen.")
            % {"label": row.label},
            code="has_entries",
        )
    Stage.objects.filter(pk=row.pk).update(voided_by=change.action)
    change.record(contest=row.contest_id, stage_of=row.event_id)
    change.tell(contest=row.contest.name, label=row.label)


def own_contest(change: Change, contest: Contest) -> Contest:
    """Return the contest of this club, as it is now."""
    row = Contest.objects.filter(club=change.club, pk=contest.pk).first()
    if row is None:
        raise Refused(_("Dieses Turnier mit Flights gibt es nicht."), code="gone")
    return row
