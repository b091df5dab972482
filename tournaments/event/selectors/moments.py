"""The moments that move with an evening's levels, each declared once where it is known."""

from collections.abc import Callable
from datetime import datetime

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.selectors import clock_levels, clock_state
from tournaments.changes.access import Sentence
from tournaments.event.selectors.event import event_last_late_position, row_ends_at
from tournaments.event.selectors.schedule import row_name
from tournaments.models import Event

Told = Callable[[Event, datetime], str]
PAST = lazy("vorbei")
_MOMENTS: list[tuple[Sentence, Told]] = []


def moves_with_levels(label: Sentence) -> Callable[[Told], Told]:
    """Register a function that returns a moment in words; empty where there is none."""

    def register(told: Told) -> Told:
        _MOMENTS.append((label, told))
        return told

    return register


def moments_told(event: Event, now: datetime) -> dict[str, str]:
    """Return the moments of an event in words, by their names."""
    found = {str(label): told(event, now) for label, told in _MOMENTS}
    return {label: text for label, text in found.items() if text}


def end_told(event: Event, row: int | None, now: datetime) -> str:
    """Return the end of a row in words, with its level; empty without a row."""
    if row is None:
        return ""
    if clock_state(event.clock, now).index > row:
        return str(PAST)
    at, name = row_ends_at(event, row, now), row_name(clock_levels(event.clock), row)
    if at is None:
        return _("Ende: %(row)s") % {"row": name}
    return _("bis %(time)s (%(row)s)") % {"time": f"{localtime(at):%H:%M}", "row": name}


@moves_with_levels(lazy("Nachmeldung"))
def late_end(event: Event, now: datetime) -> str:
    return end_told(event, event_last_late_position(event), now)


@moves_with_levels(lazy("Ende des Blindplans"))
def schedule_end(event: Event, now: datetime) -> str:
    return end_told(event, len(clock_levels(event.clock)) - 1, now)
