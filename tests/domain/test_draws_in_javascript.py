"""The arithmetic of the draws in the visitor's browser, against the worked cases and ours."""

import hashlib
import json
import subprocess
from pathlib import Path
from random import Random

from tests.domain.cases import by_number, case
from tests.domain.test_clock_state import node
from tournaments.seating.domain.draws import (
    dealer_draw,
    draw_order,
    entry_item,
    envelope_item,
    seat_draw,
    seat_item,
    seats_drawn,
)
from tournaments.seating.domain.keep_apart import NOBODY, KeptApart

RUNNER = Path(__file__).parent / "run_draws.js"
CASE = case("draws")
SECRET = CASE["secret"]
TEXTS = ["", "abc", "Größe ♠ 😀", "x" * 55, "x" * 56, "x" * 63, "x" * 64, "x" * 1000]


def run(*, texts=(), orders=(), recipes=()):
    told = json.dumps({"texts": texts, "orders": orders, "recipes": recipes})
    done = subprocess.run([node(), RUNNER], input=told, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def recipe(kind, row, outcome, **own):
    names = ("free", "dealt", "movers", "seats", "envelopes", "apart", "not_at")
    usual = {name: [] for name in names}
    said = {"kind": kind, "number": row["draw_number"], "hall": row["hall_number"]}
    return {"secret": SECRET, "recipe": {**usual, **said, "outcome": outcome, **own}}


def number(item):
    return int(item.partition(":")[2])


def rows(places):
    return [[number(item), *place] for item, place in places.items()]


def test_hashes_are_those_of_the_standard():
    hashes = [hashlib.sha256(text.encode()).hexdigest() for text in TEXTS]
    assert run(texts=TEXTS)["hashes"] == hashes


def test_every_worked_case_comes_out():
    field, late, cards, broken = CASE["field"], CASE["seat"], CASE["dealer"], CASE["break"]
    free, counts = by_number(late["free"]), by_number(late["counts"])
    pool = [[table, seats, 0] for table, seats in free.items() if counts[table] == 7]
    room, there = by_number(broken["free"]), by_number(broken["counts"])
    left = [[table, seats, there[table]] for table, seats in room.items()]
    dealt = by_number(cards["cards"])
    ranked = sorted(dealt.items(), key=lambda held: "23456789TJQKA".index(held[1][0]), reverse=True)
    recipes = [
        recipe("field", field, rows(field["places"]), free=[[1, [1, 2, 3], 0], [2, [1, 2, 3], 0]]),
        recipe("seat", late, [[number(late["entry"]), *late["place"]]], free=pool),
        recipe("dealer", cards, [list(held) for held in ranked], dealt=cards["seats"]),
        recipe("break", broken, rows(broken["places"]), free=left),
    ]
    orders = [
        {"items": row["items"], "said": [SECRET, row["hall_number"], row["draw_number"]]}
        for row in CASE["orders"]
    ]
    found = run(orders=orders, recipes=recipes)
    assert found["orders"] == [row["order"] for row in CASE["orders"]]
    assert [one["wrong"] for one in found["recipes"]] == [[]] * 4


def random_draw(rng, count):
    """Return a draw of any kind, made here, with wishes in half of those for many."""
    row = {"draw_number": count, "hall_number": str(rng.randrange(100)) if count % 3 else ""}
    said = {"secret": SECRET, **row}
    free, counts = {}, {}
    for table in rng.sample(range(1, 30), rng.randint(2, 5)):
        taken = rng.sample(range(1, 11), rng.randint(0, 8))
        free[table] = sorted(set(range(1, 11)) - set(taken))
        counts[table] = len(taken)
    pool = [[table, seats, counts[table]] for table, seats in free.items()]
    kind = rng.choice(["field", "seat", "dealer", "balance", "break", "mystery"])
    if kind == "dealer":
        cards = dealer_draw(rng.sample(range(1, 11), rng.randint(2, 10)), **said)
        ranked = sorted(cards.items(), key=lambda held: held[1], reverse=True)
        outcome = [[seat, card.code] for seat, card in ranked]
        return recipe(kind, row, outcome, dealt=list(cards))
    if kind == "seat":
        place = seat_draw("entry:5", free, {}, **said)
        return recipe(kind, row, [[5, *place]], free=pool)
    if kind == "mystery":
        lots = [envelope_item(one) for one in sorted(rng.sample(range(1, 40), rng.randint(2, 12)))]
        outcome = [[5, number(draw_order(lots, **said)[0]), 2500]]
        return recipe(kind, row, outcome, envelopes=lots)
    if kind == "balance":
        movers = [entry_item(entry) for entry in rng.sample(range(99), 6)]
        seats = [seat_item(4, seat) for seat in rng.sample(range(1, 11), 3)]
        seat = int(draw_order(seats, **said)[0].rpartition(":")[2])
        outcome = [[number(draw_order(movers, **said)[0]), 4, seat]]
        return recipe(kind, row, outcome, movers=movers, seats=seats)
    people = rng.sample(range(1, 99), rng.randint(2, min(12, sum(map(len, free.values())))))
    apart = NOBODY
    if count % 2:
        pairs = [rng.sample(people, 2) for _ in range(rng.randint(0, 4))]
        barred = {entry_item(rng.choice(people)): rng.sample(sorted(free), 1)}
        items = frozenset(frozenset(map(entry_item, pair)) for pair in pairs)
        apart = KeptApart(pairs=items, barred=barred)
    places = seats_drawn([entry_item(one) for one in people], free, counts, **said, apart=apart)
    return recipe(
        kind,
        row,
        rows(places),
        free=pool,
        apart=[sorted(map(number, pair)) for pair in apart.pairs],
        not_at=[[number(item), list(tables)] for item, tables in apart.barred.items()],
    )


def test_draws_of_every_kind_come_out_as_ours():
    rng = Random(20)
    recipes = [random_draw(rng, count) for count in range(1, 301)]
    kinds = {one["recipe"]["kind"] for one in recipes}
    assert kinds == {"field", "seat", "dealer", "balance", "break", "mystery"}
    found = run(recipes=recipes)["recipes"]
    assert [one["wrong"] for one in found] == [[]] * len(recipes)


def test_a_line_that_was_changed_is_named():
    row = CASE["field"]
    lines = rows(row["places"])
    lines[1][1:], lines[3][1:] = lines[3][1:], lines[1][1:]
    changed = recipe("field", row, lines, free=[[1, [1, 2, 3], 0], [2, [1, 2, 3], 0]])
    assert run(recipes=[changed])["recipes"][0]["wrong"] == [2, 4]
