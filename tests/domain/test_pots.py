"""Main and side pots, against the rule books' cases and a count chip by chip."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.rulings.domain.pots import (
    Pot,
    Share,
    Stake,
    Unruled,
    are_opened,
    pots_of,
    shares_of,
)


def wrong(code, *args, **kwargs):
    with pytest.raises(Unruled) as refused:
        (kwargs.pop("of", pots_of))(*args, **kwargs)
    assert refused.value.code == code
    return refused.value.about


def into(put):
    return Stake(put=put)


def out(put):
    return Stake(put=put, has_folded=True)


def all_in(put):
    return Stake(put=put, is_all_in=True)


@pytest.mark.parametrize(
    ("stakes", "own", "pots", "back"),
    [
        ([all_in(70), into(140), into(140)], {}, [(210, (0, 1, 2)), (140, (1, 2))], None),
        ([all_in(50), into(120)], {}, [(100, (0, 1))], (70, 1)),
        ([out(30), into(80), into(80)], {}, [(190, (1, 2))], None),
        ([out(100), all_in(40), into(100)], {}, [(120, (1, 2)), (120, (2,))], None),
        ([all_in(20), into(60), into(60)], {"dead": 15}, [(75, (0, 1, 2)), (80, (1, 2))], None),
        ([all_in(50), all_in(80), out(200)], {}, [(150, (0, 1)), (180, (1,))], None),
        ([into(100), out(200)], {}, [(300, (0,))], None),
        ([out(10), into(30)], {}, [(20, (1,))], (20, 1)),
    ],
    ids=[
        "s23, home: all-in wins as much of each as he has put in",
        "home: what is more goes back when one calls",
        "krru 3.0: chips of somebody who passed stay",
        "only one can win what somebody who passed has called",
        "antes and blinds left behind are in the main pot",
        "tda 30: a dead big blind above all who are in is won",
        "tda 30: and goes back to nobody",
        "everybody else has passed",
    ],
)
def test_who_can_win_what(stakes, own, pots, back):
    found = pots_of(stakes, **own)
    assert [(pot.amount, pot.players) for pot in found.pots] == pots
    assert (found.back, found.to) == (back or (0, None))


@pytest.mark.parametrize(
    ("stakes", "opened"),
    [
        ([all_in(70), into(70)], True),
        ([all_in(70), into(140), Stake(put=140, stack=140), out(20)], True),
        ([all_in(70), into(140), into(140)], False),
        ([all_in(140), out(20)], False),
        ([into(140), into(140)], False),
    ],
)
def test_s23_home_hands_are_opened_at_an_all_in_when_nobody_can_bet_any_more(stakes, opened):
    assert are_opened(stakes) is opened


def test_tda_2024_20a_the_odd_chip_goes_to_the_first_left_of_the_button():
    assert shares_of(Pot(101, (0, 1, 2)), [1, 2]) == (Share(1, 51, 1), Share(2, 50))
    thirds = (Share(0, 75, 25), Share(1, 75, 25), Share(2, 50))
    assert shares_of(Pot(200, (0, 1, 2)), [0, 1, 2], unit=25) == thirds


EIGHTY = into(80)
PASSED_ALL_IN = Stake(put=80, is_all_in=True, has_folded=True)


@pytest.mark.parametrize(
    ("code", "stakes", "about"),
    [
        ("above_stack", [Stake(put=80, stack=50), EIGHTY], {"player": 1, "put": 80, "stack": 50}),
        ("folded_all_in", [EIGHTY, PASSED_ALL_IN], {"player": 2}),
        ("folded_all_in", [Stake(put=80, stack=80, has_folded=True), EIGHTY], {"player": 1}),
        ("owes", [EIGHTY, into(50)], {"player": 2, "owes": 30}),
        ("owes", [out(90), EIGHTY, EIGHTY], {"player": 2, "owes": 10}),
        ("all_folded", [out(1), out(1)], {}),
        ("few_players", [into(1)], {}),
        ("negative", [into(-1), into(1)], {}),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_guessed(code, stakes, about):
    assert wrong(code, stakes) == about
    assert wrong("negative", [into(1), into(1)], -1) == {}


def test_a_winner_who_passed_and_an_odd_chip_nobody_may_get_are_said():
    [main, side] = pots_of([all_in(70), into(140), into(140), out(10)]).pots
    assert wrong("cannot_win", main, [3], of=shares_of) == {"player": 4}
    assert wrong("cannot_win", side, [0], of=shares_of) == {"player": 1}
    assert wrong("no_winner", main, [], of=shares_of) == {}
    assert wrong("odd_for_nobody", main, [0], 25, of=shares_of) == {"amount": 220, "unit": 25}
    assert wrong("no_unit", main, [0], 0, of=shares_of) == {}


def chip_by_chip(puts, folded):
    """Return what each set of players can win, by going through all chips one level at a time.

    The chip at height h of anybody's stake can be won by those who are in and have put in as many.
    Above the highest that two have put in, a chip goes back.
    """
    found, back = {}, 0
    for height in range(1, max(puts) + 1):
        there = [place for place, put in enumerate(puts) if put >= height]
        able = tuple(place for place in there if not folded[place])
        if len(there) == 1:
            back += 1
        else:
            found[able] = found.get(able, 0) + len(there)
    return found, back


def random_stakes(rng):
    """Return stakes as a hand can leave them: whoever is in has called all, or is all-in."""
    count, most = rng.randint(2, 9), rng.randint(1, 40)
    stakes = []
    for place in range(count):
        kind = rng.choice(["in", "in", "out", "all-in"]) if place else "in"
        if kind == "in":
            stakes.append(into(most))
        else:
            put = rng.randint(0 if kind == "out" else 1, most)
            stakes.append(Stake(put=put, is_all_in=kind == "all-in", has_folded=kind == "out"))
    if rng.random() < 0.2:
        stakes[0] = Stake(put=most + rng.randint(1, 20))
        stakes = [stakes[0], *(row for row in stakes[1:] if row.has_folded or row.is_all_in)]
        if len(stakes) < 2:
            stakes.append(Stake(put=rng.randint(1, most), is_all_in=True))
    rng.shuffle(stakes)
    return stakes


def compare(count, seed):
    rng = Random(seed)
    for _ in range(count):
        stakes = random_stakes(rng)
        found = pots_of(stakes)
        puts, folded = [row.put for row in stakes], [row.has_folded for row in stakes]
        wanted, back = chip_by_chip(puts, folded)
        assert {pot.players: pot.amount for pot in found.pots} == wanted, stakes
        assert found.back == back
        assert sum(pot.amount for pot in found.pots) + found.back == sum(puts)
        for pot in found.pots:
            winners = rng.sample(pot.players, rng.randint(1, len(pot.players)))
            got = [share.amount for share in shares_of(pot, winners)]
            assert sum(got) == pot.amount
            assert max(got) - min(got) <= 1


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_random_pots_come_out_chip_by_chip(count):
    compare(count, seed=7)


@given(st.integers(0, 10**9), st.integers(1, 9), st.sampled_from([1, 5, 25, 100]))
def test_a_split_pot_is_paid_out_whole_and_odd_chips_singly(units, winners, unit):
    pot = Pot(units * unit, tuple(range(winners)))
    shares = shares_of(pot, list(range(winners)), unit)
    assert sum(share.amount for share in shares) == pot.amount
    assert all(share.amount % unit == 0 for share in shares)
    assert shares[0].amount - shares[-1].amount in {0, unit}
