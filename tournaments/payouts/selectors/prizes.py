"""Each player's prize, with paid and open amounts. Reads only.

Places come from the eliminations, the pool from the journal: only prizes fixed by the director
(`PrizeFreeze`) are stored.
"""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.db.models import QuerySet, Sum

from clock.snapshot import read_once
from tournaments.event.domain.rules import DisqualifiedPrize
from tournaments.event.selectors.event import (
    entries_live_count,
    is_later_day,
    is_stage,
    left_in_rooms,
)
from tournaments.models import Bag, Carry, Entry, Event, Posting, Stage
from tournaments.money.domain.accounts import Account, price_cents
from tournaments.money.selectors.journal import entry_price
from tournaments.payouts.selectors.deals import deal_shares, deals_agreed, prizes_after_deals
from tournaments.people.selectors.people import meant_by
from tournaments.play.selectors.bubble import provisional_entries
from tournaments.play.selectors.ranking import (
    best_places_basis,
    places_besides_seats,
    places_of,
    places_with_seats,
)
from tournaments.prizes.domain.payouts import (
    PrizeTable,
    Unpayable,
    prize_table,
    prizes_by_entry,
    ranked,
)
from tournaments.prizes.domain.plans import Way
from tournaments.prizes.selectors.plans import (
    entries_that_count,
    flight_advance,
    paid_places,
    prize_pool,
    prizes_frozen,
)


@read_once
def prizes_now(event: Event) -> PrizeTable | Unpayable:
    """Return the present prizes, or why there are none yet."""
    frozen = prizes_frozen(event)
    if frozen is not None:
        return PrizeTable(prizes=tuple(frozen.prizes), refund=frozen.refund_cents)
    return prizes_of_pool(event)


def unpriced_cents(event: Event) -> int:
    """Return the money that came into the pool after the prizes were fixed."""
    frozen = prizes_frozen(event)
    if frozen is None or not event.prize_plan.has_money:
        return 0
    return max(0, prize_pool(event).cents - frozen.pool_cents)


def prizes_of_pool(event: Event) -> PrizeTable | Unpayable:
    """Return the prizes of the pool as it is, or why there are none yet."""
    try:
        return prize_table(
            event.prize_plan,
            pool_cents=prize_pool(event).cents,
            places=paid_places(event),
            entries=entries_that_count(event),
            buy_in_cents=price_cents(entry_price(event)),
            advance=flight_advance(event, event.prize_plan, entries_that_count(event)),
        )
    except Unpayable as no:
        return no


def prize_table_of(event: Event) -> PrizeTable:
    """Return the present prizes; an empty table if there are none."""
    found = prizes_now(event)
    return PrizeTable() if isinstance(found, Unpayable) else found


def prizes_left(event: Event) -> list[int]:
    """Return the prizes of the remaining players, first place first, for a deal.

    After a deal, the prizes it left to play for. Empty without planned prizes.
    """
    table = table_after_deals(event)
    return [cents for cents in table.prizes[: left_in_rooms(event)] if cents]


def table_after_deals(event: Event) -> PrizeTable:
    """Return the prizes by place, without amounts already given by deals."""
    table, after = prize_table_of(event), prizes_after_deals(event)
    if after is None:
        return table
    shared = max(len(deal.shares) for deal in deals_agreed(event))
    left = (*after, *[0] * (shared - len(after)), *table.prizes[shared:])
    return replace(table, prizes=left)


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """Each entry's prize in money or kind, and the places of all possible winners.

    :param seat: The value of a satellite's seat; 0 for other prizes.
    :param at_once: The least of all prizes, paid to each player who came from a flight at once.
    """

    places: dict[int, int]
    prizes: dict[int, int]
    in_kind: dict[int, str]
    seat: int = 0
    at_once: int = 0


@read_once
def prizes_given(event: Event) -> Given:
    """Return all prizes given, with their places."""
    found = _given_by_place(event)
    # A flight gives no prize to those with a bag; a further day has no price.
    if "rooms" in event.prizes or (not event.fee_cents and event.is_over and is_stage(event)):
        found = _of_this_room(event, found)
    travel, entries = _travel_of(event)
    least = {entry: max(found.prizes.get(entry, 0), travel) for entry in entries}
    return replace(found, prizes=found.prizes | least, at_once=travel) if travel else found


