"""From the first registration to the last place: the rounds of play, and what is told then."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from random import Random
from statistics import quantiles
from time import perf_counter
from typing import Any

from django.db.models import Sum

from clock.models import ScheduleTemplate
from tournaments.changes.commands import ClubCommand
from tournaments.event.domain.betting import Game, LimitKind, final_table_size
from tournaments.event.selectors.event import chips_in_play
from tournaments.event.services.clock import clock_start
from tournaments.event.services.ending import event_end
from tournaments.event.services.lifecycle import event_create
from tournaments.models import ChipMovement, Club, Elimination, Entry, Event, RulePreset
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.simulation.arrivals import arrive, arrive_late, miss_somebody
from tournaments.practice.simulation.beside import play_beside
from tournaments.practice.simulation.bubble import play_hand_for_hand, reach_the_money
from tournaments.practice.simulation.cash.evening import play_cash_evening
from tournaments.practice.simulation.cash.points import play_points_evening
from tournaments.practice.simulation.checks import Checker
from tournaments.practice.simulation.club_room import play_in_the_club
from tournaments.practice.simulation.deeds import clock as deeds_clock
from tournaments.practice.simulation.deeds import outs as deeds_outs
from tournaments.practice.simulation.deeds import people as deeds_people
from tournaments.practice.simulation.deeds import tables as deeds_tables
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import ARBITER, DIRECTOR, FULL_CHECKS, Evening, Plan
from tournaments.practice.simulation.floor import settle
from tournaments.practice.simulation.hands import go_on_after_break, play_tables
from tournaments.practice.simulation.happenings import happen
from tournaments.practice.simulation.kinds_played import kinds_in_figures
from tournaments.practice.simulation.money.bounties import play_bounties
from tournaments.practice.simulation.money.deals import play_deals
from tournaments.practice.simulation.money.prizes import pay_prizes, plan_prizes
from tournaments.practice.simulation.outs import count
from tournaments.practice.simulation.races import play_race

# Imported for what they register.
DEEDS = (deeds_clock, deeds_outs, deeds_people, deeds_tables)
HAND = timedelta(minutes=2)
DRAWN_AT_ONCE = 200  # from this field on the seats are drawn at once
LATE_ROUNDS = 5
ROOM_TO_SPARE = 2  # for who registers and thinks better of it

Watch = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulation found; `elimination_ms` are the single times, for pooling."""

    events: list[Event]
    figures: dict[str, Any]
    elimination_ms: list[float]

    @property
    def event(self) -> Event:
        """The evening itself; the others are beside it."""
        return self.events[0]


def simulate(plan: Plan, *, club: Club, watch: Watch | None = None) -> Outcome:
    """Play a whole event and compare all the way; `watch` is told how many are left.

    :raises InvariantBroken: When the database and the books differ.
    """
    began = perf_counter()
    evening = _begin(plan, club)
    plan_prizes(evening)
    arrive(evening)
    miss_somebody(evening)
    _start(evening)
    _play(evening, watch)
    figures = _end(evening)
    beside = [*play_beside(evening), *_play_money(evening)] if plan.is_whole else []
    if beside:
        play_in_the_club(evening, removable=beside[-1])
    figures["invariants_checked"] = evening.checker.checked
    figures |= kinds_in_figures(evening.played, is_whole=plan.is_whole)
    figures["seconds"] = round(perf_counter() - began, 3)
    return Outcome([evening.event, *beside], _in_order(figures), evening.elimination_ms)


def _play_money(evening: Evening) -> list[Event]:
    """Play the evenings of bounties, of a deal, of cash tables and of a race, and return them."""
    sides = [
        *play_bounties(evening),
        play_deals(evening),
        play_cash_evening(evening),
        play_points_evening(evening),
        play_race(evening),
    ]
    for side in sides:
        side.reload()
        side.checker.chain()
        evening.checker.checked += side.checker.checked
    return [side.event for side in sides]


@deed(event_create, when=When.COURSE)
def _begin(plan: Plan, club: Club) -> Evening:
    # A simulation is to be repeatable; nothing rests on nobody guessing it.
    rng = Random(plan.seed)  # noqa: S311
    at_once = plan.entries >= DRAWN_AT_ONCE or rng.random() < 0.5
    made = event_create(
        ClubCommand(club=club, by=DIRECTOR, at=plan.begins_at),
        name=f"Simulation {plan.entries}/{plan.seed}",
        starts_at=plan.begins_at + timedelta(hours=3),
        schedule=ScheduleTemplate.objects.get(name=plan.schedule),
        preset=RulePreset.objects.get(key=plan.preset),
        game=Game.HOLDEM,
        limit=LimitKind.NO_LIMIT,
        seats_per_table=plan.seats,
        capacity=plan.entries + ROOM_TO_SPARE,
        draw_mode=Event.DrawMode.FIELD if at_once else Event.DrawMode.ROLLING,
        late_registration_level=3,
        paid_places=_paid_places(plan),
        fee_cents=1_000,
        no_show_minutes=5,
        draw_secret=hashlib.sha256(f"simulation {plan.seed}".encode()).hexdigest(),
        is_sample=True,
    )
    event = Event.objects.select_related("clock", "club").get(pk=made.payload["event"])
    checker = Checker(event, event.rule_set.balancing_tolerance)
    evening = Evening(plan=plan, rng=rng, event=event, checker=checker, now=plan.begins_at)
    evening.played.note(made)
    return evening


