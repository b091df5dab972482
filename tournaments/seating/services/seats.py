"""Draw seats, singly at check-in or the whole field at once; take numbers of the club's hall."""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from krru.data.sql import wait_for_turn
from tournaments.changes.access import Permission
from tournaments.changes.audit import (
    Change,
    all_of,
    any_of,
    follows_change,
    revives,
    service,
    takes_back,
    touches,
    undoes,
)
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic, former_kind
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.event.selectors.hall import (
    held_words,
    numbers_allowed,
    numbers_free,
    tables_in_hall,
)
from tournaments.event.services.counts import refuse_names
from tournaments.models import Action, Draw, Entry, Event, Seating, Table
from tournaments.seating.domain.draws import (
    broken_wishes,
    entry_item,
    seat_draw,
    seat_pool,
    seats_drawn,
)
from tournaments.seating.domain.seating import TableCount, tables_needed
from tournaments.seating.selectors.balancing import next_draw_number, tables_missing
from tournaments.seating.selectors.draw_inputs import (
    keep_apart_as_data,
    keep_apart_for,
    partner_tables,
)
from tournaments.seating.selectors.seat_cards import BY_CARDS
from tournaments.seating.selectors.tables import free_seats, table_counts

MOST_ITEMS_KEPT = 500
MOST_DIGITS = 40


DRAW_HALL_NUMBER_SET = Kind(
    "draw.hall_number_set", lazy("Saalzahl gesetzt: %(number)s"), Group.TABLES
)


@service(DRAW_HALL_NUMBER_SET, Permission.MANAGE, Topic.SETTINGS)
def draw_hall_number_set(change: Change, *, number: str) -> None:
    """Bind a hall number; every later draw uses it until the next one is bound."""
    _refuse_used(change.event, number)
    change.record(before=change.event.hall_number, number=number)
    change.set(hall_number=number)


def _refuse_used(event: Event, number: str) -> None:
    if not (number.isascii() and number.isdecimal()) or len(number) > MOST_DIGITS:
        raise Refused(_("Die Saalzahl besteht nur aus Ziffern, höchstens 40."), code="bad_number")
    if event.hall_number == number or Draw.objects.filter(event=event, hall_number=number).exists():
        raise Refused(
            _("Die %(number)s war heute schon Saalzahl. Bitte eine andere rufen lassen.")
            % {"number": number},
            code="used_number",
        )


# Up to 0.2.0, phones sent the number of a draw frozen earlier.
former_kind("draw.frozen", lazy("Auslosung %(draw)s eingefroren, die Saalzahl wird geholt"))
former_kind("draw.called_off", lazy("Auslosung %(draw)s abgesagt, ohne Saalzahl"))
former_kind("number.sealed", lazy("Ein Handy hat für Auslosung %(draw)s eine Zahl hinterlegt"))
former_kind("numbers.closed", lazy("Zahlen für Auslosung %(draw)s geschlossen: %(numbers)s Handys"))
former_kind("number.opened", lazy("Ein Handy hat seine Zahl für Auslosung %(draw)s geöffnet"))


SEATS_DRAWN = Kind("seats.drawn", lazy("Plätze ausgelost: %(entries)s Teilnehmer"), Group.TABLES)


@service(SEATS_DRAWN, Permission.RESEAT, Topic.TABLES, Topic.ENTRIES)
def seats_draw(change: Change, *, number: str = "") -> None:
    """Draw the seats of all checked-in entries before play: players and seats (TDA 7).

    :param number: A hall number called out for this draw; empty keeps the one in force.
    """
    refuse_drawn(change.event)
    draw_field(change, event_alive_entry_ids(change.event), number=number)


def refuse_drawn(event: Event) -> None:
    """Refuse to draw the whole field once play or another draw has begun."""
    if event.has_started:
        raise Refused(_("Das Turnier läuft schon."), code="started")
    if Seating.objects.live().filter(event=event).exists():
        raise Refused(_("Es sitzen schon Teilnehmer. Die Auslosung lässt sich zurücknehmen."),
                      code="already_drawn")  # fmt: skip


def draw_field(change: Change, entries: list[int], *, number: str) -> None:
    """Open the tables these entries need, and draw all their seats (TDA 7)."""
    event = change.event
    if len(entries) < 2:
        raise Refused(_("Für eine Auslosung braucht es mindestens zwei."), code="too_few")
    wanted = tables_needed(len(entries), event.seats_per_table)
    open_tables(change, wanted - Table.objects.live().filter(event=event).count())
    free = {table: seats for table, seats in free_seats(event).items() if seats}
    draw_many(change, "field", entries, free, number=number)
    change.record(entries=len(entries))


