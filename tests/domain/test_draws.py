"""Draws: as other tools have them, and as anyone can recompute them."""

import hashlib
import json
import subprocess
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.cases import by_number, case, field_draw
from tests.domain.test_clock_state import node
from tournaments.event.domain.promise import commitment
from tournaments.seating.domain.draws import (
    NOBODY,
    KeptApart,
    dealer_draw,
    draw_order,
    entry_item,
    envelope_item,
    seat_draw,
    seat_item,
    seats_drawn,
    shares,
)

CASE = case("draws")
SECRET = CASE["secret"]
DRAW = {"secret": SECRET, "hall_number": "4711", "draw_number": 1}

NUMBERS = st.fixed_dictionaries(
    {
        "secret": st.text("0123456789abcdef", min_size=1, max_size=64),
        "hall_number": st.text("0123456789", max_size=8),
        "draw_number": st.integers(1, 10**4),
    }
)


def numbers_of(row):
    return {"secret": SECRET, "hall_number": row["hall_number"], "draw_number": row["draw_number"]}


@st.composite
def rooms(draw):
    """Free seats and players of up to six tables."""
    free, counts = {}, {}
    for table in range(1, draw(st.integers(1, 6)) + 1):
        seats = draw(st.integers(2, 10))
        taken = draw(st.sets(st.integers(1, seats), max_size=seats))
        free[table] = sorted(set(range(1, seats + 1)) - taken)
        counts[table] = len(taken)
    return free, counts


# Worked cases, computed with other tools.


@pytest.mark.parametrize("row", CASE["orders"])
def test_the_order_is_as_sha256sum_and_sort_have_it(row):
    assert list(draw_order(row["items"], **numbers_of(row))) == row["order"]
    assert commitment(SECRET) == CASE["commitment"]


def seats_of(places):
    return {entry: list(place) for entry, place in places.items()}


def test_tda_2024_7_8_10_and_krru_3_0_each_kind_of_draw_made_by_hand():
    row = CASE["field"]
    assert seats_of(field_draw(row["entries"], row["seats"], **numbers_of(row))) == row["places"]
    row = CASE["seat"]
    free, counts = by_number(row["free"]), by_number(row["counts"])
    assert list(seat_draw(row["entry"], free, counts, **numbers_of(row))) == row["place"]
    row = CASE["dealer"]
    cards = dealer_draw(row["seats"], **numbers_of(row))
    assert {seat: card.code for seat, card in cards.items()} == by_number(row["cards"])
    assert max(cards, key=lambda seat: cards[seat]) == row["dealer"]
    row = CASE["break"]
    free, counts = by_number(row["free"]), by_number(row["counts"])
    assert seats_of(seats_drawn(row["players"], free, counts, **numbers_of(row))) == row["places"]


# Properties.


@given(
    st.lists(st.text(max_size=8), unique=True, max_size=8),
    NUMBERS,
    st.randoms(use_true_random=False),
)
def test_anyone_can_recompute_an_order_whatever_order_was_asked_in(items, numbers, rng):
    keyed = {}
    for item in items:
        text = "|".join(
            [numbers["secret"], numbers["hall_number"], str(numbers["draw_number"]), item]
        )
        keyed[hashlib.sha256(text.encode("utf-8")).hexdigest()] = item
    shuffled = list(items)
    rng.shuffle(shuffled)
    expected = tuple(keyed[digest] for digest in sorted(keyed))
    assert draw_order(items, **numbers) == draw_order(shuffled, **numbers) == expected


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: draw_order(["entry:1"], **{**DRAW, "secret": ""}), "bar"),
        (lambda: draw_order(["entry:1"], **{**DRAW, "secret": "a|b"}), "bar"),
        (lambda: draw_order(["entry:1"], **{**DRAW, "hall_number": "1|2"}), "bar"),
        (lambda: draw_order(["entry:1"], **{**DRAW, "hall_number": "|"}), "bar"),
        (lambda: draw_order(["entry:1", "entry:1"], **DRAW), "twice"),
        (lambda: commitment(""), "empty"),
        (lambda: shares({1: 8}, {1: 1}, 2), "room"),
        (lambda: seats_drawn(["entry:1"], {1: [1, 1]}, {}, **DRAW), "twice"),
        (lambda: seats_drawn(["entry:1", "entry:1"], {1: [1, 2]}, {}, **DRAW), "twice"),
        (lambda: dealer_draw([1, 1], **DRAW), "twice"),
        (lambda: dealer_draw(range(53), **DRAW), "more seats"),
    ],
)
def test_what_could_be_read_in_two_ways_or_has_no_room_is_refused(ask, said):
    with pytest.raises(ValueError, match=said):
        ask()


