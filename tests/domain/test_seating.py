"""Tables: how many are needed, which is broken, who moves for balance, when a table halts.

That moves are the fewest stands in `test_floor_proofs.py`.
"""

from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain.rules import ButtonRule
from tournaments.seating.domain.button import TableView, next_big_blind, ring
from tournaments.seating.domain.draws import NOBODY, KeptApart, broken_wishes, given_kept_apart
from tournaments.seating.domain.seating import (
    TableCount,
    Transfer,
    balancing_moves,
    blinds_affected,
    far_short,
    redraw_due,
    table_to_break,
    tables_kept,
    tables_needed,
    tables_wanted,
)


def tables(*sizes, seats=9):
    return [TableCount(number, players, seats) for number, players in enumerate(sizes, start=1)]


@pytest.mark.parametrize(("players", "said"), [(10, "10 players on 9"), (-1, "-1 players")])
def test_a_table_never_holds_more_than_its_seats(players, said):
    with pytest.raises(ValueError, match=said):
        TableCount(1, players, 9)


@pytest.mark.parametrize(
    ("counts", "moves"),
    [
        ([], []),
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


def test_no_closer_than_one():
    with pytest.raises(ValueError, match="within 1"):
        balancing_moves(tables(5, 5), 0)


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


def test_a_transfer_says_why_these_two_tables():
    first, second = balancing_moves(tables(8, 9, 9, 6))
    assert (first.from_players, first.from_is_tied) == (9, True)
    assert (first.to_players, first.to_is_tied) == (6, False)
    assert (second.from_players, second.from_is_tied) == (9, False)
    assert (second.to_players, second.to_is_tied) == (7, False)
    [tied] = balancing_moves(tables(7, 9, 7, 8))
    assert (tied.to_table, tied.to_is_tied) == (1, True)


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
    assert redraw_due(left, left, [left]) is None  # the field was never larger


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


# --- TDA 2024 11-D


@pytest.mark.parametrize(
    ("rows", "short"),
    [
        ([], {}),
        (tables(9, 7, 7), {}),
        (tables(9, 6, 7), {2: 3}),
        (tables(9, 5, 6), {2: 4, 3: 3}),
        (tables(4, 9, 0), {1: 5}),  # where nobody sits nothing is played
        ([TableCount(1, 9, 9), TableCount(2, 6, 6)], {}),  # nobody can be moved there
    ],
)
def test_tda_2024_11d_three_or_more_short_of_the_fullest(rows, short):
    assert far_short(rows, 3) == short


def view(players, button, seats=9):
    return TableView(1, seats, {seat: 100 + seat for seat in players}, button)


@pytest.mark.parametrize(
    ("players", "button", "emptied", "affected"),
    [
        ([1, 2, 5, 6], 1, [3], True),  # the big blind passes over seat 3
        ([1, 2, 3, 6], 1, [5], True),  # button 2, small blind 3, big blind 6
        ([1, 2, 3, 4, 6], 1, [5], False),  # the big blind is on seat 4, before it
        ([1, 2, 3, 4, 6], 1, [9], False),
        ([1, 2, 3, 4, 5], 1, [2], False),  # somebody sits there again
        ([2, 5, 8], 5, [6, 9], True),
        ([1, 2, 3], None, [4], None),  # somebody has to look
        ([1, 2, 3], None, [], False),  # a table opened only just now
        ([], 3, [4], None),
    ],
)
def test_tda_2024_11d_a_table_halts_once_its_blinds_are_affected(
    players, button, emptied, affected
):
    assert blinds_affected(view(players, button), emptied) is affected


@given(st.integers(3, 10), st.data())
def test_affected_means_an_empty_seat_up_to_the_big_blind(seats, data):
    players = data.draw(st.sets(st.integers(1, seats), min_size=2))
    button = data.draw(st.integers(1, seats))
    emptied = data.draw(st.sets(st.integers(1, seats))) - players
    table = view(players, button, seats)
    round_ = ring(seats, range(1, seats + 1), button)
    passed = round_[: round_.index(next_big_blind(table)) + 1]
    assert blinds_affected(table, emptied) is bool(emptied.intersection(passed))


def test_a_small_blind_that_is_out_halts_nothing():
    """Case X2: next hand small blind 3, big blind 4, nothing is missing but the button."""
    table = replace(view([1, 3, 4, 5, 6, 7], 1), small_blind=2, big_blind=3, rule=ButtonRule.DEAD)
    assert blinds_affected(table, [2]) is False
    assert blinds_affected(table.left_by(4), [4]) is True


# --- Who is kept apart in a draw: kept whenever it can be, and said where it cannot


PEOPLE = [f"entry:{number}" for number in range(1, 9)]


def wish(*pairs, **barred):
    items = frozenset(frozenset(f"entry:{one}" for one in pair) for pair in pairs)
    return KeptApart(pairs=items, barred={f"entry:{key[1:]}": at for key, at in barred.items()})


@st.composite
def rooms(draw):
    """Return players, as many seats at two to three tables, and a few wishes."""
    order = draw(st.permutations(PEOPLE[: draw(st.integers(2, 6))]))
    seats = [(draw(st.integers(1, 3)), position) for position in range(len(order))]
    pairs = draw(st.sets(st.frozensets(st.sampled_from(order), min_size=2, max_size=2), max_size=3))
    barred = draw(st.dictionaries(st.sampled_from(order), st.sets(st.integers(1, 3), max_size=1)))
    return list(order), seats, KeptApart(pairs=frozenset(pairs), barred=barred)


def is_broken(places, apart):
    """Look at every two people, without the code that is tested."""
    together = any(
        len({places[one][0] for one in pair}) == 1 for pair in apart.pairs if len(pair) == 2
    )
    return together or any(places[item][0] in tables for item, tables in apart.barred.items())


@given(rooms())
def test_every_seat_is_given_and_every_wish_kept_whenever_that_can_be(room):
    order, seats, apart = room
    places = given_kept_apart(order, seats, apart)
    assert list(places) == order
    assert sorted(places.values()) == sorted(seats)
    assert bool(broken_wishes(places, apart)) == is_broken(places, apart)
    plain = dict(zip(order, seats, strict=True))
    if not is_broken(plain, apart):
        assert places == plain, "a wish that does not bear changes nothing"
    ways = (dict(zip(order, way, strict=True)) for way in permutations(seats))
    can_be = any(not is_broken(way, apart) for way in ways)
    assert is_broken(places, apart) != can_be


def test_wishes_that_cannot_all_be_kept_end_the_search(monkeypatch):
    monkeypatch.setattr("tournaments.seating.domain.draws.MOST_TRIED", 3)
    order = [f"entry:{number}" for number in range(1, 7)]
    seats = [(table, seat) for seat in (1, 2) for table in (1, 2, 3)]
    everybody = [(one, other) for one in range(1, 5) for other in range(one + 1, 5)]
    apart = wish(*everybody)
    assert is_broken(given_kept_apart(order, seats, apart), apart)


@pytest.mark.parametrize(
    ("seats", "apart", "given"),
    [
        ([(1, 1), (1, 2), (2, 1), (2, 2)], wish((1, 2)), [(1, 1), (2, 1), (1, 2), (2, 2)]),
        ([(1, 1), (2, 1), (2, 2), (1, 2)], wish((1, 4)), [(2, 1), (1, 1), (2, 2), (1, 2)]),
        ([(1, 1), (2, 1), (2, 2), (1, 2)], wish((1, 4), e2={1}), [(2, 2), (2, 1), (1, 1), (1, 2)]),
    ],
    ids=["the next free one", "exchanged with the first", "with whom it works out"],
)
def test_a_seat_at_another_table_is_taken_or_exchanged(seats, apart, given):
    assert list(given_kept_apart(PEOPLE[:4], seats, apart).values()) == given


def test_where_there_is_no_other_way_they_sit_together():
    apart = wish((1, 2))
    places = given_kept_apart(PEOPLE[:2], [(1, 4), (1, 7)], apart)
    assert places == {"entry:1": (1, 4), "entry:2": (1, 7)}
    assert broken_wishes(places, apart) == ["entry:1", "entry:2"]


def test_as_many_seats_as_players():
    with pytest.raises(ValueError, match="2 players for 1 seats"):
        given_kept_apart(PEOPLE[:2], [(1, 1)], NOBODY)
