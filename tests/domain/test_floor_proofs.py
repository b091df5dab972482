"""Ten thousand rooms: the moves suggested are as few as is possible, and every seat is legal.

What is possible is found here without the program: by trying every seating of up to three tables,
above that by a closed form that is itself held against the trying.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import product
from random import Random

import pytest

from tests.domain.cases import field_draw
from tournaments.seating.domain.button import TableView
from tournaments.seating.domain.draws import draw_order
from tournaments.seating.domain.moves import mover_and_seat
from tournaments.seating.domain.seating import TableCount, balancing_moves

SECRET = "5f1c2d3e4b5a69788796a5b4c3d2e1f0"


def is_balanced(counts: Sequence[TableCount], tolerance: int = 1) -> bool:
    """Tell whether no table is more than `tolerance` short of the largest (TDA 2024 11-C).

    A table without a free seat is never short: nobody can be moved there.
    """
    most = max((count.players for count in counts), default=0)
    return all(count.is_full or most - count.players <= tolerance for count in counts)


def fewest_moves(counts: Sequence[TableCount], tolerance: int = 1) -> int:
    """Return the smallest number of moves after which the tables are balanced: a closed form.

    Balanced means that for some level every table holds at least that many, and at most `tolerance`
    more, or as many of these as its seats allow. For one level each move mends at most one player
    too many and one too few, and some move always mends both while both exist; so it takes the
    larger of the two sums. The answer is the smallest over all levels that can hold the field.
    """
    field = sum(count.players for count in counts)
    answers = []
    for level in range(max((count.seats for count in counts), default=0) + 1):
        too_many = too_few = least = most = 0
        for count in counts:
            low, high = min(level, count.seats), min(level + tolerance, count.seats)
            least, most = least + low, most + high
            too_many += max(0, count.players - high)
            too_few += max(0, low - count.players)
        if least <= field <= most:
            answers.append(max(too_many, too_few))
    return min(answers)


def fewest_by_trying(counts: Sequence[TableCount], tolerance: int) -> int:
    """Look at every way the field can sit and count who must move for it."""
    field, answers = sum(count.players for count in counts), []
    for sizes in product(*(range(count.seats + 1) for count in counts)):
        sat = [
            TableCount(count.number, size, count.seats)
            for count, size in zip(counts, sizes, strict=True)
        ]
        if sum(sizes) == field and is_balanced(sat, tolerance):
            pairs = zip(counts, sizes, strict=True)
            answers.append(sum(max(0, count.players - size) for count, size in pairs))
    return min(answers)


def random_room(rng, tables):
    """Return tables after busts from a full and even room, or wild ones; some seats are locked."""
    wild, views = rng.random() < 0.5, {}
    size = rng.choice([6, 8, 9, 9, 9, 10])
    busts = rng.random() * 0.6
    entry = 0
    for number in rng.sample(range(1, tables * 2), tables):
        seats = rng.randint(2, 10) if wild and rng.random() < 0.3 else size
        if wild:
            sitting = rng.sample(range(1, seats + 1), rng.randint(0, seats))
        else:
            sitting = [seat for seat in range(1, seats + 1) if rng.random() > busts]
        locked = {seat for seat in range(1, seats + 1) if rng.random() < 0.06}
        players = {}
        for seat in sorted(sitting):
            entry += 1
            players[seat] = entry
        button = rng.randint(1, seats) if rng.random() < 0.6 else None
        views[number] = TableView(number, seats, players, button, locked=frozenset(locked))
    return views


def counts_of(views):
    return [
        TableCount(number, len(view.players), len(view.players) + len(view.free))
        for number, view in sorted(views.items())
    ]


def carry_out(views, transfers, number):
    """Carry the suggestions out one by one, looking that each is legal; return who moved."""
    moved = []
    for transfer in transfers:
        source, target = views[transfer.from_table], views[transfer.to_table]
        now = counts_of(views)
        assert len(source.players) == max(count.players for count in now), "from a largest"
        assert len(target.players) == min(count.players for count in now if not count.is_full)

        def tie(names, number=number):
            return draw_order(names, secret=SECRET, hall_number="", draw_number=number)

        move = mover_and_seat(source, target, tie=tie)
        assert source.players[move.from_seat] == move.entry
        assert 1 <= move.to_seat <= target.seats
        assert move.to_seat not in target.players
        assert move.to_seat not in target.locked
        views[move.from_table] = source.left_by(move.from_seat)
        views[move.to_table] = target.joined_by(move.entry, move.to_seat)
        moved.append(move.entry)
    return moved


def check_room(rng, tables, number):
    views, tolerance = random_room(rng, tables), rng.randint(1, 3)
    before = counts_of(views)
    fewest = fewest_moves(before, tolerance)
    if tables <= 3:
        assert fewest == fewest_by_trying(before, tolerance)
    transfers = balancing_moves(before, tolerance)
    assert len(transfers) == fewest
    assert not {one.from_table for one in transfers} & {one.to_table for one in transfers}
    people = sorted(entry for view in views.values() for entry in view.players.values())
    moved = carry_out(views, transfers, number)
    assert len(set(moved)) == len(moved), "somebody was moved twice"
    assert is_balanced(counts_of(views), tolerance)
    assert sorted(e for view in views.values() for e in view.players.values()) == people
    return len(moved)


@pytest.mark.long
@pytest.mark.parametrize(("many", "largest"), [(9_800, 12), (200, 1124)])
def test_tda_2024_11_moves_are_the_fewest_and_legal_in_ten_thousand_rooms(many, largest):
    rng = Random(largest)
    sizes = [largest, *(rng.randint(2, min(largest, 300)) for _ in range(many - 1))]
    assert sum(check_room(rng, tables, number) for number, tables in enumerate(sizes)) > many


@pytest.mark.parametrize("tables", [2, 3, 4, 8, 40])
def test_moves_are_the_fewest_and_legal(tables):
    rng = Random(tables)
    for number in range(20):
        check_room(rng, tables, number)


# Chance


def chi_squared(counts, cases):
    expected = counts.total() / cases
    misses = (cases - len(counts)) * expected
    return misses + sum((count - expected) ** 2 / expected for count in counts.values())


def said(number, secret=SECRET):
    return {"secret": secret, "hall_number": "4711", "draw_number": number}


def seats_of_one(draws, secret=SECRET):
    """Return how often the first of six got each of the six seats of two tables."""
    entries = [f"entry:{entry}" for entry in range(1, 7)]
    places = [(table, seat) for table in (1, 2) for seat in (1, 2, 3)]
    return Counter(
        field_draw(entries, places, **said(number, secret))["entry:1"]
        for number in range(1, draws + 1)
    )


def first_movers(draws, secret=SECRET):
    """Return how often each of five was drawn to move while the button was not known."""
    source = TableView(4, 9, {seat: 40 + seat for seat in range(1, 6)})
    target = TableView(7, 3, {1: 71, 2: 72}, 1)
    found = Counter()
    for number in range(1, draws + 1):
        move = mover_and_seat(
            source, target, tie=lambda names, n=number: draw_order(names, **said(n, secret))
        )
        found[move.entry] += 1
    return found


# The 0.999 quantiles of chi-squared with 5 and 4 degrees of freedom.


@pytest.mark.long
@pytest.mark.parametrize(
    ("drawn", "cases", "quantile"), [(seats_of_one, 6, 20.52), (first_movers, 5, 18.47)]
)
def test_tda_2024_7_draws_are_uniform_over_100_000(drawn, cases, quantile):
    assert chi_squared(drawn(100_000), cases) < quantile


def test_the_secret_alone_decides():
    for drawn in (seats_of_one, first_movers):
        assert drawn(200) == drawn(200) != drawn(200, "00ff")
