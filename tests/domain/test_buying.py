"""Prices and buying again: amounts and parts typed and read, and who may buy."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain.prices import (
    PartsError,
    amount_typed,
    cents_of,
    check_parts,
    parts_text,
    parts_typed,
)
from tournaments.money.domain.accounts import price_cents, price_of
from tournaments.rebuys.domain.buying import (
    MAY_BE_LET_PASS,
    Buyer,
    No,
    Offer,
    purchase_obstacle,
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
GOODS = ("rebuy", "addon", "reentry")
WORDS = {"house": "Haus", "bounty": "Bounty"}


@given(OFFERS, BUYERS, POSITION, st.integers(0, 3))
def test_who_may_re_buy_has_little_enough_in_time_and_not_too_often(offer, buyer, position, number):
    if purchase_obstacle("rebuy", offer, buyer, position=position, number=number) is None:
        assert offer.last is not None
        assert position is not None
        assert offer.first <= position <= offer.last
        assert 1 <= number <= offer.at_once
        assert not offer.most or buyer.bought + number <= offer.most
        assert buyer.stack is not None
        assert buyer.stack <= offer.threshold
        assert not buyer.is_out


@given(OFFERS, BUYERS, POSITION)
def test_a_director_lets_pass_only_what_may_be_and_nobody_disqualified(offer, buyer, position):
    may = []
    for good in GOODS:
        strict = purchase_obstacle(good, offer, buyer, position=position)
        let = purchase_obstacle(good, offer, buyer, position=position, lets_pass=True)
        assert let not in MAY_BE_LET_PASS
        if strict not in MAY_BE_LET_PASS:
            assert let is strict
        assert not buyer.is_disqualified or None not in (strict, let)
        may.append(strict is None)
    may_re_buy, may_add_on, may_enter = may
    assert not (may_enter and (may_re_buy or may_add_on)), "in and out"


@pytest.mark.parametrize(
    ("good", "buyer"), list(zip(GOODS, (Buyer(stack=0), Buyer(), Buyer(is_out=True)), strict=True))
)
def test_before_the_start_nothing_is_bought_again(good, buyer):
    assert purchase_obstacle(good, Offer(last=5), buyer, position=None) is No.NOT_BEGUN
    assert purchase_obstacle(good, Offer(last=None), buyer, position=None) is No.NOT_OFFERED


PARTS = st.lists(
    st.tuples(st.sampled_from(["house", "bounty"]), st.integers(1, 10**6), st.just(""))
    | st.tuples(
        st.just("extra"), st.integers(1, 10**6), st.sampled_from(["Personal", "Essen und Bier"])
    ),
    unique_by=lambda part: (part[0], part[2]),
    max_size=4,
)


@given(PARTS, st.integers(0, 10**7))
def test_parts_are_read_as_they_are_shown_and_a_price_comes_to_its_sum(parts, rest):
    assert parts_typed(parts_text(parts, WORDS)) == parts
    whole = sum(cents for _to, cents, _name in parts) + rest
    price = price_of(whole, parts)
    assert price_cents(price) == whole
    assert all(share.cents > 0 for share in price)


def test_parts_above_the_price_and_for_nowhere_are_no_price():
    with pytest.raises(ValueError, match="more than 100"):
        price_of(100, [("house", 101, "")])
    with pytest.raises(PartsError):
        check_parts([("pool", 100, "")])


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("Haus", "unreadable"),
        ("Haus zwei", "unreadable"),
        ("2 Haus", "unreadable"),
        ("Haus 0", "unreadable"),
        ("Haus -2", "unreadable"),
        ("Haus 2, Verein 1", "twice"),
        ("x" * 31 + " 2", "long_name"),
        (", ".join(f"{letter} 1" for letter in "abcdefg"), "too_many"),
    ],
)
def test_parts_that_cannot_be_read(typed, code):
    with pytest.raises(PartsError) as caught:
        parts_typed(typed)
    assert caught.value.code == code


@given(st.integers(0, 10**10), st.sampled_from(",."))
def test_what_is_typed_comes_back(cents, point):
    assert cents_of(amount_typed(cents, point=point)) == cents


@pytest.mark.parametrize("typed", ["", "zwölf", "-5", "1,234", "1.000,50", "٣", "1e3", "9" * 10])
def test_what_is_no_amount_is_refused(typed):
    with pytest.raises(ValueError, match="No amount"):
        cents_of(typed)
