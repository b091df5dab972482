"""Fees: paid and owed follow from the postings. Each booking has two sides that sum to zero."""

from collections.abc import Collection

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, follows_change, service, touches
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Holds, Kind, Topic, declare_texts, tells_consequence
from tournaments.event.selectors.labels import money
from tournaments.event.selectors.settings.entries import OF_AN_ENTRY
from tournaments.models import Registration
from tournaments.money.domain.accounts import Means, Side, allotted, sides_of
from tournaments.money.selectors.fees import Standing, prices_owed, standing_of
from tournaments.money.selectors.journal import booked, booked_by_registration, payments
from tournaments.money.selectors.tickets import paid_by_ticket
from tournaments.money.services.drawers import refuse_means_not_taken
from tournaments.money.services.journal import book, book_evenly

MOST_CENTS = 100_000_000
LONGEST_NAME = 80

declare_texts(Holds.NAMES, ["payer"])


FEE_PAID = Kind("fee.paid", lazy("Startgeld bezahlt: %(name)s"), Group.FEES)


@service(FEE_PAID, Permission.TAKE_MONEY, Topic.REGISTRATIONS, after_the_end=True)
def fee_pay(
    change: Change,
    *,
    registration: Registration,
    amount_cents: int | None = None,
    means: Means = Means.CASH,
    payer: str = "",
    open_seen: int | None = None,
) -> None:
    """Book a player's payment: the open amount, unless another is given.

    :param payer: The person who paid, if another.
    :param open_seen: The open amount shown to the device; refused if it has changed, so that one
    payment is not taken twice.
    """
    row = registration_of(change, registration)
    standing = standing_of(row)
    still_open = standing.open_cents
    if open_seen is not None and open_seen != still_open:
        raise Refused(
            _("Inzwischen hat jemand gebucht. Offen: %(open)s.") % {"open": money(still_open)},
            code="already_paid",
        )
    amount = still_open if amount_cents is None else amount_cents
    if amount_cents is None and amount <= 0:
        raise Refused(_("Das Startgeld ist schon bezahlt."), code="already_paid")
    if not 0 < amount <= MOST_CENTS:
        raise Refused(_("Dieser Betrag kann nicht stimmen."), code="bad_amount")
    refuse_means_not_taken(change.club, means)
    payment_book(change, row, amount, means, standing=standing)
    change.tell(payer=payer.strip()[:LONGEST_NAME])


FEE_REFUNDED = Kind("fee.refunded", lazy("Startgeld zurückgegeben: %(name)s"), Group.FEES)


@service(FEE_REFUNDED, Permission.TAKE_MONEY, Topic.REGISTRATIONS, after_the_end=True)
def fee_refund(
    change: Change,
    *,
    registration: Registration,
    amount_cents: int | None = None,
    means: Means = Means.CASH,
    after_the_draw: bool = False,
) -> None:
    """Book a refund of all or part of what was paid; also for a withdrawn registration.

    :param after_the_draw: Whether the desk was told that the player stays in play.
    """
    row = registration_of(change, registration)
    standing = standing_of(row)
    paid = standing.paid
    if paid <= 0:
        raise Refused(_("Hier ist nichts bezahlt."), code="nothing_paid")
    amount = paid if amount_cents is None else amount_cents
    if not 0 < amount <= paid:
        raise Refused(
            _("Bezahlt sind %(paid)s. Mehr geht nicht zurück.") % {"paid": money(paid)},
            code="bad_amount",
        )
    is_too_much = row.voided_by_id is None and amount <= -standing.balance_cents
    if not is_too_much and not after_the_draw and row.entries.live().exists():
        raise Refused(
            _("%(name)s ist schon eingecheckt und bleibt im Turnier. Der Betrag ist dann offen.")
            % {"name": row.person.name},
            code="has_entry",
        )
    refuse_means_not_taken(change.club, means)
    payment_book(change, row, -amount, means, standing=standing)


def payments_even(change: Change, registrations: Collection[int]) -> int:
    """Book payments to the prices owed now; return how many registrations changed.

    After an undo, a purchase or a new price the same money covers other prices. Otherwise the pool
    would be wrong until the next payment. No cash moves and no receipt is written.
    """
    if not registrations:
        return 0
    owed, paid = prices_owed(change.event, registrations), payments(change.event, registrations)
    stands = booked_by_registration(registrations)
    sides = {
        row: sides_of(stands.get(row, {}), allotted(owed[row], paid.get(row, 0)))
        for row in sorted(owed)
    }
    book_evenly(change, sides)
    return sum(map(bool, sides.values()))


tells_consequence("repriced", lazy("Zahlungen, die jetzt anderes decken: %(repriced)s"))


@follows_change(touches(OF_AN_ENTRY))
def prices_follow(change: Change) -> None:
    """Book all payments anew after a change of the entry price.

    Payments stay. A shortfall is open, a surplus is a credit.
    """
    booked_anew = payments_even(change, payments(change.event))
    if booked_anew:
        change.record(repriced=booked_anew)
    change.announce(Topic.REGISTRATIONS)


def payment_book(
    change: Change,
    row: Registration,
    amount_cents: int,
    means: Means = Means.CASH,
    *,
    standing: Standing | None = None,
) -> None:
    """Book an amount paid in (or paid back, below zero) to the prices it covers.

    :param standing: Owed and paid of the player, if already read.
    """
    sides = payment_sides(row, amount_cents, standing=standing)
    book(change, sides, registration=row, means=means)
    change.record(registration=row.pk, amount_cents=amount_cents)
    change.tell(name=row.person.name)


def payment_sides(
    row: Registration, amount_cents: int, *, standing: Standing | None = None
) -> dict[Side, int]:
    """Return the sides, without cash, of an amount paid in (or paid back, below zero)."""
    stands = standing or standing_of(row)
    if amount_cents < 0 and stands.paid + amount_cents < (by_ticket := paid_by_ticket(row)):
        raise Refused(
            _("%(amount)s sind mit Ticket bezahlt: Das Einlösen lässt sich zurücknehmen, in bar "
              "zurück geht es nicht.")
            % {"amount": money(by_ticket)},
            code="paid_by_ticket",
        )  # fmt: skip
    covered = allotted(stands.owed, stands.paid + amount_cents)
    return sides_of(booked(row), covered)


def registration_of(change: Change, registration: Registration) -> Registration:
    """Return a registration of the event, withdrawn or not."""
    rows = Registration.objects.select_related("person").filter(event=change.event)
    row = rows.filter(pk=registration.pk).first()
    if row is None:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    row.event = change.event
    return row
