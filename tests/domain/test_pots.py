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


def amounts(found):
    return [(pot.amount, pot.players) for pot in found.pots]


def wrong(code, *args, **kwargs):
    with pytest.raises(Unruled) as refused:
        (kwargs.pop("of", pots_of))(*args, **kwargs)
    assert refused.value.code == code
    return refused.value.about


def test_s23_home_a_player_all_in_wins_as_much_of_each_as_he_has_put_in_himself():
    found = pots_of([Stake(put=70, is_all_in=True), Stake(put=140), Stake(put=140)])
    assert amounts(found) == [(210, (0, 1, 2)), (140, (1, 2))]
    assert (found.back, found.to) == (0, None)


def test_s23_home_hands_are_opened_at_an_all_in_when_nobody_can_bet_any_more():
    short, deep = Stake(put=70, is_all_in=True), Stake(put=140)
    passed = Stake(put=20, has_folded=True)
    assert are_opened([short, Stake(put=70)])
    assert are_opened([short, deep, Stake(put=140, stack=140), passed])
    assert not are_opened([short, deep, deep])
    assert not are_opened([Stake(put=140, is_all_in=True), passed])
    assert not are_opened([deep, deep])


def test_home_what_is_more_than_the_all_in_goes_back_when_one_player_calls():
    found = pots_of([Stake(put=50, is_all_in=True), Stake(put=120)])
    assert amounts(found) == [(100, (0, 1))]
    assert (found.back, found.to) == (70, 1)


def test_krru_3_0_chips_of_somebody_who_passed_stay_in_the_pot():
    found = pots_of([Stake(put=30, has_folded=True), Stake(put=80), Stake(put=80)])
    assert amounts(found) == [(190, (1, 2))]


def test_a_pot_that_only_one_can_win_is_a_pot_and_no_excess_when_a_passed_player_called_it():
    found = pots_of(
        [Stake(put=100, has_folded=True), Stake(put=40, is_all_in=True), Stake(put=100)]
    )
    assert amounts(found) == [(120, (1, 2)), (120, (2,))]
    assert found.back == 0


def test_antes_and_blinds_left_behind_are_in_the_main_pot():
    found = pots_of([Stake(put=20, is_all_in=True), Stake(put=60), Stake(put=60)], dead=15)
    assert amounts(found) == [(75, (0, 1, 2)), (80, (1, 2))]


def test_tda_2024_30_a_dead_big_blind_above_all_who_are_in_is_won_and_goes_back_to_nobody():
    dead = Stake(put=200, has_folded=True)
    found = pots_of([Stake(put=50, is_all_in=True), Stake(put=80, is_all_in=True), dead])
    assert amounts(found) == [(150, (0, 1)), (180, (1,))]
    assert (found.back, found.to) == (0, None)
    assert amounts(pots_of([Stake(put=100), dead])) == [(300, (0,))]


def test_everybody_else_has_passed():
    found = pots_of([Stake(put=10, has_folded=True), Stake(put=30)])
    assert amounts(found) == [(20, (1,))]
    assert (found.back, found.to) == (20, 1)


def test_tda_2024_20a_the_odd_chip_goes_to_the_first_left_of_the_button():
    assert shares_of(Pot(101, (0, 1, 2)), [1, 2]) == (Share(1, 51, 1), Share(2, 50))
    assert shares_of(Pot(200, (0, 1, 2)), [0, 1, 2], unit=25) == (
        Share(0, 75, 25), Share(1, 75, 25), Share(2, 50),
    )  # fmt: skip


def test_what_cannot_be_is_said_and_nothing_is_guessed():
    assert wrong("above_stack", [Stake(put=80, stack=50), Stake(put=80)]) == {
        "player": 1, "put": 80, "stack": 50,
    }  # fmt: skip
    all_in = Stake(put=80, is_all_in=True, has_folded=True)
    assert wrong("folded_all_in", [Stake(put=80), all_in]) == {"player": 2}
    gone = Stake(put=80, stack=80, has_folded=True)
    assert wrong("folded_all_in", [gone, Stake(put=80)]) == {"player": 1}
    assert wrong("owes", [Stake(put=80), Stake(put=50)]) == {"player": 2, "owes": 30}
    ahead = [Stake(put=90, has_folded=True), Stake(put=80), Stake(put=80)]
    assert wrong("owes", ahead) == {"player": 2, "owes": 10}
    assert wrong("all_folded", [Stake(put=1, has_folded=True)] * 2) == {}
    assert wrong("few_players", [Stake(put=1)]) == {}
    assert wrong("negative", [Stake(put=-1), Stake(put=1)]) == {}
    assert wrong("negative", [Stake(put=1), Stake(put=1)], -1) == {}


def test_a_winner_who_passed_and_an_odd_chip_nobody_may_get_are_said():
    [main, side] = pots_of(
        [
            Stake(put=70, is_all_in=True),
            Stake(put=140),
            Stake(put=140),
            Stake(put=10, has_folded=True),
        ]
    ).pots
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
            stakes.append(Stake(put=most))
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


def test_random_pots_come_out_chip_by_chip():
    compare(2_000, seed=7)


@pytest.mark.long
def test_a_hundred_thousand_random_pots_come_out_chip_by_chip():
    compare(100_000, seed=2026)


@given(st.integers(0, 10**9), st.integers(1, 9), st.sampled_from([1, 5, 25, 100]))
def test_a_split_pot_is_paid_out_whole_and_odd_chips_singly(units, winners, unit):
    pot = Pot(units * unit, tuple(range(winners)))
    shares = shares_of(pot, list(range(winners)), unit)
    assert sum(share.amount for share in shares) == pot.amount
    assert all(share.amount % unit == 0 for share in shares)
    assert shares[0].amount - shares[-1].amount in {0, unit}
