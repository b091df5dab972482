"""Invariants, checked by comparing the database with the simulator's books."""

from collections.abc import Iterable

from clock.selectors import clock_levels, clock_state
from tournaments.event.selectors.event import (
    chips_in_play,
    event_alive_entry_ids,
    players_left,
    screen_figures,
)
from tournaments.forecast.domain.course import known_at
from tournaments.forecast.selectors.forecast import course_of
from tournaments.models import Seating, Table
from tournaments.play.selectors.ranking import places_of
from tournaments.practice.simulation.books import Books, Place, level_reached
from tournaments.practice.simulation.evening import Evening
from tournaments.seating.selectors.tables import table_counts


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
