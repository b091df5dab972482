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


def into(put):
    return Stake(put=put)


def out(put):
    return Stake(put=put, has_folded=True)


def all_in(put):
    return Stake(put=put, is_all_in=True)


@pytest.mark.parametrize(
    ("stakes", "own", "pots", "back"),
    [
        ([all_in(50), into(120)], {}, [(100, (0, 1))], (70, 1)),
        ([out(30), into(80), into(80)], {}, [(190, (1, 2))], None),
        ([out(100), all_in(40), into(100)], {}, [(120, (1, 2)), (120, (2,))], None),
        ([all_in(20), into(60), into(60)], {"dead": 15}, [(75, (0, 1, 2)), (80, (1, 2))], None),
        ([into(100), out(200)], {}, [(300, (0,))], None),
        ([out(10), into(30)], {}, [(20, (1,))], (20, 1)),
    ],
    ids=[
        "home: what is more goes back when one calls",
        "krru 3.0: chips of somebody who passed stay",
        "only one can win what somebody who passed has called",
        "antes and blinds left behind are in the main pot",
        "tda 30: a dead big blind goes back to nobody",
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
        ([all_in(70), into(140), Stake(put=140, stack=140), out(20)], True),
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
OVER = Stake(put=80, stack=50)
PASSED_ALL_IN = Stake(put=80, is_all_in=True, has_folded=True)
PASSED = Stake(put=80, stack=80, has_folded=True)
MAIN, SIDE = Pot(220, (0, 1, 2)), Pot(140, (1, 2))


@pytest.mark.parametrize(
    ("code", "of", "args", "about"),
    [
        ("above_stack", pots_of, [[OVER, EIGHTY]], {"player": 1, "put": 80, "stack": 50}),
        ("folded_all_in", pots_of, [[EIGHTY, PASSED_ALL_IN]], {"player": 2}),
        ("folded_all_in", pots_of, [[PASSED, EIGHTY]], {"player": 1}),
        ("owes", pots_of, [[EIGHTY, into(50)]], {"player": 2, "owes": 30}),
        ("owes", pots_of, [[out(90), EIGHTY, EIGHTY]], {"player": 2, "owes": 10}),
        ("all_folded", pots_of, [[out(1), out(1)]], {}),
        ("few_players", pots_of, [[into(1)]], {}),
        ("negative", pots_of, [[into(-1), into(1)]], {}),
        ("negative", pots_of, [[into(1), into(1)], -1], {}),
        ("cannot_win", shares_of, [MAIN, [3]], {"player": 4}),
        ("cannot_win", shares_of, [SIDE, [0]], {"player": 1}),
        ("no_winner", shares_of, [MAIN, []], {}),
        ("odd_for_nobody", shares_of, [MAIN, [0], 25], {"amount": 220, "unit": 25}),
        ("no_unit", shares_of, [MAIN, [0], 0], {}),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_guessed(code, of, args, about):
    with pytest.raises(Unruled) as refused:
        of(*args)
    assert (refused.value.code, refused.value.about) == (code, about)


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


@pytest.mark.parametrize("count", [2_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_random_pots_come_out_chip_by_chip(count):
    rng = Random(7)
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


@given(st.integers(0, 10**9), st.integers(1, 9), st.sampled_from([1, 5, 25, 100]))
def test_a_split_pot_is_paid_out_whole_and_odd_chips_singly(units, winners, unit):
    pot = Pot(units * unit, tuple(range(winners)))
    shares = shares_of(pot, list(range(winners)), unit)
    assert sum(share.amount for share in shares) == pot.amount
    assert all(share.amount % unit == 0 for share in shares)
    assert shares[0].amount - shares[-1].amount in {0, unit}