def draw_many(
    change: Change,
    kind: str,
    entries: list[int],
    free: Mapping[int, list[int]],
    *,
    number: str,
    sitting: Mapping[int, int] | None = None,
) -> list[list[int]]:
    """Draw entries to the free seats of tables, and seat them; return entry, table and seat.

    :param number: A hall number called out for this draw; empty keeps the one in force.
    :param sitting: The players at each table, if some are seated already.
    :raises Refused: The number is none, or was used before.
    """
    apart = keep_apart_for(change.event, entries, sitting or ())
    if number:
        _refuse_used(change.event, number)
        change.record(hall_number=number)
        change.set(hall_number=number)
    draw = draw_begin(change.event)
    items = {entry_item(pk): pk for pk in entries}
    drawn = seats_drawn(list(items), free, sitting or {}, **draw, apart=apart)
    placed = {pk: drawn[item] for item, pk in items.items()}
    together = [items[item] for item in broken_wishes(drawn, apart)]
    _keep_wishes(change, keep_apart_as_data(apart), sorted(together, key=entries.index))
    seat_many(change, placed)
    outcome = [[pk, *place] for pk, place in placed.items()]
    kept = [[table, seats, *([sitting[table]] if sitting else [])]
            for table, seats in sorted(free.items())]  # fmt: skip
    record_draw(change, kind, draw, items=kept, outcome=outcome)
    change.record(draw=draw["draw_number"])
    return outcome


def _keep_wishes(change: Change, wishes: Mapping[str, list[Any]], together: Sequence[int]) -> None:
    """Record the wishes used in a draw, and the entries whose wish was not kept.

    The chain gets only a salted hash. A reader of the wishes can check them against it.
    """
    if not wishes and not together:
        return
    kept = {**wishes, "together": list(together), "salt": secrets.token_hex(16)}
    text = json.dumps(kept, sort_keys=True)
    change.tell(wishes=text)
    change.record(wishes=hashlib.sha256(text.encode()).hexdigest())
    if together:
        change.record(together=len(together))


def seats_are_drawn_singly(event: Event) -> bool:
    """Tell whether a newcomer gets a seat at once: rolling draw, or seats already drawn."""
    if event.draw_mode == Event.DrawMode.ROLLING or event.has_started:
        return True
    return Seating.objects.live().filter(event=event).exists()


def seat_by_draw(change: Change, entry: Entry) -> Seating:
    """Draw a free seat for one entry and seat it; first open tables if more are needed."""
    event = change.event
    counts = table_counts(event)
    is_full = not any(count.seats > count.players for count in counts)
    opened = open_tables(change, tables_missing(event, counts), at_least=int(is_full))
    counts = [*counts, *(TableCount(row.number, 0, row.seats) for row in opened)]
    barred = partner_tables(event, [entry.pk]).get(entry.pk, set())
    room = {count.number: count.seats - count.players for count in counts}
    players = {count.number: count.players for count in counts}
    pool = seat_pool(room, players, barred)
    free = free_seats(event, pool)
    draw = draw_begin(event)
    table, seat = seat_draw(entry_item(entry.pk), free, players, **draw)
    if table in barred:
        _keep_wishes(change, {}, [entry.pk])
    items = [[number, found] for number, found in sorted(free.items())]
    record_draw(change, "seat", draw, items=items, outcome=[[entry.pk, table, seat]])
    change.record(table=table, seat=seat, draw=draw["draw_number"])
    return seat_one(change, entry.pk, live_table_by_number(event, table), seat)


def draw_begin(event: Event) -> dict[str, Any]:
    """Return the inputs of a draw: secret, hall number, next draw number."""
    return {
        "secret": event.draw_secret,
        "hall_number": event.hall_number,
        "draw_number": next_draw_number(event),
    }


def record_draw(
    change: Change, kind: str, draw: Mapping[str, Any], *, items: Sequence[Any], outcome: list[Any]
) -> Draw:
    """Record a draw. Very long candidate lists are left out: they follow from the log."""
    return Draw.objects.create(
        event=change.event,
        number=draw["draw_number"],
        kind=kind,
        hall_number=draw["hall_number"],
        items=list(items) if len(items) <= MOST_ITEMS_KEPT else [],
        outcome=outcome if len(outcome) <= MOST_ITEMS_KEPT else [],
        made_by=change.action,
    )


