"""What stands in the way of taking an action back: later facts that rest on it, seats since taken.

Refusals name the later action, because taking that one back first is what helps.
"""

from __future__ import annotations

from typing import Any, NoReturn

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from tournaments.domain.errors import Refused
from tournaments.models import (
    Action,
    ChipMovement,
    ClockCall,
    ClockCallEnd,
    DealerDraw,
    Elimination,
    Entry,
    Hand,
    Registration,
    Seating,
    StackCount,
    Table,
)
from tournaments.models.log import Fact
from tournaments.selectors.log import describe

OUT_KINDS = frozenset({"entry.eliminated", "entry.disqualified"})
# A check-in may have opened tables on the way; they stay open for the others who sit there.
KEEPS_TABLES = frozenset({"entry.checked_in", "action.undone"})


def refuse_if_needed(action: Action) -> None:
    """Refuse when a live later fact rests on what the action made.

    :raises Refused: Naming the later action.
    """
    _refuse_if_replaced(action)
    _refuse_if_entries_are_used(action)
    calls = _ids(ClockCall.objects.live().filter(made_by=action))
    _refuse_for(ClockCallEnd.objects.live().filter(call__in=calls), action)
    registrations = _ids(Registration.objects.live().filter(made_by=action))
    if registrations:
        _refuse_for(Entry.objects.live().filter(registration__in=registrations), action)
    tables = _ids(Table.objects.live().filter(made_by=action))
    if not tables:
        return
    seated = Seating.objects.live().filter(table__in=tables)
    kept: set[int] = set()
    if action.kind in KEEPS_TABLES:
        kept.update(seated.exclude(made_by=action).values_list("table", flat=True))
    else:
        _refuse_for(seated, action)
    gone = set(tables) - kept
    _refuse_for(DealerDraw.objects.live().filter(table__in=gone), action)
    _refuse_for(Hand.objects.live().filter(table__in=gone), action)


def _ids(rows: QuerySet[Any]) -> list[int]:
    # Asked for apart, and often empty: inside the next query they would make the database walk
    # through everything that is live, so that an undo would cost more the larger the field is.
    return list(rows.values_list("pk", flat=True))


def _refuse_if_replaced(action: Action) -> None:
    """What the action made has been voided since, by a move, an elimination or a break."""
    for model in (Seating, Table, Entry, Registration, ChipMovement):
        row = (
            model.objects.filter(made_by=action, voided_by__isnull=False)
            .exclude(voided_by=action)
            .order_by("voided_by_id")
            .select_related("voided_by")
            .first()
        )
        if row is not None and row.voided_by is not None:
            _refuse(row.voided_by)


def _refuse_if_entries_are_used(action: Action) -> None:
    entries = _ids(Entry.objects.live().filter(made_by=action))
    if not entries:
        return
    for model in (Seating, Elimination, ChipMovement, StackCount, ClockCall):
        _refuse_for(model.objects.live().filter(entry__in=entries), action)


def _refuse_for(rows, action: Action) -> None:  # type: ignore[no-untyped-def]
    row: Fact | None = (
        rows.exclude(made_by=action).order_by("made_by_id").select_related("made_by").first()
    )
    if row is not None:
        _refuse(row.made_by)


def refuse_if_not_restorable(action: Action) -> set[int]:
    """Refuse when what the action voided cannot hold again, because its place is taken.

    A player taken back into the game may find his seat taken or his table broken. He is not
    refused: his entry is returned, and he gets a seat by the rules for late entries.

    :raises Refused: Naming the action that took the place.
    """
    _refuse_if_table_number_is_taken(action)
    _refuse_if_entered_anew(action)
    _refuse_if_registered_again(action)
    takers = _takers(action)
    if takers and action.kind not in OUT_KINDS:
        _refuse(min(takers.values(), key=lambda taker: taker.sequence))
    return set(takers)


def refuse_if_ground_is_gone(action: Action) -> None:
    """Refuse when what an action voids again has been used since: a table, a registration.

    :raises Refused: Naming the action that used it.
    """
    tables = _ids(Table.objects.filter(voided_by=action))
    _refuse_for(Seating.objects.live().filter(table__in=tables), action)
    registrations = _ids(Registration.objects.filter(voided_by=action))
    _refuse_for(Entry.objects.live().filter(registration__in=registrations), action)


def _takers(action: Action) -> dict[int, Action]:
    """Return, by entry, the later action because of which its seating cannot hold again.

    The table is broken, somebody sits on the seat, the entry sits elsewhere, or it is out. A fixed
    number of queries, because the action may have been the break of a table or the whole draw.
    """
    old = Seating.objects.filter(voided_by=action)
    seats = {(row.table_id, row.seat): row.entry_id for row in old}
    if not seats:
        return {}
    gone: dict[int, Action] = {}
    broken = old.filter(table__voided_by__isnull=False).exclude(table__voided_by=action)
    for row in broken.select_related("table__voided_by"):
        if row.table.voided_by is not None:
            gone.setdefault(row.entry_id, row.table.voided_by)
    live = Seating.objects.live().exclude(made_by=action).select_related("made_by")
    for rival in live.filter(table__in={table for table, _seat in seats}):
        holder = seats.get((rival.table_id, rival.seat))
        if holder is not None:
            gone.setdefault(holder, rival.made_by)
    entries = list(seats.values())
    for rival in live.filter(entry__in=entries):
        gone.setdefault(rival.entry_id, rival.made_by)
    outs = Elimination.objects.live().exclude(made_by=action).filter(entry__in=entries)
    for out in outs.select_related("made_by"):
        gone.setdefault(out.entry_id, out.made_by)
    return gone


def _refuse_if_table_number_is_taken(action: Action) -> None:
    numbers = Table.objects.filter(voided_by=action).values_list("number", flat=True)
    _refuse_for(Table.objects.live().filter(event=action.event, number__in=list(numbers)), action)


def _refuse_if_entered_anew(action: Action) -> None:
    for table, number in Hand.objects.filter(voided_by=action).values_list("table", "number"):
        _refuse_for(Hand.objects.live().filter(table=table, number=number), action)
    calls = ClockCallEnd.objects.filter(voided_by=action).values_list("call", flat=True)
    _refuse_for(ClockCallEnd.objects.live().filter(call__in=list(calls)), action)


def _refuse_if_registered_again(action: Action) -> None:
    people = Registration.objects.filter(voided_by=action).values_list("person_id", flat=True)
    _refuse_for(
        Registration.objects.live().filter(event=action.event, person__in=list(people)), action
    )


def _refuse(later: Action) -> NoReturn:
    raise Refused(
        _("Erst zurücknehmen: %(action)s (Eintrag %(number)d).")
        % {"action": describe(later), "number": later.sequence},
        code="needed",
    )
