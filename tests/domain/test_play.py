"""While hands are played: penalties, heads counted at the bubble; prices and buying again."""

from datetime import UTC, datetime, timedelta

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
from tournaments.play.domain.bubble import (
    Hindrance,
    TableHeads,
    hindrance_to_money,
    is_near_the_money,
    may_burst_in_a_hand,
)
from tournaments.rebuys.domain.buying import (
    MAY_BE_LET_PASS,
    Buyer,
    No,
    Offer,
    purchase_obstacle,
)
from tournaments.seating.domain.penalties import (
    HandsPenalty,
    Stay,
    hands_during,
    hands_of_rounds,
    penalties_served,
)

EVENING = datetime(2026, 1, 1, 19, tzinfo=UTC)
MINUTES = st.integers(0, 20)
PENALTIES = st.lists(st.tuples(MINUTES, st.integers(0, 5), st.integers(0, 3)), max_size=4)


def at(minute):
    return EVENING + timedelta(minutes=minute)


def penalty(minute, hands, served=0):
    return HandsPenalty(given_at=at(minute), hands=hands, served=served)


def left(penalties, *minutes):
    return [found.left for found in penalties_served(penalties, [at(each) for each in minutes])]


@pytest.mark.parametrize(
    ("penalties", "begun", "hands_left"),
    [
        # The hand under way does not count.
        ([penalty(5, 2)], [4], [2]),
        ([penalty(5, 2)], [5], [2]),
        ([penalty(5, 2)], [4, 6], [1]),
        # A second penalty is served after the first.
        ([penalty(3, 2), penalty(0, 1)], [1], [2, 0]),
        ([penalty(3, 2), penalty(0, 1)], [1, 4], [1, 0]),
        ([penalty(0, 2), penalty(1, 2)], [2, 3, 4], [0, 1]),
        # Hands that staff counted are taken off; a warning is no hand.
        ([penalty(0, 3, served=1)], [1], [1]),
        ([penalty(0, 1, served=4)], [1], [0]),
        ([penalty(0, 0)], [1], [0]),
    ],
)
def test_tda_2024_71_how_many_hands_are_left(penalties, begun, hands_left):
    assert left(penalties, *begun) == hands_left


def test_tda_2024_71_a_penalty_has_rounds_players_and_hands():
    assert not penalties_served([penalty(0, 1, served=1)], [])[0].sits_out
    for rounds, players in ((0, 9), (1, 0), (-1, 9)):
        with pytest.raises(ValueError, match="penalty in rounds"):
            hands_of_rounds(rounds, players)
    for wrong in (penalty(0, -1), penalty(0, 1, served=-1)):
        with pytest.raises(ValueError, match="less than no hands"):
            penalties_served([wrong], [])


def test_only_hands_count_that_were_dealt_where_he_sat():
    stays = [Stay(table=1, since=at(0), until=at(5)), Stay(table=2, since=at(5))]
    hands = [(2, at(7)), (1, at(4)), (1, at(5)), (2, at(5)), (3, at(6)), (2, at(1))]
    assert hands_during(stays, hands) == [at(4), at(5), at(7)]
    assert hands_during([], hands) == []


@given(PENALTIES, st.lists(MINUTES, max_size=12), MINUTES)
def test_every_hand_is_counted_at_most_once_and_nothing_falls_below_zero(rows, minutes, further):
    penalties = [penalty(*row) for row in rows]
    begun = [at(minute) for minute in minutes]
    before = [max(0, row.hands - row.served) for row in penalties]
    found = penalties_served(penalties, begun)
    counted = sum(before) - sum(row.left for row in found)
    assert 0 <= counted <= len(begun)
    assert all(0 <= row.left <= most for row, most in zip(found, before, strict=True))
    assert sum(row.is_in_hand for row in found) <= 1
    more = left(penalties, *minutes, further)
    assert sum(before) - counted - sum(more) in (0, 1)


@given(st.lists(MINUTES, max_size=12), st.integers(1, 5))
def test_enough_hands_end_every_penalty(minutes, hands):
    later = [21 + each for each in range(hands + 1)]
    (found,) = penalties_served([penalty(0, hands)], [at(each) for each in (*minutes, *later)])
    assert not found.sits_out


# --- The bubble


def heads(players, counted=None, *, is_fresh=True, number=1):
    return TableHeads(number=number, players=players, counted=counted, is_fresh=is_fresh)


@pytest.mark.parametrize(
    ("left", "paid", "tables", "is_round_open", "found"),
    [
        (7, 0, [heads(7, 7)], False, Hindrance.PAID_PLACES_UNKNOWN),
        (8, 7, [heads(8, 8)], False, Hindrance.TOO_MANY_LEFT),
        (7, 7, [heads(7, 7)], True, Hindrance.ROUND_OPEN),
        (7, 7, [heads(4, 4), heads(3, 2)], False, Hindrance.TABLES_DIFFER),
        (7, 7, [heads(4), heads(3, 2)], False, Hindrance.TABLES_DIFFER),
        (7, 7, [heads(4, 4), heads(3)], False, Hindrance.TABLES_OPEN),
        (7, 7, [heads(4, 4), heads(2, 2)], False, Hindrance.SOMEBODY_SITS_NOWHERE),
        (7, 7, [heads(4, 4), heads(3, 3)], False, None),
        (5, 7, [heads(5, 5)], False, None),
    ],
)
def test_star_sydney_what_stands_in_the_way(left, paid, tables, is_round_open, found):
    assert hindrance_to_money(left, paid, tables, is_round_open=is_round_open) is found


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), max_size=6), st.integers(0, 40))
def test_star_sydney_never_in_the_money_but_with_every_head_counted(tables, paid):
    rows = [heads(players, counted) for players, counted in tables]
    left = sum(players for players, _counted in tables)
    is_free = hindrance_to_money(left, paid, rows) is None
    assert is_free == (0 < paid >= left and all(players == counted for players, counted in tables))


@given(st.integers(0, 60), st.integers(0, 60), st.integers(1, 9))
def test_heads_are_counted_before_a_hand_can_reach_the_money(left, paid, tables):
    is_near = is_near_the_money(left, paid, seats_per_table=9, tables=tables)
    if may_burst_in_a_hand(left, paid, tables):
        assert is_near
    if paid == 0:
        assert not is_near


# --- Prices and buying again: amounts and parts typed and read, and who may buy


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
