"""Figures from the journal: payments, prices owed, amounts still open.

Every amount is a sum over valid postings.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import astuple, dataclass, field
from datetime import datetime
from functools import partial
from hashlib import sha256
from typing import Any

from django.db.models import (
    BigIntegerField,
    Case,
    Exists,
    Expression,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.models import Club, Event, Posting, Purchase, Registration, Waiting
from tournaments.money.domain.accounts import (
    Account,
    Means,
    Price,
    Side,
    allotted,
    price_cents,
    price_of,
    sides_of,
)

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


def credits_of(event: Event) -> QuerySet[Posting, Any]:
    """Return overpayments by registration: below zero, as booked."""
    rows = Posting.objects.live().filter(event=event, account=Account.CREDIT)
    sums = rows.values("registration").annotate(sum=Sum("amount_cents")).order_by()
    return sums.filter(sum__lt=0)


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


# --- Prices owed and amounts still open


def entry_price(event: Event, *, is_early: bool = False, rate: str = "") -> Price:
    """Return the entry price in shares; the early price gives less to the pool.

    :param rate: The name of a price by person; it comes before the early price.
    """
    for name, cents, parts in event.fee_rates if rate else ():
        if name == rate:
            return price_of(cents, event.fee_parts if parts is None else parts) if cents else ()
    return price_of(event.early_fee_cents if is_early else event.fee_cents, event.fee_parts)


@dataclass(frozen=True, slots=True)
class Offered:
    """A price of an entry that somebody may have: the full one without a name."""

    name: str
    cents: int
    is_on: bool

    @property
    def label(self) -> str:
        return self.name or _("voller Preis")


def offered_to(registration: Registration) -> list[Offered]:
    """Return the prices that a registration may have; empty without prices by person."""
    event = registration.event
    if not event.fee_rates or registration.is_cash_guest:
        return []
    names = ["", *(name for name, _cents, _parts in event.fee_rates)]
    rate = registration.rate if registration.rate in names else ""
    return [
        Offered(name, price_cents(entry_price(event, rate=name)), name == rate) for name in names
    ]


def early_of(event: Event) -> QuerySet[Registration] | None:
    """Return the registrations with the early price: in time and among the first, or None.

    Waiting registrations do not count among the first. A withdrawal lets the next one in.
    """
    if not event.early_fee_cents:
        return None
    rows = Registration.objects.live().filter(event=event, is_cash_guest=False)
    if event.early_until is not None:
        rows = rows.filter(registered_at__lte=event.early_until)
    if not event.early_entries:
        return rows
    waits = Waiting.objects.live().filter(registration=OuterRef("pk"))
    first = rows.exclude(Exists(waits)).order_by("registered_at", "pk")
    return rows.filter(pk__in=first.values("pk")[: event.early_entries])


def price_now(event: Event, now: datetime) -> Price:
    """Return the entry price of a registration made now."""
    early = early_of(event)
    if early is None or (event.early_until is not None and now > event.early_until):
        return entry_price(event)
    is_early = not event.early_entries or early.count() < event.early_entries
    return entry_price(event, is_early=is_early)


def prices_owed(event: Event, registrations: Iterable[int]) -> dict[int, list[Price]]:
    """Return the prices each registration owes, in the order of coverage.

    The entry first, then purchases in order of time. A guest of the cash tables owes no entry.
    """
    wanted, early = list(registrations), early_of(event)
    is_early, rates = set[int](), dict[int, str]()
    if early is not None:
        is_early = set(early.filter(pk__in=wanted).values_list("pk", flat=True))
    if event.fee_rates:
        named = Registration.objects.filter(pk__in=wanted).exclude(rate="")
        rates = dict(named.values_list("pk", "rate"))
    found = {
        row: [entry_price(event, is_early=row in is_early, rate=rates.get(row, ""))]
        for row in wanted
    }
    if event.kind == Event.Kind.BOTH:
        guests = Registration.objects.filter(pk__in=wanted, is_cash_guest=True)
        found |= {row: [] for row in guests.values_list("pk", flat=True)}
    bought = Purchase.objects.live().filter(event=event, registration__in=wanted).order_by("pk")
    for row, cents, parts in bought.values_list("registration", "cents", "parts"):
        found[row].append(price_of(cents, parts))
    return found


def owed_of_row(event: Event) -> Expression:
    """Return the owed amount as a database expression."""
    cents = partial(Value, output_field=BigIntegerField())
    early = early_of(event)
    entry: Expression = cents(event.fee_cents)
    cases = [When(rate=name, then=cents(price)) for name, price, _parts in event.fee_rates]
    if early is not None:
        cases.append(When(Q(pk__in=early.values("pk")), then=cents(event.early_fee_cents)))
    if cases:
        entry = Case(*cases, default=entry)
    if event.kind == Event.Kind.BOTH:
        entry = Case(When(is_cash_guest=True, then=cents(0)), default=entry)
    rows = Purchase.objects.live().filter(registration=OuterRef("pk")).order_by()
    sums = rows.values("registration").annotate(owed=Sum("cents"))
    bought = Subquery(sums.values("owed"), output_field=BigIntegerField())
    return entry + Coalesce(bought, 0, output_field=BigIntegerField())


def paid_of_row() -> Subquery:
    """Return the paid amount as a database expression."""
    rows = Posting.objects.live().filter(registration=OuterRef("pk"), account=Account.CASH)
    sums = rows.order_by().values("registration").annotate(paid=Sum("amount_cents"))
    return Subquery(sums.values("paid"), output_field=BigIntegerField())


def with_open_fees(event: Event, rows: QuerySet[Registration]) -> QuerySet[Any]:
    """Return those of these registrations that owe more than was paid, with `owed` and `paid`."""
    paid = Coalesce(paid_of_row(), 0, output_field=BigIntegerField())
    return rows.annotate(paid=paid, owed=owed_of_row(event)).filter(paid__lt=F("owed"))


def owed_cents(registration: Registration) -> int:
    """Return the total a registration owes."""
    prices = prices_owed(registration.event, [registration.pk])[registration.pk]
    return sum(map(price_cents, prices))


@dataclass(slots=True)
class Standing:
    """Prices owed by a player, the amount paid and not refunded, and the accounts it is booked to.

    :param booked: By account; below zero, like all income.
    """

    owed: list[Price]
    paid: int = 0
    booked: dict[Side, int] = field(default_factory=dict)

    @property
    def balance_cents(self) -> int:
        """Return the amount still to pay; below zero, the amount to refund."""
        return sum(map(price_cents, self.owed)) - self.paid

    @property
    def open_cents(self) -> int:
        return max(0, self.balance_cents)

    def sides_after(self, amount_cents: int = 0) -> dict[Side, int]:
        """Return the sides, without cash, of a further amount paid (below zero: paid back)."""
        return sides_of(self.booked, allotted(self.owed, self.paid + amount_cents))


def standings_of(event: Event, registrations: Iterable[int]) -> dict[int, Standing]:
    """Return owed and paid by registration, in a fixed number of queries."""
    found = {row: Standing(prices) for row, prices in prices_owed(event, registrations).items()}
    rows = Posting.objects.live().filter(registration__in=list(found))
    rows = rows.filter(account__in=(Account.CASH, *PAID_FOR))
    sums = rows.values("registration", "account", "part").annotate(sum=Sum("amount_cents"))
    for row, account, part, cents in sums.order_by().values_list(
        "registration", "account", "part", "sum"
    ):
        if account == Account.CASH:
            found[row].paid += cents
        elif cents:
            found[row].booked[Account(account), part] = cents
    return found


def standing_of(registration: Registration) -> Standing:
    """Return owed and paid of a registration (two queries)."""
    return standings_of(registration.event, [registration.pk])[registration.pk]


def balance_cents(registration: Registration) -> int:
    """Return the amount still to pay; below zero, the amount to refund."""
    return standing_of(registration).balance_cents


def open_cents(registration: Registration) -> int:
    """Return the amount still to pay; zero if overpaid."""
    return standing_of(registration).open_cents


def balances(event: Event, registrations: Iterable[int]) -> dict[int, int]:
    """Return the amount still to pay by registration; below zero, the amount to refund."""
    owed = prices_owed(event, registrations)
    paid = payments(event, owed)
    return {row: sum(map(price_cents, prices)) - paid.get(row, 0) for row, prices in owed.items()}


def open_by_registration(event: Event, registrations: Iterable[int]) -> dict[int, int]:
    """Return the amount still to pay, by registration."""
    return {row: max(0, cents) for row, cents in balances(event, registrations).items()}


# --- The effect of a new entry price on paid registrations


OF_THE_POOL = {Account.POOL, Account.FEES}


@dataclass(frozen=True, slots=True, kw_only=True)
class Repricing:
    """The effect in people and cents, for registrations that have paid.

    :param more_cents: Additional open amount.
    :param back_cents: Additional amount to refund.
    """

    paid: int
    unpaid: int
    more: int
    more_cents: int
    back: int
    back_cents: int
    pool_before: int
    pool_after: int

    @property
    def seen(self) -> str:
        return sha256(repr(astuple(self)).encode()).hexdigest()[:32]


def repricing_of(event: Event, would: Event) -> Repricing | None:
    """Return the effect of a new price; None if no registration has paid.

    :param would: The event with the new price, unsaved.
    """
    paid = {row: cents for row, cents in payments(event).items() if cents > 0}
    if not paid:
        return None
    rows = Registration.objects.live().filter(event=event, is_cash_guest=False)
    listed = set(rows.values_list("pk", flat=True))
    before, after = prices_owed(event, paid), prices_owed(would, paid)
    more, back, pools = list[int](), list[int](), Counter[str]()
    for row, cents in paid.items():
        for name, owed in (("before", before[row]), ("after", after[row])):
            covered = allotted(owed, cents).items()
            pools[name] += sum(part for (to, _name), part in covered if to in OF_THE_POOL)
        was, will = (sum(map(price_cents, prices[row])) - cents for prices in (before, after))
        if row in listed:
            more.append(max(0, max(0, will) - max(0, was)))
            back.append(max(0, max(0, -will) - max(0, -was)))
    return Repricing(
        paid=len(more),
        unpaid=len(listed) - len(more),
        more=sum(map(bool, more)),
        more_cents=sum(more),
        back=sum(map(bool, back)),
        back_cents=sum(back),
        pool_before=pools["before"],
        pool_after=pools["after"],
    )