@given(rooms(), st.data())
def test_shares_are_what_seating_one_by_one_gives(room, data):
    free, counts = room
    space = {table: len(seats) for table, seats in free.items()}
    people = data.draw(st.integers(0, sum(space.values())))
    now, given_out = dict(counts), dict.fromkeys(space, 0)
    for _ in range(people):
        table = min(
            (table for table in space if given_out[table] < space[table]),
            key=lambda table: (now[table], table),
        )
        now[table] += 1
        given_out[table] += 1
    assert shares(counts, space, people) == given_out


@given(st.integers(0, 60), st.integers(1, 7), st.integers(2, 10), NUMBERS)
def test_tda_2024_7_the_field_is_spread_evenly(people, tables, seats, numbers):
    entries = [entry_item(number) for number in range(people)]
    room = [(table, seat) for table in range(1, tables + 1) for seat in range(1, seats + 1)]
    if people > len(room):
        with pytest.raises(ValueError, match="room"):
            field_draw(entries, room, **numbers)
        return
    places = field_draw(entries, room, **numbers)
    assert set(places) == set(entries)
    assert len(set(places.values())) == people
    assert set(places.values()) <= set(room)
    sizes = Counter(table for table, _ in places.values())
    by_table = [sizes[table] for table in range(1, tables + 1)]
    assert by_table == sorted(by_table, reverse=True)
    assert by_table[0] - by_table[-1] <= 1


@given(rooms(), st.data(), NUMBERS)
def test_tda_2024_10_a_break_seats_all_at_free_seats_and_smallest_tables_first(room, data, numbers):
    free, counts = room
    people = data.draw(st.integers(0, sum(map(len, free.values()))))
    players = [entry_item(number) for number in range(people)]
    places = seats_drawn(players, free, counts, **numbers)
    assert set(places) == set(players)
    assert len(set(places.values())) == people
    assert all(seat in free[table] for table, seat in places.values())
    came = Counter(table for table, _ in places.values())
    after = {table: counts[table] + came[table] for table in counts}
    for table in counts:
        if came[table]:
            others = [after[other] for other in counts if came[other] < len(free[other])]
            assert all(after[table] <= other + 1 for other in others)


@given(rooms(), NUMBERS)
def test_tda_2024_8_a_late_entry_sits_at_a_smallest_table(room, numbers):
    free, counts = room
    if not any(free.values()):
        with pytest.raises(ValueError, match="No seat"):
            seat_draw("entry:1", free, counts, **numbers)
        return
    table, seat = seat_draw("entry:1", free, counts, **numbers)
    assert seat in free[table]
    assert counts[table] == min(counts[other] for other in free if free[other])


@given(st.sets(st.integers(1, 60), max_size=52), NUMBERS)
def test_krru_3_0_each_seat_gets_a_card_of_its_own(seats, numbers):
    cards = dealer_draw(sorted(seats), **numbers)
    assert list(cards) == sorted(seats)
    assert len(set(cards.values())) == len(seats)


# --- The arithmetic of the draws in the visitor's browser, against the worked cases and ours


RUNNER = Path(__file__).parent / "run_draws.js"
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
    kind = rng.choice(["field", "seat", "dealer", "balance", "break", "mystery", "hands"])
    if kind == "dealer":
        cards = dealer_draw(rng.sample(range(1, 11), rng.randint(2, 10)), **said)
        ranked = sorted(cards.items(), key=lambda held: held[1], reverse=True)
        outcome = [[seat, card.code] for seat, card in ranked]
        return recipe(kind, row, outcome, dealt=list(cards))
    if kind == "seat":
        place = seat_draw("entry:5", free, {}, **said)
        return recipe(kind, row, [[5, *place]], free=pool)
    if kind in ("mystery", "hands"):
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
    assert kinds == {"field", "seat", "dealer", "balance", "break", "mystery", "hands"}
    found = run(recipes=recipes)["recipes"]
    assert [one["wrong"] for one in found] == [[]] * len(recipes)


def test_a_line_that_was_changed_is_named():
    row = CASE["field"]
    lines = rows(row["places"])
    lines[1][1:], lines[3][1:] = lines[3][1:], lines[1][1:]
    changed = recipe("field", row, lines, free=[[1, [1, 2, 3], 0], [2, [1, 2, 3], 0]])
    assert run(recipes=[changed])["recipes"][0]["wrong"] == [2, 4]
