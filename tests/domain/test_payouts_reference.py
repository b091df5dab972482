"""The reference of prizes is what the program reckons, and what the rule's text says."""

import random
import re

from krru.data.folder import BASE_DIR
from tests.docs_tables import headings, rows
from tests.oracle_prizes import own_payouts, own_table
from tournaments.prizes.domain.payouts import (
    CURVES,
    PrizeTable,
    by_curve,
    prize_table,
    prizes_by_entry,
    shared_by,
)
from tournaments.prizes.domain.plans import PrizePlan, Shape, Way


def examples(heading):
    return rows(headings((BASE_DIR / "docs/reference/payouts.md").read_text("utf-8"))[heading])


def numbers(text):
    return [round(float(part) * 100) for part in re.findall(r"\d+(?:\.\d+)?", text)]


def test_the_presets_of_the_reference():
    presets = {"top-heavy": Shape.TOP_HEAVY, "usual": Shape.USUAL, "flat": Shape.FLAT}
    table = [row for row in examples("The curve") if row[0] in presets]
    assert len(table) == 3
    for name, even, steep, prizes in table:
        assert by_curve(presets[name], 100_00, 5, 10) == numbers(prizes)
        eighths = int(steep.partition("/")[0])
        assert CURVES[presets[name]] == (int(even.removesuffix(" %")), eighths)
    for places, in_use, ours in (row for row in examples("The curve") if row[0].isdecimal()):
        found = by_curve(Shape.USUAL, 100_00, int(places), 10)
        assert found == numbers(ours)
        assert sum(numbers(in_use)) == 100_00
        assert max(abs(a - b) for a, b in zip(found, numbers(in_use), strict=True)) < 400


def test_the_examples_of_the_reference():
    table = examples("Examples")
    presets = {"top-heavy": Shape.TOP_HEAVY, "usual": Shape.USUAL, "flat": Shape.FLAT}
    for name, places, prizes in table[:3]:
        plan = PrizePlan(way=Way.CURVE, shape=presets[name], unit_cents=500)
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


def test_the_books_share_ties_and_pass_over_who_is_disqualified_as_the_program_does():
    rng = random.Random(11)
    for _ in range(200):
        many = rng.randint(2, 12)
        tiers = sorted(rng.randint(1, many) for _ in range(many))
        places = {entry: tiers.index(tier) + 1 for entry, tier in enumerate(tiers, 50)}
        prizes = sorted((rng.randint(1, 999) for _ in range(rng.randint(1, many))), reverse=True)
        gone = {entry for entry in places if rng.random() < 0.2}
        found = prizes_by_entry(PrizeTable(prizes=tuple(prizes)), places, without=gone)
        assert found == own_payouts(prizes, places, gone)
