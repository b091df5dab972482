"""Open and close tables; move players by suggestion or by hand. For the director.

Changes to many seats at once are in `breaking` and can be imported from here.
"""
# mypy: implicit-reexport

from collections.abc import Mapping, Sequence

from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, follows_change, service, topic_is
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic, tells_consequence
from tournaments.models import DealerDraw, Entry, Event, Seating, SeatLock, Table
from tournaments.seating.domain.draws import dealer_draw
from tournaments.seating.domain.moves import Suggestion
from tournaments.seating.selectors.balancing import floor_advice, next_step
from tournaments.seating.selectors.seat_cards import tables_without_dealer
from tournaments.seating.selectors.tables import (
    table_counts,
    tables_halted,
    tables_of,
    tables_seated,
)
from tournaments.seating.services.breaking import (  # noqa: F401 - asked for here, too
    final_table_draw,
    table_break,
    tables_redraw,
)
from tournaments.seating.services.seats import (
    draw_begin,
    live_table,
    live_table_by_number,
    open_tables,
    record_draw,
    seat_one,
    unseat,
)

TABLE_OPENED = Kind("table.opened", lazy("Tisch eröffnet: %(tables_opened)s"), Group.TABLES)


@service(TABLE_OPENED, Permission.RESEAT, Topic.TABLES)
def table_open(change: Change, *, count: int = 1) -> None:
    """Open further tables with the lowest free numbers."""
    if not 1 <= count <= 1200:
        raise Refused(_("Möglich sind 1 bis 1200 Tische."), code="bad_count")
    open_tables(change, count)


TABLE_CLOSED = Kind("table.closed", lazy("Tisch %(table)s geschlossen"), Group.TABLES)


@service(TABLE_CLOSED, Permission.RESEAT, Topic.TABLES)
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


SEAT_MOVED = Kind(
    "seat.moved",
    lazy("%(name)s umgesetzt: Tisch %(table)s, Platz %(seat)s"),
    Group.TABLES,
    moves_players=True,
)


@service(SEAT_MOVED, Permission.RESEAT, Topic.TABLES)
def entry_move(
    change: Change,
    *,
    entry: Entry,
    table: Table,
    seat: int,
    reason: str = "",
    moved_from: tuple[int, int] | None = None,
) -> None:
    """Move an entry to a free seat, by hand.

    `moved_from` is the (table number, seat) shown on the page; if the player sits elsewhere by now,
    the move is refused. A locked seat needs a reason, and so does any move other than the next
    suggested one.
    """
    event = change.event
    source = _seating(event, entry)
    target = live_table(event, table.pk)
    here = (source.table.number, source.seat)
    _refuse_if_overtaken(source, moved_from)
    obstacle = obstacle_to_seat(target, seat, source)
    if obstacle:
        raise Refused(obstacle, code="seat_unfit")
    if not reason.strip():
        if SeatLock.objects.live().filter(table=target, seat=seat).exists():
            text = _("Platz %(seat)d an Tisch %(table)d ist gesperrt. Bitte den Grund angeben.")
            told = text % {"seat": seat, "table": target.number}
            raise Refused(told, code="reason_needed")
        found = deviation(next_step(event, change.at), source.entry_id, target.number, seat)
        if found:
            raise Refused(found, code="reason_needed")
    unseat(change, [source.entry_id])
    seat_one(change, source.entry_id, target, seat)
    change.record(entry=source.entry_id, table=target.number, seat=seat, moved_from=list(here))
    change.tell(name=_name(source), reason=reason.strip())


def deviation(suggested: Suggestion | None, entry: int, table: int, seat: int) -> str:
    """Return how a move by hand differs from the suggested one, or nothing."""
    if suggested is None:
        return _("Der Ablauf verlangt gerade keinen Umzug. Bitte den Grund angeben.")
    if entry != suggested.entry:
        return _("Nach dem Ablauf zieht jemand anderes um. Bitte den Grund angeben.")
    if table != suggested.to_table:
        return _("Nach dem Ablauf geht es an einen anderen Tisch. Bitte den Grund angeben.")
    if seat != suggested.to_seat:
        return _("Nach dem Ablauf geht es auf einen anderen Platz. Bitte den Grund angeben.")
    return ""


def _refuse_if_overtaken(source: Seating, seen: tuple[int, int] | None) -> None:
    here = (source.table.number, source.seat)
    if seen is not None and tuple(seen) != here:
        raise Refused(
            _("Inzwischen sitzt %(name)s an Tisch %(table)d, Platz %(seat)d.")
            % {"name": _name(source), "table": here[0], "seat": here[1]},
            code="overtaken",
        )


