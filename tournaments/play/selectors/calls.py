"""Players on the clock: open calls and their rule. Reads only."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.event.domain.rules import ClockCallRule
from tournaments.models import ClockCall, ClockCallEnd, Event, Seating, Table
from tournaments.play.domain.calls import CallTimes, call_times


def call_rule(event: Event) -> ClockCallRule:
    """Return the event's rule for putting a player on the clock."""
    return event.rule_set.clock


def times_of(call: ClockCall, event: Event) -> CallTimes:
    return call_times(call_rule(event), call.began_at, has_watch=call.has_watch)


def calls_open(event: Event) -> QuerySet[ClockCall]:
    """Return the calls without an outcome, of players still seated."""
    ended = ClockCallEnd.objects.live().filter(call=OuterRef("pk"))
    seated = Seating.objects.live().filter(entry=OuterRef("entry"), table=OuterRef("table"))
    rows = ClockCall.objects.live().filter(Exists(seated), ~Exists(ended), event=event)
    return rows.select_related("entry__registration__person", "table")


def call_open_at(event: Event, table: Table) -> ClockCall | None:
    return calls_open(event).filter(table=table).order_by("-pk").first()
