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

from clock.domain import Level
from clock.models import ScheduleTemplate
from clock.selectors import clock_state
from tournaments.changes.commands import ClubCommand
from tournaments.event.domain.betting import Game, LimitKind
from tournaments.event.selectors.event import chips_in_play
from tournaments.event.services.clock import (
    clock_adjust,
    clock_next_level,
    clock_pause,
    clock_previous_level,
    clock_start,
)
from tournaments.event.services.ending import event_end
from tournaments.event.services.lifecycle import event_create
from tournaments.models import ChipMovement, Club, Elimination, Entry, Event, RulePreset
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.simulation.arrivals import arrive, arrive_late
from tournaments.practice.simulation.checks import Checker
from tournaments.practice.simulation.evening import ARBITER, DIRECTOR, FULL_CHECKS, Evening, Plan
from tournaments.practice.simulation.floor import move_by_hand, settle
from tournaments.practice.simulation.outs import count, disqualify, put_out, put_out_wrongly
from tournaments.practice.simulation.poker import play_hand

HAND = timedelta(minutes=2)
DRAWN_AT_ONCE = 200  # from this field on the seats are drawn at once
LATE_ROUNDS = 5
ROOM_TO_SPARE = 2  # for who registers and thinks better of it

Watch = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulation found; `elimination_ms` are the single times, for pooling."""

    event: Event
    figures: dict[str, Any]
    elimination_ms: list[float]


def simulate(plan: Plan, *, club: Club, watch: Watch | None = None) -> Outcome:
    """Play a whole event and compare all the way; `watch` is told how many are left.

    :raises InvariantBroken: When the database and the books differ.
    """
    began = perf_counter()
    evening = _begin(plan, club)
    arrive(evening)
    _start(evening)
    _play(evening, watch)
    figures = _end(evening)
    figures["seconds"] = round(perf_counter() - began, 3)
    return Outcome(evening.event, _in_order(figures), evening.elimination_ms)


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
        draw_secret=hashlib.sha256(f"simulation {plan.seed}".encode()).hexdigest(),
        is_sample=True,
    )
    event = Event.objects.select_related("clock", "club").get(pk=made.payload["event"])
    checker = Checker(event, event.rule_set.balancing_tolerance)
    return Evening(plan=plan, rng=rng, event=event, checker=checker, now=plan.begins_at)


def _start(evening: Evening) -> None:
    somebody = evening.entry(min(evening.books.stacks))
    evening.refused("cannot_eliminate", entries_eliminate, by=ARBITER, entries=[somebody])
    evening.refused("not_allowed", clock_start, by=ARBITER)
    evening.do(clock_start)
    evening.reload()
    evening.checker.full(evening.books, evening.now)


def _play(evening: Evening, watch: Watch | None) -> None:
    """Play one hand at each table, put the floor in order, compare, and so on to the winner."""
    plan, books_checked_at = evening.plan, evening.plan.entries
    late = max(1, (plan.entries - evening.expected) // LATE_ROUNDS)
    while len(evening.books.stacks) > 1 or evening.expected < plan.entries:
        round_began = evening.now
        arrive_late(evening, late)
        _drive_clock(evening)
        _play_tables(evening)
        _happen(evening)
        settle(evening)
        evening.note_tables()
        left = len(evening.books.stacks)
        evening.checker.quick(evening.books)
        evening.checker.expect(all(evening.books.stacks.values()), "somebody has no chips")
        if plan.is_small or books_checked_at - left >= plan.entries // FULL_CHECKS:
            evening.checker.full(evening.books, evening.now)
            books_checked_at = left
        if watch:
            watch(left)
        evening.now = max(evening.now, round_began + HAND)


def _play_tables(evening: Evening) -> None:
    level = clock_state(evening.event.clock, evening.now).level
    if level.is_break:
        return
    for number in sorted(evening.books.tables):
        _play_table(evening, number, level)


def _play_table(evening: Evening, number: int, level: Level) -> None:
    books = evening.books
    seats = sorted(books.tables[number])
    if len(seats) < 2:
        return
    evening.tally["hands"] += 1
    first = evening.tally["hands"] % len(seats)
    players = [books.tables[number][seat] for seat in seats[first:] + seats[:first]]
    before = {entry: books.stacks[entry] for entry in players}
    after = play_hand(
        before, small_blind=level.small_blind, big_blind=level.big_blind, rng=evening.rng
    )
    busted = {entry: before[entry] for entry in players if not after[entry]}
    books.stacks.update({entry: chips for entry, chips in after.items() if chips})
    books.stacks.update(dict.fromkeys(busted, 0))
    if busted:
        put_out(evening, busted)
        evening.compare()


def _happen(evening: Evening) -> None:
    """Let happen what the cards do not bring about."""
    if evening.chance(small=0.15, large=0.08):
        put_out_wrongly(evening)
    if evening.chance(small=0.06, large=0.04):
        disqualify(evening)
    if evening.chance(small=0.15, large=0.1):
        move_by_hand(evening)


def _drive_clock(evening: Evening) -> None:
    """Now and then stop the clock for a while, shift it, or touch the wrong button."""
    if not evening.chance(small=0.2, large=0.1):
        return
    match evening.rng.randrange(3):
        case 0:
            evening.do(clock_pause)
            evening.refused("not_running", clock_pause)
            evening.now += timedelta(minutes=evening.rng.randrange(1, 9))
            evening.do(clock_start)
        case 1:
            evening.do(clock_adjust, seconds=evening.rng.choice([-90, 60, 120]))
        case 2:
            state = clock_state(evening.event.clock, evening.now)
            wrong = clock_previous_level if state.is_last else clock_next_level
            evening.undo(evening.do(wrong))
            shown = clock_state(evening.event.clock, evening.now)
            evening.checker.expect(shown.level == state.level or shown.is_running, "the level")


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
        "invariants_checked": checker.checked,
        **{name: evening.tally[name] for name in ("tables", "moves", "table_breaks", "undos")},
    }


def _percentiles(times: list[float]) -> dict[str, float]:
    cuts = quantiles(times if len(times) > 1 else times * 2, n=100, method="inclusive")
    return {"p50": round(cuts[49], 3), "p99": round(cuts[98], 3)}


def _in_order(figures: dict[str, Any]) -> dict[str, Any]:
    names = (
        "entries", "tables", "eliminations", "moves", "table_breaks", "undos", "distinct_places",
        "chips_in_play_start", "chips_in_play_end", "log_entries", "seconds", "elimination_ms",
        "invariants_checked",
    )  # fmt: skip
    return {name: figures[name] for name in names}
