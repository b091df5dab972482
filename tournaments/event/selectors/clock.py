"""The clock of an event: when it starts by itself, and what it showed at a past instant."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import ClockState
from clock.models import Clock
from clock.selectors import clock_begun, clock_state
from clock.snapshot import read_once
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, kind_names
from tournaments.models import Action, Event, Seating

START_CALLED = Kind(
    "announcement.start_called", lazy("Fünf Minuten bis zum Beginn"), Group.MESSAGES, is_quiet=True
)
START_ANNOUNCED = Kind(
    "start.announced", lazy("Beginn in fünf Minuten ausgerufen"), Group.EVENT, sets_settings=True
)
CALL_BEFORE = timedelta(minutes=5)
LATEST_CALL = timedelta(hours=1)
FEWEST = 2


def events_to_start(now: datetime) -> QuerySet[Event]:
    """Return the events whose clock was to start by itself by `now`, and somebody sat by then."""
    planned = Event.objects.select_related("clock").filter(
        started_by=None,
        ended_by=None,
        cancelled_by=None,
        clock__starts_at=F("starts_at"),
        clock__starts_at__lte=now,
    )
    return planned.filter(_somebody_sits())


def events_to_call(now: datetime, but: Action | None = None) -> QuerySet[Event]:
    """Return the events whose five-minute call was due by `now` and is not written down yet.

    Nor were they started before it was due. A beginning that is long past calls nobody, nor does a
    sample. `but` is an entry not to be looked at: the one that is about to write the call down.
    """
    due_at = F("starts_at") - CALL_BEFORE
    called = Action.objects.filter(
        event=OuterRef("pk"), kind=START_CALLED.name, at=OuterRef("starts_at") - CALL_BEFORE
    )
    began_later = Q(started_by=None) | Q(started_by__at__gt=due_at)
    return Event.objects.filter(
        ~Exists(called if but is None else called.exclude(pk=but.pk)),
        began_later,
        is_sample=False,
        ended_by=None,
        cancelled_by=None,
        starts_at__lte=now + CALL_BEFORE,
        starts_at__gt=now - LATEST_CALL,
    )


def was_planned(event: Event, by: datetime) -> bool:
    """Tell whether the event was made, and its beginning last moved, by this instant."""
    later = Action.objects.filter(at__gt=by)
    makes = kind_names(lambda kind: kind.makes_event)
    made = later.filter(kind__in=makes, payload__event=event.pk)
    sets = Q(kind__in=kind_names(lambda kind: kind.sets_settings))
    moves = later.filter(sets | Q(undoes__isnull=False), event=event)
    return not made.exists() and not any(
        "starts_at" in (move.undoes or move).payload.get("settings", ())
        for move in moves.select_related("undoes")
    )


def obstacle_to_first_start(event: Event) -> Refused | None:
    """Return why play cannot begin with those who sit, None if it can."""
    if event.is_clock_only:
        return None
    seated = Seating.objects.live().filter(event=event).count()
    if not seated:
        reason = _("Es sitzt noch niemand. Erst einchecken und Plätze auslosen.")
        return Refused(reason, code="nobody_seated")
    if seated < FEWEST:
        return Refused(_("Gespielt wird zu zweit: Es sitzt erst einer."), code="too_few")
    return None


def lacks_call(event: Event, now: datetime) -> bool:
    """Tell whether nobody was called five minutes before, were play to begin now.

    It is too early for the call, or the beginning was planned when it was too late for it.
    """
    if event.has_started or event.is_over or event.is_sample:
        return False
    due_at = event.starts_at - CALL_BEFORE
    return now < due_at or not was_planned(event, due_at)


@read_once
def planned_start(event: Event) -> datetime | None:
    """Return when the clock is going to start by itself, None if it is not.

    That takes a director who wants it, a planned beginning that is still the same, and somebody
    who sits by then: a first check-in after it starts nothing.
    """
    if event.has_started or event.is_over or event.clock.starts_at != event.starts_at:
        return None
    is_seated = Event.objects.filter(_somebody_sits(), pk=event.pk).exists()
    return event.starts_at if is_seated else None


def rows_begun(event: Event, now: datetime) -> tuple[int | None, frozenset[int]]:
    """Return the position of the level that is on, and the ids of all that have begun.

    Before the start none is on, and all may still be changed.
    """
    if not event.has_started:
        return None, frozenset()
    return clock_state(event.clock, now).index, clock_begun(event.clock, now)


def _somebody_sits() -> Exists:
    seated = Seating.objects.live().filter(
        event=OuterRef("pk"), seated_at__lte=OuterRef("starts_at")
    )
    return Exists(seated)


def counts_hands(state: ClockState) -> bool:
    """Tell whether a hand played now counts for the clock."""
    if state.last_hands is not None:
        return state.last_hands > 0
    return state.has_started and state.level.hands is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockAt:
    """What the screens showed at an instant."""

    at: datetime
    state: ClockState


def clock_at(event: Event, at: datetime) -> ClockAt:
    """Return what the screens showed at `at`; what was taken back only later is shown.

    Before the start another schedule may have been chosen: the one that was there is asked.
    """
    return ClockAt(at=at, state=clock_state(clock_then(event, at), at))


def clock_then(event: Event, at: datetime) -> Clock:
    """Return the clock the event had at `at`: the next change of schedule names it."""
    later = Action.objects.filter(event=event, at__gt=at).select_related("undoes")
    kinds = kind_names(lambda kind: kind.sets_schedule)
    setting = later.filter(Q(kind__in=kinds) | Q(undoes__kind__in=kinds))
    for action in setting.order_by("sequence"):
        if action.undoes is None:
            return Clock.objects.get(pk=action.payload["clock_before"])
        return Clock.objects.get(pk=action.undoes.payload["clock"])
    return event.clock
