"""Open amounts by item, and the people with open amounts. Reads only."""

from django.db.models import Exists, OuterRef, Q

from tournaments.models import Entry, Event, Registration, Waiting
from tournaments.money.domain.accounts import Account, allotted
from tournaments.money.selectors.journal import (
    ACCOUNTS,
    balance_cents,
    credits_by_registration,
    open_by_registration,
    paid_cents,
    payments,
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
    rows = list(registrations_found(event, search).exclude(pk__in=waits))
    still_open = open_by_registration(event, [row.pk for row in rows])
    return [(row, still_open[row.pk]) for row in rows if still_open[row.pk]]


def debtors(event: Event) -> list[tuple[str, int]]:
    """Return the players who entered and still owe, by name, with the amount. One query."""
    entries = Entry.objects.live().filter(registration=OuterRef("pk"))
    rows = Registration.objects.live().filter(Exists(entries), event=event)
    found = with_open_fees(event, rows).order_by("person__sort_name", "pk")
    return [(row.person.name, row.owed - row.paid) for row in found.select_related("person")]


def overpaid(event: Event) -> list[tuple[Registration, int]]:
    """Return the registrations to refund with the amount, by name.

    A withdrawn registration gets back all it paid, any other its overpayment.
    """
    paid = {row: cents for row, cents in payments(event).items() if cents > 0}
    too_much = credits_by_registration(event)
    gone = Q(pk__in=paid, voided_by__isnull=False)
    rows = Registration.objects.filter(gone | Q(pk__in=too_much), event=event)
    ordered = rows.select_related("person").order_by("person__sort_name", "pk")
    back = [(row, too_much.get(row.pk, 0) if row.voided_by_id is None else paid.get(row.pk, 0))
            for row in ordered]  # fmt: skip
    return [(row, cents) for row, cents in back if cents]


def credit_cents(registration: Registration) -> int:
    """Return the overpayment of a registration in force."""
    is_listed = registration.voided_by_id is None
    return max(0, -balance_cents(registration)) if is_listed else 0
