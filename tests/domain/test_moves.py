"""Who moves and to which seat: by the rule's cases, played out, by position and by lot."""

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain import oracle_11a as oracle
from tests.domain.cases import case
from tournaments.event.domain.rules import ButtonRule
from tournaments.seating.domain.button import TableView, next_big_blind, ring
from tournaments.seating.domain.moves import (
    StudReason,
    drawable_movers,
    mover_and_seat,
    stud_move,
)
from tournaments.seating.services.tables import deviation

CASES = case("tda_2024_11a")


def view(number, seats, players, button=None, locked=(), **own):
    entries = {seat: number * 100 + seat for seat in players}
    return TableView(number, seats, entries, button, locked=frozenset(locked), **own)


def dead_view(number, seats, players, posts):
    button, small_blind, big_blind = posts
    blinds = {"small_blind": small_blind, "big_blind": big_blind}
    return view(number, seats, players, button, **blinds, rule=ButtonRule.DEAD)


def not_needed(names):
    raise AssertionError(f"Nothing is to be drawn here: {names}")


def last(names):
    return tuple(reversed(names))


FULL = view(1, 9, range(1, 10), button=1)


@pytest.mark.parametrize("row", CASES["movers"], ids=lambda row: row["case"])
def test_tda_2024_11a_and_34_the_next_big_blind_moves(row):
    source = view(4, row["seats"], row["players"], row["button"])
    assert next_big_blind(source) == row["next_big_blind"]
    move = mover_and_seat(source, view(7, 9, [1, 2], 1), tie=not_needed)
    assert (move.from_table, move.from_seat) == (4, row["next_big_blind"])
    assert move.entry == 400 + row["next_big_blind"]


@pytest.mark.parametrize("row", CASES["seats"], ids=lambda row: row["case"])
def test_tda_2024_11a_next_big_blind_moves_to_worst_seat(row):
    target = view(7, row["seats"], row["players"], row["button"])
    move = mover_and_seat(FULL, target, tie=not_needed)
    assert (move.to_table, move.to_seat) == (7, row["seat"])
    assert move.facts == {
        "button_from": 1,
        "button_to": row["button"],
        "big_blind_in": row["big_blind_in"],
    }
    reason = "waits" if row["big_blind_in"] is None else "worst_seat"
    assert move.reason_code == f"next_big_blind.{reason}"


@pytest.mark.parametrize("row", CASES["dead_seats"], ids=lambda row: row["case"])
def test_tda_2024_11a_and_32_with_a_dead_button(row):
    target = dead_view(7, row["seats"], row["players"], row["last"])
    move = mover_and_seat(FULL, target, tie=not_needed)
    assert (move.to_seat, move.facts["big_blind_in"]) == (row["seat"], row["big_blind_in"])
    assert move.reason_code == f"next_big_blind.{row['reason']}"


# --- Against the rule played out chair by chair


def up_to(most, *, quick):
    """Return every size of a table; those above `quick` seats are looked at for long."""
    long = [pytest.param(seats, marks=pytest.mark.long) for seats in range(quick + 1, most + 1)]
    return [*range(2, quick + 1), *long]


def patterns(seats, most):
    """Yield every way to occupy the seats, with one to `most` players."""
    for count in range(1, most + 1):
        for players in combinations(range(1, seats + 1), count):
            yield set(players)


def check_seat(target, outcomes, small_blind, button):
    """Compare seat, reason and the hands until the big blind with what was dealt out."""
    free = set(range(1, target.seats + 1)) - set(target.players)
    seat = oracle.seat(target.seats, free, outcomes, small_blind, button)
    move = mover_and_seat(FULL, target, tie=not_needed)
    post, hands = outcomes[seat]
    reason = {"big": "worst_seat", "waits": "waits", "small": "small_blind"}[post]
    found = (move.to_seat, move.reason_code, move.facts["big_blind_in"])
    assert found == (seat, f"next_big_blind.{reason}", hands if post == "big" else None), target
    soonest = [hand for blind, hand in outcomes.values() if blind == "big"]
    assert not soonest or hands == min(soonest)


def check_moving(seats, players, button):
    free = set(range(1, seats + 1)) - players
    outcomes = {seat: oracle.moving_outcome(seats, players, button, seat) for seat in sorted(free)}
    new_button = oracle.after(seats, button, players)
    small_blind = oracle.after(seats, new_button, players)
    check_seat(view(7, seats, players, button), outcomes, small_blind, new_button)


