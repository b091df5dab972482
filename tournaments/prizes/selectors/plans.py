"""Prizes as planned and known before the places are. Reads only.

The bubble, the screens and the prizes all use `paid_places`.
"""

from dataclasses import replace

from django.db.models import Min, Q

from clock.snapshot import read_once
from tournaments.event.selectors.event import day_rooms, entries_live_count, is_stage, rooms_of
from tournaments.models import (
    Elimination,
    Entry,
    Event,
    HandForHand,
    MoneyReached,
    PrizeFreeze,
    Stage,
)
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents
from tournaments.prizes.domain.plans import Pool, PrizePlan, Way, places_paid, pool_of


@read_once
def prizes_frozen(event: Event) -> PrizeFreeze | None:
    """Return the prizes fixed by the director, or None. Without a plan there are none."""
    if not event.prizes:
        return None
    return PrizeFreeze.objects.live().filter(event=event).first()


def _rooms(event: Event) -> list[Event]:
    others = rooms_of(event) if "rooms" in event.prizes else []
    return [event, *(room for room in others if room.pk != event.pk)]


@read_once
def prize_pool(event: Event) -> Pool:
    """Return the pool of the payments so far; rooms of one day share theirs."""
    held = account_cents(event, Account.POOL, Account.FEES)
    for room in _rooms(event)[1:]:
        held += account_cents(room, Account.POOL, Account.FEES)
    return pool_of(event.prize_plan, -held)


@read_once
def paid_places(event: Event) -> int:
    """Return the number of paid places; 0 if unknown.

    Fixed by the director, else planned or typed. Later entries do not change it once hand-for-hand
    or "in the money" is announced: everybody plays by that number.
    """
    plan = event.prize_plan
    if not event.prizes:
        return event.paid_places
    frozen = prizes_frozen(event)
    if frozen is not None:
        return frozen.places
    pool = prize_pool(event).cents if plan.way is Way.SEATS else 0
    entries = entries_that_count(event) if plan.counts_itself else 0
    return places_paid(plan, typed=event.paid_places, entries=entries, pool_cents=pool)


def plan_over_rooms(event: Event, plan: PrizePlan) -> PrizePlan:
    """Return the plan for all rooms of the day, where there are several."""
    is_shared = is_stage(event) and len(day_rooms(event)) > 1
    return replace(plan, rooms=is_shared) if plan.rooms is not is_shared else plan


def seats_to_win(event: Event) -> int:
    """Return a satellite's number of seats, by its prizes so far; 0 for another event.

    It is decided once no more players are left: their places among each other mean nothing.
    """
    plan = event.prize_plan
    if plan.way is not Way.SEATS:
        return 0
    frozen = prizes_frozen(event)
    if frozen is not None:
        return int(frozen.prizes.count(plan.seat_cents))
    return min(prize_pool(event).cents // plan.seat_cents, entries_that_count(event))


def flight_advance(event: Event, plan: PrizePlan, entries: int) -> int:
    """Return how many go on from a flight that pays behind them; 0 for any other plan."""
    if plan.way is not Way.FLIGHT:
        return 0
    stage = Stage.objects.live().filter(event=event).first()
    return stage.advance(entries) if stage else 0


@read_once
def seats_won(event: Event) -> int:
    """Return the number of players gone with a seat, by a satellite's target stack."""
    if not event.prize_plan.target_stack:
        return 0
    return Elimination.objects.live().filter(event=event, way=Elimination.Way.SEAT).count()


def seats_left(event: Event) -> int:
    """Return the number of seats still to win, or of those who go on from a flight that pays."""
    if event.prize_plan.way is Way.FLIGHT:
        return flight_advance(event, event.prize_plan, entries_that_count(event))
    return max(0, seats_to_win(event) - seats_won(event))


def paid_left(event: Event) -> int:
    """Return the number of paid places for the players left."""
    return max(0, paid_places(event) - seats_won(event))


def entries_that_count(event: Event) -> int:
    """Return the entries of all rooms, frozen when the end of the bubble was announced."""
    return sum(map(_entries_that_count, _rooms(event)))


def _entries_that_count(event: Event) -> int:
    begun = HandForHand.objects.filter(event=event).exclude(voided_by__undoes__isnull=False)
    reached = MoneyReached.objects.live().filter(event=event)
    planned = [
        pk
        for rows in (begun, reached)
        if (pk := rows.aggregate(first=Min("made_by"))["first"]) is not None
    ]
    if not planned or event.is_clock_only:
        return entries_live_count(event)
    were_in = Q(voided_by__isnull=True) | Q(voided_by__gt=min(planned))
    return Entry.objects.filter(were_in, event=event, made_by__lt=min(planned)).count()
