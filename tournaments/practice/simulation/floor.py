"""What the director does with the tables: as advised, and now and then by hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from tournaments.event.domain.betting import final_table_size
from tournaments.models import Action, Table
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import ARBITER, SECOND, Evening
from tournaments.seating.domain.seating import Suggestion
from tournaments.seating.selectors.arrivals import is_filling
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.services.tables import (
    balance_step,
    entry_move,
    final_table_draw,
    table_break,
)

Step = Callable[[], Action]


@deed(balance_step, table_break, final_table_draw, when=When.COURSE)
def settle(evening: Evening) -> None:
    """Do what the tables need until nothing is advised any more, and see that it was enough."""
    while True:
        # As it is when somebody presses, a second later.
        advice = floor_advice(evening.event, evening.now + SECOND)
        if advice.draws_final:
            carry_out(evening, partial(_draw_final, evening))
        elif advice.breaks_table is not None:
            table = evening.table(advice.breaks_table)
            carry_out(evening, partial(_break, evening, table))
        elif advice.moves:
            # One by one: what was suggested may have grown old by the next.
            carry_out(evening, partial(_follow, evening, advice.moves[0]))
        else:
            break
    if not is_filling(evening.event, evening.now):
        evening.checker.balanced(evening.books, evening.table_seats)


def carry_out(evening: Evening, step: Step) -> bool:
    """Do a step; when it was taken back for good, the advice has to be asked for again."""
    before = evening.kept(small=0.15, large=0.004)
    in_force = evening.stays(step(), before)
    evening.compare()
    return in_force


def _draw_final(evening: Evening) -> Action:
    action = evening.do(final_table_draw)
    size = final_table_size(evening.event.seats_per_table)
    moves = action.payload["moves"]
    for entry, _, _ in moves:
        evening.books.rise(entry)
    evening.books.close(*action.payload["closed"])
    evening.table_seats[action.payload["table"]] = size
    for entry, table, seat in moves:
        evening.seat(entry, table, seat)
    evening.tally["final_tables"] += 1
    return action


def _break(evening: Evening, table: Table) -> Action:
    action = evening.do(table_break, table=table)
    evening.reseat(action.payload["moves"])
    evening.books.close(table.number)
    evening.tally["table_breaks"] += 1
    return action


def _follow(evening: Evening, move: Suggestion) -> Action:
    action = evening.do(
        balance_step,
        entry=evening.entry(move.entry),
        from_table=move.from_table,
        to_table=move.to_table,
        to_seat=move.to_seat,
    )
    evening.reseat([[move.entry, move.to_table, move.to_seat]])
    evening.tally["moves"] += 1
    return action


@deed(entry_move, often=3)
def move_by_hand(evening: Evening) -> bool:
    """Put a player on a free seat of the same table, for a reason that is said."""
    books, rng = evening.books, evening.rng
    entry = evening.somebody()
    number, seat = books.where[entry]
    free = evening.free_seats(number)
    own: dict[str, Any] = {
        "entry": evening.entry(entry),
        "table": evening.table(number),
        "reason": "sieht schlecht",
    }
    evening.refused("seat_unfit", entry_move, **own, seat=seat)
    if not free:
        return False
    to_seat = rng.choice(free)
    evening.refused("not_allowed", entry_move, by=ARBITER, **own, seat=to_seat)
    carry_out(evening, partial(move_to, evening, entry, number, to_seat))
    return True


def move_to(evening: Evening, entry: int, table: int, seat: int) -> Action:
    """Move somebody by hand, as the one who presses sees the room."""
    action = evening.do(
        entry_move,
        entry=evening.entry(entry),
        table=evening.table(table),
        seat=seat,
        moved_from=evening.books.where[entry],
        reason="sieht schlecht",
    )
    evening.reseat([[entry, table, seat]])
    evening.tally["moves"] += 1
    return action