def check_dead(seats, players, small_blind, big_blind, button):
    free = set(range(1, seats + 1)) - players
    outcomes = {
        seat: oracle.dead_outcome(seats, players, small_blind, big_blind, seat)
        for seat in sorted(free)
    }
    target = dead_view(7, seats, players, (button, small_blind, big_blind))
    check_seat(target, outcomes, big_blind, small_blind)


def dead_posts(seats, players):
    """Yield the posts a hand can have had there: nobody played between the two blinds."""
    for small_blind, big_blind in permutations(range(1, seats + 1), 2):
        if not oracle.passed(seats, small_blind, big_blind) & players:
            yield small_blind, big_blind


@given(st.integers(2, 10), st.data())
def test_tda_2024_11a_is_the_same_played_out(seats, data):
    players = data.draw(st.sets(st.integers(1, seats), min_size=1))
    button = data.draw(st.integers(1, seats))
    big_blind = next_big_blind(view(4, seats, players, button))
    assert big_blind == oracle.mover(seats, players, button)
    if len(players) >= 3:
        assert big_blind == ring(seats, players, button)[2]
    if len(players) < seats:
        check_moving(seats, players, button)
        posts = data.draw(st.sampled_from(list(dead_posts(seats, players))))
        check_dead(seats, players, *posts, 1)


@pytest.mark.parametrize("seats", up_to(10, quick=4))
def test_tda_2024_11a_and_32_mover_for_every_button_and_seat_pattern(seats):
    target = view(7, 9, [1, 2, 3], 1)
    for players in patterns(seats, seats):
        for button in range(1, seats + 1):
            move = mover_and_seat(view(4, seats, players, button), target, tie=not_needed)
            assert move.from_seat == oracle.mover(seats, players, button), (players, button)
            assert move.reason_code == "next_big_blind.worst_seat"
        for posts in dead_posts(seats, players):
            source = dead_view(4, seats, players, (1, *posts))
            assert next_big_blind(source) == oracle.mover_dead(seats, players, posts[1])


@pytest.mark.parametrize("seats", up_to(10, quick=5))
def test_tda_2024_11a_and_32_seat_for_every_button_and_seat_pattern(seats):
    for players in patterns(seats, seats - 1):
        for button in range(1, seats + 1):
            check_moving(seats, players, button)
        for posts in dead_posts(seats, players):
            check_dead(seats, players, *posts, button=1)


@pytest.mark.parametrize(
    ("buttons", "code", "seats"),
    [
        ((None, 8), "drawn.worst_seat", (6, 3)),
        ((1, None), "next_big_blind.drawn", (6, 9)),
        ((None, None), "drawn.drawn", (6, 9)),
    ],
)
def test_an_unknown_button_means_a_draw_and_says_so(buttons, code, seats):
    source = view(4, 9, [2, 5, 6], buttons[0])
    target = view(7, 9, [1, 2, 4, 5, 6, 7, 8], buttons[1])
    move = mover_and_seat(source, target, tie=last)
    assert (move.reason_code, (move.from_seat, move.to_seat)) == (code, seats)
    movers = ("entry:402", "entry:405", "entry:406") if buttons[0] is None else ()
    assert move.lots == (*movers, *(("seat:7:3", "seat:7:9") if buttons[1] is None else ()))
    assert (move.facts["big_blind_in"] is None) == (buttons[1] is None)
    empty = mover_and_seat(FULL, view(7, 3, [], button=2), tie=last)
    assert (empty.to_seat, empty.reason_code) == (3, "next_big_blind.drawn")


@pytest.mark.parametrize(
    ("source", "target"),
    [(FULL, FULL), (FULL, view(7, 9, range(1, 10), 1)), (view(4, 9, [], 1), view(7, 9, [1], 1))],
)
def test_a_move_that_cannot_be_is_refused(source, target):
    with pytest.raises(ValueError, match="Nobody can move"):
        mover_and_seat(source, target, tie=not_needed)
    with pytest.raises(ValueError, match="Nobody can move"):
        stud_move(source, target, opened=[], tie=not_needed)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"players": {10: 1}}, "seats 1 to 9"),
        ({"players": {0: 1}}, "seats 1 to 9"),
        ({"button": 10}, "seats 1 to 9"),
        ({"players": {1: 5, 2: 5}}, "sits twice"),
    ],
)
def test_a_table_knows_its_seats_and_an_entry_sits_once(wrong, said):
    with pytest.raises(ValueError, match=said):
        TableView(**{"number": 1, "seats": 9, "players": {1: 5}, "button": 1, **wrong})


