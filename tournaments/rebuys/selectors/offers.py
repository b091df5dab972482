"""Purchases offered beside the entry: deadline, price, chips."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils import timezone
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.selectors import clock_levels, clock_state
from clock.snapshot import snapshot
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.latecomers import last_late_position
from tournaments.event.selectors.event import event_accepts_late, event_last_late_position
from tournaments.event.selectors.moments import end_told, moves_with_levels
from tournaments.models import (
    Action,
    Elimination,
    Entry,
    Event,
    LateTap,
    Purchase,
    PurchaseWish,
    RebuyChance,
    What,
)
from tournaments.money.domain.accounts import Price, price_of
from tournaments.rebuys.domain.buying import Buyer, No, Offer, purchase_obstacle

# --- Possible purchases now, and the reason for a refusal as a sentence


def bought_of(event: Event, what: What, registrations: Collection[int]) -> dict[int, int]:
    """Return how many of a good these have bought, by registration."""
    rows = Purchase.objects.live().filter(
        event=event, what=what, registration__in=list(registrations)
    )
    sums = rows.values("registration").annotate(of_it=Sum("number")).order_by()
    return dict(sums.values_list("registration", "of_it"))


def chance_of(entry: Entry) -> RebuyChance | None:
    """Return the entry's held seat, or None."""
    rows = RebuyChance.objects.live().select_related(
        "made_by__device", "entry__registration__person", "lost"
    )
    return rows.filter(entry=entry).first()


def buyer_of(entry: Entry, what: What, stack: int | None = None) -> Buyer:
    """Return the buyer's data; of a person's entries the latest counts.

    :param stack: Remaining chips as told by the player.
    """
    ways = Elimination.objects.live().filter(entry=OuterRef("pk")).values("way")
    bought = Purchase.objects.live().filter(registration=OuterRef("registration"), what=what)
    sums = bought.order_by().values("registration").annotate(sum=Sum("number")).values("sum")
    rows = Entry.objects.live().filter(registration=entry.registration_id).order_by("number")
    told = rows.values_list("pk", Subquery(ways), Subquery(sums))
    out = {pk: way for pk, way, _count in told}
    own = [*out][-1] if what == What.REENTRY else entry.pk
    return Buyer(
        bought=told[0][2] or 0,
        stack=0 if stack == 0 or chance_of(entry) is not None else stack,
        is_out=out[own] is not None,
        is_disqualified=Elimination.Way.DISQUALIFIED in out.values(),
    )


def obstacle_to_buy(
    entry: Entry,
    good: Good,
    at: datetime,
    *,
    number: int = 1,
    stack: int | None = None,
    lets_pass: bool = False,
) -> No | None:
    """Return why this cannot be bought at an instant, or None.

    :param lets_pass: Whether a director allows a late or extra purchase.
    """
    if not good.is_offered:
        return No.NOT_OFFERED
    buyer, position = buyer_of(entry, good.what, stack), position_at(entry.event, at)
    return purchase_obstacle(
        good.what, good.offer, buyer, position=position, number=number, lets_pass=lets_pass
    )


def good_sold(
    entry: Entry,
    what: What,
    at: datetime,
    *,
    number: int = 1,
    stack: int | None = None,
    lets_pass: bool = False,
) -> Good:
    """Return the good to sell at an instant.

    :raises Refused: It is not possible; a director may allow a late or extra one.
    """
    snapshot(entry.event.clock)  # no sale changes it
    good = good_of(entry.event, what)
    no = obstacle_to_buy(entry, good, at, number=number, stack=stack, lets_pass=lets_pass)
    if no is not None:
        raise Refused(no_words(no, good), code=no.value)
    return good


def name_of(what: What) -> str:
    """Return the good's name."""
    return {What.REBUY: _("Re-buy"), What.ADDON: _("Add-on"), What.REENTRY: _("Re-entry")}[what]


def no_words(no: No, good: Good) -> str:
    """Return why a good cannot be bought, as a sentence."""
    words = {
        No.NOT_OFFERED: _("%(what)s gibt es bei diesem Turnier nicht."),
        No.NOT_BEGUN: _("%(what)s gibt es erst, wenn gespielt wird."),
        No.NOT_YET: _("%(what)s gibt es jetzt noch nicht."),
        No.TOO_LATE: _("%(what)s gibt es nicht mehr: Die Zeit dafür ist vorbei."),
        No.TOO_OFTEN: _("%(what)s gibt es je Person höchstens %(most)s Mal."),
        No.ONE_AT_A_TIME: _("So viele auf einmal gibt es nicht."),
        No.STACK_UNKNOWN: _("Bitte sagen, wie viele Chips noch da sind."),
        No.HAS_CHIPS: _("%(what)s gibt es erst mit höchstens %(threshold)s Chips.")
        if good.offer.threshold
        else _("%(what)s gibt es erst, wenn alle Chips verloren sind."),
        No.IS_OUT: _("Schon ausgeschieden: %(what)s geht nicht mehr."),
        No.IS_IN: _("Noch im Spiel: %(what)s gibt es erst nach dem Ausscheiden."),
        No.LOST_ALL: _("Ohne Chips kein %(what)s: erst der Re-buy."),
        No.DISQUALIFIED: _("Disqualifiziert: %(what)s gibt es nicht."),
    }[no]
    return words % {
        "what": name_of(good.what),
        "most": good.offer.most,
        "threshold": number_format(good.offer.threshold, force_grouping=True),
    }


