from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.balance import fewest_moves, is_balanced
from tournaments.event.domain.games import final_table_size
from tournaments.seating.domain.seating import (
    TableCount,
    Transfer,
    attendance_expected,
    balancing_moves,
    next_to_break,
    redraw_due,
    table_to_break,
    tables_kept,
    tables_needed,
    tables_wanted,
)


def tables(*sizes, seats=9):
    return [TableCount(number, players, seats) for number, players in enumerate(sizes, start=1)]


@st.composite
def halls(draw, most=12):
    counts = []
    for number in range(1, draw(st.integers(1, most)) + 1):
        seats = draw(st.integers(2, 10))
        counts.append(TableCount(number * 3, draw(st.integers(0, seats)), seats))
    return counts


def after(counts, moves):
    """Carry the moves out one by one, looking that each is legal."""
    players = {count.number: count.players for count in counts}
    seats = {count.number: count.seats for count in counts}
    for move in moves:
        assert players[move.from_table] > 0
        assert players[move.to_table] < seats[move.to_table]
        players[move.from_table] -= 1
        players[move.to_table] += 1
    return [TableCount(number, players[number], seats[number]) for number in players]


def fewest_by_trying(counts, tolerance):
    """Look at every way the field can sit and count who must move for it."""
    field, best = sum(count.players for count in counts), None
    for sizes in product(*(range(count.seats + 1) for count in counts)):
        if sum(sizes) != field:
            continue
        could_take = [size for size, count in zip(sizes, counts, strict=True) if size < count.seats]
        if could_take and max(sizes) - min(could_take) > tolerance:
            continue
        pairs = zip(counts, sizes, strict=True)
        moved = sum(max(0, count.players - size) for count, size in pairs)
        best = moved if best is None else min(best, moved)
    return best


@pytest.mark.parametrize(
    ("players", "seats", "needed"),
    [(0, 9, 0), (1, 9, 1), (9, 9, 1), (10, 9, 2), (37, 9, 5), (37, 10, 4), (10_112, 9, 1124)],
)
def test_tables_needed(players, seats, needed):
    assert tables_needed(players, seats) == needed


@pytest.mark.parametrize(
    ("seats", "size"), [(10, 10), (9, 9), (8, 9), (7, 7), (6, 7), (5, 5), (2, 2)]
)
def test_tda_2024_rp_9_final_table_size(seats, size):
    assert final_table_size(seats) == size


def test_a_table_never_holds_more_than_its_seats():
    with pytest.raises(ValueError, match="10 players on 9"):
        TableCount(1, 10, 9)
    with pytest.raises(ValueError, match="-1 players"):
        TableCount(1, -1, 9)


@pytest.mark.parametrize(
    ("counts", "tolerance", "answer"),
    [
        ([], 1, True),
        (tables(5), 1, True),
        (tables(9, 8, 9), 1, True),
        (tables(9, 7, 9), 1, False),
        (tables(9, 7, 9), 2, True),
        (tables(9, 6, 9), 2, False),
        ([TableCount(1, 6, 6), TableCount(2, 9, 9)], 1, True),  # full is not short
        ([TableCount(1, 5, 6), TableCount(2, 9, 9)], 1, False),
    ],
)
def test_tda_2024_11c_balanced(counts, tolerance, answer):
    assert is_balanced(counts, tolerance) is answer


@pytest.mark.parametrize(
    ("counts", "moves"),
    [
        (tables(9, 8), []),
        (tables(8, 6), [(1, 2)]),
        (tables(6, 8), [(2, 1)]),
        (tables(8, 9, 9, 6), [(2, 4), (3, 4)]),  # the largest, of two the lower number
        (tables(7, 9, 7, 8), [(2, 1)]),  # to the smallest, of two the lower number
        (tables(9, 9, 9, 5), [(1, 4), (2, 4), (3, 4)]),
        (tables(9, 9, 0), [(1, 3), (2, 3)] * 3),
        ([TableCount(1, 9, 9), TableCount(2, 4, 5), TableCount(3, 2, 2)], [(1, 2)]),
    ],
)
def test_tda_2024_11c_from_the_largest_to_the_smallest_ties_by_number(counts, moves):
    assert balancing_moves(counts) == tuple(Transfer(*move) for move in moves)


@given(halls(), st.integers(1, 3))
def test_the_moves_balance_and_are_as_few_as_the_closed_form_says(counts, tolerance):
    moves = balancing_moves(counts, tolerance)
    assert is_balanced(after(counts, moves), tolerance)
    assert len(moves) == fewest_moves(counts, tolerance)


@given(halls(), st.integers(1, 3))
def test_every_move_goes_from_a_largest_to_a_smallest(counts, tolerance):
    now = counts
    for move in balancing_moves(counts, tolerance):
        sizes = {count.number: count.players for count in now}
        assert sizes[move.from_table] == max(sizes.values())
        assert sizes[move.to_table] == min(count.players for count in now if not count.is_full)
        now = after(now, [move])


@given(halls(), st.integers(1, 3))
def test_nobody_is_both_sent_away_and_sent_for(counts, tolerance):
    moves = balancing_moves(counts, tolerance)
    assert {move.from_table for move in moves}.isdisjoint({move.to_table for move in moves})


@given(halls(most=3), st.integers(1, 3))
def test_fewest_moves_is_what_trying_every_seating_finds(counts, tolerance):
    assert fewest_moves(counts, tolerance) == fewest_by_trying(counts, tolerance)


