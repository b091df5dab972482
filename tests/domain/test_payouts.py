"""Prizes: they sum to the pool, fall with the place, and none is below the unit or the least."""

import json
import random
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krru.data.folder import BASE_DIR
from tests.docs_tables import headings, rows
from tests.domain.cases import RULES, of_rules
from tests.oracle_prizes import own_payouts, own_table
from tournaments.payouts.domain.deals import Way as DealWay
from tournaments.payouts.domain.deals import shares as shares_of_deal
from tournaments.prizes.domain.payouts import (
    CURVES,
    PrizeTable,
    Unpayable,
    by_curve,
    prize_table,
    prizes_by_entry,
    shared_by,
)
from tournaments.prizes.domain.plans import (
    PrizePlan,
    Rounding,
    Shape,
    Unplannable,
    Way,
    check_plan,
    places_paid,
    pool_of,
    prize_plan_from,
)

UNITS = [1, 10, 50, 100, 200, 500, 1000, 2500, 5000]
SHARES = st.lists(st.integers(1, 9000), min_size=1, max_size=30).map(
    lambda shares: sorted(shares, reverse=True)
)

PLANS = st.builds(
    PrizePlan,
    way=st.sampled_from([Way.CURVE, Way.SHARES, Way.SEATS]),
    shape=st.sampled_from(Shape),
    shares=SHARES.map(tuple),
    seat_cents=st.sampled_from([1500, 10_000, 25_000]),
    unit_cents=st.sampled_from(UNITS),
    minimum_tenths=st.sampled_from([0, 10, 15, 20, 30]),
    refunds_bubble=st.booleans(),
)
FIELDS = st.tuples(st.integers(2, 3000), st.integers(0, 20_000), st.integers(1, 3000))


