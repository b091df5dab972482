"""Players on the clock: which calls are open, and the figures that count for them. Reads only."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.event.domain.rules import ClockCallRule
from tournaments.models import ClockCall, ClockCallEnd, Event, Seating, Table
from tournaments.play.domain.calls import CallTimes, call_times


def call_rule(event: Event) -> ClockCallRule:
    """Return how a player is put on the clock here, by the event's rules."""
    return event.rule_set.clock


def times_of(call: ClockCall, event: Event) -> CallTimes:
    return call_times(call_rule(event), call.began_at, has_watch=call.has_watch)


def calls_open(event: Event) -> QuerySet[ClockCall]:
    """Return the calls whose outcome nobody has said yet, of players who still sit there."""
    ended = ClockCallEnd.objects.live().filter(call=OuterRef("pk"))
    seated = Seating.objects.live().filter(entry=OuterRef("entry"), table=OuterRef("table"))
    rows = ClockCall.objects.live().filter(Exists(seated), ~Exists(ended), event=event)
    return rows.select_related("entry__registration__person", "table")


def call_open_at(event: Event, table: Table) -> ClockCall | None:
    return calls_open(event).filter(table=table).order_by("-pk").first()