def may_still_rebuy(event: Event, entries: Collection[Entry], at: datetime) -> set[int]:
    """Return the entries among these without chips that may re-buy at an instant.

    Two queries for any number of them.
    """
    good, position = good_of(event, What.REBUY), position_at(event, at)
    if not good.is_offered:
        return set()
    bought = bought_of(event, What.REBUY, {entry.registration_id for entry in entries})
    may = set()
    for entry in entries:
        buyer = Buyer(stack=0, bought=bought.get(entry.registration_id, 0))
        if purchase_obstacle(What.REBUY, good.offer, buyer, position=position) is None:
            may.add(entry.pk)
    return may


# --- Seats held for a re-buy with their deadlines, and requests


# Staff who undo one of these are busy with it: eliminate no player meanwhile.
GIVES_TIME = (
    "rebuy.bought", "rebuy.declined", "rebuys.lapsed", "purchases.lapsed", "stack.surrendered",
)  # fmt: skip
SHORTEST_WISH = timedelta(minutes=5)


def chances_live(event: Event) -> QuerySet[RebuyChance]:
    """Return the held seats, earliest deadline first."""
    rows = RebuyChance.objects.live().filter(event=event)
    rows = rows.select_related("entry__registration__person", "lost__made_by", "made_by")
    return rows.order_by("until", "pk")


def told_words(chance: RebuyChance) -> str:
    """Return which device told the lost stack, and when; empty for the program itself."""
    told = chance.made_by
    if told.device is None:
        return ""
    at = date_format(timezone.localtime(told.at), "H:i")
    return _("Schon eingetragen: %(device)s, %(at)s.") % {"device": told.device.name, "at": at}


def wishes_live(event: Event) -> QuerySet[PurchaseWish]:
    """Return the open requests, earliest first."""
    rows = PurchaseWish.objects.live().filter(event=event)
    rows = rows.select_related("entry__registration__person", "made_by")
    return rows.order_by("asked_at", "pk")


def wishes_of(entry: Entry) -> QuerySet[PurchaseWish]:
    """Return the open requests of a person, the latest last."""
    rows = PurchaseWish.objects.live().filter(entry__registration=entry.registration_id)
    return rows.select_related("made_by").order_by("pk")


def wish_of(entry: Entry, what: What | None = None) -> PurchaseWish | None:
    """Return the open request of a person for this, or for anything."""
    rows = wishes_of(entry)
    return (rows.filter(what=what) if what else rows).last()


def wish_lasts(event: Event) -> timedelta:
    """Return how long a request counts as in time: as long as a seat is held.

    From its entry on: before that nobody could sell.
    """
    return timedelta(minutes=event.rebuy_hold_minutes) or SHORTEST_WISH


def decided_at(
    event: Event, wish: PurchaseWish | None, at: datetime, held: RebuyChance | None = None
) -> datetime:
    """Return the instant that decides whether a purchase is in time.

    It is that of its request, until this has lapsed, or of the lost stack of a held seat.

    :param held: The buyer's held seat: it is for a re-buy for as long as it is held.
    """
    if wish is not None and at < wish.made_by.recorded_at + wish_lasts(event):
        at = min(at, wish.asked_at)
    return min(at, held.lost.at) if held is not None and at < held.until else at


def wishes_lapsed(event: Event, now: datetime) -> list[PurchaseWish]:
    """Return the requests that were not confirmed in time; none while staff is correcting."""
    since = now - wish_lasts(event)
    found = list(wishes_live(event).filter(made_by__recorded_at__lte=since))
    return [] if found and _is_being_corrected(event, now) else found


def chances_lapsed(event: Event, now: datetime) -> list[RebuyChance]:
    """Return the expired held seats without a request in time.

    After an undo none expires for the time a seat is held: staff is correcting.
    """
    asked = PurchaseWish.objects.live().filter(
        entry=OuterRef("entry"), made_by__recorded_at__gt=now - wish_lasts(event)
    )
    found = list(chances_live(event).filter(until__lte=now).exclude(Exists(asked)))
    return [] if found and _is_being_corrected(event, now) else found


def _is_being_corrected(event: Event, now: datetime) -> bool:
    since = now - timedelta(minutes=event.rebuy_hold_minutes)
    undone = Action.objects.filter(event=event, kind="action.undone", recorded_at__gt=since)
    return undone.filter(undoes__kind__in=GIVES_TIME).exists()


