"""Cash tables in the journal: chips on them, purchases and debts. Reads only."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.db.models import Count, Exists, OuterRef, Q, Sum

from tournaments.cashgame.domain.ledger import Stage, stage
from tournaments.cashgame.domain.stakes import (
    FeeWay,
    Range,
    buying_range,
    period_end,
    returning_range,
    time_fee_cents,
)
from tournaments.models import (
    Action,
    CashClosing,
    CashEnd,
    CashHand,
    CashHandEnd,
    CashLastHands,
    CashSeat,
    CashTable,
    Event,
    Posting,
    Registration,
)
from tournaments.money.domain.accounts import Account


@dataclass(frozen=True, slots=True)
class Bought:
    """A player's purchases and cash-outs at all cash tables of an event, in cents."""

    bought_cents: int = 0
    cashed_cents: int = 0


def chips_on(tables: Iterable[int]) -> dict[int, int]:
    """Return the chips on each of these tables by the books, in cents. One query."""
    rows = Posting.objects.live().filter(cash_table__in=list(tables), account=Account.CHIPS)
    sums = rows.values("cash_table").annotate(sum=Sum("amount_cents")).order_by()
    return {table: -cents for table, cents in sums.values_list("cash_table", "sum") if table}


def chips_on_table(table: CashTable) -> int:
    """Return the chips on a table by the books, in cents."""
    return chips_on([table.pk]).get(table.pk, 0)


def bought_by(event: Event, registrations: Iterable[int] | None = None) -> dict[int, Bought]:
    """Return purchases and cash-outs, by registration. One query."""
    rows = Posting.objects.live().filter(event=event, account=Account.CHIPS)
    rows = rows.filter(registration__isnull=False)
    if registrations is not None:
        rows = rows.filter(registration__in=list(registrations))
    sums = rows.values("registration").annotate(
        bought=Sum("amount_cents", filter=Q(amount_cents__lt=0)),
        cashed=Sum("amount_cents", filter=Q(amount_cents__gt=0)),
    )
    found = sums.order_by().values_list("registration", "bought", "cashed")
    return {row: Bought(-(bought or 0), cashed or 0) for row, bought, cashed in found if row}


def balances_noted(event: Event) -> dict[int, int]:
    """Return each player's balance at tables on account; below zero, a debt."""
    rows = Posting.objects.live().filter(event=event, account=Account.OWED)
    sums = rows.filter(registration__isnull=False).values("registration")
    sums = sums.annotate(sum=Sum("amount_cents")).order_by()
    return {row: -cents for row, cents in sums.values_list("registration", "sum") if row}


def tips_left(event: Event) -> int:
    """Return the tips at paid tables not yet handed to dealers, in cents."""
    rows = Posting.objects.live().filter(event=event, account=Account.TIPS)
    rows = rows.exclude(cash_table__is_noted=True)
    return -int(rows.aggregate(sum=Sum("amount_cents"))["sum"] or 0)


def fees_open(seats: Iterable[CashSeat], now: datetime) -> dict[int, int]:
    """Return the open time fee of each of these seats. Two queries."""
    timed = [seat for seat in seats if seat.table.fee_way == FeeWay.TIME]
    if not timed:
        return {}
    rows = Posting.objects.live().filter(
        account=Account.RAKE,
        registration__in=[seat.registration_id for seat in timed],
        cash_table__in={seat.table_id for seat in timed},
    )
    booked = list(rows.values_list("registration", "cash_table", "made_by__at", "amount_cents"))
    begins, found = fees_begin(timed), {}
    for seat in timed:
        due = time_fee_cents(
            begins[seat.pk], now, cents=seat.table.fee_cents, minutes=seat.table.fee_minutes
        )
        own = (seat.registration_id, seat.table_id)
        changed = datetime.fromtimestamp(seat.table.fee_from.get("at", 0), UTC)
        since = max(seat.since, changed)
        found[seat.pk] = due + sum(c for *of, at, c in booked if tuple(of) == own and at > since)
    return {pk: cents for pk, cents in found.items() if cents > 0}


def fee_counted_until(seat: CashSeat, to: CashTable, now: datetime) -> datetime | None:
    """Return until when a moving player's time is counted; None to begin a new period.

    Between tables with the same fee a begun period carries over: it is paid once.
    """
    terms = [(row.fee_way, row.fee_cents, row.fee_minutes) for row in (seat.table, to)]
    if terms[0] != terms[1] or to.fee_way != FeeWay.TIME:
        return None
    begins = fees_begin([seat])[seat.pk]
    return begins if seat.table_id == to.pk else period_end(begins, now, minutes=to.fee_minutes)


def fees_begin(seats: list[CashSeat]) -> dict[int, datetime]:
    """Return the start of unpaid time at these seats: later if some was paid, or by another fee."""
    moves = Action.objects.filter(pk__in={seat.made_by_id for seat in seats})
    paid = dict(moves.values_list("pk", "payload__fee_until"))
    found = {}
    for seat in seats:
        changed = seat.table.fee_from
        counted = changed.get(str(seat.pk), changed.get("at", 0))
        until = max(paid[seat.made_by_id] or 0, counted)
        found[seat.pk] = max(seat.since, datetime.fromtimestamp(until, UTC))
    return found


