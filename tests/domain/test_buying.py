"""Who may buy again: properties over all offers and buyers, and prices in parts typed and read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain.prices import PartsError, check_parts, parts_text, parts_typed
from tournaments.money.domain.accounts import price_cents, price_of
from tournaments.rebuys.domain.buying import (
    MAY_BE_LET_PASS,
    Buyer,
    No,
    Offer,
    obstacle_to_add_on,
    obstacle_to_rebuy,
    obstacle_to_reenter,
)

POSITION = st.none() | st.integers(0, 9)
OFFERS = st.builds(
    Offer,
    last=st.none() | st.integers(0, 9),
    first=st.integers(0, 9),
    most=st.integers(0, 4),
    at_once=st.integers(1, 2),
    threshold=st.integers(0, 300),
)
BUYERS = st.builds(
    Buyer,
    bought=st.integers(0, 5),
    stack=st.none() | st.integers(0, 400),
    is_out=st.booleans(),
    is_disqualified=st.booleans(),
)
WORDS = {"house": "Haus", "bounty": "Bounty"}


@given(OFFERS, BUYERS, POSITION, st.integers(0, 3))
def test_who_may_re_buy_has_little_enough_in_time_and_not_too_often(offer, buyer, position, number):
    no = obstacle_to_rebuy(offer, buyer, position=position, number=number)
    if no is None:
        assert offer.last is not None
        assert position is not None
        assert offer.first <= position <= offer.last
        assert 1 <= number <= offer.at_once
        assert not offer.most or buyer.bought + number <= offer.most
        assert buyer.stack is not None
        assert buyer.stack <= offer.threshold
        assert not buyer.is_out
        assert not buyer.is_disqualified


@given(OFFERS, BUYERS, POSITION)
def test_nobody_once_disqualified_buys_anything(offer, buyer, position):
    for rule in (obstacle_to_rebuy, obstacle_to_add_on, obstacle_to_reenter):
        for lets_pass in (False, True):
            no = rule(offer, buyer, position=position, lets_pass=lets_pass)
            assert no is not None or not buyer.is_disqualified


@given(OFFERS, BUYERS, POSITION)
def test_one_is_in_or_out_and_so_never_both_re_buys_and_enters_anew(offer, buyer, position):
    may_re_buy = obstacle_to_rebuy(offer, buyer, position=position) is None
    may_add_on = obstacle_to_add_on(offer, buyer, position=position) is None
    may_enter = obstacle_to_reenter(offer, buyer, position=position) is None
    assert not (may_enter and (may_re_buy or may_add_on))


@given(OFFERS, BUYERS, POSITION)
def test_a_director_lets_pass_only_what_may_be_let_pass(offer, buyer, position):
    for rule in (obstacle_to_rebuy, obstacle_to_add_on, obstacle_to_reenter):
        strict = rule(offer, buyer, position=position)
        let = rule(offer, buyer, position=position, lets_pass=True)
        assert let not in MAY_BE_LET_PASS
        if strict not in MAY_BE_LET_PASS:
            assert let is strict


def test_two_at_once_where_that_is_offered():
    one = Offer(last=5)
    no = obstacle_to_rebuy(one, Buyer(stack=0), position=0, number=2)
    assert no is No.ONE_AT_A_TIME
    two = Offer(last=5, at_once=2, most=1)
    assert obstacle_to_rebuy(two, Buyer(stack=0), position=0, number=2) is No.TOO_OFTEN


def test_before_the_start_nothing_is_bought_again():
    for rule, buyer in (
        (obstacle_to_rebuy, Buyer(stack=0)),
        (obstacle_to_add_on, Buyer()),
        (obstacle_to_reenter, Buyer(is_out=True)),
    ):
        assert rule(Offer(last=5), buyer, position=None) is No.NOT_BEGUN
        assert rule(Offer(last=None), buyer, position=None) is No.NOT_OFFERED


PARTS = st.lists(
    st.tuples(st.sampled_from(["house", "bounty"]), st.integers(1, 10**6), st.just(""))
    | st.tuples(
        st.just("extra"), st.integers(1, 10**6), st.sampled_from(["Personal", "Essen und Bier"])
    ),
    unique_by=lambda part: (part[0], part[2]),
    max_size=4,
)


@given(PARTS)
def test_parts_are_read_as_they_are_shown(parts):
    assert parts_typed(parts_text(parts, WORDS)) == parts


@given(PARTS, st.integers(0, 10**7))
def test_a_price_comes_to_its_sum_whatever_its_parts(parts, rest):
    whole = sum(cents for _to, cents, _name in parts) + rest
    price = price_of(whole, parts)
    assert price_cents(price) == whole
    assert all(share.cents > 0 for share in price)


def test_parts_above_the_price_are_no_price():
    with pytest.raises(ValueError, match="more than 100"):
        price_of(100, [("house", 101, "")])


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("Haus", "unreadable"), ("Haus zwei", "unreadable"), ("2 Haus", "unreadable"),
        ("Haus 0", "unreadable"), ("Haus -2", "unreadable"), ("Haus 2, Verein 1", "twice"),
        ("x" * 31 + " 2", "long_name"),
        (", ".join(f"{letter} 1" for letter in "abcdefg"), "too_many"),
    ],
)  # fmt: skip
def test_parts_that_cannot_be_read(typed, code):
    with pytest.raises(PartsError) as caught:
        parts_typed(typed)
    assert caught.value.code == code


def test_a_part_for_nowhere_is_none():
    with pytest.raises(PartsError):
        check_parts([("pool", 100, "")])
