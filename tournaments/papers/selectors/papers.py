"""Seats for printing, and the money of an evening. Reads only."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Any

from django.db.models import Max, Min, QuerySet, Sum

from tournaments.door.selectors.paying import overpaid, owing
from tournaments.event.selectors.event import players_left
from tournaments.event.selectors.stakes import postings_in_money
from tournaments.models import Event, Posting, Receipt, Registration, Seating
from tournaments.money.domain.accounts import Account, Means
from tournaments.money.selectors.drawers import DrawerState, drawers_of
from tournaments.money.selectors.journal import ACCOUNTS, account_cents, means_name
from tournaments.money.selectors.receipts import name_of, who_of
from tournaments.papers.domain.sheets import in_units
from tournaments.payouts.selectors.bounties import bounties_due, bounties_of, event_has_bounties
from tournaments.payouts.selectors.payees import payees
from tournaments.payouts.selectors.prizes import payouts, prize_table_of

# The rows that surely fit in two columns of an A4 sheet.
NAMES_ON_A_SHEET = 56


def seats_by_name(event: Event) -> list[list[tuple[str, list[Seating]]]]:
    """Return all seated players, sheet by sheet, by the first letter of the sort key."""

    def sorted_by(row: Seating) -> str:
        return row.entry.registration.person.sort_name

    rows = sorted(entries_seated(event), key=sorted_by)
    sheets = max(1, ceil(len(rows) / NAMES_ON_A_SHEET))
    most = max(1, ceil(len(rows) / sheets))
    return [
        [
            (letter, list(those))
            for letter, those in groupby(
                rows[first : first + most], key=lambda row: sorted_by(row)[:1].upper()
            )
        ]
        for first in range(0, len(rows), most)
    ]


def entries_seated(event: Event, **where: Any) -> QuerySet[Seating]:
    """Return the seated players by table and seat, all or some."""
    rows = Seating.objects.live().filter(event=event, **where)
    rows = rows.select_related("table", "entry__registration__person")
    return rows.order_by("table__number", "seat")


# --- The money of an evening: by means of payment, by drawer, by account, and open tasks


# The players' money without a plan for it: payments minus payouts.
OF_THE_POOL = (Account.FEES, Account.POOL, Account.PRIZES)
OF_THE_HEADS = (Account.BOUNTY, Account.BOUNTIES)
RECEIPTS = (
    "receipt", "at", "name", "payer", "means", "drawer", "amount", "payout", "counters",
)  # fmt: skip
AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class EveningReport:
    """The present money of an evening, in cents.

    :param accounts: What stands on each account but the drawers; above zero is what came in.
    :param points: The same of cash tables, where nobody plays for money.
    :param to_pay_out: What is still to be paid out in prizes and bounties (`still_to_pay_out`).
    :param to_get_back: What was paid out too much, and waits for the director's word.
    :param first, last: The numbers of the first and the last receipt.
    """

    by_means: list[tuple[str, int]]
    drawers: list[DrawerState]
    accounts: list[tuple[str, int]]
    points: list[tuple[str, int]]
    owing: list[tuple[Registration, int]]
    overpaid: list[tuple[Registration, int]]
    to_pay_out: int
    to_get_back: int
    receipts: int
    first: str
    last: str

    @property
    def sum_cents(self) -> int:
        return sum(cents for _name, cents in self.by_means)

    @property
    def open_cents(self) -> int:
        return sum(cents for _row, cents in self.owing)

    @property
    def overpaid_cents(self) -> int:
        return sum(cents for _row, cents in self.overpaid)

    @property
    def difference_cents(self) -> int:
        """Return the difference of the drawers it used, of all events that did."""
        return sum(state.difference_cents for state in self.drawers)

    @property
    def is_settled(self) -> bool:
        is_closed = all(state.is_closed for state in self.drawers if state.drawer)
        return is_closed and not (
            self.owing or self.overpaid or self.to_pay_out or self.to_get_back
        )


def evening_report(event: Event) -> EveningReport:
    drawers = [state for state in drawers_of(event) if state.is_used]
    sums: Counter[Means] = Counter()
    for state in drawers:
        sums.update(state.own_means)
    in_money = postings_in_money(event)
    rest = Posting.objects.live().filter(event=event).exclude(pk__in=in_money.values("pk"))
    receipts = Receipt.objects.filter(event=event)
    ends = receipts.aggregate(first=Min("pk"), last=Max("pk"))
    names = {row.pk: name_of(row) for row in receipts.filter(pk__in=ends.values())}
    return EveningReport(
        by_means=[(means_name(event.club, means), sums[means]) for means in Means if means in sums],
        drawers=drawers,
        accounts=_accounts(in_money),
        points=[] if event.is_cash_for_money else _accounts(rest),
        owing=owing(event),
        overpaid=overpaid(event),
        to_pay_out=still_to_pay_out(event),
        to_get_back=sum(row.over_cents for row in payees(event)),
        receipts=receipts.count(),
        first=names.get(ends["first"], ""),
        last=names.get(ends["last"], ""),
    )


def still_to_pay_out(event: Event) -> int:
    """Return the open payouts of prizes and bounties, in cents.

    Without planned money prizes it is the rest of the prize pool, and without bounties the rest of
    the bounties.
    """
    prizes = -account_cents(event, *OF_THE_POOL)
    if event.prize_plan.has_money:
        rows = payouts(event)
        prizes = sum(max(0, row.open) for row in rows)
        is_decided = event.is_over or (event.has_started and players_left(event) <= 1)
        if not is_decided:  # places still open
            table = prize_table_of(event)
            in_all = sum(table.prizes) + table.refund
            prizes += max(0, in_all - sum(row.prize for row in rows))
    heads = -account_cents(event, *OF_THE_HEADS)
    if event_has_bounties(event):
        stands, due = bounties_of(event), bounties_due(event)
        heads = sum(max(0, one.open) for one in due) + stands.total() - sum(stands.won.values())
    return prizes + heads


def _accounts(rows: QuerySet[Posting]) -> list[tuple[str, int]]:
    sums = rows.exclude(account=Account.CASH).values("account", "part").order_by()
    found = sums.annotate(sum=Sum("amount_cents")).values_list("account", "part", "sum")
    return [
        (part or str(ACCOUNTS[Account(account)]), -cents)
        for account, part, cents in sorted(found, key=lambda row: [*Account].index(Account(row[0])))
        if cents
    ]


def receipt_rows(event: Event) -> Iterator[dict[str, Any]]:
    rows = Receipt.objects.filter(event=event).select_related(
        "registration__person", "drawer", "counters", "action__text", "event__club"
    )
    for row in rows.order_by("pk").iterator(chunk_size=AT_ONCE):
        text = getattr(row.action, "text", None)
        yield {
            "receipt": name_of(row),
            "at": row.made_at,
            "name": who_of(row),
            "payer": text.data.get("payer", "") if text else "",
            "means": means_name(row.event.club, row.means),
            "drawer": row.drawer.number if row.drawer else None,
            "amount": in_units(row.cents),
            "payout": row.is_payout,
            "counters": name_of(row.counters) if row.counters else "",
        }