SEATS_SWAPPED = Kind(
    "seats.swapped",
    lazy("%(first)s und %(second)s haben die Plätze getauscht"),
    Group.TABLES,
    moves_players=True,
)


@service(SEATS_SWAPPED, Permission.RESEAT, Topic.TABLES)
def seats_swap(
    change: Change,
    *,
    first: Entry,
    second: Entry,
    reason: str,
    places: tuple[tuple[int, int], tuple[int, int]] | None = None,
) -> None:
    """Swap the seats of two entries in one step. No procedure asks for it: a reason is needed.

    `places` are their seats as shown on the page.
    """
    event = change.event
    if first.pk == second.pk:
        raise Refused(_("Zum Tauschen braucht es zwei."), code="nobody")
    one, other = _seating(event, first), _seating(event, second)
    _refuse_if_overtaken(one, places[0] if places else None)
    _refuse_if_overtaken(other, places[1] if places else None)
    if not reason.strip():
        raise Refused(
            _("Der Ablauf verlangt keinen Tausch. Bitte den Grund angeben."), code="reason_needed"
        )
    unseat(change, [one.entry_id, other.entry_id])
    seat_one(change, one.entry_id, other.table, other.seat)
    seat_one(change, other.entry_id, one.table, one.seat)
    change.record(
        entries=[one.entry_id, other.entry_id],
        moves=[
            [one.entry_id, other.table.number, other.seat],
            [other.entry_id, one.table.number, one.seat],
        ],
    )
    change.tell(first=_name(one), second=_name(other), reason=reason.strip())


SEAT_BALANCED = Kind(
    "seat.balanced",
    lazy("%(name)s umgesetzt: Tisch %(table)s, Platz %(seat)s"),
    Group.TABLES,
    moves_players=True,
)


@service(SEAT_BALANCED, Permission.RESEAT, Topic.TABLES)
def balance_step(
    change: Change, *, entry: Entry, from_table: int, to_table: int, to_seat: int
) -> None:
    """Carry out one suggested move. Compute it again under the lock; refuse it if it differs."""
    move = next_step(change.event, change.at)
    if move is None or _named(move) != (entry.pk, from_table, to_table, to_seat):
        raise _outdated()
    source = _make(change, move)
    change.record(
        entry=move.entry,
        table=to_table,
        seat=move.to_seat,
        moved_from=[from_table, move.from_seat],
        rule=move.reason_code,
    )
    change.tell(name=_name(source))


SEATS_BALANCED = Kind(
    "seats.balanced", lazy("Tische ausgeglichen: %(name)s"), Group.TABLES, moves_players=True
)


@service(SEATS_BALANCED, Permission.RESEAT, Topic.TABLES)
def balance_round(change: Change, *, moves: Sequence[tuple[int, ...]]) -> None:
    """Carry out the suggested moves in one act. Refuse all of them if one differs by now.

    :param moves: Of each the entry, its table, the new table and the new seat, as shown.
    """
    found = floor_advice(change.event, change.at).round
    if not found or [_named(move) for move in found] != [tuple(move) for move in moves]:
        raise _outdated()
    sources = [_make(change, move) for move in found]
    change.record(
        moves=[[move.entry, move.to_table, move.to_seat] for move in found],
        moved_from=[[move.from_table, move.from_seat] for move in found],
        rules=[move.reason_code for move in found],
    )
    change.tell(name=", ".join(map(_name, sources)))


def _named(move: Suggestion) -> tuple[int, int, int, int]:
    return (move.entry, move.from_table, move.to_table, move.to_seat)


def _outdated() -> Refused:
    return Refused(
        _("Der Vorschlag ist überholt, inzwischen sitzt der Saal anders."), code="overtaken"
    )


def _make(change: Change, move: Suggestion) -> Seating:
    """Make a suggested move, recorded as a draw if it was drawn; return the former seat."""
    source = _seating(change.event, Entry(pk=move.entry))
    unseat(change, [move.entry])
    target = live_table_by_number(change.event, move.to_table)
    seat_one(change, move.entry, target, move.to_seat)
    if move.lots:
        outcome = [[move.entry, move.to_table, move.to_seat]]
        draw = draw_begin(change.event)
        record_draw(change, "balance", draw, items=move.lots, outcome=outcome)
    return source


