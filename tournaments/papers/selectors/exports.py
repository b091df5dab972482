"""All data of an event as tables, row by row: people, waiting list, money, seats. Reads only."""

from collections.abc import Iterator
from typing import Any

from django.db.models import Exists, F, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.functions import Coalesce
from django.utils.timezone import localtime

from tournaments.event.selectors.labels import GAMES, LIMITS, unit_name
from tournaments.models import (
    Elimination,
    Entry,
    Event,
    Expected,
    PlaceOffer,
    Posting,
    Registration,
    Seating,
    StackCount,
    Stage,
    Waiting,
)
from tournaments.money.domain.accounts import Account, price_cents
from tournaments.money.selectors.journal import entry_price, means_name
from tournaments.papers.domain.sheets import in_units
from tournaments.payouts.selectors.deals import deal_shares
from tournaments.payouts.selectors.prizes import payouts, prizes_given
from tournaments.people.domain.naming import first_and_last, shown_name
from tournaments.people.selectors.people import contact_of
from tournaments.play.selectors.ranking import best_of_each, standings
from tournaments.prizes.selectors.plans import prize_pool

AT_ONCE = 500
REGISTRATIONS = (
    "name", "email", "phone", "member", "says_member", "remark", "state", "registered_at",
    "expected_at", "listed", "agrees", "reserved", "paid", "entry", "table", "seat", "out_at",
)  # fmt: skip
ENTRIES = (
    "entry", "name", "member", "entered_at", "table", "seat", "out_at", "way", "stack",
)  # fmt: skip
RESULTS = ("place", "name", "entry", "out_at", "way", "is_provisional", "is_overruled")
PRIZES = ("place", "name", "prize", "in_kind", "paid_out")
WAITING = ("position", "name", "email", "phone", "member", "since", "offered_until")
FEES = (
    "number", "at", "name", "account", "part", "amount", "unit", "drawer", "means", "taken_back",
)  # fmt: skip
SEATS = ("table", "seat", "name", "entry")
# The columns that result sites ask for. The program does not know all of them.
SITES = (
    "Event", "Festival", "Venue", "City", "Country", "Date", "Currency", "Buy-in", "Fee", "Entries",
    "Re-entries", "Unique players", "Prize pool", "Game", "Place", "First name", "Last name",
    "Player country", "Prize", "Deal",
)  # fmt: skip
UNKNOWN = dict.fromkeys(("City", "Country", "Player country"), "")


def registration_rows(event: Event) -> Iterator[dict[str, Any]]:
    """Yield every registration by name, including withdrawn ones, with all its data."""
    for row in _registrations(event).iterator(chunk_size=AT_ONCE):
        person = row.person
        yield {
            **contact_of(row, with_person=row.owns_person),
            "name": person.name,
            "member": person.is_member,
            "says_member": row.says_member,
            "remark": row.remark,
            "state": _state(row),
            "registered_at": row.registered_at,
            "expected_at": row.expected,
            "listed": row.is_listed,
            "agrees": row.agrees_to_rules,
            "reserved": row.is_reserved,
            "paid": in_units(row.paid),
            "entry": row.entry_number,
            "table": row.table,
            "seat": row.seat,
            "out_at": row.out_at,
        }


def _registrations(event: Event) -> QuerySet[Any]:
    of_row = {"registration": OuterRef("pk")}
    entries = Entry.objects.live().filter(**of_row).order_by("-number")
    seats = Seating.objects.live().filter(entry__registration=OuterRef("pk")).order_by("-pk")
    outs = Elimination.objects.live().filter(entry__registration=OuterRef("pk")).order_by("-at")
    paid = Posting.objects.live().filter(**of_row, account=Account.CASH)
    sums = paid.order_by().values("registration").annotate(sum=Sum("amount_cents"))
    return (
        Registration.objects.filter(event=event)
        .select_related("person")
        .annotate(
            waits=Exists(Waiting.objects.live().filter(**of_row)),
            expected=Subquery(Expected.objects.live().filter(**of_row).values("expected_at")[:1]),
            entry_number=Subquery(entries.values("number")[:1]),
            table=Subquery(seats.values("table__number")[:1]),
            seat=Subquery(seats.values("seat")[:1]),
            out_at=Subquery(outs.values("at")[:1]),
            paid=Coalesce(Subquery(sums.values("sum")[:1]), 0),
        )
        .order_by("person__sort_name", "pk")
    )


def _state(row: Any) -> str:
    if row.voided_by_id is not None:
        return "withdrawn"
    if row.is_cash_guest:
        return "cash"
    if row.waits:
        return "waiting"
    if row.entry_number is None:
        return "registered"
    return "in" if row.table is not None or row.out_at is None else "out"