@pytest.mark.long
@pytest.mark.parametrize("tolerance", [1, 2, 3])
def test_fewest_moves_in_every_hall_of_four_small_tables(tolerance):
    shapes = [(players, seats) for seats in (2, 4, 5) for players in range(seats + 1)]
    for hall in product(shapes, repeat=4):
        if list(hall) != sorted(hall):
            continue  # the same tables in another order
        counts = [TableCount(number, *shape) for number, shape in enumerate(hall, start=1)]
        fewest = fewest_by_trying(counts, tolerance)
        assert fewest_moves(counts, tolerance) == fewest
        assert len(balancing_moves(counts, tolerance)) == fewest


@pytest.mark.long
@given(halls(most=40), st.integers(1, 4))
@settings(max_examples=1500)
def test_moves_are_fewest_in_very_many_halls(counts, tolerance):
    moves = balancing_moves(counts, tolerance)
    assert is_balanced(after(counts, moves), tolerance)
    assert len(moves) == fewest_moves(counts, tolerance)


@pytest.mark.parametrize("tolerance", [0, -1])
def test_no_closer_than_one(tolerance):
    with pytest.raises(ValueError, match="within 1"):
        balancing_moves(tables(5, 5), tolerance)


def test_no_tables_no_moves():
    assert balancing_moves([]) == ()
    assert fewest_moves([]) == 0


@pytest.mark.parametrize(
    ("counts", "seats", "order", "broken"),
    [
        ([], 9, [], None),
        (tables(5), 9, [], None),
        (tables(9, 1), 9, [], None),
        (tables(8, 1), 9, [], 2),
        (tables(6, 6, 6), 9, [], 3),
        (tables(7, 6, 6), 9, [], None),
        (tables(6, 6, 6), 9, [2, 3, 1], 2),
        (tables(6, 6, 6), 9, [7, 1], 1),  # table 7 is gone already
        (tables(6, 6, 6), 9, [7], 3),  # and no other is named
        (tables(6, 6, 6, seats=10), 9, [], 3),
        (tables(6, 6, 6), 8, [], None),
        ([TableCount(1, 4, 4), TableCount(2, 4, 9)], 9, [], None),  # table 1 is too small
        ([TableCount(1, 4, 4), TableCount(2, 4, 9)], 9, [1], 1),
    ],
)
def test_a_table_breaks_once_all_fit_without_it(counts, seats, order, broken):
    assert table_to_break(counts, seats, order) == broken


@given(halls(), st.integers(2, 10))
def test_after_a_break_nobody_stands(counts, seats):
    broken = table_to_break(counts, seats)
    if broken is not None:
        left = [count for count in counts if count.number != broken]
        assert broken == max(count.number for count in counts)
        assert sum(count.players for count in counts) <= sum(
            min(count.seats, seats) for count in left
        )


def test_a_transfer_says_why_these_two_tables():
    first, second = balancing_moves(tables(8, 9, 9, 6))
    assert (first.from_players, first.from_is_tied) == (9, True)
    assert (first.to_players, first.to_is_tied) == (6, False)
    assert (second.from_players, second.from_is_tied) == (9, False)
    assert (second.to_players, second.to_is_tied) == (7, False)
    [tied] = balancing_moves(tables(7, 9, 7, 8))
    assert (tied.to_table, tied.to_is_tied) == (1, True)


@pytest.mark.parametrize(
    ("numbers", "order", "first"),
    [([1, 2, 5], [], 5), ([1, 2, 5], [2, 1], 2), ([1, 2, 5], [7], 5), ([4], [1, 2], 4)],
)
def test_the_next_table_of_the_published_order(numbers, order, first):
    assert next_to_break(numbers, order) == first


@pytest.mark.parametrize(
    ("seats", "players", "order", "kept"),
    [
        ({1: 9, 2: 9, 3: 9}, 18, [], [1, 2]),
        ({1: 9, 2: 9, 3: 9}, 19, [], [1, 2, 3]),
        ({1: 9, 2: 9, 3: 9}, 5, [], [1]),
        ({1: 9, 2: 9, 3: 9}, 18, [1, 2, 3], [2, 3]),
        ({1: 9, 2: 8, 3: 9}, 18, [], [1, 2, 3]),  # a seat of table 2 is locked
        ({6: 9}, 5, [], [6]),
    ],
)
def test_a_redraw_needs_the_fewest_tables(seats, players, order, kept):
    assert tables_kept(seats, players, order) == kept


@pytest.mark.parametrize(
    ("left", "last", "due"),
    [
        (37, None, None),
        (36, None, 36),
        (35, 36, None),
        (35, None, 36),  # somebody else went out before it was done
        (27, 36, 27),
        (26, 27, None),
        (18, None, 18),  # only the smallest that was passed
        (18, 18, None),
        (27, 28, 27),  # made by hand before: that does not count for 27
    ],
)
def test_a_redraw_is_due_once_at_each_number(left, last, due):
    assert redraw_due(60, left, [36, 27, 18], last) == due


def test_a_field_that_was_never_larger_is_not_redrawn():
    assert redraw_due(18, 18, [18]) is None
    assert redraw_due(19, 18, [18]) == 18
    assert redraw_due(19, 2, []) is None


@given(st.integers(1, 200), st.integers(0, 200), st.integers(0, 200), st.integers(2, 10))
def test_tda_2024_7_tables_hold_all_who_are_expected_and_at_most_one_more(
    here, more, announced, seats
):
    said = {"announced": announced, "seats": seats, "capacity": 300}
    wanted = tables_wanted(here=here, registered=here + more, **said)
    needed = tables_needed(here + more, seats)
    assert needed <= wanted <= needed + 1
    if here <= announced:
        assert wanted == needed


@pytest.mark.parametrize(("announced", "last", "expected"), [(2, 30, 2), (1, 30, 30), (0, 0, 27)])
def test_who_registered_says_more_than_who_came_last_time(announced, last, expected):
    assert attendance_expected(announced=announced, last_time=last, seats=9) == expected
