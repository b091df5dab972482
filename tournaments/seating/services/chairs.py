"""One more chair at a table: drawn, suggested and counted like its other seats."""

from __future__ import annotations

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
from tournaments.models import Action, Event, Seating, SeatLock, Table
from tournaments.seating.services.seats import live_table

CHAIR_ADDED = Kind(
    "chair.added", lazy("Stuhl dazu an Tisch %(table)s: Platz %(seat)s"), Group.TABLES
)


@service(CHAIR_ADDED, Permission.RESEAT, Topic.TABLES)
def chair_add(change: Change, *, table: Table) -> None:
    """Put one more chair at a table, after its last seat."""
    row = live_table(change.event, table.pk)
    obstacle = obstacle_to_chair(change.event, row)
    if obstacle is not None:
        raise obstacle
    Table.objects.filter(pk=row.pk).update(added=F("added") + 1)
    change.record(table=row.number, seat=row.chairs + 1, row=row.pk)


def obstacle_to_chair(event: Event, table: Table) -> Refused | None:
    """Return why a table has as many chairs as its games allow, or None."""
    most = seat_limit(Game(event.game))
    if table.chairs >= most:
        text = _("An einem Tisch sitzen 2 bis %(most)d Teilnehmer.")
        return Refused(text % {"most": most}, code="bad_seats")
    return obstacle_to_games(clock_levels(event.clock), table.chairs + 1)


@undoes(CHAIR_ADDED)
def _undo_chair(change: Change, action: Action) -> None:
    """Take the last chair away again, if it was never used."""
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
