"""Tables opened, closed and broken; players re-seated; the final table. The director's work."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _

from tournaments.access import Permission
from tournaments.audit import Change, service
from tournaments.domain.draws import entry_item, field_draw
from tournaments.domain.errors import Refused
from tournaments.domain.seating import (
    TableCount,
    Transfer,
    balancing_moves,
    break_seats,
    final_table_size,
)
from tournaments.models import Entry, Event, Seating, Table
from tournaments.selectors.floor import free_seats, table_counts, table_views, tables_live
from tournaments.selectors.suggestions import is_drawn, rules_of, suggestions_for
from tournaments.services.seats import (
    draw_begin,
    live_table,
    live_table_by_number,
    open_tables,
    places_by_entry,
    record_draw,
    seat_many,
    seat_one,
    unseat,
)

TOPICS = ("tables",)


@service("table.opened", Permission.RESEAT, topics=TOPICS, running=True)
def table_open(change: Change, *, count: int = 1) -> None:
    """Open further tables; they take the lowest numbers that are free."""
    if not 1 <= count <= 1200:
        raise Refused(_("Möglich sind 1 bis 1200 Tische."), code="bad_count")
    open_tables(change, count)


@service("table.closed", Permission.RESEAT, topics=TOPICS, running=True)
def table_close(change: Change, *, table: Table) -> None:
    """Close an empty table."""
    row = live_table(change.event, table.pk)
    if Seating.objects.live().filter(table=row).exists():
        raise Refused(
            _("An Tisch %(number)d sitzt noch jemand. Er lässt sich auflösen.")
            % {"number": row.number},
            code="not_empty",
        )
    Table.objects.filter(pk=row.pk).update(voided_by=change.action)
    change.record(table=row.number)


@service("seat.moved", Permission.RESEAT, topics=TOPICS, running=True)
def entry_move(
    change: Change,
    *,
    entry: Entry,
    table: Table,
    seat: int,
    reason: str = "",
    moved_from: tuple[int, int] | None = None,
    rule: str = "",
) -> None:
    """Move an entry to a free seat.

    `moved_from` (table number, seat) is what the one who pressed saw; a suggestion that the room
    has overtaken is refused. `rule` is the code of the rule a suggestion followed.
    """
    event = change.event
    source = _seating(event, entry)
    target = live_table(event, table.pk)
    here = (source.table.number, source.seat)
    if moved_from is not None and tuple(moved_from) != here:
        raise Refused(
            _("Inzwischen sitzt %(name)s an Tisch %(table)d, Platz %(seat)d.")
            % {"name": _name(source), "table": here[0], "seat": here[1]},
            code="overtaken",
        )
    obstacle = obstacle_to_seat(target, seat, source)
    if obstacle:
        raise Refused(obstacle, code="seat_unfit")
    unseat(change, [source.entry_id])
    seat_one(change, source.entry_id, target, seat)
    change.record(entry=source.entry_id, table=target.number, seat=seat, moved_from=list(here))
    if rule:
        change.record(rule=rule)
    change.tell(name=_name(source), reason=reason)


@service("seat.balanced", Permission.RESEAT, topics=TOPICS, running=True)
def balance_step(
    change: Change, *, entry: Entry, from_table: int, to_table: int, to_seat: int
) -> None:
    """Carry out one suggested move. It is found again under the lock, and refused if it differs."""
    event = change.event
    tolerance = rules_of(event).balancing_tolerance
    wanted = balancing_moves(table_counts(event), tolerance)
    transfer = Transfer(from_table, to_table)
    found = suggestions_for(event, (transfer,)) if wanted[:1] == (transfer,) else ()
    if not found or (found[0].entry, found[0].to_seat) != (entry.pk, to_seat):
        raise Refused(
            _("Der Vorschlag ist überholt, inzwischen sitzt der Saal anders."), code="overtaken"
        )
    move = found[0]
    source = _seating(event, entry)
    lots = _balancing_lots(event, from_table, to_table)
    unseat(change, [move.entry])
    seat_one(change, move.entry, live_table_by_number(event, to_table), move.to_seat)
    outcome = [[move.entry, to_table, move.to_seat]]
    if is_drawn(move):
        record_draw(change, "balance", draw_begin(event), items=lots, outcome=outcome)
    change.record(
        entry=move.entry,
        table=to_table,
        seat=move.to_seat,
        moved_from=[from_table, move.from_seat],
        rule=move.reason_code,
    )
    change.tell(name=_name(source))


def _balancing_lots(event: Event, from_table: int, to_table: int) -> list[list[int]]:
    """Return who could have been drawn to move, and [table, *free seats] of where to."""
    views = table_views(event, [from_table, to_table])
    source, target = views[from_table], views[to_table]
    return [sorted(source.players.values()), [to_table, *target.free]]


def obstacle_to_seat(target: Table, seat: int, source: Seating | None = None) -> str | None:
    """Return why nobody can be put on this seat, or None."""
    if not 1 <= seat <= target.seats:
        return _("Tisch %(table)d hat die Plätze 1 bis %(seats)d.") % {
            "table": target.number,
            "seats": target.seats,
        }
    if source and (source.table_id, source.seat) == (target.pk, seat):
        return _("Dort sitzt %(name)s schon.") % {"name": _name(source)}
    holder = (
        Seating.objects.live()
        .filter(table=target, seat=seat)
        .values_list("entry__registration__person__name", flat=True)
        .first()
    )
    if holder is not None:
        return _("Platz %(seat)d an Tisch %(table)d gehört %(name)s.") % {
            "seat": seat,
            "table": target.number,
            "name": holder,
        }
    return None


@service("table.broken", Permission.RESEAT, topics=TOPICS, running=True)
def table_break(change: Change, *, table: Table) -> None:
    """Break a table: players and free seats elsewhere are both drawn (TDA 10)."""
    event = change.event
    row = live_table(event, table.pk)
    counts = table_counts(event)
    reason = obstacle_to_break(event, row, counts)
    if reason:
        raise Refused(reason, code="cannot_break")
    view = table_views(event, [row.number])[row.number]
    players = [view.players[seat] for seat in sorted(view.players)]
    others = [count for count in counts if count.number != row.number]
    free = free_seats(event, _nearest_room(others, len(players)))
    draw = draw_begin(event)
    drawn = break_seats(
        [entry_item(pk) for pk in players],
        free,
        {count.number: count.players for count in others if count.number in free},
        **draw,
    )
    placed = places_by_entry(players, drawn)
    unseat(change, players)
    seat_many(change, placed)
    Table.objects.filter(pk=row.pk).update(voided_by=change.action)
    outcome = [[pk, number, seat] for pk, (number, seat) in placed.items()]
    items = [[number, seats] for number, seats in sorted(free.items())]
    record_draw(change, "break", draw, items=items, outcome=outcome)
    change.record(table=row.number, moves=outcome, draw=draw["draw_number"])


def _nearest_room(others: Sequence[TableCount], players: int) -> list[int]:
    """Return the tables a break can reach: the emptiest, enough of them to take all evenly."""
    ranked = sorted(others, key=lambda count: (count.players, count.number))
    open_ones = [count.number for count in ranked if count.players < count.seats]
    return open_ones[: max(players, 1) + 1]


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


@service("final_table.drawn", Permission.RESEAT, topics=TOPICS, running=True)
def final_table_draw(change: Change) -> None:
    """Bring the last players to one table, every seat drawn anew (TDA RP-9, full redraw)."""
    event = change.event
    reason = obstacle_to_final_table(event)
    if reason:
        raise Refused(reason, code="cannot_draw_final")
    players = sorted(Seating.objects.live().filter(event=event).values_list("entry_id", flat=True))
    size = final_table_size(event.seats_per_table)
    unseat(change, players)
    tables = tables_live(event)
    Table.objects.filter(pk__in=[table.pk for table in tables]).update(voided_by=change.action)
    final = Table.objects.create(event=event, number=1, seats=size, made_by=change.action)
    draw = draw_begin(event)
    seats = [(1, seat) for seat in range(1, size + 1)]
    drawn = field_draw([entry_item(pk) for pk in players], seats, **draw)
    placed = places_by_entry(players, drawn)
    seat_many(change, placed)
    outcome = [[pk, number, seat] for pk, (number, seat) in placed.items()]
    record_draw(change, "final", draw, items=players, outcome=outcome)
    change.record(
        table=final.number, moves=outcome, closed=[table.number for table in tables],
        draw=draw["draw_number"],
    )  # fmt: skip


def obstacle_to_final_table(event: Event) -> str | None:
    """Return why there is no final table to draw now, or None."""
    size = final_table_size(event.seats_per_table)
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


def _seating(event: Event, entry: Entry) -> Seating:
    row = (
        Seating.objects.live()
        .select_related("table", "entry__registration__person")
        .filter(event=event, entry_id=entry.pk)
        .first()
    )
    if row is None:
        raise Refused(_("Dieser Teilnehmer sitzt an keinem Tisch."), code="not_seated")
    return row


def _name(seating: Seating) -> str:
    return seating.entry.registration.person.name
