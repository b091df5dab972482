"""Simulate an event from check-in to the last place: the engine's deeds, checked by books."""

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from time import perf_counter
from typing import Any

from clock.models import ScheduleTemplate
from clock.selectors import clock_levels, clock_state
from tournaments.changes.commands import ClubCommand, Command
from tournaments.contests.services.bags import bag_say, day_end
from tournaments.door.services.arrivals import entry_check_in
from tournaments.event.domain.games import Game, LimitKind
from tournaments.event.selectors.event import (
    chips_in_play,
    event_alive_entry_ids,
    players_left,
    screen_figures,
)
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_create, event_end
from tournaments.forecast.domain.course import known_at
from tournaments.forecast.selectors.forecast import course_of
from tournaments.models import Action, Club, Event, RulePreset, Seating, Table
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.practice.services.engine import Deed, next_deed
from tournaments.practice.services.rehearsal import rehearsal_announce, rehearsal_fill
from tournaments.practice.simulation.books import Books, Hand, Place, level_reached
from tournaments.practice.simulation.evening import ARBITER, DIRECTOR, Evening, Plan
from tournaments.seating.selectors.balancing import is_filling
from tournaments.seating.selectors.tables import table_counts
from tournaments.seating.services.breaking import final_table_draw, table_break, tables_redraw
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import balance_step

