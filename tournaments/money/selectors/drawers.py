"""The drawers of an event: holders and contents. Reads only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Q, Sum

from tournaments.changes.access import Actor, Permission, allows, roles_that_may
from tournaments.models import (
    Drawer,
    DrawerClosing,
    DrawerHolding,
    Event,
    Grant,
    Posting,
    StaffDevice,
)
from tournaments.money.domain.accounts import Account, Means

# Cash in or out of a drawer that is no payment.
OF_THE_DRAWER = (Account.FLOAT, Account.OTHER, Account.DIFFERENCE)
# The kind of a transfer from one drawer to another.
PASSED_ON = "drawer.transferred"


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawerState:
    """A drawer as it is now.

    :param drawer: None for the unnamed one.
    :param holder: The holding device; None once closed.
    :param counted_cents: The cash counted at closing.
    :param by_means: Received less paid out, by means.
    :param by_account: Cash other than payments: float, added or removed, difference.
    :param passed_cents: Cash from other drawers, less cash given to them.
    """

    drawer: Drawer | None
    holder: StaffDevice | None = None
    counted_cents: int | None = None
    by_means: Mapping[Means, int] = field(default_factory=dict)
    by_account: Mapping[Account, int] = field(default_factory=dict)
    passed_cents: int = 0

    @property
    def cash_cents(self) -> int:
        return self.by_means.get(Means.CASH, 0)

    @property
    def is_closed(self) -> bool:
        return self.counted_cents is not None

    @property
    def float_cents(self) -> int:
        return self.by_account.get(Account.FLOAT, 0)

    @property
    def moved_cents(self) -> int:
        return self.by_account.get(Account.OTHER, 0)

    @property
    def difference_cents(self) -> int:
        return self.by_account.get(Account.DIFFERENCE, 0)

    @property
    def paid_cents(self) -> int:
        """Return cash payments less payouts."""
        return self.cash_cents - sum(self.by_account.values()) - self.passed_cents

    @property
    def other_means(self) -> dict[Means, int]:
        return {means: cents for means, cents in self.by_means.items() if means != Means.CASH}


def has_drawers(event: Event) -> bool:
    """Tell whether a drawer was ever opened at this event."""
    return Drawer.objects.live().filter(event=event).exists()


def drawer_of_device(event: Event, device: StaffDevice) -> Drawer | None:
    """Return the open drawer that a device holds."""
    rows = DrawerHolding.objects.live().filter(event=event, device=device)
    holding = rows.select_related("drawer").first()
    return holding.drawer if holding else None


def takes_money(event: Event, actor: Actor) -> bool:
    """Tell whether this actor may take money now: always at the desk, elsewhere with a drawer."""
    if allows(actor, Permission.CHECK_IN):
        return True
    if actor.device is None or not allows(actor, Permission.TAKE_MONEY):
        return False
    return drawer_of_device(event, actor.device) is not None


def holder_of(drawer: Drawer) -> StaffDevice | None:
    rows = DrawerHolding.objects.live().filter(drawer=drawer).select_related("device")
    holding = rows.first()
    return holding.device if holding else None


def drawer_balance(drawer: Drawer) -> int:
    """Return the expected cash of a drawer."""
    rows = Posting.objects.live().filter(drawer=drawer, account=Account.CASH, means=Means.CASH)
    return int(rows.aggregate(sum=Sum("amount_cents"))["sum"] or 0)


def cash_without_drawer(event: Event) -> int:
    """Return the cash taken without a drawer and not moved into one yet."""
    rows = Posting.objects.live().filter(event=event, drawer=None, account=Account.CASH)
    rows = rows.filter(means__in=("", Means.CASH))
    return int(rows.aggregate(sum=Sum("amount_cents"))["sum"] or 0)


def drawers_of(event: Event) -> list[DrawerState]:
    """Return the drawers of an event in order, then the unnamed one; six queries."""
    rows = list(Drawer.objects.live().filter(event=event).order_by("number"))
    holding = DrawerHolding.objects.live().filter(event=event).select_related("device")
    holder = {row.drawer_id: row.device for row in holding}
    closed = DrawerClosing.objects.live().filter(drawer__event=event)
    counted = dict(closed.values_list("drawer", "counted_cents"))
    means, accounts, passed = _by_means(event), _by_account(event), _passed(event)
    found = [
        DrawerState(
            drawer=row,
            holder=holder.get(row.pk),
            counted_cents=counted.get(row.pk),
            by_means=means.get(row.pk, {}),
            by_account=accounts.get(row.pk, {}),
            passed_cents=passed.get(row.pk, 0),
        )
        for row in rows
    ]
    if any(means.get(None, {}).values()):
        found.append(
            DrawerState(drawer=None, by_means=means[None], passed_cents=passed.get(None, 0))
        )
    return found


def _passed(event: Event) -> dict[int | None, int]:
    rows = Posting.objects.live().filter(event=event, made_by__kind=PASSED_ON)
    sums = rows.values("drawer").annotate(sum=Sum("amount_cents")).order_by()
    return dict(sums.values_list("drawer", "sum"))


def _by_means(event: Event) -> dict[int | None, dict[Means, int]]:
    rows = Posting.objects.live().filter(event=event, account=Account.CASH)
    sums = rows.values("drawer", "means").annotate(sum=Sum("amount_cents")).order_by()
    found: dict[int | None, dict[Means, int]] = {}
    for drawer, means, cents in sums.values_list("drawer", "means", "sum"):
        of_drawer = found.setdefault(drawer, {})
        kind = Means(means or Means.CASH)
        of_drawer[kind] = of_drawer.get(kind, 0) + cents
    return found


def _by_account(event: Event) -> dict[int, dict[Account, int]]:
    """Return the cash of each drawer that is no payment, by account.

    The cash side names the drawer; the other side of the same action names the account.
    """
    others = Posting.objects.live().filter(event=event, account__in=OF_THE_DRAWER)
    account_of = {
        made_by: Account(account) for made_by, account in others.values_list("made_by", "account")
    }
    rows = Posting.objects.live().filter(event=event, account=Account.CASH)
    rows = rows.filter(made_by__in=account_of, drawer__isnull=False)
    found: dict[int, dict[Account, int]] = {}
    for drawer, made_by, cents in rows.values_list("drawer", "made_by", "amount_cents"):
        assert drawer is not None
        of_drawer, account = found.setdefault(drawer, {}), account_of[made_by]
        of_drawer[account] = of_drawer.get(account, 0) + cents
    return found


def drawers_closed(drawers: Iterable[int]) -> dict[int, DrawerClosing]:
    """Return the closings of these drawers, without open ones."""
    rows = DrawerClosing.objects.live().filter(drawer__in=drawers)
    return {row.drawer_id: row for row in rows.select_related("drawer", "made_by")}


def devices_without_drawer(event: Event, *, with_arbiters: bool) -> list[StaffDevice]:
    """Return the staff devices without a drawer, by name.

    :param with_arbiters: Whether to include devices with the arbiter's role only.
    """
    wanted = Permission.TAKE_MONEY if with_arbiters else Permission.CHECK_IN
    roles = roles_that_may(wanted)
    grants = Grant.objects.filter(revoked_at=None, role__in=roles)
    grants = grants.filter(Q(event=None) | Q(event=event))
    holding = DrawerHolding.objects.live().filter(event=event).values("device")
    rows = StaffDevice.objects.filter(club=event.club_id, pk__in=grants.values("device"))
    return list(rows.exclude(pk__in=holding).order_by("name", "pk"))