def obstacle_to_seat(target: Table, seat: int, source: Seating) -> str | None:
    """Return why this seat cannot be given to a player, or None."""
    if not 1 <= seat <= target.chairs:
        return _("Tisch %(table)d hat die Plätze 1 bis %(seats)d.") % {
            "table": target.number,
            "seats": target.chairs,
        }
    if (source.table_id, source.seat) == (target.pk, seat):
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


# --- Draw the first dealers by high card, for one table or all tables without one


DEALER_DRAWN = Kind(
    "dealer.drawn", lazy("Erster Geber an Tisch %(table)s ausgelost: Platz %(seat)s"), Group.TABLES
)


@service(DEALER_DRAWN, Permission.DRAW_DEALER, Topic.TABLES)
def dealer_draw_make(change: Change, *, table: Table) -> None:
    """Deal one open card to each seat; the highest deals first, ♠ > ♥ > ♦ > ♣ (KRRU)."""
    row = live_table(change.event, table.pk)
    if DealerDraw.objects.live().filter(table=row).exists():
        raise Refused(_("Der erste Geber dieses Tischs ist schon ausgelost."), code="already_drawn")
    view = tables_seated(change.event, [row.number])[row.number]
    if len(view.players) < 2:
        raise Refused(_("An diesem Tisch sitzen noch keine zwei."), code="too_few")
    seat, number = _deal(change, row, view.players)
    change.record(table=row.number, seat=seat, draw=number)


DEALERS_DRAWN = Kind(
    "dealers.drawn", lazy("Erste Geber an %(tables)s Tischen ausgelost"), Group.TABLES
)


@service(DEALERS_DRAWN, Permission.DRAW_DEALER, Topic.TABLES)
def dealers_draw(change: Change) -> None:
    """Draw the first dealer of every table without one, table by table (KRRU)."""
    event = change.event
    numbers = tables_without_dealer(event, table_counts(event))
    if not numbers:
        raise Refused(_("Kein Tisch wartet auf den ersten Geber."), code="already_drawn")
    rows = Table.objects.live().filter(event=event, number__in=numbers).order_by("number")
    seated = tables_seated(event, numbers)
    dealt = [[row.number, *_deal(change, row, seated[row.number].players)] for row in rows]
    change.record(tables=len(dealt), dealt=dealt)


def _deal(change: Change, row: Table, players: Mapping[int, int]) -> tuple[int, int]:
    """Deal one card to each player of a table; return the dealer's seat and the draw number."""
    draw = draw_begin(change.event)
    cards = dealer_draw(sorted(players), **draw)
    ranked = sorted(cards.items(), key=lambda item: item[1], reverse=True)
    outcome = [{"seat": seat, "entry": players[seat], "card": card.code} for seat, card in ranked]
    made = record_draw(change, "dealer", draw, items=sorted(players), outcome=outcome)
    DealerDraw.objects.create(table=row, draw=made, cards=outcome, made_by=change.action)
    return ranked[0][0], made.number


# --- Choose another counting table when the present one no longer plays hands


FEWEST_FOR_A_HAND = 2

tells_consequence("counts_now", lazy("Tisch %(counts_now)s zählt jetzt die Hände"))


@follows_change(topic_is(Topic.TABLES))
def count_goes_on(change: Change) -> None:
    """Choose the next counting table: the one an undo restores, else the first that plays."""
    event, clock, undone = change.event, change.event.clock, change.action.undoes
    counting = clock.counting_table
    if counting is None or event.is_over:
        return
    given_on = undone.payload if undone and undone.payload.get("counts_now") == counting else {}
    given_back = given_on.get("counts_before")
    if given_back is None and counting in _playing(event, counting):
        return
    playing = _playing(event)
    number = given_back if given_back in playing else None
    if number is None and counting not in playing:
        number = next(iter(playing), None)
    if number is not None:
        change.record(counts_before=counting, counts_now=number)
        change.announce(Topic.CLOCK)
        clock.counting_table = number
        clock.save(update_fields=["counting_table"])


def _playing(event: Event, number: int | None = None) -> list[int]:
    """Return the numbers of the tables that play hands, all or one; before the start, of all.

    :param number: The only table to read.
    """
    tables = tables_of(event, None if number is None else [number])
    if not event.has_started:
        return [table.number for table in tables]
    seated = Seating.objects.live().filter(table__in=tables).values("table").order_by()
    enough = seated.annotate(players=Count("pk")).filter(players__gte=FEWEST_FOR_A_HAND)
    sitting = set(enough.values_list("table", flat=True))
    able = [table for table in tables if table.pk in sitting]
    halted = tables_halted(event) if able else ()
    return [table.number for table in able if table not in halted]
