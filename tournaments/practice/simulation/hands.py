"""Hands at the tables: played by a crude poker, and tapped where somebody taps."""

from __future__ import annotations

from clock.domain import Level
from clock.selectors import clock_state
from tournaments.event.services.clock import clock_start
from tournaments.event.services.clock_hands import clock_hand
from tournaments.play.services.hands import button_mark, hand_begin
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening
from tournaments.practice.simulation.outs import put_out
from tournaments.practice.simulation.poker import play_hand


def play_tables(evening: Evening) -> None:
    """Play one hand at each table; after a break the director starts the clock if it stands."""
    level = clock_state(evening.event.clock, evening.now).level
    if level.is_break:
        return
    tap_hands(evening)
    for number in sorted(evening.books.tables):
        busted = play_table(evening, number, level)
        if busted:
            put_out(evening, busted)
            evening.compare()


def play_table(evening: Evening, number: int, level: Level) -> dict[int, int]:
    """Play a hand at a table, and return who has lost all, with the stack before it."""
    books = evening.books
    seats = sorted(books.tables[number])
    if len(seats) < 2:
        return {}
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
    return busted


@deed(hand_begin, clock_hand, when=When.COURSE)
def tap_hands(evening: Evening) -> None:
    """Tap the next hand at the counting table, and mostly at the first one; the others tap nothing.

    A level that goes by hands is counted by the taps of the counting table, or by the key.
    """
    books, clock, counting = evening.books, evening.clock, evening.event.clock.counting_table
    level = clock.rows[clock.at]
    counts = level.hands is not None
    first = min(books.tables) if evening.rng.random() < 0.6 else counting
    for number in sorted(books.tables.keys() & {counting, first}):
        clock.settle(evening.now)
        if clock.rows[clock.at].is_break:
            return  # the hand just counted ended the level
        if len(books.tables[number]) < 2:
            continue
        before = books.taps.get(number)
        evening.do(hand_begin, by=ARBITER, table=evening.table(number))
        if number == counting and counts and before and before[1] == level.id:
            clock.count(evening.now)
            counts = False
        books.taps[number] = (evening.now, clock.announced(evening.now))
        if evening.chance(small=0.2, large=0.05):
            evening.refused("too_soon", hand_begin, by=ARBITER, table=evening.table(number))
    if counts and clock.shown(evening.now) == level.id and counting not in books.taps:
        evening.do(clock_hand, by=ARBITER)
        clock.count(evening.now)


@deed(button_mark, often=2)
def mark_or_forget_a_button(evening: Evening) -> bool:
    """Say where the button is, or that nobody knows."""
    number = min(evening.books.tables)
    table, seats = evening.table(number), sorted(evening.books.tables[number])
    evening.refused("not_allowed", button_mark, by=DESK, table=table, seat=seats[0])
    seat = evening.rng.choice([*seats, None])
    made = evening.do(button_mark, by=ARBITER, table=table, seat=seat)
    evening.checker.expect(made.payload["seat"] == seat, "the button", made.payload, seat)
    return True


@deed(clock_start, when=When.COURSE)
def go_on_after_break(evening: Evening) -> None:
    """Start the clock that stands at the end of a break."""
    evening.clock.settle(evening.now)
    if evening.clock.since is None and not evening.books.rounds.at(evening.now):
        evening.do(clock_start)
        evening.clock.start(evening.now)