def _of_this_room(event: Event, found: Given) -> Given:
    """Keep what a further day pays itself: to its own entries, none of which goes on with a bag."""
    bags = Bag.objects.live().filter(event=event).values("entry")
    rows = Entry.objects.live().filter(event=event).exclude(pk__in=bags)
    own = set(rows.values_list("pk", flat=True))
    return replace(
        found,
        prizes={entry: cents for entry, cents in found.prizes.items() if entry in own},
        in_kind={entry: what for entry, what in found.in_kind.items() if entry in own},
    )


def _travel_of(event: Event) -> tuple[int, list[int]]:
    """Return the part of the prize paid at once, with the entries that came from a flight."""
    # A further day has no price of its own, and its bags were carried.
    if event.fee_cents or event.kind != Event.Kind.TOURNAMENT:
        return 0, []
    stage = Stage.objects.live().filter(event=event).select_related("contest").first()
    cents = stage.contest.reckoning.travel_cents if stage else 0
    if not cents:
        return 0, []
    carried = Carry.objects.live().filter(entry__event=event, is_removed=False)
    return cents, list(carried.values_list("entry", flat=True).distinct())


def _given_by_place(event: Event) -> Given:
    if not event.prizes:
        return Given(places={}, prizes={}, in_kind={})
    table, shares = table_after_deals(event), deal_shares(event)
    plan = event.prize_plan
    kinds = plan.in_kind
    most = max(len(table.prizes) + bool(table.refund), len(kinds))
    pays_disqualified = event.rule_set.disqualified_prize is not DisqualifiedPrize.NONE
    basis = best_places_basis(event, most, of_disqualified=pays_disqualified)
    places, seated = places_besides_seats(basis), dict.fromkeys(basis.seated, plan.seat_cents)
    table, kinds = replace(table, prizes=table.prizes[len(seated) :]), kinds[len(seated) :]
    without: Collection[int] = () if pays_disqualified else basis.disqualified
    prizes = Counter(prizes_by_entry(table, places, without=without))
    prizes.update(shares)
    return Given(
        places=places_with_seats(basis, places) if seated else places,
        prizes=seated | {entry: cents for entry, cents in prizes.items() if cents},
        in_kind={
            entry: kinds[ahead]
            for ahead, entries in (ranked(places, without) if kinds else ())
            for entry in entries
            if ahead < len(kinds)
        },
        seat=plan.seat_cents if plan.way is Way.SEATS else 0,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Payout:
    """A player's total prize and its paid part. `open` below zero is a debt.

    :param at_once: The part that is due before places and prizes are known.
    :param is_seat: The open prize is a satellite seat: no cash leaves a drawer.
    """

    registration: int
    name: str
    place: int | None
    prize: int
    paid_out: int
    in_kind: str
    is_provisional: bool
    is_seat: bool = False
    at_once: int = 0

    @property
    def open(self) -> int:
        return self.prize - self.paid_out

    @property
    def owed_back(self) -> int:
        return max(0, -self.open)


def paid_out_cents(event: Event, registration: int | None = None) -> dict[int, int]:
    """Return the paid prizes by registration: of all, or of this one."""
    rows = Posting.objects.live().filter(event=event, account=Account.PRIZES)
    rows = rows.filter(registration__isnull=False)
    if registration is not None:
        rows = rows.filter(registration=registration)
    sums = rows.values("registration").annotate(paid=Sum("amount_cents")).order_by()
    return {one: cents for one, cents in sums.values_list("registration", "paid") if cents}


def seats_given_cents(event: Event, registration: int) -> int:
    """Return the value of the seats given to a player instead of cash."""
    rows = Posting.objects.live().filter(event=event, account=Account.SEATS)
    return -(rows.filter(registration=registration).aggregate(sum=Sum("amount_cents"))["sum"] or 0)


@read_once
def payouts(event: Event) -> list[Payout]:
    """Return all players with a prize won or paid, best place first."""
    found, paid = prizes_given(event), paid_out_cents(event)
    winning = {*found.prizes, *found.in_kind}
    rows = Entry.objects.filter(event=event)
    entries = rows.filter(registration__in=paid) | rows.filter(pk__in=winning)
    return sorted(
        _payouts(event, entries, found, paid),
        key=lambda row: (row.place is None, row.place or 0, row.name),
    )


def payout_of(event: Event, registration: int) -> Payout | None:
    """Return a player's prize and payouts; None without either."""
    entries = Entry.objects.filter(event=event, registration=registration)
    rows = _payouts(event, entries, prizes_given(event), paid_out_cents(event, registration))
    return rows[0] if rows else None


def _payouts(
    event: Event, entries: QuerySet[Entry], found: Given, paid: Mapping[int, int]
) -> list[Payout]:
    # All entries of a player who was paid, otherwise those with a prize.
    own: dict[int, dict[int, str]] = {}
    values = entries.values_list("pk", "registration_id", "registration__person__name")
    for entry, registration, name in values:
        if registration in paid or entry in found.prizes or entry in found.in_kind:
            own.setdefault(registration, {})[entry] = name
    places, provisional = _places(event, own, found), provisional_entries(event)
    rows = [
        Payout(
            registration=registration,
            name=next(iter(names.values())),
            place=min((places[one] for one in names if one in places), default=None),
            prize=sum(found.prizes.get(one, 0) for one in names),
            paid_out=paid.get(registration, 0),
            in_kind=", ".join(found.in_kind[one] for one in names if one in found.in_kind),
            is_provisional=any(one in provisional for one in names),
            at_once=found.at_once,
        )
        for registration, names in own.items()
    ]
    return [replace(row, is_seat=bool(found.seat) and row.open == found.seat) for row in rows]


def _places(event: Event, own: Mapping[int, Mapping[int, str]], found: Given) -> Mapping[int, int]:
    """Return the places; of the whole field if a paid player has no place among them.

    That happens if a change of place took a paid prize away.
    """
    is_known = all(found.places.keys() & names.keys() for names in own.values())
    return found.places if is_known else places_of(event)


# --- What a further day of a contest gets from its flights: their money and players


OF_THE_POOL = (Account.POOL, Account.FEES)


def pools_left(flights: Sequence[Event]) -> dict[int, int]:
    """Return by event what a flight holds for the next day: without prizes it pays itself."""
    rows = Posting.objects.live().filter(event__in=flights, account__in=OF_THE_POOL)
    sums = rows.values("event").annotate(sum=Sum("amount_cents")).order_by()
    held = {event: -cents for event, cents in sums.values_list("event", "sum")}
    return {event.pk: held.get(event.pk, 0) - paid_in(event) for event in flights}


def paid_in(event: Event) -> int:
    """Return the prizes that a flight or a day pays itself, to those out before its bags."""
    if event.prize_plan.way is Way.NONE:
        return 0
    return sum(row.prize for row in payouts(event))


@dataclass(frozen=True, slots=True)
class Coming:
    """What is on its way to a day: the money for its places, and its players."""

    cents: int
    people: int


def coming_to(event: Event) -> Coming | None:
    """Return what the flights hold for a day not begun; None for any other event.

    Until the draw without the bonuses for further qualifications, afterwards what came since.
    """
    if event.has_started or not is_later_day(event):
        return None
    own = Stage.objects.live().select_related("contest").get(event=event)
    rows = Stage.objects.live().filter(contest=own.contest, event__head__cancelled_by=None)
    before = list(rows.filter(order__lt=own.order).select_related("event__head").order_by("-order"))
    flights = [row.event for row in before if row.order == before[0].order]
    cents = sum(pools_left(flights).values())
    if drawn := entries_live_count(event):
        return Coming(cents, drawn)
    same = meant_by(event.club_id)
    bags = Bag.objects.live().filter(event__in=flights)
    who = bags.values_list("entry__registration__person", flat=True)
    people = {same.get(person, person) for person in who}
    bonuses = own.contest.reckoning.bonus_cents * (len(who) - len(people))
    return Coming(cents - bonuses, len(people))
