"""Tables and seats, outs, hands; what is bought and paid: the actions of arbiters and desk."""

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Path, Router

from tournaments.api.log import DONE, done
from tournaments.api.requests import (
    ERRORS,
    ApiRequest,
    Id,
    Json,
    Key,
    Part,
    Token,
    command_of,
    page,
)
from tournaments.api.schemas import (
    EliminationIn,
    MoveIn,
    PaymentIn,
    PurchaseIn,
    RebuyIn,
    TableOut,
    TablePage,
    TakersIn,
)
from tournaments.changes.access import Permission
from tournaments.changes.views.requests import present
from tournaments.event.selectors.hall import way_at
from tournaments.models import Elimination, Entry, Event, LostStack, Registration, Table
from tournaments.money.domain.accounts import Means
from tournaments.money.services.fees import fee_pay
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.hands import hand_begin
from tournaments.play.services.rebuy_chances import rebuy_decline
from tournaments.rebuys.services.purchases import addon_buy, entry_reenter, rebuy_buy
from tournaments.seating.selectors.layout import TablePicture, table_pictures
from tournaments.seating.selectors.tables import tables_live
from tournaments.seating.services.seats import live_table_by_number
from tournaments.seating.services.tables import entry_move

router = Router(tags=["Floor"])
money = Router(tags=["Money"])
SEES = Token(Permission.SEE_FLOOR, people=True)
OUTS = Token(Permission.ELIMINATE, people=True)
SALE = Token(Permission.TAKE_MONEY, people=True)
_ENTRY = "/events/{slug:slug}/entries/{num:entry}"
_TABLES = "/events/{slug:slug}/tables"


@router.get(_TABLES, auth=SEES, response={200: TablePage, **ERRORS})
def tables(request: ApiRequest, slug: str, part: Part) -> Json:
    """List the tables in play with their seats; free seats have no entry."""
    numbers = [table.number for table in tables_live(request.event)]
    wanted = numbers[part.offset : part.offset + part.limit]
    items = [_out(request.event, picture) for picture in _pictures(request, wanted)]
    return page(items, len(numbers), part)


@router.get(_TABLES + "/{num:number}", auth=SEES, response={200: TableOut, **ERRORS})
def table(request: ApiRequest, slug: str, number: Path[Id]) -> Json:
    """Return the seats of a table."""
    picture = next(iter(_pictures(request, [number])), None)
    if picture is None:
        raise Http404(_("Diesen Tisch gibt es nicht."))
    return _out(request.event, picture)


@router.post(
    _TABLES + "/{num:number}/hands", auth=Token(Permission.RUN_HANDS, people=True), response=DONE
)
def begin_hand(request: ApiRequest, slug: str, number: Path[Id], key: Key) -> Json:
    """Record that the next hand begins at a table."""
    row = get_object_or_404(Table.objects.live(), event=request.event, number=number)
    return done(hand_begin(command_of(request, key), table=row))


@router.post("/events/{slug:slug}/eliminations", auth=OUTS, response=DONE)
def eliminate(request: ApiRequest, slug: str, key: Key, body: EliminationIn) -> Json:
    """Record players out; several at once are out in the same hand."""
    entries = [_entry(request, line.entry) for line in body.outs]
    stacks = {line.entry: line.start_stack for line in body.outs if line.start_stack is not None}
    return done(
        entries_eliminate(
            command_of(request, key), entries=entries, start_stacks=stacks, hand=body.hand
        )
    )


@router.post(_ENTRY + "/move", auth=Token(Permission.RESEAT, people=True), response=DONE)
def move(request: ApiRequest, slug: str, entry: Path[Id], key: Key, target: MoveIn) -> Json:
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


@money.post(_ENTRY + "/re-buy", auth=SALE, response=DONE)
def rebuy(request: ApiRequest, slug: str, entry: Path[Id], key: Key, sale: RebuyIn) -> Json:
    """Sell re-buys: chips for the stack, and the held seat stays the player's."""
    row = _entry(request, entry)
    return done(rebuy_buy(command_of(request, key), entry=row, **sale.dict()))


@money.post(_ENTRY + "/no-re-buy", auth=OUTS, response=DONE)
def decline(request: ApiRequest, slug: str, entry: Path[Id], key: Key) -> Json:
    """Record that a player without chips buys no re-buy, and is out."""
    return done(rebuy_decline(command_of(request, key), entry=_entry(request, entry)))


@money.post(_ENTRY + "/add-on", auth=SALE, response=DONE)
def addon(request: ApiRequest, slug: str, entry: Path[Id], key: Key, sale: PurchaseIn) -> Json:
    """Sell an add-on."""
    row = _entry(request, entry)
    return done(addon_buy(command_of(request, key), entry=row, pays=sale.pays))


@money.post(_ENTRY + "/re-entry", auth=SALE, response=DONE)
def reentry(request: ApiRequest, slug: str, entry: Path[Id], key: Key, sale: PurchaseIn) -> Json:
    """Sell a new entry with a new stack and a drawn seat; `entry` is any earlier one."""
    row = _entry(request, entry)
    return done(entry_reenter(command_of(request, key), entry=row, pays=sale.pays))


@money.post(_ENTRY + "/takers", auth=OUTS, response=DONE)
def takers(request: ApiRequest, slug: str, entry: Path[Id], key: Key, taken: TakersIn) -> Json:
    """Set the takers of the stack that was lost last: several for a split pot, none if unknown."""
    row = _entry(request, entry)
    outs = Elimination.objects.live().filter(entry=row)
    lost = LostStack.objects.live().filter(entry=row).order_by("-pk")[:1]
    if not outs and not lost:
        raise Http404(_("Diesen Stapel hat niemand verloren."))
    by = [_entry(request, one) for one in taken.by]
    stacks: Json = {"eliminations": outs} if outs else {"lost": lost}
    return done(knockout_set(command_of(request, key), takers=by, **stacks))


@money.post("/events/{slug:slug}/registrations/{num:registration}/pay", auth=SALE, response=DONE)
def pay(
    request: ApiRequest, slug: str, registration: Path[Id], key: Key, payment: PaymentIn
) -> Json:
    """Book a payment of a player: what is open, unless an amount is given."""
    row = get_object_or_404(Registration, event=request.event, pk=registration)
    action = fee_pay(
        command_of(request, key),
        registration=row,
        amount_cents=payment.amount_cents,
        means=Means(payment.means),
    )
    return done(action)


def _pictures(request: ApiRequest, numbers: list[int]) -> list[TablePicture]:
    return table_pictures(request.event, present(request.event), numbers)


def _entry(request: ApiRequest, pk: int) -> Entry:
    return get_object_or_404(Entry, event=request.event, pk=pk)


def _out(event: Event, picture: TablePicture) -> Json:
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