@pytest.mark.parametrize("table", [view(1, 9, [1, 2]), view(1, 9, [], 3)])
def test_no_big_blind_without_button_or_players(table):
    with pytest.raises(ValueError, match="not known, or nobody"):
        next_big_blind(table)


# --- Where there is no big blind to go by


EIGHT = view(4, 8, range(1, 9))
SHORT = view(7, 8, [1, 2, 5, 8])


@pytest.mark.parametrize(
    ("players", "from_seat"), [(range(1, 9), 6), ([1, 2, 7], 7), ([1, 2, 3], 1), ([5], 5)]
)
def test_tda_2024_11a_stud_the_last_seat_opened_is_filled_by_position_or_the_next(
    players, from_seat
):
    move = stud_move(view(4, 8, players), SHORT, opened=[6], tie=not_needed)
    assert (move.entry, move.from_seat, move.to_seat) == (400 + from_seat, from_seat, 6)
    assert (move.reason_code, move.lots) == (StudReason.LAST_OPENED, ())


@pytest.mark.parametrize(
    ("locked", "opened", "lots"),
    [([], [6, 3], [6, 3]), ([], [], [3, 4, 6, 7]), ([], [1], [3, 4, 6, 7]), ([6], [6], [3, 4, 7])],
    ids=["opened in one hand", "not known", "no longer open", "locked"],
)
def test_stud_several_seats_are_drawn_among(locked, opened, lots):
    target = view(7, 8, [1, 2, 5, 8], locked=locked)
    move = stud_move(EIGHT, target, opened=opened, tie=last)
    assert move.lots == tuple(f"seat:7:{seat}" for seat in lots)
    assert (move.to_seat, move.reason_code) == (lots[-1], StudReason.DRAWN)


@given(st.integers(2, 8), st.data())
def test_a_locked_seat_is_never_the_worst(seats, data):
    players = data.draw(st.sets(st.integers(1, seats), min_size=1, max_size=seats - 1))
    empty = sorted(set(range(1, seats + 1)) - players)
    locked = data.draw(st.sets(st.sampled_from(empty), max_size=len(empty) - 1))
    button = data.draw(st.integers(1, seats) | st.none())
    target = view(7, seats, players, button, locked)
    move = mover_and_seat(view(4, 8, range(1, 9), 3), target, tie=last)
    assert move.to_seat in set(empty) - locked


@pytest.mark.parametrize(
    ("players", "moved", "barred", "drawable"),
    [
        ([1, 2, 3], {401: 1, 402: 2}, [], (403,)),
        ([1, 2, 3], {401: 1, 402: 2, 403: 1}, [], (401, 403)),
        ([1, 2], {}, [401], (402,)),
        ([1, 2], {402: 3}, [401], (402,)),
        ([1, 2], {402: 3}, [401, 402], (401,)),
        ([], {}, [], ()),
    ],
)
def test_drawn_are_those_moved_least_and_who_is_kept_apart_only_where_nobody_else_is_left(
    players, moved, barred, drawable
):
    assert drawable_movers(view(4, 8, players), moved, barred=barred) == drawable


def test_a_mover_is_drawn_among_those_given_but_for_the_next_big_blind():
    move = mover_and_seat(view(4, 8, [1, 2, 3]), SHORT, tie=last, drawable=[401])
    assert (move.entry, move.lots[0]) == (401, "entry:401")
    assert all(lot.startswith("seat:7:") for lot in move.lots[1:])
    known = view(4, 8, [1, 2, 3, 4], 1)
    assert mover_and_seat(known, SHORT, tie=last, drawable=[401]).from_seat == 4


@pytest.mark.parametrize(
    ("entry", "table", "seat", "found"),
    [(406, 7, 6, ""), (406, 7, 7, "Platz"), (406, 5, 6, "Tisch"), (405, 7, 6, "jemand")],
)
def test_in_what_a_move_by_hand_differs_from_the_procedure(entry, table, seat, found):
    told = deviation(stud_move(EIGHT, SHORT, opened=[6], tie=not_needed), entry, table, seat)
    assert found in told
    assert bool(told) is bool(found)
