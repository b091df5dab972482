"""What is done with tables and seats beside what the procedure asks for."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

from tournaments.models import Action, KeepApart
from tournaments.play.services.hands import hand_begin
from tournaments.play.services.summons import director_call, director_come, director_settle
from tournaments.practice.simulation.deeds.deed import deed
from tournaments.practice.simulation.evening import DESK, Evening
from tournaments.practice.simulation.floor import carry_out, move_to
from tournaments.rulings.services.rulings import ruling_note
from tournaments.seating.selectors.seat_cards import draws_seats
from tournaments.seating.services.breaking import tables_redraw
from tournaments.seating.services.locks import (
    keep_apart_drop,
    keep_apart_wish,
    seat_lock,
    seat_unlock,
    table_halt,
)
from tournaments.seating.services.seat_cards import seats_draw_by_cards
from tournaments.seating.services.tables import seats_swap, table_close, table_open
from tournaments.undo.services.undo import action_undo

SHORT_BY = 3  # TDA 2024 11-D
CARDS = "A23456789T"
MOST_LOCKS = 2


@deed(seat_lock, seat_unlock)
def lock_or_unlock_a_seat(evening: Evening) -> bool:
    """Lock a free seat, so that nobody is put there; or give one free again."""
    books, rng = evening.books, evening.rng
    if books.locks and (len(books.locks) >= MOST_LOCKS or rng.random() < 0.5):
        number, seat = min(books.locks)
        evening.do(seat_unlock, table=evening.table(number), seat=seat)
        books.locks.discard((number, seat))
        return True
    number = rng.choice(sorted(books.tables))
    free = evening.free_seats(number)
    # A room without a spare seat could not be put in order any more.
    if len(free) < 2 or len(books.tables) < 2:
        return False
    seat = rng.choice(free)
    own: dict[str, Any] = {"table": evening.table(number), "seat": seat, "reason": "Stuhl kaputt"}
    evening.do(seat_lock, **own)
    books.locks.add((number, seat))
    evening.refused("already_locked", seat_lock, **own)
    return True


@deed(seats_swap)
def swap_two(evening: Evening) -> bool:
    """Let two change seats."""
    books = evening.books
    if len(books.where) < 2:
        return False
    one, other = evening.rng.sample(sorted(books.where), 2)
    own: dict[str, Any] = {"first": evening.entry(one), "second": evening.entry(other)}
    evening.refused("reason_needed", seats_swap, **own, reason="")

    def step() -> Action:
        here, there = evening.books.where[one], evening.books.where[other]
        action = evening.do(seats_swap, **own, reason="Streit", places=(here, there))
        evening.reseat([[one, *there], [other, *here]])
        return action

    carry_out(evening, step)
    return True


@deed(table_open, table_close)
def open_a_table_in_vain(evening: Evening) -> bool:
    """Open a table that nobody needs, and close it; one where somebody sits stays."""
    books = evening.books
    number = min(books.tables)
    evening.refused("not_empty", table_close, table=evening.table(number))
    evening.note_opened(evening.do(table_open))
    evening.compare()
    opened = max(number for number, seats in books.tables.items() if not seats)
    evening.do(table_close, table=evening.table(opened))
    books.close(opened)
    return True


@deed(tables_redraw)
def redraw(evening: Evening) -> bool:
    """Draw every seat anew."""
    if len(evening.books.tables) < 2:
        return False
    carry_out(evening, partial(_redraw, evening))
    return True


def _redraw(evening: Evening) -> Action:
    number = str(evening.rng.randrange(10**9))
    action, books = evening.do(tables_redraw, number=number), evening.books
    for entry in list(books.where):
        books.rise(entry)
    books.close(*action.payload["closed"])
    for entry, table, seat in action.payload["moves"]:
        evening.seat(entry, table, seat)
    return action


@deed(seats_draw_by_cards)
def draw_by_cards(evening: Evening) -> bool:
    """Draw every seat anew, and then those of a table with real cards: ace is seat 1 (HOME)."""
    if not redraw(evening):
        return False
    books = evening.books
    number = max(books.tables, key=lambda one: len(books.tables[one]))
    if len(books.tables[number]) < 2 or not draws_seats(evening.event, number):
        return False
    locked = {seat for table, seat in books.locks if table == number}
    entries = [entry for seat, entry in sorted(books.tables[number].items()) if seat not in locked]
    seats = [seat for seat in range(1, evening.table_seats[number] + 1) if seat not in locked]
    drawn = dict(zip(entries, evening.rng.sample(seats, len(entries)), strict=True))
    cards = {entry: CARDS[seat - 1] for entry, seat in drawn.items()}
    evening.do(seats_draw_by_cards, table=evening.table(number), cards=cards)
    evening.reseat([[entry, number, seat] for entry, seat in drawn.items()])
    evening.compare()
    return True


@deed(director_call, director_come, director_settle)
def call_the_director(evening: Evening) -> bool:
    """A table calls the director, who comes."""
    table = evening.table(min(evening.books.tables))
    evening.refused("not_called", director_settle, table=table)
    evening.do(director_call, table=table, reason="rule")
    evening.refused("called", director_call, table=table, reason="chips")
    evening.do(director_come, table=table)
    evening.do(director_settle, table=table)
    return True


@deed(ruling_note)
def decide_a_question(evening: Evening) -> bool:
    """An arbiter settles a side pot, and something outside the rules of the desk."""
    own: dict[str, Any] = {
        "table": evening.table(min(evening.books.tables)),
        "decided": "210 und 140",
    }
    pots = "topic=pots&players=3&put=70&put=140&all_in=1&put="
    evening.do(ruling_note, **own, address=f"{pots}140")
    evening.refused("unruled", ruling_note, **own, address=f"{pots}100")
    evening.refused("no_decision", ruling_note)
    evening.do(ruling_note, asked="Karte verdeckt?", decided="Neu gegeben.")
    return True


@deed(table_halt, action_undo)
def halt_a_table(evening: Evening) -> bool:
    """Take players from a table until it is far short, halt it, and let it play on after all."""
    books, short_by = evening.books, evening.event.rule_set.halt_when_short_by
    sizes = {number: len(seats) for number, seats in books.tables.items()}
    number = min(sizes, key=lambda one: (sizes[one], one))
    others = [one for one in sizes if one != number and evening.free_seats(one)]
    if not others or sizes[number] < SHORT_BY + 1 or not evening.free_seats(number):
        return False
    while len(books.tables[number]) > max(map(len, books.tables.values())) - short_by:
        room = [one for one in others if evening.free_seats(one)]
        if not room or len(books.tables[number]) < SHORT_BY:
            return False
        to = max(room, key=lambda one: (len(books.tables[one]), one))
        move_to(evening, min(books.tables[number].values()), to, evening.free_seats(to)[0])
    table = evening.table(number)
    halt = evening.do(table_halt, table=table)
    evening.refused("cannot_halt", table_halt, table=table)
    last_hand = books.taps.get(number)
    if last_hand is None or evening.now - last_hand[0] >= timedelta(minutes=1):
        evening.refused("halted", hand_begin, table=table)
    if evening.rng.random() < 0.5:
        evening.undo(halt)
    else:
        evening.do(table_halt, table=table, is_waived=True)
    return True


@deed(keep_apart_wish, keep_apart_drop)
def wish_to_keep_apart(evening: Evening) -> bool:
    """Wish that two do not sit at one table; the wish before it is dropped."""
    wishes = KeepApart.objects.live().filter(event=evening.event)
    if wish := wishes.first():
        evening.do(keep_apart_drop, by=DESK, wish=wish)
        evening.refused("gone", keep_apart_drop, by=DESK, wish=wish)
        return True
    if len(evening.books.where) < 2:
        return False
    pair = evening.rng.sample(sorted(evening.books.where), 2)
    first, second = (evening.registration_of(entry) for entry in pair)
    evening.do(keep_apart_wish, by=DESK, first=first, second=second)
    evening.refused("already_wished", keep_apart_wish, by=DESK, first=second, second=first)
    return True
