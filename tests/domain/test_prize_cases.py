"""Prizes and deals against answers from outside the program, by the id of each case."""

import json

import pytest

from tests.domain.cases import RULES, of_rules
from tournaments.payouts.domain.deals import Way, shares
from tournaments.prizes.domain.payouts import prize_table
from tournaments.prizes.domain.plans import PrizePlan, Shape
from tournaments.prizes.domain.plans import Way as PrizeWay


@pytest.mark.parametrize("row", of_rules("prizes"))
def test_no_prize_is_below_the_refund_of_the_bubble(row):
    plan = PrizePlan(
        way=PrizeWay(row["way"]),
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
        (PrizePlan(way=PrizeWay.AMOUNTS, amounts=(9000, 5000, 2000), refunds_bubble=True), 3),
        (PrizePlan(way=PrizeWay.SEATS, seat_cents=7000, refunds_bubble=True), 3),
        # Seven prizes of 20 and a refund of 20 are more than the pool.
        (PrizePlan(way=PrizeWay.CURVE, refunds_bubble=True), 8),
    ],
    ids=["amounts", "seats", "too many places"],
)
def test_a_refund_above_the_last_prize_is_said(plan, places):
    pool = {PrizeWay.AMOUNTS: 18500}.get(plan.way, 18000)
    table = prize_table(plan, pool_cents=pool, places=places, entries=9, buy_in_cents=2500)
    assert table.refunds_above_last
    assert table.cents == pool


def test_by_chips_somebody_may_get_more_than_the_first_prize():
    row = json.loads((RULES / "deals.json").read_text("utf-8"))[0]
    assert shares(Way(row["way"]), row["stacks"], row["prizes"]) == row["today"]


def test_more_than_the_difference_of_flat_prizes_is_kept_to_play_for():
    row = json.loads((RULES / "deals.json").read_text("utf-8"))[1]
    found = shares(Way(row["way"]), row["stacks"], row["prizes"], kept=row["kept"])
    assert found == [85000, 85000]