def _paid_places(plan: Plan) -> int:
    """An eighth is paid; where there are tables enough, more than sit at the last one."""
    if plan.entries <= 2 * plan.seats:
        return max(1, plan.entries // 3)
    return max(plan.entries // 8, final_table_size(plan.seats) + 2)


@deed(clock_start, when=When.COURSE)
def _start(evening: Evening) -> None:
    somebody = evening.entry(min(evening.books.stacks))
    evening.refused("cannot_eliminate", entries_eliminate, by=ARBITER, entries=[somebody])
    evening.refused("not_allowed", clock_start, by=ARBITER)
    evening.do(clock_start)
    evening.began_at = evening.now
    evening.read_clock()
    evening.checker.full(evening.books, evening.now)


def _play(evening: Evening, watch: Watch | None) -> None:
    """Play one hand at each table, put the floor in order, compare, and so on to the winner."""
    plan, books_checked_at = evening.plan, evening.plan.entries
    late = max(1, (plan.entries - evening.expected) // LATE_ROUNDS)
    while len(evening.books.stacks) > 1 or evening.expected < plan.entries:
        evening.reload()
        miss_somebody(evening)
        arrive_late(evening, late)
        go_on_after_break(evening)
        play_hand_for_hand(evening)
        reach_the_money(evening)
        hand_began = evening.now
        play_tables(evening)
        happen(evening)
        settle(evening)
        evening.note_tables()
        left = len(evening.books.stacks)
        evening.checker.quick(evening.books)
        evening.checker.expect(all(evening.books.stacks.values()), "somebody has no chips")
        if plan.is_small or books_checked_at - left >= plan.entries // FULL_CHECKS:
            _compare_all(evening)
            books_checked_at = left
        if watch:
            watch(left)
        evening.now = max(evening.now, hand_began + HAND)


def _compare_all(evening: Evening) -> None:
    evening.checker.full(evening.books, evening.now)
    taps = {evening.table(number): tap for number, tap in evening.books.taps.items()}
    evening.checker.levels(evening.clock, evening.now, taps)
    evening.checker.away(evening.books)
    evening.checker.cash(evening.books)


@deed(event_end, when=When.COURSE)
def _end(evening: Evening) -> dict[str, Any]:
    for pk in list(evening.books.uncounted):
        count(evening, pk)
    evening.undo(evening.do(event_end))
    ended = evening.do(event_end)
    evening.reload()
    evening.refused("over", entries_eliminate, entries=[evening.entry(min(evening.books.stacks))])
    evening.checker.full(evening.books, evening.now)
    evening.checker.chain()
    head = evening.event.log_sequence
    evening.checker.expect(head == ended.sequence, "the head of the log", head, ended.sequence)
    pay_prizes(evening)
    return _figures(evening)


def _figures(evening: Evening) -> dict[str, Any]:
    """Add up what was played, from the database, and compare the sums a last time."""
    checker, books, event = evening.checker, evening.books, evening.event
    entries = Entry.objects.filter(event=event, voided_by=None).count()
    checker.expect(entries == evening.plan.entries, "entries", entries)
    outs = Elimination.objects.filter(event=event, voided_by=None).count()
    brought = ChipMovement.objects.filter(
        event=event, voided_by=None, reason=ChipMovement.Reason.STARTING_STACK
    ).aggregate(chips=Sum("amount"))["chips"]
    chips, _ = chips_in_play(event)
    checker.expect(brought == entries * event.starting_stack, "chips brought in", brought)
    left = brought - evening.tally["disqualified_chips"]
    checker.expect(chips == left == sum(books.stacks.values()), "chips at the end", chips, left)
    return {
        "entries": entries,
        "eliminations": outs,
        "distinct_places": len(set(places_of(event).values())),
        "chips_in_play_start": brought,
        "chips_in_play_end": chips,
        "log_entries": event.log_sequence,
        "elimination_ms": _percentiles(evening.elimination_ms),
        **{name: evening.tally[name] for name in ("tables", "moves", "table_breaks", "undos")},
    }


def _percentiles(times: list[float]) -> dict[str, float]:
    cuts = quantiles(times if len(times) > 1 else times * 2, n=100, method="inclusive")
    return {"p50": round(cuts[49], 3), "p99": round(cuts[98], 3)}


def _in_order(figures: dict[str, Any]) -> dict[str, Any]:
    names = (
        "entries", "tables", "eliminations", "moves", "table_breaks", "undos", "distinct_places",
        "chips_in_play_start", "chips_in_play_end", "log_entries", "seconds", "elimination_ms",
        "invariants_checked", "differences", "kinds_played", "kinds_by_the_program",
        "kinds_not_played",
    )  # fmt: skip
    return {name: figures[name] for name in names}
