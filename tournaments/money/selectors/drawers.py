"""The drawers an event uses: holders and contents. Reads only.

Events of a club share its drawers; a sample has its own.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import Exists, OuterRef, Q, QuerySet, Sum

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


@dataclass(slots=True, kw_only=True)
class DrawerState:
    """A drawer as it is now.

    :param event: The event asked for.
    :param drawer: None for the unnamed one.
    :param holder: The holding device; None once closed.
    :param counted_cents: The cash counted at closing.
    :param by_means: Received less paid out at all events, by means.
    :param own_means: The same at the event asked for.
    :param by_event: Cash payments less payouts, by id and name of the event.
    :param by_account: Cash other than payments: float, added or removed, difference.
    :param passed_cents: Cash from other drawers, less cash given to them.
    """

    event: Event
    drawer: Drawer | None = None
    holder: StaffDevice | None = None
    counted_cents: int | None = None
    by_means: Counter[Means] = field(default_factory=Counter)
    own_means: Counter[Means] = field(default_factory=Counter)
    by_event: Counter[tuple[int, str]] = field(default_factory=Counter)
    by_account: Counter[Account] = field(default_factory=Counter)
    passed_cents: int = 0

    @property
    def is_used(self) -> bool:
        """Tell whether the event opened it or booked in it."""
        is_own = self.drawer is None or self.drawer.event_id == self.event.pk
        return is_own or bool(self.own_means)

    @property
    def paid_at(self) -> list[tuple[str, int]]:
        """Return cash payments less payouts by event, if several used it."""
        is_shared = self.drawer and any(pk != self.event.pk for pk, _name in self.by_event)
        rows = self.by_event.items() if is_shared else ()
        return [(name, cents) for (_pk, name), cents in rows if cents]

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


def _within_reach(event: Event, path: str = "") -> Q:
    """Return the condition for drawers the event may use: its own, and its club's."""
    own = Q(**{f"{path}event": event})
    return own if event.is_sample else own | Q(**{f"{path}club": event.club_id})


def drawers_within_reach(event: Event) -> QuerySet[Drawer]:
    return Drawer.objects.live().filter(_within_reach(event))


def drawers_open(event: Event) -> list[Drawer]:
    """Return the open drawers the event may use, by number, each with the event that opened it."""
    rows = drawers_within_reach(event).filter(holdings__voided_by=None, holdings__isnull=False)
    return list(rows.select_related("event").order_by("number", "pk"))


def has_drawers(event: Event) -> bool:
    """Tell whether cash needs a drawer here: one was opened, or is open at another open event."""
    held = DrawerHolding.objects.filter(voided_by=None, drawer=OuterRef("pk"))
    is_there = Exists(held) & Q(event__head__ended_by=None, event__head__cancelled_by=None)
    used = Exists(Posting.objects.filter(voided_by=None, event=event, drawer=OuterRef("pk")))
    reach = _within_reach(event) & (Q(event=event) | is_there | used)
    return Drawer.objects.live().filter(reach).exists()


def drawer_of_device(event: Event, device: StaffDevice, *, locks: bool = False) -> Drawer | None:
    """Return the open drawer that a device holds, the latest of several.

    :param locks: Whether to lock it until commit: events that share it book beside each other.
    """
    reach = _within_reach(event, "drawer__")
    rows = DrawerHolding.objects.live().filter(reach, device=device)
    if locks:
        rows = rows.select_for_update(of=("self", "drawer"), no_key=True)
    holding = rows.select_related("drawer").order_by("-pk").first()
    return holding.drawer if holding else None


def takes_money(event: Event, actor: Actor) -> bool:
    """Tell whether this actor may take money now: always at the desk, elsewhere with a drawer."""
    if allows(actor, Permission.CHECK_IN):
        return True
    if actor.device is None or not allows(actor, Permission.TAKE_MONEY):
        return False
    return drawer_of_device(event, actor.device) is not None


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
    """Return the drawers of an event in order, then the unnamed one; six queries.

    These are the ones it opened or used, and those open at other events of the club.
    """
    used = Exists(Posting.objects.live().filter(event=event, drawer=OuterRef("pk")))
    held = Exists(DrawerHolding.objects.live().filter(drawer=OuterRef("pk")))
    there = drawers_within_reach(event).filter(Q(event=event) | used | held)
    rows = list(there.select_related("event").order_by("number", "pk"))
    holding = DrawerHolding.objects.live().filter(drawer__in=rows).select_related("device")
    holder = {row.drawer_id: row.device for row in holding}
    closed = DrawerClosing.objects.live().filter(drawer__in=rows)
    counted = dict(closed.values_list("drawer", "counted_cents"))
    found: dict[int | None, DrawerState] = {
        row.pk: DrawerState(
            event=event, drawer=row, holder=holder.get(row.pk), counted_cents=counted.get(row.pk)
        )
        for row in rows
    }
    found[None] = DrawerState(event=event)
    cash = Posting.objects.live().filter(account=Account.CASH)
    _add_up(event, found, cash.filter(Q(drawer__in=rows) | Q(event=event, drawer=None)))
    if not any(found[None].by_means.values()):
        del found[None]
    return list(found.values())


def _add_up(event: Event, found: Mapping[int | None, DrawerState], cash: QuerySet[Posting]) -> None:
    """Add these cash postings to their drawers.

    The cash side names the drawer; the other side of the same action names the account.
    """
    sums = cash.values("drawer", "event", "event__name", "means").order_by()
    for row in sums.annotate(sum=Sum("amount_cents")):
        own, means, cents = found[row["drawer"]], Means(row["means"] or Means.CASH), row["sum"]
        own.by_means[means] += cents
        if row["event"] == event.pk:
            own.own_means[means] += cents
        if means == Means.CASH:
            own.by_event[row["event"], row["event__name"]] += cents
    others = Posting.objects.live().filter(account__in=OF_THE_DRAWER)
    others = others.filter(made_by__in=cash.values("made_by"))
    account_of = {by: Account(account) for by, account in others.values_list("made_by", "account")}
    rows = cash.filter(Q(made_by__in=account_of) | Q(made_by__kind=PASSED_ON))
    for drawer, pk, name, made_by, cents in rows.values_list(
        "drawer", "event", "event__name", "made_by", "amount_cents"
    ):
        own = found[drawer]
        own.by_event[pk, name] -= cents
        if made_by in account_of:
            own.by_account[account_of[made_by]] += cents
        else:
            own.passed_cents += cents


def drawers_closed(drawers: Iterable[int]) -> dict[int, DrawerClosing]:
    """Return the closings of these drawers, without open ones."""
    rows = DrawerClosing.objects.live().filter(drawer__in=drawers)
    return {row.drawer_id: row for row in rows.select_related("drawer", "made_by")}


def devices_without_drawer(event: Event, *, with_arbiters: bool) -> list[StaffDevice]:
    """Return the staff devices without a drawer, by name.

    :param with_arbiters: Whether to include devices with the arbiter's role only.
    """
    wanted = Permission.TAKE_MONEY if with_arbiters else Permission.CHECK_IN
    grants = Grant.objects.filter(revoked_at=None, role__in=roles_that_may(wanted))
    grants = grants.filter(Q(event=None) | Q(event=event))
    holding = DrawerHolding.objects.live().filter(_within_reach(event, "drawer__")).values("device")
    rows = StaffDevice.objects.filter(club=event.club_id, pk__in=grants.values("device"))
    return list(rows.exclude(pk__in=holding).order_by("name", "pk"))
