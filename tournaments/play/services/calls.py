"""A player on the clock, and the outcome. The phone does the countdown."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Actor, Permission, allows
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import ClockCall, ClockCallEnd, Entry, Event
from tournaments.play.domain.calls import outcomes_at_zero
from tournaments.play.selectors.calls import call_open_at, call_rule, times_of
from tournaments.seating.selectors.tables import seating_of

# The phone counts by its own estimate of the server's time.
TOLERANCE = timedelta(seconds=1)


CLOCK_CALL_STARTED = Kind("clock_call.started", lazy("Auf die Uhr gesetzt: %(name)s"), Group.HANDS)


@service(CLOCK_CALL_STARTED, Permission.CALL_CLOCK, Topic.HANDS)
def clock_call_start(change: Change, *, entry: Entry, has_watch: bool = False) -> None:
    """Put a player on the clock (KRRU 3.0; TDA 2024 29); with `has_watch` the watch runs first."""
    event = change.event
    obstacle = obstacle_to_call(event, entry, change.by)
    if obstacle:
        raise obstacle
    seating = seating_of(entry)
    assert seating is not None
    if has_watch and not call_rule(event).allowed_after_seconds:
        raise Refused(_("Nach diesen Regeln läuft vorher keine Uhr."), code="no_watch")
    ClockCall.objects.create(
        event=event,
        table=seating.table,
        entry=entry,
        began_at=change.at,
        has_watch=has_watch,
        made_by=change.action,
    )
    change.record(entry=entry.pk, table=seating.table.number, watch=has_watch)
    change.tell(name=entry.registration.person.name)


def obstacle_to_call(event: Event, entry: Entry, by: Actor) -> Refused | None:
    """Return why this actor cannot put the player on the clock now, or None."""
    if not allows(by, Permission.MANAGE) and not event.lets_arbiters_call_clock:
        return Refused(
            _("Einen Spieler auf die Uhr setzt hier nur die Turnierleitung."), code="not_allowed"
        )
    if not event.has_started:
        return Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    seating = seating_of(entry)
    if seating is None or seating.event_id != event.pk:
        return Refused(_("Wer nicht am Tisch sitzt, kommt nicht auf die Uhr."), code="not_seated")
    there = call_open_at(event, seating.table)
    if there is None:
        return None
    return Refused(
        _("An diesem Tisch läuft noch die Uhr für %(name)s. Erst sagen, wie es ausging.")
        % {"name": there.entry.registration.person.name},
        code="already_called",
    )


CLOCK_CALL_STOPPED = Kind(
    "clock_call.stopped", lazy("Auf der Uhr, hat gehandelt: %(name)s"), Group.HANDS
)


@service(CLOCK_CALL_STOPPED, Permission.CALL_CLOCK, Topic.HANDS)
def clock_call_stop(change: Change, *, call: ClockCall) -> None:
    """Record that the player acted."""
    _end(change, call, ClockCallEnd.Outcome.ACTED)


CLOCK_CALL_RAN_OUT = Kind(
    "clock_call.ran_out",
    lazy("Zeit abgelaufen, Hand tot: %(name)s"),
    Group.HANDS,
    outcomes={"check": lazy("Zeit abgelaufen, Check: %(name)s")},
)


@service(CLOCK_CALL_RAN_OUT, Permission.CALL_CLOCK, Topic.HANDS)
def clock_call_run_out(change: Change, *, call: ClockCall, outcome: str) -> None:
    """Record that time ran out: the hand is dead, or by TDA 2024 29 a check without a bet."""
    if outcome not in outcomes_at_zero(call_rule(change.event)):
        raise Refused(_("Nach diesen Regeln ist das kein Ausgang."), code="bad_outcome")
    if change.at < times_of(call, change.event).ends_at - TOLERANCE:
        raise Refused(_("Die Zeit läuft noch."), code="not_over")
    _end(change, call, outcome)


def _end(change: Change, call: ClockCall, outcome: str) -> None:
    row = ClockCall.objects.live().filter(event=change.event, pk=call.pk).first()
    if row is None:
        raise Refused(_("Das wurde inzwischen zurückgenommen."), code="gone")
    if ClockCallEnd.objects.live().filter(call=row).exists():
        raise Refused(_("Wie es ausging, ist schon eingetragen."), code="already_ended")
    ClockCallEnd.objects.create(
        call=row, outcome=outcome, ended_at=change.at, made_by=change.action
    )
    change.record(entry=row.entry_id, call=row.pk, outcome=str(outcome), table=row.table.number)
    change.tell(name=row.entry.registration.person.name)
