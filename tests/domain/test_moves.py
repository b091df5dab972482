from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain import oracle_11a as oracle
from tests.domain.cases import case
from tournaments.event.domain.rules import ButtonRule
from tournaments.seating.domain.button import TableView, clockwise, next_big_blind, players_after
from tournaments.seating.domain.moves import MoverReason, SeatReason, mover_and_seat

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


def dead_view(number, seats, players, posts):
    button, small_blind, big_blind = posts
    entries = {seat: number * 100 + seat for seat in players}
    return TableView(
        number,
        seats,
        entries,
        button,
        small_blind=small_blind,
        big_blind=big_blind,
        rule=ButtonRule.DEAD,
    )


def dead_posts(seats, players):
    """Yield the posts a hand can have had there: nobody played between the two blinds."""
    for small_blind, big_blind in permutations(range(1, seats + 1), 2):
        if not oracle.passed(seats, small_blind, big_blind) & players:
            yield small_blind, big_blind


@given(st.integers(2, 10), st.data())
def test_tda_2024_11a_no_free_seat_pays_the_big_blind_sooner(seats, data):
    players = data.draw(st.sets(st.integers(1, seats), min_size=1, max_size=seats - 1))
    check_moving(seats, players, data.draw(st.integers(1, seats)))
    check_dead(seats, players, *data.draw(st.sampled_from(list(dead_posts(seats, players)))), 1)


@given(st.integers(2, 10), st.data())
def test_tda_2024_11a_the_next_big_blind_is_the_same_played_out(seats, data):
    players = data.draw(st.sets(st.integers(1, seats), min_size=1))
    button = data.draw(st.integers(1, seats))
    assert next_big_blind(view(4, seats, players, button)) == oracle.mover(seats, players, button)


@pytest.mark.parametrize("seats", up_to(10, quick=4))
def test_tda_2024_11a_mover_for_every_button_and_seat_pattern(seats):
    target = view(7, 9, [1, 2, 3], 1)
    for players in patterns(seats, seats):
        for button in range(1, seats + 1):
            move = mover_and_seat(view(4, seats, players, button), target, tie=not_needed)
            assert move.from_seat == oracle.mover(seats, players, button), (players, button)
            assert move.reason_code == "next_big_blind.worst_seat"


@pytest.mark.parametrize("seats", up_to(10, quick=5))
def test_tda_2024_11a_seat_for_every_button_and_seat_pattern(seats):
    for players in patterns(seats, seats - 1):
        for button in range(1, seats + 1):
            check_moving(seats, players, button)


@pytest.mark.parametrize("seats", up_to(10, quick=4))
def test_tda_2024_11a_and_32_mover_for_every_dead_button_and_seat_pattern(seats):
    for players in patterns(seats, seats):
        for posts in dead_posts(seats, players):
            source = dead_view(4, seats, players, (1, *posts))
            assert next_big_blind(source) == oracle.mover_dead(seats, players, posts[1])


@pytest.mark.parametrize("seats", up_to(10, quick=5))
def test_tda_2024_11a_and_32_seat_for_every_dead_button_and_seat_pattern(seats):
    for players in patterns(seats, seats - 1):
        for posts in dead_posts(seats, players):
            check_dead(seats, players, *posts, button=1)


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
        "next_big_blind.small_blind",
        "next_big_blind.drawn",
        "drawn.worst_seat",
        "drawn.waits",
        "drawn.small_blind",
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
