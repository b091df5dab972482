"""The clock of an event: its automatic start, its state at a past instant, a computer set back."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from clock.domain import ClockState
from clock.models import Clock
from clock.selectors import clock_begun, clock_state
from clock.snapshot import read_once
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, kind_names
from tournaments.models import Action, Event, HeadCount, Seating

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
    """Return the events with a due automatic start and a seated player by then."""
    due = {"clock__starts_at": F("starts_at"), "clock__starts_at__lte": now}
    return Event.objects.planned().select_related("clock").filter(_somebody_sits(), **due)


def events_to_call(now: datetime, but: Action | None = None) -> QuerySet[Event]:
    """Return the events with a due five-minute call not yet logged.

    Without events started before it was due, starts long past, and samples. `but` is an entry to
    ignore: the one about to log the call.
    """
    due_at = F("starts_at") - CALL_BEFORE
    called = Action.objects.filter(
        event=OuterRef("pk"), kind=START_CALLED.name, at=OuterRef("starts_at") - CALL_BEFORE
    )
    began_later = Q(head__started_by=None) | Q(head__started_by__at__gt=due_at)
    return Event.objects.open().filter(
        ~Exists(called if but is None else called.exclude(pk=but.pk)),
        began_later,
        is_sample=False,
        starts_at__lte=now + CALL_BEFORE,
        starts_at__gt=now - LATEST_CALL,
    )


def was_planned(event: Event, by: datetime) -> bool:
    """Tell whether the event existed with its present start time at this instant."""
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
    """Return why play cannot begin with the seated players, None if it can."""
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
    """Tell whether play would begin now without the five-minute call.

    It is too early for the call, or the start was set too late for it.
    """
    if event.has_started or event.is_over or event.is_sample:
        return False
    due_at = event.starts_at - CALL_BEFORE
    return now < due_at or not was_planned(event, due_at)


@read_once
def planned_start(event: Event) -> datetime | None:
    """Return the planned automatic start, None without one.

    It needs the director's request, an unchanged planned start, and a seated player by then: a
    first check-in afterwards starts nothing.
    """
    if event.has_started or event.is_over or event.clock.starts_at != event.starts_at:
        return None
    is_seated = Event.objects.filter(_somebody_sits(), pk=event.pk).exists()
    return event.starts_at if is_seated else None


def rows_begun(event: Event, now: datetime) -> tuple[int | None, frozenset[int]]:
    """Return the index of the present level, and the ids of all begun ones.

    Before the start there is none, and all can be changed.
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
    """The screens' display at an instant."""

    at: datetime
    state: ClockState


def clock_at(event: Event, at: datetime) -> ClockAt:
    """Return the screens' display at `at`, including actions undone later.

    Before the start the schedule may have been another one: use the one of that time.
    """
    return ClockAt(at=at, state=clock_state(clock_then(event, at), at))


def clock_then(event: Event, at: datetime) -> Clock:
    """Return the event's clock at `at`, found from the next change of schedule."""
    later = Action.objects.filter(event=event, at__gt=at).select_related("undoes")
    kinds = kind_names(lambda kind: kind.sets_schedule)
    setting = later.filter(Q(kind__in=kinds) | Q(undoes__kind__in=kinds))
    for action in setting.order_by("sequence"):
        if action.undoes is None:
            return Clock.objects.get(pk=action.payload["clock_before"])
        return Clock.objects.get(pk=action.undoes.payload["clock"])
    return event.clock


# --- Actions on the clock, in words


def shift_in_words(seconds: int) -> str:
    """Return the added or removed time, for the log and the page.

    >>> shift_in_words(60), shift_in_words(-300), shift_in_words(-90)
    ('Eine Minute mehr', '5 Minuten weniger', 'Uhr verstellt: -90 Sekunden')
    """
    minutes, rest = divmod(abs(seconds), 60)
    if rest:
        return _("Uhr verstellt: %(seconds)s Sekunden") % {"seconds": seconds}
    if seconds > 0:
        text = ngettext("Eine Minute mehr", "%(count)s Minuten mehr", minutes)
    else:
        text = ngettext("Eine Minute weniger", "%(count)s Minuten weniger", minutes)
    return text % {"count": minutes}


# --- Counts of an evening without names: sums of live counts


@dataclass(frozen=True, slots=True, kw_only=True)
class Counted:
    entries: int
    left: int
    rebuys: int
    chips: int


@read_once
def counted(event: Event) -> Counted:
    """Return entries, players left, re-buys, and the chips in play."""
    names = ("entries", "left", "rebuys", "chips")
    rows = HeadCount.objects.live().filter(event=event)
    sums = rows.aggregate(**{name: Sum(name) for name in names})
    return Counted(**{name: sums[name] or 0 for name in names})


def rebuy_chips(event: Event) -> int:
    """Return the chips of the last re-buy; before the first, the starting stack."""
    rows = HeadCount.objects.live().filter(event=event, rebuys__gt=0).order_by("-pk")
    return rows.values_list("chips", flat=True).first() or event.starting_stack


TOLERANCE = timedelta(seconds=10)


def evenings_later(at: datetime) -> list[Event]:
    """Return the open events with a later time in their log."""
    rows = Event.objects.open().filter(head__log_recorded_at__gt=at + TOLERANCE)
    return list(rows.order_by("pk"))


def evening_held(at: datetime) -> Event | None:
    """Return a tournament that is played by a later time, which cannot go back."""
    later = evenings_later(at)
    return next((row for row in later if row.has_started and not row.is_sample), None)