def range_for(
    table: CashTable,
    registration: Registration,
    now: datetime,
    largest_cents: int | None,
    but: Action | None = None,
) -> Range:
    """Return the range of a player's stack after sitting down at a table.

    Chips recently taken from a table of the same stakes must be brought back. A player who has
    bought since, and left with nothing, took nothing.

    :param but: The entry of a purchase that does not count.
    """
    bounds = buying_range(table.stakes, largest_cents)
    tables = CashTable.objects.live().filter(event=table.event_id)
    alike = [one.pk for one in tables if one.kind_of_game == table.kind_of_game]
    rows = Posting.objects.live().filter(
        event=table.event_id,
        registration=registration,
        account=Account.CHIPS,
        cash_table__in=[table.pk, *alike],
    )
    rows = rows.exclude(made_by=but) if but else rows
    last = rows.order_by("-pk").values_list("amount_cents", "made_by__at").first()
    if last is None or last[0] < 0:
        return bounds
    return returning_range(bounds, *last, now, timedelta(minutes=table.return_minutes))


def hands_running(tables: Iterable[int]) -> dict[int, CashHand]:
    """Return the running hands, by table. One query."""
    rows = CashHand.objects.live().filter(table__in=list(tables))
    rows = rows.exclude(Exists(CashHandEnd.objects.live().filter(hand=OuterRef("pk"))))
    return {row.table_id: row for row in rows.order_by("number")}


def tables_closed(tables: Iterable[int]) -> set[int]:
    """Return the closed ones among these tables."""
    rows = CashClosing.objects.live().filter(table__in=list(tables))
    return set(rows.values_list("table", flat=True))


def open_tables(event: Event) -> list[CashTable]:
    """Return the cash tables that are not closed, by number."""
    closed = CashClosing.objects.live().filter(table__event=event).values("table")
    rows = CashTable.objects.live().filter(event=event).exclude(pk__in=closed)
    return list(rows.order_by("number"))


def purchases_of(seat: CashSeat) -> list[tuple[Action, int]]:
    """Return the purchases of a seated player at the table, latest first."""
    rows = Posting.objects.live().filter(cash_table=seat.table_id, account=Account.CHIPS)
    own = rows.filter(registration=seat.registration_id, made_by__at__gte=seat.since)
    found = own.filter(amount_cents__lt=0).select_related("made_by").order_by("-pk")
    return [(row.made_by, -row.amount_cents) for row in found]


# --- The stage of each cash table before the end


END_CALLED = "cash_end.called"
CALLED_BEFORE = (30, 10)


@dataclass(frozen=True, slots=True)
class Standing:
    """A table's stage.

    :param left: Hands it may still begin; None before the announcement.
    """

    stage: Stage
    hands: int
    left: int | None
    is_hand_running: bool


def end_of(event: Event) -> datetime | None:
    """Return when the cash game ends, or None; also once the evening is over."""
    rows = CashEnd.objects.live().filter(event=event).values_list("ends_at", flat=True)
    return None if event.is_over else rows.first()


def last_hands_of(event: Event) -> CashLastHands | None:
    """Return the announced last hands, or None; also once the evening is over."""
    return None if event.is_over else CashLastHands.objects.live().filter(event=event).first()


def stages_of(event: Event, tables: Iterable[CashTable], now: datetime) -> dict[int, Standing]:
    """Return the stages by table. Four queries.

    A hand running when the last ones are announced is not one of them.
    """
    ids = [table.pk for table in tables]
    ends_at = now if event.is_over else end_of(event)
    last, running = last_hands_of(event), hands_running(ids)
    rows = CashHand.objects.live().filter(table__in=ids).values("table").order_by()
    since = Count("pk", filter=Q(began_at__gte=last.announced_at if last else now))
    counts = rows.annotate(hands=Count("pk"), since=since)
    begun = {row["table"]: (row["hands"], row["since"]) for row in counts}
    found = {}
    for pk in ids:
        hands, after = begun.get(pk, (0, 0))
        left = max(0, last.hands - after) if last else None
        is_running = pk in running
        own = stage(now, ends_at=ends_at, hands_left=left, is_hand_running=is_running)
        found[pk] = Standing(own, hands, left, is_running)
    return found


def call_due(
    event: Event, now: datetime, *, but: Action | None = None
) -> tuple[datetime, int] | None:
    """Return the end and the minutes before it of the announcement due; only the latest if late.

    None for an end set too late for it, or once the last hands are announced.
    """
    row = CashEnd.objects.live().filter(event=event).select_related("made_by").first()
    if row is None or row.ends_at <= now or last_hands_of(event) is not None:
        return None
    reached = [n for n in CALLED_BEFORE if row.ends_at - timedelta(minutes=n) <= now]
    if not reached or row.made_by.at > row.ends_at - timedelta(minutes=min(reached)):
        return None
    own = {"kind": END_CALLED, "payload__ends_at": round(row.ends_at.timestamp())}
    called = Action.objects.filter(event=event, payload__before=min(reached), **own)
    if (called.exclude(pk=but.pk) if but else called).exists():
        return None
    return row.ends_at, min(reached)


def events_with_cash_end_near(now: datetime) -> list[Event]:
    """Return the events with an announcement of the end due."""
    near = now + timedelta(minutes=max(CALLED_BEFORE))
    ends = CashEnd.objects.live().filter(ends_at__gt=now, ends_at__lte=near)
    rows = Event.objects.open().filter(pk__in=ends.values("event"))
    return [row for row in rows.select_related("clock", "club") if call_due(row, now)]
