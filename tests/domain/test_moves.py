from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.cases import case
from tournaments.domain.button import TableView, clockwise, next_big_blind, players_after
from tournaments.domain.moves import MoverReason, SeatReason, mover_and_seat

CASES = case("tda_2024_11a")


def view(number, seats, players, button=None):
    return TableView(number, seats, {seat: number * 100 + seat for seat in players}, button)


def not_needed(names):
    raise AssertionError(f"Nothing is to be drawn here: {names}")


def last(names):
    return tuple(reversed(names))


FULL = view(1, 9, range(1, 10), button=1)


@pytest.mark.parametrize("row", CASES["movers"], ids=lambda row: row["case"])
def test_tda_2024_11a_and_34_next_big_blind(row):
    source = view(4, row["seats"], row["players"], row["button"])
    assert next_big_blind(source) == row["next_big_blind"]


@pytest.mark.parametrize("row", CASES["movers"], ids=lambda row: row["case"])
def test_tda_2024_11a_the_next_big_blind_moves(row):
    source = view(4, row["seats"], row["players"], row["button"])
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


def blinds_by_dealing(seats, players, button, newcomer):
    """Deal hands one after another with the newcomer in, and say after how many he pays what.

    The button passes over him in his first hand; the table is kept as a ring that is turned.
    """
    ring = sorted([*players, newcomer], key=lambda seat: (seat - button - 1) % seats)
    old = [seat for seat in ring if seat != newcomer]
    ring = ring[ring.index(old[0]) :] + ring[: ring.index(old[0])]
    for hand in range(len(ring)):
        small, big = (ring[0], ring[1]) if len(ring) == 2 else (ring[1], ring[2])
        if small == newcomer:
            return hand, "small"
        if big == newcomer:
            return hand, "big"
        ring = ring[1:] + ring[:1]
    raise AssertionError("Nobody goes a round without blinds.")


def check_worst_seat(seats, players, button):
    target = view(7, seats, players, button)
    move = mover_and_seat(FULL, target, tie=not_needed)
    paid = {
        seat: blinds_by_dealing(seats, players, button, seat)
        for seat in range(1, seats + 1)
        if seat not in players
    }
    allowed = {seat: hand for seat, (hand, blind) in paid.items() if blind == "big"}
    if allowed:
        assert paid[move.to_seat] == (min(allowed.values()), "big")
        assert move.facts["big_blind_in"] == min(allowed.values())
    else:
        assert set(paid.values()) == {(0, "small")}
        assert move.reason_code == "next_big_blind.waits"


@given(st.integers(2, 10), st.data())
@settings(max_examples=60)
def test_tda_2024_11a_no_free_seat_pays_the_big_blind_sooner(seats, data):
    most = seats - 1
    players = data.draw(st.sets(st.integers(1, seats), min_size=1, max_size=most))
    check_worst_seat(seats, players, data.draw(st.integers(1, seats)))


@pytest.mark.long
@pytest.mark.parametrize("seats", range(2, 11))
def test_tda_2024_11a_every_button_and_seat_pattern(seats):
    for count in range(1, seats):
        for players in combinations(range(1, seats + 1), count):
            for button in range(1, seats + 1):
                check_worst_seat(seats, set(players), button)


@given(st.integers(3, 10), st.data())
def test_tda_2024_11a_the_mover_would_have_posted_the_next_big_blind(seats, data):
    players = data.draw(st.sets(st.integers(1, seats), min_size=3, max_size=seats))
    button = data.draw(st.integers(1, seats))
    following = players_after(view(1, seats, players), button)
    assert next_big_blind(view(1, seats, players, button)) == following[2]


@pytest.mark.parametrize(
    ("source_button", "target_button", "code"),
    [
        (None, 8, "drawn.worst_seat"),
        (1, None, "next_big_blind.drawn"),
        (None, None, "drawn.drawn"),
    ],
)
def test_an_unknown_button_means_a_draw_and_says_so(source_button, target_button, code):
    asked = []

    def tie(names):
        asked.append(names)
        return last(names)

    source = view(4, 9, [2, 5, 6], source_button)
    target = view(7, 9, [1, 2, 4, 5, 6, 7, 8], target_button)
    move = mover_and_seat(source, target, tie=tie)
    assert move.reason_code == code
    assert move.from_seat == (6 if source_button is None else next_big_blind(source))
    assert move.to_seat == (9 if target_button is None else 3)
    expected = []
    if source_button is None:
        expected.append(("entry:402", "entry:405", "entry:406"))
    if target_button is None:
        expected.append(("seat:7:3", "seat:7:9"))
        assert move.facts["big_blind_in"] is None
    assert asked == expected


def test_an_empty_table_has_no_worst_seat():
    move = mover_and_seat(FULL, view(7, 3, [], button=2), tie=last)
    assert (move.to_seat, move.reason_code) == (3, "next_big_blind.drawn")


def test_all_reason_codes():
    codes = {f"{mover}.{seat}" for mover in MoverReason for seat in SeatReason}
    assert codes == {
        "next_big_blind.worst_seat",
        "next_big_blind.waits",
        "next_big_blind.drawn",
        "drawn.worst_seat",
        "drawn.waits",
        "drawn.drawn",
    }


@pytest.mark.parametrize(
    ("source", "target"),
    [
        (FULL, FULL),
        (FULL, view(7, 9, range(1, 10), 1)),
        (view(4, 9, [], 1), view(7, 9, [1], 1)),
    ],
)
def test_who_cannot_move_is_refused(source, target):
    with pytest.raises(ValueError, match="Nobody can move"):
        mover_and_seat(source, target, tie=not_needed)


@pytest.mark.parametrize("table", [view(1, 9, [1, 2]), view(1, 9, [], 3)])
def test_no_big_blind_without_button_or_players(table):
    with pytest.raises(ValueError, match="not known, or nobody"):
        next_big_blind(table)


@pytest.mark.parametrize("wrong", [{"players": {10: 1}}, {"players": {0: 1}}, {"button": 10}])
def test_a_table_knows_its_seats(wrong):
    with pytest.raises(ValueError, match="seats 1 to 9"):
        TableView(**{"number": 1, "seats": 9, "players": {1: 5}, "button": 1, **wrong})


def test_an_entry_sits_once():
    with pytest.raises(ValueError, match="sits twice"):
        TableView(1, 9, {1: 5, 2: 5})


def test_free_seats_and_the_way_round():
    table = view(1, 5, [2, 4])
    assert table.free == (1, 3, 5)
    assert clockwise(table, 5) == (1, 2, 3, 4, 5)
    assert players_after(table, 4) == (2, 4)
