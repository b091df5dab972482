"""Open amounts by item, and the people with open amounts. Reads only."""

from typing import Any

from django.db.models import BigIntegerField, Case, Exists, OuterRef, Q, QuerySet, Subquery, When

from tournaments.models import Entry, Event, Registration, Waiting
from tournaments.money.domain.accounts import Account, allotted
from tournaments.money.selectors.journal import (
    ACCOUNTS,
    balance_cents,
    credits_of,
    paid_cents,
    paid_of_row,
    prices_owed,
    with_open_fees,
)
from tournaments.people.selectors.people import registrations_found


def open_items(registration: Registration) -> list[tuple[str, int]]:
    """Return the open amounts by item, in the order of coverage."""
    owed = prices_owed(registration.event, [registration.pk])[registration.pk]
    wanted: dict[tuple[Account, str], int] = {}
    for share in (share for price in owed for share in price):
        side = (share.account, share.name)
        wanted[side] = wanted.get(side, 0) + share.cents
    covered = allotted(owed, paid_cents(registration))
    return [
        (name or str(ACCOUNTS[account]), cents - covered.get((account, name), 0))
        for (account, name), cents in wanted.items()
        if cents > covered.get((account, name), 0)
    ]


def owing(event: Event, search: str = "") -> list[tuple[Registration, int]]:
    """Return registrations with an open amount, by name; without the waiting list."""
    waits = Waiting.objects.live().filter(registration__event=event).values("registration")
    rows = with_open_fees(event, registrations_found(event, search).exclude(pk__in=waits))
    return [(row, row.owed - row.paid) for row in rows]


def debtors(event: Event) -> list[tuple[str, int]]:
    """Return the players who entered and still owe, by name, with the amount. One query."""
    entries = Entry.objects.live().filter(registration=OuterRef("pk"))
    rows = Registration.objects.live().filter(Exists(entries), event=event)
    found = with_open_fees(event, rows).order_by("person__sort_name", "pk")
    return [(row.person.name, row.owed - row.paid) for row in found.select_related("person")]


def with_refund(event: Event) -> QuerySet[Any]:
    """Return the registrations to refund, with the amount as `back`.

    A withdrawn registration gets back all it paid, any other its overpayment.
    """
    too_much: QuerySet[Any, Any] = credits_of(event)
    own = Subquery(too_much.filter(registration=OuterRef("pk")).values("sum"))
    back = Case(
        When(voided_by=None, then=-own), default=paid_of_row(), output_field=BigIntegerField()
    )
    is_gone = Q(voided_by__isnull=False)
    rows = Registration.objects.filter(is_gone | Q(pk__in=too_much.values("registration")))
    rows = rows.filter(event=event).annotate(back=back).filter(back__gt=0)
    return rows.select_related("person")


def overpaid(event: Event) -> list[tuple[Registration, int]]:
    """Return the registrations to refund with the amount, by name."""
    rows = with_refund(event).order_by("person__sort_name", "pk")
    return [(row, row.back) for row in rows]


def credit_cents(registration: Registration) -> int:
    """Return the overpayment of a registration in force."""
    is_listed = registration.voided_by_id is None
    return max(0, -balance_cents(registration)) if is_listed else 0