AT_ONCE = 200  # from this field on all arrive first, and one draw seats them
SMALL = 50  # up to this field, full comparison after every deed
FULL_CHECKS = 24  # number of full comparisons in larger fields
ON_THE_FLOOR = (balance_step, table_break, final_table_draw, tables_redraw)
NOT_TAKEN_BACK = (clock_start, seats_draw, event_end, day_end)
TAKEN_BACK, DOUBLED, DISQUALIFIED, COUNTED = 0.08, 0.05, 0.03, 0.5
A_MINUTE = timedelta(minutes=1)
Watch = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a simulation."""

    event: Event
    figures: dict[str, Any]


@dataclass(slots=True)
class Play:
    """An event, and its books."""

    evening: Evening
    books: Books = field(default_factory=Books)
    tables: int = 0
    undos: int = 0
    is_over: bool = False
    compared_at: int = 0


def simulate(plan: Plan, *, club: Club, watch: Watch | None = None) -> Outcome:
    """Play a whole event with continuous checks; `watch` gets the number left.

    :raises InvariantBroken: When the database and the books differ.
    """
    began = perf_counter()
    play = Play(_begin(plan, club))
    while not play.is_over:
        play_on(play)
        if watch and play.evening.event.has_started:
            watch(len(play.books.here))
    return Outcome(play.evening.event, figures_of(play, round(perf_counter() - began, 3)))


def _begin(plan: Plan, club: Club) -> Evening:
    # A simulation must be reproducible; it needs no secure randomness.
    rng = Random(plan.seed)  # noqa: S311
    is_drawn_at_once = plan.entries >= AT_ONCE
    name = f"Simulation {plan.entries}/{plan.seed}"
    evening = make_evening(plan, club, rng, name=name, is_sample=True, late_registration_level=3)
    evening.do(rehearsal_fill if is_drawn_at_once else rehearsal_announce, players=plan.entries)
    evening.reload()
    return evening


def make_evening(plan: Plan, club: Club, rng: Random, *, name: str, **settings: Any) -> Evening:
    """Make the event of a plan; `settings` come before what is usual."""
    is_drawn_at_once = plan.entries >= AT_ONCE
    usual: dict[str, Any] = {
        "starts_at": plan.begins_at + timedelta(hours=3),
        "schedule": ScheduleTemplate.objects.get(name=plan.schedule),
        "preset": RulePreset.objects.get(key=plan.preset),
        "game": Game.HOLDEM,
        "limit": LimitKind.NO_LIMIT,
        "seats_per_table": plan.seats,
        "capacity": plan.entries,
        "draw_mode": Event.DrawMode.FIELD if is_drawn_at_once else Event.DrawMode.ROLLING,
        "draw_secret": hashlib.sha256(f"simulation {plan.seed}".encode()).hexdigest(),
    }
    command = ClubCommand(club=club, by=DIRECTOR, at=plan.begins_at)
    made = event_create(command, name=name, **usual | settings)
    event = Event.objects.select_related("clock", "club").get(pk=made.payload["event"])
    evening = Evening(plan=plan, rng=rng, event=event, now=plan.begins_at)
    evening.note(made)
    return evening


def play_on(play: Play) -> None:
    """Do the next deed, sometimes an extra one, and compare."""
    evening, books = play.evening, play.books
    deed = next_deed(evening.event, evening.now, evening.rng)
    if deed is None:
        evening.now += A_MINUTE
        return
    if deed.service is entries_eliminate and not is_filling(evening.event, evening.now):
        balanced(evening, books)
        if evening.rng.random() < DISQUALIFIED and len(books.here) > 3:
            _disqualify(play)
            return
        _refuse(play, deed)
    before = books.copy()
    action = _carry_out(evening, deed)
    _write(play, deed, action)
    _compare(play)
    if deed.service not in NOT_TAKEN_BACK and evening.rng.random() < _share(play, TAKEN_BACK):
        _take_back(play, action, before)
    evening.now += timedelta(seconds=deed.takes)


def _share(play: Play, chance: float) -> float:
    return chance * min(1, SMALL / play.evening.plan.entries)


def _carry_out(evening: Evening, deed: Deed) -> Action:
    """Send it like a device, sometimes twice with one key."""
    command = Command(event=evening.event, by=DIRECTOR, at=evening.now, key=evening.key())
    action = evening.note(deed.carry_out(command))
    if evening.rng.random() < DOUBLED:
        again = deed.carry_out(command)
        evening.expect(again.pk == action.pk, "one key, two effects", action, again)
    return action


def _write(play: Play, deed: Deed, action: Action) -> None:
    books, told = play.books, action.payload
    if deed.service is entry_check_in:
        books.here.add(told["entry"])
        books.chips += told["chips"]
        # A large field is seated by one draw of all.
        if told.get("table"):
            books.sit([[told["entry"], told["table"], told["seat"]]])
    elif deed.service is seats_draw:
        drawn = Seating.objects.filter(made_by=action)
        books.sit(drawn.values_list("entry", "table__number", "seat"))
        books.here = set(books.where)
        books.chips = len(books.here) * play.evening.event.starting_stack
    elif deed.service is balance_step:
        books.sit([[told["entry"], told["table"], told["seat"]]])
    elif deed.service in ON_THE_FLOOR:
        books.sit(told["moves"])
    elif deed.service is entries_eliminate:
        stacks = deed.own["start_stacks"] or {}
        outs = {entry: stacks.get(entry) for entry in told["entries"]}
        books.leave(Hand(action.at, action.sequence, outs))
    elif deed.service is bag_say:
        books.bags[told["entry"]] = told["amount"]
    elif deed.service in (event_end, day_end):
        play.is_over = True
    play.tables = max(play.tables, len(books.sizes()))


def _take_back(play: Play, action: Action, before: Books) -> None:
    """Undo the last deed, and usually redo it by undoing the undo."""
    evening, after = play.evening, play.books
    undoing = evening.undo(action)
    play.books, play.undos = before, play.undos + 1
    _compare(play)
    if evening.rng.random() < 0.5:
        return
    evening.undo(undoing)
    play.books, play.undos = after, play.undos + 1
    _compare(play)


def _disqualify(play: Play) -> None:
    """Disqualify a player, whose chips leave play; sometimes they stay uncounted."""
    evening, books = play.evening, play.books
    pk = evening.rng.choice(sorted(books.here))
    stack = 1 if evening.rng.random() < COUNTED else None
    action = evening.do(
        entry_disqualify, entry=evening.entry(pk), reason="Chips eingesteckt", stack=stack
    )
    books.leave(Hand(action.at, action.sequence, {pk: None}))
    books.chips -= stack or 0
    books.uncounted |= set() if stack else {pk}
    _compare(play)


def _refuse(play: Play, deed: Deed) -> None:
    """Try the impossible: eliminate an entry twice, end the event as arbiter."""
    evening, books = play.evening, play.books
    if evening.rng.random() > _share(play, DOUBLED):
        return
    evening.refused("not_allowed", event_end, by=ARBITER)
    if books.hands:
        entry = evening.entry(min(books.hands[-1].outs))
        evening.refused("already_out", entries_eliminate, by=ARBITER, entries=[entry])
    everybody = [evening.entry(pk) for pk in sorted(books.here)]
    if len(books.sizes()) == 1:
        evening.refused("last_one_wins", entries_eliminate, by=ARBITER, entries=everybody)


def _compare(play: Play) -> None:
    """Compare after a step, as thoroughly as the size of the field allows."""
    evening, books = play.evening, play.books
    evening.reload()
    if not books.here:
        return
    done = abs(len(books.here) - play.compared_at)
    if evening.plan.entries <= SMALL or play.is_over or done > evening.plan.entries // FULL_CHECKS:
        full(evening, books)
        play.compared_at = len(books.here)
    else:
        quick(evening, books)


def figures_of(play: Play, seconds: float) -> dict[str, Any]:
    """Return the figures, after a last comparison."""
    evening, books, kinds = play.evening, play.books, play.evening.kinds
    entries = len(books.here) + sum(len(hand.outs) for hand in books.hands)
    evening.expect(entries == evening.plan.entries, "entries", entries)
    evening.chain()
    evening.refused("over", entries_eliminate, entries=[evening.entry(min(books.here))])
    chips, _is_exact = chips_in_play(evening.event)
    return {
        "entries": entries,
        "tables": play.tables,
        "eliminations": entries - len(books.here),
        "moves": kinds["seat.balanced"],
        "table_breaks": kinds["table.broken"],
        "undos": play.undos,
        "distinct_places": len(set(places_of(evening.event).values())),
        "chips_in_play_start": entries * evening.event.starting_stack,
        "chips_in_play_end": chips,
        "log_entries": evening.event.log_sequence,
        "seconds": seconds,
        "invariants_checked": evening.checked,
        "differences": 0,
        "kinds_played": dict(sorted(kinds.items())),
    }


# --- Invariants, checked by comparing the database with the books


def quick(evening: Evening, books: Books) -> None:
    """Compare people, chips and table sizes: a few queries for any field."""
    left, alive = players_left(evening.event), len(books.here)
    evening.expect(left == alive, "players left", left, alive)
    chips, is_exact = chips_in_play(evening.event)
    evening.expect(chips == books.chips, "chips in play", chips, books.chips)
    evening.expect(is_exact is not bool(books.uncounted), "exact", is_exact, books.uncounted)
    counts = {row.number: row.players for row in table_counts(evening.event) if row.players}
    evening.expect(counts == books.sizes(), "players by table", counts, books.sizes())


def full(evening: Evening, books: Books) -> None:
    """Compare every seat, person, chip and place, and the pages of the hall."""
    quick(evening, books)
    _seats(evening, books)
    alive = set(event_alive_entry_ids(evening.event))
    evening.expect(alive == books.here, "who is left", alive, books.here)
    found = places_of(evening.event)
    is_over = evening.event.is_over or (len(books.here) == 1 and bool(books.hands))
    own = books.places(is_over=is_over)
    evening.expect(found == own, "places, found and own", found, own)
    figures = screen_figures(evening.event, evening.now)
    evening.expect(figures["players_left"] == len(books.here), "players left shown", figures)
    average = books.chips // len(books.here)
    evening.expect(figures["average_stack"] == average, "average shown", figures, average)
    course = known_at(course_of(evening.event).changes, evening.now)
    evening.expect(course.chips == books.chips, "chips of the forecast", course, books.chips)
    _level(evening)


def _seats(evening: Evening, books: Books) -> None:
    rows = Seating.objects.filter(event=evening.event, voided_by=None)
    held = list(rows.values_list("entry", "table__number", "seat", "table__voided_by"))
    _once(evening, (entry for entry, *_place in held), "a person is seated twice")
    _once(evening, ((table, seat) for _, table, seat, _ in held), "a seat is doubly held")
    broken = [row for row in held if row[3] is not None]
    evening.expect(not broken, "somebody sits at a broken table", broken)
    found: dict[int, Place] = {entry: (table, seat) for entry, table, seat, _ in held}
    evening.expect(found == books.where, "seats", found, books.where)
    numbers = Table.objects.filter(event=evening.event, voided_by=None).values_list("number")
    _once(evening, numbers, "a table number is used twice")


def _once(evening: Evening, values: Iterable[object], what: str) -> None:
    listed = list(values)
    evening.expect(len(listed) == len(set(listed)), what, listed)


def _level(evening: Evening) -> None:
    """Compare the shown level with the time since the start: the clock is not paused."""
    event = evening.event
    if event.started_by is None or event.is_over:
        return
    rows = clock_levels(event.clock)
    lengths = [row.duration.total_seconds() if row.duration else None for row in rows]
    if not evening.lengths:
        evening.lengths = lengths
    passed = evening.played_before + (evening.now - event.started_by.at).total_seconds()
    own = level_reached(evening.lengths, passed)
    found = clock_state(event.clock, evening.now).index
    evening.expect(found == own, "the level shown", found, own)


def balanced(evening: Evening, books: Books) -> None:
    """Expect the tables within the tolerance of the largest, except full ones."""
    sizes, event = books.sizes(), evening.event
    most = max(sizes.values(), default=0)
    seats = {table.number: table.chairs for table in Table.objects.live().filter(event=event)}
    tolerance = event.rule_set.balancing_tolerance
    short = {
        number: size
        for number, size in sizes.items()
        if size < seats[number] and most - size > tolerance
    }
    evening.expect(not short, "tables differ by more than the tolerance", most, short)