def entry_rows(event: Event) -> Iterator[dict[str, Any]]:
    """Yield every stack by number: its last seat, and its time and way of going out."""
    of_entry = {"entry": OuterRef("pk")}
    # The player's seat, else the last one.
    seats = Seating.objects.filter(**of_entry)
    seats = seats.order_by(F("voided_by").desc(nulls_first=True), "-pk")
    outs = Elimination.objects.live().filter(**of_entry)
    counts = StackCount.objects.live().filter(**of_entry).order_by("-pk")
    rows = Entry.objects.live().filter(event=event)
    rows = rows.annotate(
        table=Subquery(seats.values("table__number")[:1]),
        seat=Subquery(seats.values("seat")[:1]),
        out_at=Subquery(outs.values("at")[:1]),
        way=Coalesce(Subquery(outs.values("way")[:1]), Value("")),
        stack=Subquery(counts.values("amount")[:1]),
    )
    named = {
        "entry": F("number"),
        "name": F("registration__person__name"),
        "member": F("registration__person__is_member"),
    }
    own = ("entered_at", "table", "seat", "out_at", "way", "stack")
    yield from rows.order_by("number").values(*own, **named).iterator(chunk_size=AT_ONCE)


def result_rows(event: Event) -> Iterator[dict[str, Any]]:
    """Yield players still in without a place, then the places, best first."""
    numbers = dict(Entry.objects.live().filter(event=event).values_list("pk", "number"))
    ways = dict(Elimination.objects.live().filter(event=event).values_list("entry", "way"))
    for line in standings(event):
        yield {
            "place": line.place,
            "name": line.name,
            "entry": numbers[line.entry],
            "out_at": line.out_at,
            "way": ways.get(line.entry, ""),
            "is_provisional": line.is_provisional,
            "is_overruled": line.is_overruled,
        }


def prize_rows(event: Event) -> Iterator[dict[str, Any]]:
    """Yield all players with a prize or a payout, best place first."""
    for row in payouts(event):
        yield {
            "place": row.place,
            "name": row.name,
            "prize": in_units(row.prize) if row.prize else "",
            "in_kind": row.in_kind,
            "paid_out": in_units(row.paid_out) if row.paid_out else "",
        }


def site_rows(event: Event) -> Iterator[dict[str, Any]]:
    """Yield the result for result sites, with public names: initials of unlisted people."""
    stage = Stage.objects.live().filter(event=event).select_related("contest").first()
    lines, prizes, shares = standings(event), prizes_given(event).prizes, deal_shares(event)
    people, price = best_of_each(lines), entry_price(event)
    fee = sum(share.cents for share in price if share.account == Account.HOUSE)
    of_all = {
        **UNKNOWN,
        "Event": event.name,
        "Festival": stage.contest.name if stage else "",
        "Venue": event.about.place or event.club.name,
        "Date": f"{localtime(event.starts_at):%Y-%m-%d}",
        "Currency": event.club.currency,
        "Buy-in": in_units(price_cents(price) - fee),
        "Fee": in_units(fee),
        "Entries": len(lines),
        "Re-entries": len(lines) - len(people),
        "Unique players": len(people),
        "Prize pool": in_units(prize_pool(event).cents),
        "Game": f"{LIMITS[event.limit]} {GAMES[event.game]}",
    }
    for line in people:
        name = shown_name(line.name, is_listed=line.is_listed, to_staff=False)
        first, last = first_and_last(name)
        yield {
            **of_all,
            "Place": line.place,
            "First name": first,
            "Last name": last,
            "Prize": in_units(prizes.get(line.entry, 0)),
            "Deal": "yes" if line.entry in shares else "no",
        }


def waiting_rows(event: Event) -> Iterator[dict[str, Any]]:
    offers = PlaceOffer.objects.live().filter(waiting=OuterRef("pk"))
    rows = Waiting.objects.live().filter(event=event).select_related("registration__person")
    rows = rows.annotate(until=Subquery(offers.values("expires_at")[:1])).order_by("since", "pk")
    for position, row in enumerate(rows.iterator(chunk_size=AT_ONCE), start=1):
        person = row.registration.person
        yield {
            "position": position,
            **contact_of(row.registration, with_person=row.registration.owns_person),
            "name": person.name,
            "member": person.is_member,
            "since": row.since,
            "offered_until": row.until,
        }


def fee_rows(event: Event) -> Iterator[dict[str, Any]]:
    """Yield the journal: both sides of every booking, undone ones marked."""
    rows = Posting.objects.filter(event=event).annotate(name=F("registration__person__name"))
    for row in rows.select_related("made_by", "drawer").order_by("pk").iterator(chunk_size=AT_ONCE):
        yield {
            "number": row.made_by.sequence,
            "at": row.made_by.at,
            "name": row.name,
            "account": row.account,
            "part": row.part,
            "amount": in_units(row.amount_cents),
            "unit": unit_name(event.cash_unit if row.cash_table_id else Event.CashUnit.MONEY),
            "drawer": row.drawer.number if row.drawer else None,
            "means": means_name(event.club, row.means) if row.account == Account.CASH else "",
            "taken_back": row.voided_by_id is not None,
        }


def seat_rows(event: Event) -> Iterator[dict[str, Any]]:
    """Yield the seats with their players, by table and seat."""
    rows = Seating.objects.live().filter(event=event).order_by("table__number", "seat")
    for row in rows.values_list(
        "table__number", "seat", "entry__registration__person__name", "entry__number"
    ).iterator(chunk_size=AT_ONCE):
        yield dict(zip(SEATS, row, strict=True))