def open_tables(change: Change, count: int, *, at_least: int | None = None) -> list[Table]:
    """Open `count` tables with the lowest numbers free in the hall.

    :param at_least: How many are enough if the hall has no more; None for all.
    :raises Refused: Fewer are free in the hall; it says who holds the others.
    """
    event = change.event
    refuse_names(event)
    if count < 1:
        return []
    hall_turn(event)
    free, held = numbers_free(event, count)
    missing = (count if at_least is None else at_least) - len(free)
    if missing > 0:
        text = ngettext(
            "Im Saal fehlt ein freier Tisch.", "Im Saal fehlen %(missing)d freie Tische.", missing
        ) % {"missing": missing}
        used = held_words(held, numbers_allowed(event))
        told = _("Vergeben: %(held)s.") % {"held": used} if used else ""
        where = (
            _("Mehr erlauben die Einstellungen unter „Tische dieses Turniers“.")
            if event.hall_tables
            else _("Mehr kennt der Saalplan des Vereins nicht.")
        )
        raise Refused(" ".join(filter(None, (text, told, where))), code="hall_full")
    opened = [
        Table.objects.create(
            event=event, number=number, seats=event.seats_per_table, made_by=change.action
        )
        for number in free
    ]
    opened_before = change.action.payload.get("tables_opened", [])
    change.record(tables_opened=[*opened_before, *(table.number for table in opened)])
    change.announce("tables")
    return opened


def seat_one(change: Change, entry_id: int, table: Table, seat: int) -> Seating:
    """Record the seat of an entry; the caller has checked under the lock that it is free."""
    return Seating.objects.create(
        event=change.event,
        entry_id=entry_id,
        table=table,
        seat=seat,
        seated_at=change.at,
        made_by=change.action,
    )


def seat_many(change: Change, places: Mapping[int, tuple[int, int]]) -> None:
    """Seat many entries by (table number, seat) in one statement."""
    numbers = {number for number, _seat in places.values()}
    rows = Table.objects.live().filter(event=change.event, number__in=numbers)
    tables = {table.number: table for table in rows}
    Seating.objects.bulk_create(
        Seating(
            event=change.event,
            entry_id=entry_id,
            table=tables[number],
            seat=seat,
            seated_at=change.at,
            made_by=change.action,
        )
        for entry_id, (number, seat) in places.items()
    )


def unseat(change: Change, entry_ids: Iterable[int]) -> None:
    rows = Seating.objects.live().filter(entry_id__in=list(entry_ids))
    rows.update(voided_by=change.action)


def live_table(event: Event, pk: int) -> Table:
    row = Table.objects.live().filter(event=event, pk=pk).first()
    if row is None:
        raise Refused(_("Diesen Tisch gibt es nicht mehr."), code="table_gone")
    return row


def live_table_by_number(event: Event, number: int) -> Table:
    row = Table.objects.live().filter(event=event, number=number).first()
    if row is None:
        raise Refused(
            _("Tisch %(number)d gibt es nicht mehr.") % {"number": number}, code="table_gone"
        )
    return row


@undoes(DRAW_HALL_NUMBER_SET)
def _undo_hall_number(change: Change, action: Action) -> None:
    # Draws with real cards do not use the hall number.
    drawn = Draw.objects.live().filter(event=change.event, made_by__gt=action.pk)
    if drawn.exclude(kind=BY_CARDS).exists():
        raise Refused(_("Mit dieser Saalzahl wurde schon ausgelost."), code="needed")
    change.set(hall_number=action.payload["before"])


TURN = "hall"


def hall_turn(event: Event) -> None:
    """Wait for the numbers of the hall: until commit no other event gets one."""
    wait_for_turn(TURN, event.club_id)


_REOPENS = all_of(takes_back, touches(frozenset({"ended_by", "cancelled_by"})))


@follows_change(any_of(revives(Table), _REOPENS))
def numbers_come_back(change: Change) -> None:
    """Refuse an undo that brings back a number another event holds by now."""
    if change.event.is_over or change.event.is_sample:
        return
    hall_turn(change.event)
    live = tables_in_hall(change.event)
    own = live.filter(event=change.event).values("number")
    again = live.filter(number__in=own).exclude(event=change.event)
    held = dict(again.values_list("number", "event__name"))
    if held:
        raise Refused(
            _("Inzwischen vergeben: %(held)s. Erst dort auflösen oder beenden.")
            % {"held": held_words(held)},
            code="number_held",
        )
