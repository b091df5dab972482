"""Break a table, redraw all seats, draw the final table. For the director."""

from collections.abc import Collection, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.event import final_seats
from tournaments.models import Event, Seating, Table
from tournaments.seating.domain.seating import TableCount, next_to_break, tables_kept
from tournaments.seating.selectors.balancing import break_order
from tournaments.seating.selectors.tables import (
    free_seats,
    locks_of,
    table_counts,
    tables_live,
    tables_seated,
)
from tournaments.seating.services.seats import draw_many, live_table, unseat

TABLE_BROKEN = Kind(
    "table.broken",
    lazy("Tisch %(table)s aufgelöst"),
    Group.TABLES,
    moves_players=True,
    moves_many=True,
)


@service(TABLE_BROKEN, Permission.RESEAT, Topic.TABLES)
def table_break(change: Change, *, table: Table, reason: str = "", number: str = "") -> None:
    """Break a table: draw the order of its players and their free seats elsewhere (TDA 10).

    Breaking a table out of the published order needs a reason.

    :param number: A hall number called out for this draw; empty keeps the one in force.
    """
    event = change.event
    row = live_table(event, table.pk)
    counts = table_counts(event)
    obstacle = obstacle_to_break(event, row, counts)
    if obstacle:
        raise Refused(obstacle, code="cannot_break")
    view = tables_seated(event, [row.number])[row.number]
    players = [view.players[seat] for seat in sorted(view.players)]
    first = next_broken(event, counts)
    if players and row.number != first and not reason:
        text = _("Nach der Reihenfolge wäre Tisch %(table)d der nächste. Bitte den Grund angeben.")
        raise Refused(text % {"table": first}, code="reason_needed")
    # The emptiest tables, enough of them for an even spread.
    ranked = sorted(counts, key=lambda count: (count.players, count.number))
    room = [one.number for one in ranked if one.number != row.number and not one.is_full]
    free = free_seats(event, room[: max(len(players), 1) + 1])
    sitting = {count.number: count.players for count in counts if count.number in free}
    unseat(change, players)
    moves = draw_many(change, "break", players, free, number=number, sitting=sitting)
    Table.objects.filter(pk=row.pk).update(voided_by=change.action)
    change.record(table=row.number, moves=moves)
    change.tell(reason=reason)


def next_broken(event: Event, counts: Sequence[TableCount]) -> int:
    numbers = [count.number for count in counts]
    return next_to_break(numbers, break_order(numbers, event.rule_set))


def obstacle_to_break(
    event: Event, table: Table, counts: Sequence[TableCount] | None = None
) -> str | None:
    """Return why this table cannot be broken now, or None."""
    counts = counts or table_counts(event)
    here = next(count for count in counts if count.number == table.number)
    room = sum(count.seats - count.players for count in counts if count.number != table.number)
    if len(counts) < 2:
        return _("Das ist der letzte Tisch.")
    if room < here.players:
        return _(
            "An den anderen Tischen sind nur %(room)d Plätze frei, hier sitzen %(players)d."
        ) % {"room": room, "players": here.players}
    return None


TABLES_REDRAWN = Kind(
    "tables.redrawn",
    lazy("Neu ausgelost: %(entries)s Spieler"),
    Group.TABLES,
    moves_players=True,
    moves_many=True,
)


@service(TABLES_REDRAWN, Permission.RESEAT, Topic.TABLES)
def tables_redraw(change: Change, *, number: str = "") -> None:
    """Redraw all seats over the fewest tables that hold the field; close the other tables.

    :param number: A hall number called out for this draw; empty keeps the one in force.
    """
    event = change.event
    obstacle = obstacle_to_redraw(event)
    if obstacle:
        raise Refused(obstacle, code="cannot_redraw")
    kept = tables_for_redraw(event)
    closed = [table for table in tables_live(event) if table.number not in kept]
    _all_anew(change, "redraw", closed, number, kept)


def tables_for_redraw(event: Event) -> list[int]:
    """Return the tables kept at a redraw: the last ones in the breaking order."""
    rules = event.rule_set
    usable, players = _usable(event), Seating.objects.live().filter(event=event).count()
    return tables_kept(usable, players, break_order(usable, rules))


def _usable(event: Event) -> dict[int, int]:
    """Return the number of unlocked seats by table, occupied ones included."""
    locks = locks_of(event)
    return {
        table.number: table.chairs - len(locks.get(table.pk, ())) for table in tables_live(event)
    }


def obstacle_to_redraw(event: Event) -> str | None:
    """Return why a redraw is not possible now, or None."""
    if not event.has_started:
        return _("Das Turnier hat noch nicht begonnen.")
    players = Seating.objects.live().filter(event=event).count()
    if players < 2:
        return _("Es sind keine zwei mehr im Spiel.")
    if sum(_usable(event).values()) < players:
        return _("Ohne die gesperrten Plätze ist nicht für alle Platz.")
    return None


FINAL_TABLE_DRAWN = Kind(
    "final_table.drawn",
    lazy("Finaltisch ausgelost"),
    Group.TABLES,
    moves_players=True,
    moves_many=True,
)


@service(FINAL_TABLE_DRAWN, Permission.RESEAT, Topic.TABLES)
def final_table_draw(change: Change, *, number: str = "") -> None:
    """Draw all remaining players to one table (TDA RP-9, full redraw).

    :param number: A hall number called out for this draw; empty keeps the one in force.
    """
    reason = obstacle_to_final_table(change.event)
    if reason:
        raise Refused(reason, code="cannot_draw_final")
    _all_anew(change, "final", tables_live(change.event), number)


def _all_anew(
    change: Change, kind: str, closed: Sequence[Table], number: str, kept: Collection[int] = ()
) -> None:
    """Close these tables, and draw everybody to the kept ones, or else to a new final table."""
    event = change.event
    seated = Seating.objects.live().filter(event=event)
    players = sorted(seated.values_list("entry_id", flat=True))
    unseat(change, players)
    Table.objects.filter(pk__in=[table.pk for table in closed]).update(voided_by=change.action)
    if not kept:
        size, kept = final_seats(event), [1]
        Table.objects.create(event=event, number=1, seats=size, made_by=change.action)
        change.record(table=1)
    moves = draw_many(change, kind, players, free_seats(event, kept), number=number)
    closed_numbers = [table.number for table in closed]
    change.record(entries=len(players), moves=moves, closed=closed_numbers)


def obstacle_to_final_table(event: Event) -> str | None:
    """Return why no final table can be drawn now, or None."""
    size = final_seats(event)
    seated = Seating.objects.live().filter(event=event).count()
    if not event.has_started:
        return _("Das Turnier hat noch nicht begonnen.")
    if seated > size:
        return _("Der Finaltisch hat %(size)d Plätze, im Spiel sind noch %(left)d.") % {
            "size": size,
            "left": seated,
        }
    if seated < 2:
        return _("Es sind keine zwei mehr im Spiel.")
    if Table.objects.live().filter(event=event).count() < 2:
        return _("Alle sitzen schon an einem Tisch.")
    return None