def assert_paid_or_refused(plan, field, pool):
    """Make a table for entries, a price and places; give the reason of a refusal."""
    entries, buy_in, places = field
    if plan.way is not Way.CURVE:
        places = places_paid(plan, typed=0, entries=entries, pool_cents=pool)
    least = max(plan.unit_cents, -(-buy_in * plan.minimum_tenths // 10))
    refund = buy_in if plan.refunds_bubble and places < entries else 0
    refused = ""
    try:
        table = prize_table(
            plan, pool_cents=pool, places=places, entries=entries, buy_in_cents=buy_in
        )
    except Unpayable as no:
        refused = no.code
    if refused:
        lowest = -(-least // plan.unit_cents) * plan.unit_cents
        assert {
            "empty": pool == 0,
            "places": places == 0,
            "refund": refund >= pool,
            "minimum": min(places, entries) * lowest > pool - refund,
            "seats": pool - refund > entries * plan.seat_cents,
        }[refused]
        return
    assert table.cents == pool
    assert table.refund == refund
    assert list(table.prizes) == sorted(table.prizes, reverse=True)
    if plan.way is not Way.SEATS:
        assert len(table.prizes) == min(places, entries)
        assert table.prizes[-1] >= least
        rests = [prize % plan.unit_cents for prize in table.prizes]
        assert sum(rests) == (pool - refund) % plan.unit_cents


@pytest.mark.parametrize("many", [400, pytest.param(20_000, marks=pytest.mark.long)])
def test_prize_tables_of_any_pools_fields_places_and_units(many):
    made = settings(max_examples=many, database=None, deadline=None)
    made(given(PLANS, FIELDS, st.integers(0, 10**8))(assert_paid_or_refused))()


@given(
    shares=SHARES,
    pool=st.integers(1, 10**7),
    unit=st.sampled_from(UNITS),
    least=st.integers(0, 10**4),
)
def test_typed_shares_are_kept_where_the_least_leaves_them(shares, pool, unit, least):
    try:
        found = shared_by(shares, pool, unit, least=least)
    except Unpayable:
        assert len(shares) * -(-max(least, unit) // unit) > pool // unit
        return
    lowest = -(-max(least, unit) // unit) * unit
    assert sum(found) == pool
    assert found == sorted(found, reverse=True)
    assert min(found) >= lowest
    if pool * shares[-1] >= (lowest + 2 * unit) * sum(shares):
        for share, prize in zip(shares, found, strict=True):
            assert abs(prize * sum(shares) - pool * share) <= 2 * unit * sum(shares)


@given(
    places=st.lists(st.integers(0, 8), min_size=1, max_size=12),
    prizes=st.lists(st.integers(1, 10**5), min_size=1, max_size=12),
    refund=st.integers(0, 500),
    gone=st.sets(st.integers(0, 11), max_size=3),
)
def test_ties_share_whole_cents_and_disqualified_are_passed_over(places, prizes, refund, gone):
    """The simulator reckons the same by itself: a refund is one more prize."""
    prizes, tiers = sorted(prizes, reverse=True), sorted(places)
    by_entry = {entry: tiers.index(tier) + 1 for entry, tier in enumerate(tiers)}
    found = prizes_by_entry(PrizeTable(prizes=tuple(prizes), refund=refund), by_entry, without=gone)
    assert found == own_payouts([*prizes, refund], by_entry, gone)


@pytest.mark.parametrize(
    ("places", "without", "prizes"),
    [({4: 3, 5: 4}, [], {4: 200}), ({4: 3, 5: 4}, [4], {5: 200}), ({}, [], {})],
)
def test_who_is_still_in_has_the_best_prizes_before_him(places, without, prizes):
    table = PrizeTable(prizes=(500, 300, 200))
    assert prizes_by_entry(table, places, without=without) == prizes


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (PrizePlan(way=Way.SHARES, shares=(6000, 4001)), "over_all"),
        (PrizePlan(way=Way.SHARES, shares=(6000, 3999)), "under_all"),
        (PrizePlan(way=Way.SHARES, shares=(4000, 6000)), "rising"),
        (PrizePlan(way=Way.SHARES), "no_shares"),
        (PrizePlan(way=Way.SHARES, shares=(10_000, 0)), "nothing"),
        (PrizePlan(way=Way.AMOUNTS), "no_amounts"),
        (PrizePlan(way=Way.AMOUNTS, amounts=(300, 500)), "rising"),
        (PrizePlan(way=Way.AMOUNTS, amounts=(300, -5)), "absurd"),
        (PrizePlan(way=Way.AMOUNTS, amounts=(10**12,)), "absurd"),
        (PrizePlan(way=Way.SEATS), "no_seat"),
        (PrizePlan(added_cents=-1), "absurd"),
        (PrizePlan(guarantee_cents=10**11), "absurd"),
        (PrizePlan(unit_cents=0), "unit"),
        (PrizePlan(places_percent=101), "places_percent"),
        (PrizePlan(held_back_percent=-1), "held_back"),
        (PrizePlan(minimum_tenths=-1), "minimum"),
        (PrizePlan(way=Way.SHARES, shares=(50,) * 201), "too_many"),
        (PrizePlan(in_kind=("Pokal",) * 201), "too_many"),
        (PrizePlan(in_kind=("P" * 121,)), "long"),
    ],
)
def test_plans_that_cannot_be(plan, code):
    with pytest.raises(Unplannable) as refused:
        check_plan(plan)
    assert refused.value.code == code


def test_a_plan_is_stored_and_read_again():
    plan = PrizePlan(way=Way.SHARES, shares=(6000, 4000), shape=Shape.FLAT, seat_name="Finale")
    plan = replace(plan, in_kind=("Pokal",))
    check_plan(plan)
    assert prize_plan_from(plan.as_data()) == plan
    assert prize_plan_from({}) == PrizePlan()
    assert prize_plan_from({"of_tomorrow": 3}) == PrizePlan()


BOTH = PrizePlan(added_cents=5000, held_back_cents=2000)


@pytest.mark.parametrize(
    ("plan", "paid", "made_of", "cents"),
    [
        (PrizePlan(), 37_000, (37_000, 0, 0, 0), 37_000),
        (PrizePlan(guarantee_cents=50_000), 37_000, (37_000, 0, 13_000, 0), 50_000),
        (PrizePlan(guarantee_cents=30_000), 37_000, (37_000, 0, 0, 0), 37_000),
        (BOTH, 10_000, (10_000, 5000, 0, 2000), 13_000),
        (PrizePlan(held_back_cents=50_000), 10_000, (10_000, 0, 0, 10_000), 0),
        (PrizePlan(held_back_percent=10), 10_005, (10_005, 0, 0, 1000), 9005),
    ],
)
def test_what_the_pool_is_made_of(plan, paid, made_of, cents):
    pool = pool_of(plan, paid)
    assert (pool.paid, pool.added, pool.overlay, pool.held_back) == made_of
    assert pool.cents == cents


CURVE = PrizePlan(way=Way.CURVE, unit_cents=1000, minimum_tenths=15, refunds_bubble=True)
AMOUNTS = PrizePlan(way=Way.AMOUNTS, amounts=(50, 30, 20))
MONEY = {"places": 3, "entries": 9, "buy_in_cents": 1000}


@pytest.mark.parametrize(
    ("plan", "pool", "own", "code", "cents"),
    [
        (CURVE, 0, {}, "empty", 0),
        (CURVE, 1000, {}, "refund", 1000),
        (CURVE, 6999, {}, "minimum", 2000),
        (CURVE, 500, {"places": 0, "buy_in_cents": 0}, "places", 0),
        (AMOUNTS, 90, {}, "over_pool", 10),
        (AMOUNTS, 120, {}, "under_pool", 20),
        (PrizePlan(way=Way.SEATS, seat_cents=10), 91, {}, "seats", 1),
    ],
)
def test_tables_that_cannot_be_paid(plan, pool, own, code, cents):
    with pytest.raises(Unpayable) as refused:
        prize_table(plan, pool_cents=pool, **MONEY | own)
    assert (refused.value.code, refused.value.cents) == (code, cents)


def test_tables_that_are_just_paid_and_one_without_prizes():
    exact = prize_table(CURVE, pool_cents=7000, **MONEY)
    assert (exact.prizes, exact.refund) == ((2000, 2000, 2000), 1000)
    assert prize_table(PrizePlan(), pool_cents=500, places=3, entries=9) == PrizeTable()


def test_where_the_least_takes_from_the_better_places():
    assert shared_by([9800, 100, 100], 100_00, 100, least=3300) == [3400, 3300, 3300]
    assert shared_by([1, 1], 201, 100) == [101, 100]


FIFTEEN = PrizePlan(way=Way.CURVE, places_percent=15)


@pytest.mark.parametrize(
    ("plan", "typed", "entries", "pool", "places"),
    [
        (PrizePlan(), 0, 20, 0, 0),
        (PrizePlan(), 5, 20, 0, 5),
        (FIFTEEN, 5, 0, 0, 0),
        (FIFTEEN, 5, 1, 0, 1),
        (FIFTEEN, 0, 10_112, 0, 1517),
        (replace(FIFTEEN, places_rounding=Rounding.NEAREST), 0, 155, 0, 23),
        (replace(FIFTEEN, places_rounding=Rounding.DOWN), 0, 3, 0, 1),
        (PrizePlan(way=Way.CURVE, places_percent=7, places_hundredths=50), 0, 133, 0, 10),
        (PrizePlan(way=Way.SHARES, shares=(6000, 4000)), 5, 20, 0, 2),
        (PrizePlan(way=Way.AMOUNTS, amounts=(5, 4, 3)), 5, 20, 0, 3),
        (PrizePlan(way=Way.SEATS, seat_cents=100), 5, 20, 500, 5),
        (PrizePlan(way=Way.SEATS, seat_cents=100), 5, 20, 501, 6),
    ],
)
def test_how_many_are_paid(plan, typed, entries, pool, places):
    assert places_paid(plan, typed=typed, entries=entries, pool_cents=pool) == places


# --- The reference is what the program reckons, and what the rule's text says


PRESETS = {"top-heavy": Shape.TOP_HEAVY, "usual": Shape.USUAL, "flat": Shape.FLAT}


def examples(heading):
    return rows(headings((BASE_DIR / "docs/reference/payouts.md").read_text("utf-8"))[heading])


def numbers(text):
    return [round(float(part) * 100) for part in re.findall(r"\d+(?:\.\d+)?", text)]


def test_the_presets_of_the_reference():
    table = [row for row in examples("The curve") if row[0] in PRESETS]
    assert len(table) == 3
    for name, even, steep, prizes in table:
        assert by_curve(PRESETS[name], 100_00, 5, 10) == numbers(prizes)
        eighths = int(steep.partition("/")[0])
        assert CURVES[PRESETS[name]] == (int(even.removesuffix(" %")), eighths)
    for places, in_use, ours in (row for row in examples("The curve") if row[0].isdecimal()):
        found = by_curve(Shape.USUAL, 100_00, int(places), 10)
        assert found == numbers(ours)
        assert sum(numbers(in_use)) == 100_00
        assert max(abs(a - b) for a, b in zip(found, numbers(in_use), strict=True)) < 400


def test_the_examples_of_the_reference():
    table = examples("Examples")
    for name, places, prizes in table[:3]:
        plan = PrizePlan(way=Way.CURVE, shape=PRESETS[name], unit_cents=500)
        found = prize_table(plan, pool_cents=490_00, places=int(places), entries=37)
        assert list(found.prizes) == numbers(prizes)
    shares, least, seats = table[3:]
    assert shared_by(numbers(shares[0]), 490_00, 500) == numbers(shares[2])
    assert shared_by([7000, 2000, 1000], 100_00, 100, least=1500) == numbers(least[2])
    plan = PrizePlan(way=Way.SEATS, seat_cents=250_00)
    table = prize_table(plan, pool_cents=620_00, places=3, entries=20)
    assert list(table.prizes) == numbers(seats[2])
    tied = prizes_by_entry(PrizeTable(prizes=(5000, 3000, 2001)), {1: 1, 2: 2, 3: 2})
    assert tied == {1: 5000, 2: 2501, 3: 2500}


def test_the_last_of_a_sixth_gets_more_than_one_and_a_half_buy_ins():
    for entries in (12, 60, 300, 10_112):
        assert by_curve(Shape.USUAL, entries * 10_00, entries // 6, 1)[-1] > 15_00


def test_the_books_of_the_simulator_reckon_the_same_by_themselves():
    rng = random.Random(9)
    for _ in range(60):
        places, unit = rng.randint(1, 60), rng.choice([1, 50, 500])
        pool = rng.randint(4 * places * unit, 10**7)
        assert own_table(pool, places, unit) == by_curve(Shape.USUAL, pool, places, unit)


# --- Prizes and deals against answers from outside the program, by the id of each case


@pytest.mark.parametrize("row", of_rules("prizes"))
def test_no_prize_is_below_the_refund_of_the_bubble(row):
    plan = PrizePlan(
        way=Way(row["way"]),
        shares=tuple(row.get("shares", ())),
        shape=Shape(row.get("shape", "usual")),
        unit_cents=row["unit_cents"],
        refunds_bubble=row["refunds_bubble"],
    )
    table = prize_table(
        plan,
        pool_cents=row["pool_cents"],
        places=row.get("places", len(plan.shares)),
        entries=row["entries"],
        buy_in_cents=row["buy_in_cents"],
    )
    assert table.refund == row["buy_in_cents"] == row["today"]["refund"]
    assert min(table.prizes) >= table.refund
    assert not table.refunds_above_last
    assert table.cents == row["pool_cents"]
    assert list(table.prizes) == sorted(table.prizes, reverse=True)


@pytest.mark.parametrize(
    ("plan", "places"),
    [
        (PrizePlan(way=Way.AMOUNTS, amounts=(9000, 5000, 2000), refunds_bubble=True), 3),
        (PrizePlan(way=Way.SEATS, seat_cents=7000, refunds_bubble=True), 3),
        # Seven prizes of 20 and a refund of 20 are more than the pool.
        (PrizePlan(way=Way.CURVE, refunds_bubble=True), 8),
    ],
    ids=["amounts", "seats", "too many places"],
)
def test_a_refund_above_the_last_prize_is_said(plan, places):
    pool = {Way.AMOUNTS: 18500}.get(plan.way, 18000)
    table = prize_table(plan, pool_cents=pool, places=places, entries=9, buy_in_cents=2500)
    assert table.refunds_above_last
    assert table.cents == pool


def test_by_chips_somebody_may_get_more_than_the_first_prize():
    row = json.loads((RULES / "deals.json").read_text("utf-8"))[0]
    assert shares_of_deal(DealWay(row["way"]), row["stacks"], row["prizes"]) == row["today"]


def test_more_than_the_difference_of_flat_prizes_is_kept_to_play_for():
    row = json.loads((RULES / "deals.json").read_text("utf-8"))[1]
    found = shares_of_deal(DealWay(row["way"]), row["stacks"], row["prizes"], kept=row["kept"])
    assert found == [85000, 85000]
