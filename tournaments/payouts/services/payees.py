"""Pay a player all that is due in one amount, and settle what was paid out too much."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission, allows
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic, former_kind
from tournaments.event.selectors.labels import money
from tournaments.models import Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.services.fees import book, payment_sides, registration_of
from tournaments.payouts.selectors.payees import Payee, payee_of, payees
from tournaments.payouts.selectors.prizes import seats_given_cents
from tournaments.payouts.services.prizes import ticket_give, tickets_take_back

# Up to 0.2.0 prizes and bounties were paid out apart.
former_kind("prize.paid", lazy("Preis ausgezahlt: %(name)s"))
former_kind("prize.settled", lazy("Zu viel ausgezahlter Preis geklärt: %(name)s"))
former_kind("bounty.paid", lazy("Bounty ausgezahlt: %(name)s"))
former_kind("bounty.settled", lazy("Zu viel ausgezahltes Bounty geklärt: %(name)s"))


PAYOUT_PAID = Kind(
    "payout.paid",
    lazy("Ausgezahlt: %(name)s"),
    Group.FEES,
    outcomes={
        "less": lazy("Ausgezahlt, weniger das Offene: %(name)s"),
        "netted": lazy("Gewinn mit dem Offenen verrechnet: %(name)s"),
        "seat": lazy("Platz vergeben: %(name)s"),
    },
    outlives_the_end=True,
)


@service(PAYOUT_PAID, Permission.CHECK_IN, Topic.REGISTRATIONS, Topic.ENTRIES, after_the_end=True)
def payout_pay(
    change: Change, *, registration: Registration, amount_cents: int | None = None
) -> None:
    """Pay a player prizes, bounties and refunds, less the open fees: one amount, one receipt.

    A satellite seat moves no cash.

    :param amount_cents: The amount shown on the page; refused if it has changed.
    """
    payee = payee_of(change.event, registration.pk)
    if payee is None:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    if not (payee.won or payee.back):
        raise _not_due(payee)
    if amount_cents is not None and payee.value != amount_cents:
        raise Refused(
            _("Auszuzahlen sind inzwischen %(open)s.") % {"open": money(payee.value)},
            code="other_amount",
        )
    if not allows(change.by, Permission.MANAGE):
        most = change.event.prize_plan.desk_cents
        if most and payee.value > most:
            raise Refused(
                _("Mehr als %(most)s zahlt nur die Turnierleitung aus.") % {"most": money(most)},
                code="above_the_limit",
            )
    won = {(account, ""): cents for account, cents in payee.won.items()}
    cents = payee.netted - payee.back
    fees = payment_sides(registration_of(change, registration), cents) if cents else None
    winner = Registration(pk=payee.registration)
    book(change, won, registration=winner, fees=fees)
    if seat := -payee.won.get(Account.SEATS, 0):
        ticket_give(change, winner, seat)
    change.record(registration=payee.registration, amount_cents=payee.value)
    if payee.netted:
        outcome = "less" if payee.value else "netted"
        change.record(netted_cents=payee.netted, outcome=outcome)
    elif not payee.amount:
        change.record(outcome="seat")
    change.tell(name=payee.name)


def _not_due(payee: Payee) -> Refused:
    prize = payee.prize
    if prize is None or prize.open <= 0:
        return Refused(_("Hier ist nichts auszuzahlen."), code="nothing_to_pay")
    if prize.is_provisional:
        return Refused(
            _("Der Platz ist vorläufig: Erst melden alle Tische ihre Hand."), code="provisional"
        )
    return Refused(
        _("Ausgezahlt wird, sobald die Turnierleitung die Preise festgeschrieben hat."),
        code="not_frozen",
    )


PAYOUT_SETTLED = Kind(
    "payout.settled",
    lazy("Zu viel Ausgezahltes zurückgegeben: %(name)s"),
    Group.FEES,
    outcomes={"kept": lazy("Zu viel Ausgezahltes bleibt: %(name)s")},
    outlives_the_end=True,
)


@service(PAYOUT_SETTLED, Permission.MANAGE, Topic.REGISTRATIONS, Topic.ENTRIES, after_the_end=True)
def payout_settle(change: Change, *, registration: Registration, is_kept: bool = False) -> None:
    """Settle overpaid prizes and bounties after a correction: returned, or kept.

    A kept amount is no prize or bounty any more; the house bears it.
    """
    row = registration_of(change, registration)
    payee = next((one for one in payees(change.event) if one.registration == row.pk), None)
    if payee is None or not payee.over:
        raise Refused(_("Hier ist nichts zu viel ausgezahlt."), code="no_debt")
    over = {account: -cents for account, cents in payee.over.items()}
    if is_kept:
        over[Account.OTHER] = payee.over_cents
        change.record(outcome="kept")
    elif seats := seats_given_cents(change.event, row.pk):
        over[Account.SEATS] = min(payee.over.get(Account.PRIZES, 0), seats)
        tickets_take_back(change, row)
    book(change, {(account, ""): cents for account, cents in over.items()}, registration=row)
    change.record(registration=row.pk, amount_cents=payee.over_cents)
    change.tell(name=payee.name)
