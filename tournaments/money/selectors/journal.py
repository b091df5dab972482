"""Figures from the journal. Every amount is a sum over valid postings."""

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet, Sum
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Club, Event, Posting, Registration
from tournaments.money.domain.accounts import Account, Means, Side

# --- The means of payment of a club, by name


# Names of means the club no longer names.
USUAL_NAMES = {
    Means.CASH: gettext_lazy("bar"),
    Means.CARD: gettext_lazy("Karte"),
    Means.TRANSFER: gettext_lazy("Überweisung"),
    Means.VOUCHER: gettext_lazy("Gutschein"),
    Means.TICKET: gettext_lazy("Ticket"),
}


def means_taken(club: Club) -> dict[Means, str]:
    """Return the club's means of payment with their names; cash always and first."""
    own = club.payment_means
    others = {means: own[means.value] for means in Means if means.value in own}
    return {Means.CASH: _("bar"), **others}


def means_name(club: Club, means: str) -> str:
    """Return a name; None means cash, from before other means existed.

    A means no longer accepted keeps a name.
    """
    kind = Means(means or Means.CASH)
    return str(club.payment_means.get(kind.value) or USUAL_NAMES[kind])


# --- The names of the journal's accounts


ACCOUNTS = {
    Account.CASH: gettext_lazy("Kasse"),
    Account.FEES: gettext_lazy("Startgelder"),
    Account.POOL: gettext_lazy("Preisgeld"),
    Account.BOUNTY: gettext_lazy("Bounty"),
    Account.HOUSE: gettext_lazy("Haus"),
    Account.EXTRA: gettext_lazy("Beitrag"),
    Account.CREDIT: gettext_lazy("Guthaben"),
    Account.PRIZES: gettext_lazy("ausgezahlte Preise"),
    Account.BOUNTIES: gettext_lazy("ausgezahlte Bountys"),
    Account.SEATS: gettext_lazy("vergebene Plätze"),
    Account.FORWARD: gettext_lazy("an den nächsten Tag"),
    Account.BONUS: gettext_lazy("für weitere Qualifikationen"),
    Account.FLOAT: gettext_lazy("Wechselgeld"),
    Account.OTHER: gettext_lazy("Einlage oder Entnahme"),
    Account.DIFFERENCE: gettext_lazy("Differenz"),
    Account.CHIPS: gettext_lazy("Chips an Cash-Tischen"),
    Account.RAKE: gettext_lazy("Hausgebühr"),
    Account.TIPS: gettext_lazy("Trinkgeld"),
    Account.CARRIED: gettext_lazy("Tischwechsel"),
    Account.MISSING: gettext_lazy("Differenz an Cash-Tischen"),
    Account.OWED: gettext_lazy("untereinander offen"),
}


def paid_cents(registration: Registration) -> int:
    """Return the amount a player has paid and not got back."""
    return payments(registration.event, [registration.pk]).get(registration.pk, 0)


def payments(event: Event, registrations: Iterable[int] | None = None) -> dict[int, int]:
    """Return the paid amount by registration: of some, or of all. One query.

    Payouts are not subtracted: their cash side has no registration.
    """
    rows = Posting.objects.live().filter(event=event, account=Account.CASH)
    rows = rows.filter(registration__isnull=False)
    if registrations is not None:
        rows = rows.filter(registration__in=list(registrations))
    sums = rows.values("registration").annotate(paid=Sum("amount_cents")).order_by()
    return dict(sums.values_list("registration", "paid"))


PAID_FOR = frozenset(
    {Account.FEES, Account.POOL, Account.BOUNTY, Account.HOUSE, Account.EXTRA, Account.CREDIT}
)


def booked(registration: Registration) -> dict[Side, int]:
    """Return the accounts a player's payments were booked to; below zero, like all income."""
    return booked_by_registration([registration.pk]).get(registration.pk, {})


def booked_by_registration(registrations: Iterable[int]) -> dict[int, dict[Side, int]]:
    """Return the accounts of these payments, by registration. One query."""
    rows = Posting.objects.live().filter(registration__in=list(registrations))
    rows = rows.filter(account__in=PAID_FOR)
    sums = rows.values("registration", "account", "part").annotate(sum=Sum("amount_cents"))
    found: dict[int, dict[Side, int]] = {}
    for row, account, part, cents in sums.order_by().values_list(
        "registration", "account", "part", "sum"
    ):
        if row is not None and cents:
            found.setdefault(row, {})[Account(account), part] = cents
    return found


def credits_of(event: Event) -> QuerySet[Posting, Any]:
    """Return overpayments by registration: below zero, as booked."""
    rows = Posting.objects.live().filter(event=event, account=Account.CREDIT)
    sums = rows.values("registration").annotate(sum=Sum("amount_cents")).order_by()
    return sums.filter(sum__lt=0)


def credits_by_registration(event: Event) -> dict[int, int]:
    """Return overpayments by registration. One query."""
    return {row["registration"]: -row["sum"] for row in credits_of(event)}


def account_cents(event: Event, *accounts: Account) -> int:
    """Return the sum of each account of an event; payments are below zero."""
    rows = Posting.objects.live().filter(event=event, account__in=accounts)
    return int(rows.aggregate(sum=Sum("amount_cents"))["sum"] or 0)


def cash_chips_out(event: Event) -> int:
    """Return the value of paid chips on cash tables, to be paid out; in cents."""
    if not event.has_cash_game:
        return 0
    rows = Posting.objects.live().filter(event=event, account=Account.CHIPS)
    rows = rows.filter(cash_table__is_noted=False)
    return -int(rows.aggregate(sum=Sum("amount_cents"))["sum"] or 0)
