"""What a registration costs: a price by person, given there or by the desk; new prices."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, follows_change, service, touches, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Holds, Kind, Topic, declare_texts, tells_consequence
from tournaments.event.domain.prices import rate_for
from tournaments.event.selectors.settings.entries import OF_AN_ENTRY
from tournaments.models import Action, Registration
from tournaments.money.selectors.journal import payments
from tournaments.money.services.fees import payments_even, registration_of

declare_texts(Holds.WORDS, ["rate", "rate_before"])

RATE_SET = Kind(
    "registration.rate_set",
    lazy("Preis „%(rate)s“ für %(name)s"),
    Group.FEES,
    outcomes={"full": lazy("Voller Preis für %(name)s")},
    is_of_person=True,
)


@service(RATE_SET, Permission.CHECK_IN, Topic.REGISTRATIONS, after_the_end=True)
def rate_set(change: Change, *, registration: Registration, rate: str) -> None:
    """Set a person's price, the full one if empty; book the payments anew."""
    row = registration_of(change, registration)
    if rate and rate not in [name for name, _cents, _parts in change.event.fee_rates]:
        raise Refused(_("Diesen Preis gibt es nicht mehr."), code="unknown_rate")
    if row.rate == rate:
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    if _plays_for_bounties(row):
        raise Refused(_("Um diese Bountys wird schon gespielt."), code="fixed_after_start")
    change.record(registration=row.pk, **({} if rate else {"outcome": "full"}))
    change.tell(name=row.person.name, rate=rate, rate_before=row.rate)
    rate_write(change, row, rate)


def _plays_for_bounties(row: Registration) -> bool:
    event = row.event
    return bool(event.bounty_kind) and event.has_started and row.entries.live().exists()


def member_pays_less(change: Change, row: Registration) -> None:
    """Give somebody found to be a member the member's price, unless the desk gave another."""
    rates, is_late = change.event.fee_rates, change.event.has_started
    rate = rate_for(rates, is_member=True, is_late=is_late)
    was_given = row.rate == rate_for(rates, is_member=False, is_late=is_late)
    if was_given and row.rate != rate and not _plays_for_bounties(row):
        change.record(is_rated=True)
        change.tell(rate_before=row.rate)
        rate_write(change, row, rate)


def rate_write(change: Change, row: Registration, rate: str) -> None:
    Registration.objects.filter(pk=row.pk).update(rate=rate)
    payments_even(change, [row.pk])


@undoes(RATE_SET)
def _undo_rate(change: Change, action: Action) -> None:
    row = Registration.objects.get(pk=action.payload["registration"])
    rate_write(change, row, action.text.data.get("rate_before", ""))


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


@follows_change(touches(frozenset({"fee_rates"})))
def members_follow(change: Change) -> None:
    """Give members who are registered already the price that is theirs from now on."""
    rate = rate_for(change.event.fee_rates, is_member=True, is_late=False)
    if not rate or change.event.is_over:
        return
    rows = Registration.objects.live().filter(event=change.event, rate="", person__is_member=True)
    members = list(rows.values_list("pk", flat=True))
    Registration.objects.filter(pk__in=members).update(rate=rate)
    payments_even(change, payments(change.event, members))
