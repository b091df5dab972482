"""Chairs added, seats locked, players kept apart."""

from django.db.models import F
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.selectors import clock_levels
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.games import Game, seat_limit
from tournaments.event.selectors.schedule import obstacle_to_games
from tournaments.models import (
    Action,
    KeepApart,
    Registration,
    Seating,
    SeatLock,
    Table,
    TableHalt,
)
from tournaments.seating.selectors.tables import table_far_short
from tournaments.seating.services.seats import live_table

CHAIR_ADDED = Kind(
    "chair.added", lazy("Stuhl dazu an Tisch %(table)s: Platz %(seat)s"), Group.TABLES
)


@service(CHAIR_ADDED, Permission.RESEAT, Topic.TABLES)
def chair_add(change: Change, *, table: Table) -> None:
    """Put one more chair at a table, after its last seat."""
    event, row = change.event, live_table(change.event, table.pk)
    most = seat_limit(Game(event.game))
    if row.chairs >= most:
        text = _("An einem Tisch sitzen 2 bis %(most)d Teilnehmer.")
        raise Refused(text % {"most": most}, code="bad_seats")
    obstacle = obstacle_to_games(clock_levels(event.clock), row.chairs + 1)
    if obstacle is not None:
        raise obstacle
    Table.objects.filter(pk=row.pk).update(added=F("added") + 1)
    change.record(table=row.number, seat=row.chairs + 1, row=row.pk)


@undoes(CHAIR_ADDED)
def _undo_chair(change: Change, action: Action) -> None:
    row, seat = Table.objects.get(pk=action.payload["row"]), action.payload["seat"]
    if row.voided_by_id is not None or row.chairs != seat:
        raise Refused(_("Nur der letzte Stuhl eines Tisches lässt sich wegnehmen."), code="needed")
    rows = (Seating.objects, SeatLock.objects)
    if any(model.filter(table=row, seat=seat).exists() for model in rows):
        raise Refused(
            _("Auf diesem Stuhl saß schon jemand. Sein Platz lässt sich sperren."), code="needed"
        )
    Table.objects.filter(pk=row.pk).update(added=F("added") - 1)
    change.record(table=row.number)


# --- Locked seats, wishes to keep two people apart, and halted tables


SEAT_LOCKED = Kind("seat.locked", lazy("Platz %(seat)s an Tisch %(table)s gesperrt"), Group.TABLES)


@service(SEAT_LOCKED, Permission.RESEAT, Topic.TABLES)
def seat_lock(change: Change, *, table: Table, seat: int, reason: str) -> None:
    """Lock a seat: no draw, suggestion or break uses it. A player already there stays."""
    row = live_table(change.event, table.pk)
    if not 1 <= seat <= row.chairs:
        raise Refused(
            _("Tisch %(table)d hat die Plätze 1 bis %(seats)d.")
            % {"table": row.number, "seats": row.chairs},
            code="seat_unfit",
        )
    if not reason.strip():
        raise Refused(_("Bitte den Grund angeben."), code="no_reason")
    if SeatLock.objects.live().filter(table=row, seat=seat).exists():
        raise Refused(_("Dieser Platz ist schon gesperrt."), code="already_locked")
    SeatLock.objects.create(table=row, seat=seat, made_by=change.action)
    change.record(table=row.number, seat=seat)
    change.tell(reason=reason.strip())


SEAT_UNLOCKED = Kind(
    "seat.unlocked", lazy("Platz %(seat)s an Tisch %(table)s wieder frei"), Group.TABLES
)


@service(SEAT_UNLOCKED, Permission.RESEAT, Topic.TABLES)
def seat_unlock(change: Change, *, table: Table, seat: int) -> None:
    """Unlock a seat."""
    row = live_table(change.event, table.pk)
    rows = SeatLock.objects.live().filter(table=row, seat=seat)
    if not rows.update(voided_by=change.action):
        raise Refused(_("Dieser Platz ist nicht gesperrt."), code="not_locked")
    change.record(table=row.number, seat=seat)


KEEP_APART_WISHED = Kind(
    "keep_apart.wished",
    lazy("Nicht an einen Tisch: %(first)s und %(second)s"),
    Group.TABLES,
    is_discreet=True,
)


@service(KEEP_APART_WISHED, Permission.CHECK_IN, Topic.REGISTRATIONS)
def keep_apart_wish(change: Change, *, first: Registration, second: Registration) -> None:
    """Record a wish that draws keep two people at different tables if possible.

    The reason is often violence, so neither the stream nor the chain contains the names.
    """
    rows = Registration.objects.live().filter(event=change.event, pk__in=[first.pk, second.pk])
    found = list(rows.select_related("person").order_by("pk"))
    if first.pk == second.pk:
        raise Refused(_("Bitte zwei verschiedene Personen wählen."), code="nobody")
    if len(found) < 2:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    one, other = found
    if KeepApart.objects.live().filter(first=one, second=other).exists():
        raise Refused(_("Dieser Wunsch steht schon da."), code="already_wished")
    wish = KeepApart.objects.create(
        event=change.event, first=one, second=other, made_by=change.action
    )
    change.record(wish=wish.pk)
    change.tell(first=one.person.name, second=other.person.name)
    seated = Seating.objects.live().filter(entry__registration__in=(one, other))
    numbers = list(seated.values_list("table__number", flat=True))
    if together := [number for number in numbers if numbers.count(number) > 1]:
        change.record(table=min(together))


KEEP_APART_DROPPED = Kind(
    "keep_apart.dropped",
    lazy("Wunsch aufgehoben: %(first)s und %(second)s"),
    Group.TABLES,
    is_discreet=True,
)


@service(KEEP_APART_DROPPED, Permission.CHECK_IN, Topic.REGISTRATIONS)
def keep_apart_drop(change: Change, *, wish: KeepApart) -> None:
    """Delete a wish to keep two people apart."""
    rows = KeepApart.objects.live().filter(event=change.event, pk=wish.pk)
    row = rows.select_related("first__person", "second__person").first()
    if row is None:
        raise Refused(_("Diesen Wunsch gibt es nicht mehr."), code="gone")
    rows.update(voided_by=change.action)
    change.record(wish=row.pk)
    change.tell(first=row.first.person.name, second=row.second.person.name)


TABLE_HALTED = Kind(
    "table.halted",
    lazy("Tisch %(table)s angehalten: Dort fehlen %(short_by)s"),
    Group.TABLES,
    outcomes={"waived": lazy("Tisch %(table)s spielt weiter, obwohl dort %(short_by)s fehlen")},
)


@service(TABLE_HALTED, Permission.RESEAT, Topic.TABLES)
def table_halt(change: Change, *, table: Table, is_waived: bool = False) -> None:
    """Halt a table that is far short, or waive the halt (TDA 2024 11-D)."""
    row = live_table(change.event, table.pk)
    state = table_far_short(change.event, row.number, change.at)
    if state is None:
        text = _("An Tisch %(table)d fehlen nicht so viele, dass er anhalten müsste.")
        raise Refused(text % {"table": row.number}, code="cannot_halt")
    if state.is_waived is is_waived:
        text = _("Das ist für Tisch %(table)d schon so entschieden.")
        raise Refused(text % {"table": row.number}, code="cannot_halt")
    TableHalt.objects.live().filter(table=row).update(voided_by=change.action)
    TableHalt.objects.create(table=row, is_waived=is_waived, made_by=change.action)
    change.record(
        table=row.number, short_by=state.short_by, outcome="waived" if is_waived else "halted"
    )
