"""Closing time: proposed while it can still be announced two levels ahead, and then due."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clock.selectors import clock_levels, clock_state
from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.event.domain.closing import end_of_level, last_level
from tournaments.event.selectors.closing import Closing, closing_of, event_closes_at
from tournaments.forecast.selectors.forecast import forecast_of
from tournaments.models import Event
from tournaments.play.selectors.stacks import counting_of


def closing_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items of closing time; empty if it is not set."""
    closing = closing_of(event, now)
    if closing is not None:
        return [_announced(event, closing, now)]
    closes_at = event_closes_at(event)
    if closes_at is None:
        return []
    forecast = forecast_of(event, now)
    if forecast is None or forecast.ends_at <= closes_at:
        return []
    return [_proposed(event, now, closes_at, forecast.ends_at)]


def _announced(event: Event, closing: Closing, now: datetime) -> DueItem:
    if not closing.is_over:
        note = _("Gegen %(at)s.") % {"at": _time(closing.ends_at)} if closing.ends_at else ""
        return DueItem(
            kind=DueKind.CLOSING,
            urgency=Urgency.LATER,
            title=_("Sperrstunde: nach Stufe %(number)s wird gezählt") % {"number": closing.number},
            note=note,
        )
    runs = clock_state(event.clock, now).is_running
    is_counted = counting_of(event, now).is_complete
    kind = DueKind.CLOSING_END if is_counted else DueKind.CLOSING_COUNT
    title = _("Sperrstunde: Die letzte Stufe ist zu Ende")
    note = _("Alle Stapel zählen, dann das Turnier beenden: Der größte Stapel ist Platz 1.")
    if is_counted:
        note = _("Alle sind gezählt: Das Turnier lässt sich beenden.")
    elif runs:
        kind = DueKind.CLOCK_RUNS
        note = _("Uhr anhalten, laufende Hände zu Ende spielen lassen, dann zählen.")
    return DueItem(kind=kind, urgency=Urgency.NOW, title=title, note=note)


def _proposed(event: Event, now: datetime, closes_at: datetime, ends_at: datetime) -> DueItem:
    """Return the proposal of closing time; more urgent if the next level would be too late."""
    levels, state = clock_levels(event.clock), clock_state(event.clock, now)
    following = next(
        (row for row, level in enumerate(levels) if row > state.index and not level.is_break), None
    )
    row = None if following is None else last_level(levels, following)
    latest = None if row is None else end_of_level(levels, state, row, now)
    note = _("Sperrstunde ist um %(closes)s, Schluss wäre gegen %(ends)s.")
    return DueItem(
        kind=DueKind.CLOSING_PROPOSED,
        urgency=Urgency.SOON if latest is None or latest > closes_at else Urgency.LATER,
        title=_("Bis zur Sperrstunde reicht die Zeit nicht"),
        note=note % {"closes": _time(closes_at), "ends": _time(ends_at)},
    )


def _time(at: datetime) -> str:
    return time_format(localtime(at), "H:i")
