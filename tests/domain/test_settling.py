"""Who pays whom: sums are exact, and the payments are the fewest that there can be."""

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tournaments.cashgame.domain.ledger import MOST_EXACT, payments_fewest

SMALL = st.lists(st.integers(-12, 12), min_size=1, max_size=11)
ANY = st.lists(st.integers(-500_000, 500_000), max_size=40)


def balanced(amounts):
    """Return balances by person, the last of which makes them sum to zero."""
    return dict(enumerate([*amounts, -sum(amounts)]))


def fewest_by_search(balances):
    """Try every set of people: as many sets that sum to zero as fit beside each other."""
    cents = [value for value in balances.values() if value]
    size = len(cents)
    sums = [sum(cents[i] for i in range(size) if held >> i & 1) for held in range(1 << size)]
    groups = [0] * (1 << size)
    for held in range(1, 1 << size):
        without = max(groups[held & ~(1 << i)] for i in range(size) if held >> i & 1)
        groups[held] = without + (sums[held] == 0)
    return size - groups[-1]


def assert_settles(balances, payments):
    left = dict(balances)
    for payment in payments:
        assert payment.cents > 0
        assert payment.payer != payment.payee
        left[payment.payer] += payment.cents
        left[payment.payee] -= payment.cents
    assert not any(left.values())


@given(ANY)
def test_after_the_payments_nobody_owes_anything_and_they_are_fewer_than_the_people(amounts):
    balances = balanced(amounts)
    payments = payments_fewest(balances)
    assert_settles(balances, payments)
    people = sum(1 for cents in balances.values() if cents)
    assert len(payments) <= max(0, people - 1)


@settings(max_examples=150)
@given(SMALL)
@example([1, 1, -2, 3, 3, -6, 5, 5, -10, 2, 7])
@example([4, 4, 4, -6, -6, 9, -5, -4, 7, 7, -14])
def test_no_other_way_takes_fewer_payments(amounts):
    balances = balanced(amounts)
    assert len(payments_fewest(balances)) == fewest_by_search(balances)


@pytest.mark.parametrize("span", [3, 12, 40, 200, 50_000])
def test_twenty_people_are_settled_at_once(span):
    rng = Random(span)
    for _evening in range(3):
        balances = balanced([rng.randrange(-span, span + 1) for _person in range(MOST_EXACT - 1)])
        assert_settles(balances, payments_fewest(balances))


def test_twenty_people_in_six_groups_need_fourteen_payments():
    """Six groups that are known beforehand, of numbers that sum to zero in no other way."""
    amounts = []
    for group in range(6):
        unit = 7**group * 3
        amounts += [unit, 2 * unit, -3 * unit]
    amounts += [10**7, -(10**7)]
    payments = payments_fewest(dict(enumerate(amounts)))
    assert len(payments) == 6 * 2 + 1


def test_balances_that_do_not_even_out_are_an_error():
    with pytest.raises(ValueError, match="not what the others owe"):
        payments_fewest({1: 100, 2: -99})
