"""Who moves where there is no big blind to go by, and what is left to chance or to the director."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.seating.domain.button import TableView
from tournaments.seating.domain.moves import (
    Deviation,
    StudReason,
    deviation,
    drawable_movers,
    mover_and_seat,
    stud_move,
)


def view(number, players, *, seats=8, button=None, locked=()):
    held = {seat: number * 100 + seat for seat in players}
    return TableView(number, seats, held, button, locked=frozenset(locked))


def last(names):
    return tuple(reversed(names))


def not_needed(names):
    raise AssertionError(f"Nothing is to be drawn here: {names}")


FULL = view(4, range(1, 9))
SHORT = view(7, [1, 2, 5, 8])


def test_tda_2024_11a_stud_the_last_seat_opened_is_filled_by_position():
    move = stud_move(FULL, SHORT, opened=[6], tie=not_needed)
    assert (move.entry, move.from_seat, move.to_seat) == (406, 6, 6)
    assert (move.reason_code, move.lots) == (StudReason.LAST_OPENED, ())


@pytest.mark.parametrize(("players", "from_seat"), [([1, 2, 7], 7), ([1, 2, 3], 1), ([5], 5)])
def test_tda_2024_11a_stud_nobody_on_that_seat_means_the_next_one_clockwise(players, from_seat):
    move = stud_move(view(4, players), SHORT, opened=[6], tie=not_needed)
    assert move.from_seat == from_seat


def test_stud_seats_opened_in_one_hand_are_drawn_among():
    move = stud_move(FULL, SHORT, opened=[6, 3], tie=last)
    assert (move.to_seat, move.reason_code) == (3, StudReason.DRAWN)
    assert move.lots == ("seat:7:6", "seat:7:3")


@pytest.mark.parametrize("opened", [[], [1]])
def test_stud_without_an_open_seat_that_is_known_any_free_one_is_drawn(opened):
    move = stud_move(FULL, SHORT, opened=opened, tie=last)
    assert (move.to_seat, move.reason_code) == (7, StudReason.DRAWN)
    assert len(move.lots) == 4


def test_stud_a_locked_seat_is_not_filled():
    move = stud_move(FULL, view(7, [1, 2, 5, 8], locked=[6]), opened=[6], tie=last)
    assert move.to_seat == 7
    assert "seat:7:6" not in move.lots


@pytest.mark.parametrize(
    ("source", "target"), [(FULL, FULL), (FULL, view(7, range(1, 9))), (view(4, []), SHORT)]
)
def test_stud_who_cannot_move_is_refused(source, target):
    with pytest.raises(ValueError, match="Nobody can move"):
        stud_move(source, target, opened=[], tie=last)


@given(st.integers(2, 8), st.data())
def test_a_locked_seat_is_never_the_worst(seats, data):
    players = data.draw(st.sets(st.integers(1, seats), min_size=1, max_size=seats - 1))
    empty = sorted(set(range(1, seats + 1)) - players)
    locked = data.draw(st.sets(st.sampled_from(empty), max_size=len(empty) - 1))
    button = data.draw(st.integers(1, seats) | st.none())
    target = view(7, players, seats=seats, button=button, locked=locked)
    move = mover_and_seat(view(4, range(1, 9), button=3), target, tie=last)
    assert move.to_seat in set(empty) - locked


def test_nobody_is_moved_twice_while_someone_else_could_have_been():
    source = view(4, [1, 2, 3])
    assert drawable_movers(source, {401: 1, 402: 2}) == (403,)
    assert drawable_movers(source, {401: 1, 402: 2, 403: 1}) == (401, 403)
    move = mover_and_seat(source, SHORT, tie=last, drawable=[401])
    assert move.entry == 401
    assert move.lots[0] == "entry:401"
    assert all(lot.startswith("seat:7:") for lot in move.lots[1:])


def test_who_is_to_be_kept_apart_from_somebody_there_is_drawn_only_when_nobody_else_is_left():
    source = view(4, [1, 2])
    assert drawable_movers(source, {}, barred=[401]) == (402,)
    assert drawable_movers(source, {402: 3}, barred=[401]) == (402,)
    assert drawable_movers(source, {402: 3}, barred=[401, 402]) == (401,)
    assert drawable_movers(view(4, []), {}) == ()


def test_tda_2024_11a_the_next_big_blind_moves_even_if_he_was_moved_before():
    move = mover_and_seat(view(4, [1, 2, 3, 4], button=1), SHORT, tie=last, drawable=[401])
    assert move.from_seat == 4


@pytest.mark.parametrize(
    ("entry", "table", "seat", "found"),
    [
        (406, 7, 6, None),
        (406, 7, 7, Deviation.SEAT),
        (406, 5, 6, Deviation.TABLE),
        (405, 7, 6, Deviation.PLAYER),
    ],
)
def test_in_what_a_move_by_hand_differs_from_the_procedure(entry, table, seat, found):
    step = stud_move(FULL, SHORT, opened=[6], tie=not_needed)
    assert deviation(entry, table, seat, step) is found
    assert deviation(entry, table, seat, None) is Deviation.NOBODY_DUE
