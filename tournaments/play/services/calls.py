"""A player on the clock, and the outcome. The phone does the countdown."""

from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Actor, Permission, allows
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import ClockCall, ClockCallEnd, Entry, Event, Summons, Table
from tournaments.play.domain.calls import outcomes_at_zero
from tournaments.play.selectors.calls import (
    WORDS,
    call_open_at,
    summons_of,
    times_of,
    word_of,
)
from tournaments.seating.selectors.tables import seating_of
from tournaments.seating.services.seats import live_table

# The phone counts by its own estimate of the server's time.
TOLERANCE = timedelta(seconds=1)


CLOCK_CALL_STARTED = Kind("clock_call.started", lazy("Auf die Uhr gesetzt: %(name)s"), Group.HANDS)


@service(CLOCK_CALL_STARTED, Permission.CALL_CLOCK, Topic.HANDS)
def clock_call_start(change: Change, *, entry: Entry, has_watch: bool = False) -> None:
    """Put a player on the clock (KRRU 3.0; TDA 2024 29); with `has_watch` the watch runs first."""
    event = change.event
    if obstacle := obstacle_to_call(event, entry, change.by):
        raise obstacle
    seating = seating_of(entry)
    assert seating is not None
    if has_watch and not event.rule_set.clock.allowed_after_seconds:
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
    if outcome not in outcomes_at_zero(change.event.rule_set.clock):
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


# --- Calls of a table for the director: called, on the way, settled


DIRECTOR_CALLED = Kind(
    "director.called",
    lazy("Tisch %(table)s ruft die Turnierleitung: %(word)s"),
    Group.CONDUCT,
    words=lambda payload: {"word": word_of(str(payload.get("reason", "")))},
)


@service(DIRECTOR_CALLED, Permission.SEE_FLOOR, Topic.CONDUCT)
def director_call(change: Change, *, table: Table, reason: str) -> None:
    """Record that a table calls the director, with one of the fixed words."""
    row = live_table(change.event, table.pk)
    if reason not in WORDS:
        raise Refused(_("Dieses Wort gibt es nicht."), code="no_word")
    if summons_of(row) is not None:
        raise Refused(
            _("Tisch %(number)d hat schon gerufen.") % {"number": row.number}, code="called"
        )
    _note(change, row, reason, change.at)


DIRECTOR_COMING = Kind(
    "director.coming", lazy("Die Turnierleitung kommt an Tisch %(table)s"), Group.CONDUCT
)


@service(DIRECTOR_COMING, Permission.MANAGE, Topic.CONDUCT)
def director_come(change: Change, *, table: Table) -> None:
    """Record that the director is on the way to a table."""
    row = _taken(change, table)
    if row.is_coming:
        raise Refused(_("Das ist schon gesagt."), code="coming")
    _note(change, row.table, row.reason, row.called_at, is_coming=True)


DIRECTOR_SETTLED = Kind(
    "director.settled", lazy("Erledigt: der Ruf von Tisch %(table)s"), Group.CONDUCT
)


@service(DIRECTOR_SETTLED, Permission.SEE_FLOOR, Topic.CONDUCT)
def director_settle(change: Change, *, table: Table) -> None:
    """Record that the call of a table is settled."""
    row = _taken(change, table)
    change.record(table=row.table.number, reason=row.reason)


def _taken(change: Change, table: Table) -> Summons:
    row = summons_of(live_table(change.event, table.pk))
    if row is None:
        raise Refused(_("Dieser Tisch ruft nicht, oder nicht mehr."), code="not_called")
    Summons.objects.filter(pk=row.pk).update(voided_by=change.action)
    return row


def _note(
    change: Change, table: Table, reason: str, called_at: datetime, *, is_coming: bool = False
) -> None:
    Summons.objects.create(
        event=change.event,
        table=table,
        reason=reason,
        called_at=called_at,
        is_coming=is_coming,
        made_by=change.action,
    )
    change.record(table=table.number, reason=reason)