def events_with_chances_due(now: datetime) -> list[Event]:
    """Return the events with an expired held seat, or with a request that may have lapsed."""
    due = RebuyChance.objects.live().filter(event=OuterRef("pk"), until__lte=now)
    asked = PurchaseWish.objects.live().filter(
        event=OuterRef("pk"), asked_at__lte=now - timedelta(minutes=1)
    )
    running = Event.objects.running().filter(Exists(due) | Exists(asked))
    return list(running.select_related("clock", "club"))


AT_ONCE = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Good:
    """A good for sale: re-buy, add-on or re-entry, as announced."""

    what: What
    cents: int
    parts: Sequence[Sequence[int | str]]
    chips: int
    offer: Offer

    @property
    def price(self) -> Price:
        return price_of(self.cents, self.parts)

    @property
    def is_offered(self) -> bool:
        return self.offer.last is not None


def good_of(event: Event, what: What) -> Good:
    """Return the good of this name, offered or not."""
    return {What.REBUY: _rebuy, What.ADDON: _addon, What.REENTRY: _reentry}[what](event)


def goods_of(event: Event) -> list[Good]:
    """Return the goods offered at this event beside the entry."""
    goods = [good_of(event, what) for what in What]
    return [good for good in goods if good.is_offered]


def position_at(event: Event, at: datetime) -> int | None:
    """Return the schedule position of the level at an instant, None before the start."""
    return clock_state(event.clock, at).index if event.has_started else None


def may_come_in(event: Event, now: datetime) -> bool:
    """Tell whether somebody may still come in or buy again, by late entry, re-buy or re-entry."""
    return event_accepts_late(event, now) or _sells(event, (What.REBUY, What.REENTRY), now)


def pool_may_grow(event: Event, now: datetime) -> bool:
    """Tell whether somebody may still pay into the pool, by an add-on as well."""
    return event_accepts_late(event, now) or _sells(event, tuple(What), now)


def _sells(event: Event, goods: Collection[What], now: datetime) -> bool:
    position = position_at(event, now)
    lasts = [good_of(event, what).offer.last for what in goods]
    return position is not None and any(last is not None and position <= last for last in lasts)


def _rebuy(event: Event) -> Good:
    last = _last(event, event.rebuy_level, event.rebuy_break)
    offer = Offer(
        last=last,
        most=event.rebuy_most,
        at_once=AT_ONCE if event.rebuy_double else 1,
        threshold=event.rebuy_threshold,
    )
    chips = event.rebuy_chips or event.starting_stack
    return Good(
        what=What.REBUY, cents=event.rebuy_cents, parts=event.rebuy_parts, chips=chips, offer=offer
    )


def _addon(event: Event) -> Good:
    last = _last(event, event.addon_level, event.addon_break)
    first = last if event.addon_break and last is not None else 0
    offer = Offer(first=first, last=last, most=0 if event.addon_many else 1)
    chips = event.addon_chips or event.starting_stack
    return Good(
        what=What.ADDON, cents=event.addon_cents, parts=event.addon_parts, chips=chips, offer=offer
    )


def _reentry(event: Event) -> Good:
    last = event_last_late_position(event) if event.reentry_most else None
    own = bool(event.reentry_cents or event.reentry_parts)
    return Good(
        what=What.REENTRY,
        cents=event.reentry_cents or event.fee_cents,
        parts=event.reentry_parts if own else event.fee_parts,
        chips=event.starting_stack,
        offer=Offer(last=last, most=event.reentry_most),
    )


@moves_with_levels(lazy("Re-buys"))
def rebuys_end(event: Event, now: datetime) -> str:
    return end_told(event, _rebuy(event).offer.last, now)


@moves_with_levels(lazy("Add-on"))
def addon_end(event: Event, now: datetime) -> str:
    return end_told(event, _addon(event).offer.last, now)


def _last(event: Event, level: int, pause: int) -> int | None:
    if not (level or pause):
        return None
    return last_late_position(clock_levels(event.clock), level=level, pause=pause)


# --- Late requests and sales: whether the time for them ended before they arrived


def taps_open(event: Event) -> QuerySet[LateTap]:
    """Return the late taps to decide about, earliest arrival first."""
    rows = LateTap.objects.live().filter(event=event)
    rows = rows.filter(Q(wish=None) | Q(wish__voided_by=None))
    names = ("entry__registration__person", "wish", "made_by__device")
    return rows.select_related(*names).order_by("made_by", "pk")


def purchase_claimed(
    command: Command, entry: Entry, what: What, *, number: int = 1, stack: int | None = None
) -> Command:
    """Return the command; as a claim of its arrival if the time to buy ended meanwhile."""
    now, good = command.recorded_at or command.at, good_of(command.event, what)

    def obstacle(at: datetime) -> No | None:
        return obstacle_to_buy(entry, good, at, number=number, stack=stack)

    held = chance_of(entry) if what == What.REBUY else None
    decided = decided_at(command.event, wish_of(entry, what), now, held)
    if obstacle(decided) is No.TOO_LATE and obstacle(command.at) is None:
        return replace(command, at=now, claimed=command.at)
    return command
