"""Tables and seats, outs, hands: the actions of arbiters, and the director's moves."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Path, Router

from tournaments.api.log import done
from tournaments.api.requests import ERRORS, ApiRequest, Id, Key, Part, Token, command_of, page
from tournaments.api.schemas import DoneOut, EliminationIn, MoveIn, TableOut, TablePage
from tournaments.changes.access import Permission
from tournaments.changes.views.requests import present
from tournaments.event.selectors.hall import way_at
from tournaments.models import Entry, Event, Table
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.hands import hand_begin
from tournaments.seating.selectors.layout import TablePicture, table_pictures
from tournaments.seating.selectors.tables import tables_live
from tournaments.seating.services.seats import live_table_by_number
from tournaments.seating.services.tables import entry_move

router = Router(tags=["Floor"])
DONE = {200: DoneOut, **ERRORS}
_TABLES = "/events/{slug:slug}/tables"


@router.get(
    _TABLES, auth=Token(Permission.SEE_FLOOR, people=True), response={200: TablePage, **ERRORS}
)
def tables(request: ApiRequest, slug: str, part: Part) -> dict[str, Any]:
    """List the tables in play with their seats; free seats have no entry."""
    numbers = [table.number for table in tables_live(request.event)]
    wanted = numbers[part.offset : part.offset + part.limit]
    items = [_out(request.event, picture) for picture in _pictures(request, wanted)]
    return page(items, len(numbers), part)


@router.get(
    _TABLES + "/{num:number}",
    auth=Token(Permission.SEE_FLOOR, people=True),
    response={200: TableOut, **ERRORS},
)
def table(request: ApiRequest, slug: str, number: Path[Id]) -> dict[str, Any]:
    """Return the seats of a table."""
    picture = next(iter(_pictures(request, [number])), None)
    if picture is None:
        raise Http404(_("Diesen Tisch gibt es nicht."))
    return _out(request.event, picture)


@router.post(
    _TABLES + "/{num:number}/hands", auth=Token(Permission.RUN_HANDS, people=True), response=DONE
)
def begin_hand(request: ApiRequest, slug: str, number: Path[Id], key: Key) -> dict[str, Any]:
    """Record that the next hand begins at a table."""
    row = get_object_or_404(Table.objects.live(), event=request.event, number=number)
    return done(hand_begin(command_of(request, key), table=row))


@router.post(
    "/events/{slug:slug}/eliminations", auth=Token(Permission.ELIMINATE, people=True), response=DONE
)
def eliminate(request: ApiRequest, slug: str, key: Key, body: EliminationIn) -> dict[str, Any]:
    """Record players out; several at once are out in the same hand."""
    entries = [_entry(request, line.entry) for line in body.outs]
    stacks = {line.entry: line.start_stack for line in body.outs if line.start_stack is not None}
    return done(
        entries_eliminate(
            command_of(request, key), entries=entries, start_stacks=stacks, hand=body.hand
        )
    )


@router.post(
    "/events/{slug:slug}/entries/{num:entry}/move",
    auth=Token(Permission.RESEAT, people=True),
    response=DONE,
)
def move(
    request: ApiRequest, slug: str, entry: Path[Id], key: Key, target: MoveIn
) -> dict[str, Any]:
    """Move a player to a free seat."""
    seen = target.moved_from
    action = entry_move(
        command_of(request, key),
        entry=_entry(request, entry),
        table=live_table_by_number(request.event, target.table),
        seat=target.seat,
        reason=target.reason.strip(),
        moved_from=(seen.table, seen.seat) if seen else None,
    )
    return done(action)


def _pictures(request: ApiRequest, numbers: list[int]) -> list[TablePicture]:
    return table_pictures(request.event, present(request.event), numbers)


def _entry(request: ApiRequest, pk: int) -> Entry:
    return get_object_or_404(Entry, event=request.event, pk=pk)


def _out(event: Event, picture: TablePicture) -> dict[str, Any]:
    seats = [
        {
            "seat": seat.seat,
            "entry": seat.entry,
            "name": seat.name,
            "is_first_dealer": seat.is_dealer,
        }
        for seat in picture.seats
    ]
    way = way_at(event, picture.number)
    return {"number": picture.number, "players": picture.players, "way": way, "seats": seats}
