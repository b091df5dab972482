"""ICM against its own definition: places drawn one after the other, by a sum over sets of players.

The oracle knows nothing of clocks or integrals: it sums the chances of every set that can have the
first places (Malmuth and Harville), with exact fractions.
"""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tournaments.prizes.domain.icm import icm_equities

# Of all prizes together.
EXACT = 1e-10


def enumerated(stacks, prizes):
    """Return what each stack is worth, by drawing place after place."""
    everything, drawn = sum(stacks), {frozenset(): Fraction(1)}
    worth = [Fraction(0)] * len(stacks)
    for prize in prizes[: len(stacks)]:
        then = {}
        for gone, chance in drawn.items():
            left = everything - sum(stacks[one] for one in gone)
            for one in set(range(len(stacks))) - gone:
                next_one = chance * Fraction(stacks[one], left)
                worth[one] += next_one * prize
                then[gone | {one}] = then.get(gone | {one}, 0) + next_one
        drawn = then
    return worth


def off_by(stacks, prizes):
    found, true = icm_equities(stacks, prizes), enumerated(stacks, prizes)
    pool = sum(prizes[: len(stacks)])
    return max(abs(one - float(other)) for one, other in zip(found, true, strict=True)) / pool


CHIPS = st.one_of(st.integers(1, 10), st.integers(1, 10**6), st.integers(1, 10**12))


@settings(max_examples=60, deadline=None)
@given(
    stacks=st.lists(CHIPS, min_size=1, max_size=8),
    prizes=st.lists(st.integers(0, 10**6), min_size=1, max_size=10).filter(any),
)
def test_any_stacks_and_prizes(stacks, prizes):
    prizes = sorted(prizes, reverse=True)
    assert off_by(stacks, prizes) <= EXACT


@pytest.mark.parametrize(
    "stacks",
    [
        [1, 9999, 9999],  # a chip and a chair
        [999_900, *[10] * 10],  # 99.99 % in one hand
        [5000] * 12,
        [2**n for n in range(12)],
        list(range(1, 13)),
    ],
    ids=["one chip", "nearly all", "equal", "doubling", "rising"],
)
def test_final_tables(stacks):
    assert off_by(stacks, [500, 300, 200, 100, 50]) <= EXACT
    assert off_by(stacks, [100]) <= EXACT, "winner takes all: chips are worth their share"
    assert off_by(stacks, [30 - n for n in range(15)]) <= EXACT, "more prizes than players"


@pytest.mark.parametrize(("players", "paid"), [(100, 17), (1000, 166), (33, 33), (32, 1)])
def test_a_field(players, paid):
    """Too many to enumerate: what must be true of any of them."""
    stacks = [1 + (n * 7919) % 40_000 for n in range(players - 2)] + [20_000, 20_000]
    prizes = [10_000 // (n + 1) for n in range(paid)]
    worth = icm_equities(stacks, prizes)
    pool = sum(prizes)
    assert sum(worth) == pytest.approx(pool, abs=1e-9 * pool)
    assert worth[-1] == pytest.approx(worth[-2], abs=1e-12 * pool)
    by_stack = [worth[one] for one in sorted(range(players), key=stacks.__getitem__)]
    assert by_stack == sorted(by_stack)
    # The richest is worth less than his chips, the poorest more: what ICM is there to say.
    if paid > 1:
        assert max(worth) / pool < max(stacks) / sum(stacks)
        assert min(worth) / pool > min(stacks) / sum(stacks)
    # Chips have no price of their own.
    assert icm_equities([3 * one for one in stacks], prizes) == pytest.approx(worth)


@pytest.mark.parametrize("stacks", [[], [0, 100], [100, -1]])
def test_no_chips_no_worth(stacks):
    with pytest.raises(ValueError, match="has chips"):
        icm_equities(stacks, [10])
