"""The one pool of a contest: what the flights hold goes on to the next day, in both journals."""

from collections.abc import Iterable, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.contests.selectors.contests import feeding
from tournaments.contests.services.bags import own_stage
from tournaments.models import Carry, Event, EventHead, Posting, Stage
from tournaments.money.domain.accounts import Account
from tournaments.payouts.selectors.flights import pools_left

POOL_CARRIED = Kind(
    "pool.carried",
    lazy("Preisgeld der Flights übernommen"),
    Group.FEES,
    outlives_the_end=True,
)


@service(POOL_CARRIED, Permission.MANAGE, Topic.REGISTRATIONS, Topic.SETTINGS, after_the_end=True)
def pool_carry(change: Change) -> None:
    """Take over what the flights hold since the last time: a payment booked late."""
    flights = feeding(own_stage(change.event))
    heads = EventHead.objects.filter(event__in=[row.event_id for row in flights])
    list(heads.select_for_update().order_by("pk"))
    if not Carry.objects.live().filter(entry__event=change.event).exists():
        raise Refused(_("Erst wird der Tag ausgelost. Dann geht das Preisgeld mit."),
                      code="not_drawn")  # fmt: skip
    if not carry_over(change, flights):
        raise Refused(_("Das Preisgeld der Flights ist schon da."), code="nothing_left")


def carry_over(change: Change, flights: Sequence[Stage]) -> int:
    """Book the pools of the flights over to this day; return their sum.

    No cash moves: each journal balances by what goes on, or came.
    """
    held = pools_left([row.event for row in flights])
    left = {event: cents for event, cents in held.items() if cents}
    total = sum(left.values())
    if left:
        here = change.event.pk
        _write(change, ((event, Account.POOL, cents) for event, cents in left.items()))
        _write(change, ((event, Account.FORWARD, -cents) for event, cents in left.items()))
        _write(change, [(here, Account.POOL, -total), (here, Account.FORWARD, total)])
        change.record(pools=[[event, cents] for event, cents in left.items()])
    return total


def bonuses_owe(change: Change, cents: Mapping[int, int]) -> None:
    """Set aside from the pool what each registration gets for its further qualifications."""
    total = sum(cents.values())
    if total:
        _write(change, [(change.event.pk, Account.POOL, total)])
        Posting.objects.bulk_create(
            Posting(
                event=change.event,
                registration_id=registration,
                account=Account.BONUS,
                amount_cents=-amount,
                made_by=change.action,
            )
            for registration, amount in cents.items()
        )
        change.record(bonus_cents=total)


def _write(change: Change, rows: Iterable[tuple[int, Account, int]]) -> None:
    Posting.objects.bulk_create(
        Posting(event=Event(pk=event), account=account, amount_cents=cents, made_by=change.action)
        for event, account, cents in rows
    )
