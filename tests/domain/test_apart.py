"""Who is kept apart in a draw: kept whenever it can be, and said where it cannot."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.seating.domain.draws import seat_draw, seat_pool, seats_drawn
from tournaments.seating.domain.keep_apart import NOBODY, KeptApart, broken_wishes, given_kept_apart

SAID = {"secret": "00ff", "hall_number": "7", "draw_number": 3}
PEOPLE = [f"entry:{number}" for number in range(1, 9)]


def wish(*pairs, **barred):
    items = frozenset(frozenset(f"entry:{one}" for one in pair) for pair in pairs)
    return KeptApart(pairs=items, barred={f"entry:{key[1:]}": at for key, at in barred.items()})


@st.composite
def rooms(draw):
    """Return players, as many seats at two to three tables, and a few wishes."""
    order = draw(st.permutations(PEOPLE[: draw(st.integers(2, 6))]))
    seats = [(draw(st.integers(1, 3)), position) for position in range(len(order))]
    pairs = draw(st.sets(st.frozensets(st.sampled_from(order), min_size=2, max_size=2), max_size=3))
    barred = draw(st.dictionaries(st.sampled_from(order), st.sets(st.integers(1, 3), max_size=1)))
    return list(order), seats, KeptApart(pairs=frozenset(pairs), barred=barred)


def is_broken(places, apart):
    """Look at every two people, without the code that is tested."""
    together = any(
        len({places[one][0] for one in pair}) == 1 for pair in apart.pairs if len(pair) == 2
    )
    return together or any(places[item][0] in tables for item, tables in apart.barred.items())


@given(rooms())
def test_every_seat_is_given_and_every_wish_kept_whenever_that_can_be(room):
    order, seats, apart = room
    places = given_kept_apart(order, seats, apart)
    assert list(places) == order
    assert sorted(places.values()) == sorted(seats)
    assert bool(broken_wishes(places, apart)) == is_broken(places, apart)
    plain = dict(zip(order, seats, strict=True))
    if not is_broken(plain, apart):
        assert places == plain, "a wish that does not bear changes nothing"
    ways = (dict(zip(order, way, strict=True)) for way in permutations(seats))
    can_be = any(not is_broken(way, apart) for way in ways)
    assert is_broken(places, apart) != can_be


def test_wishes_that_cannot_all_be_kept_end_the_search(monkeypatch):
    monkeypatch.setattr("tournaments.seating.domain.keep_apart.MOST_TRIED", 3)
    order = [f"entry:{number}" for number in range(1, 7)]
    seats = [(table, seat) for seat in (1, 2) for table in (1, 2, 3)]
    everybody = [(one, other) for one in range(1, 5) for other in range(one + 1, 5)]
    apart = wish(*everybody)
    assert is_broken(given_kept_apart(order, seats, apart), apart)


@pytest.mark.parametrize(
    ("seats", "apart", "given"),
    [
        ([(1, 1), (1, 2), (2, 1), (2, 2)], wish((1, 2)), [(1, 1), (2, 1), (1, 2), (2, 2)]),
        ([(1, 1), (2, 1), (2, 2), (1, 2)], wish((1, 4)), [(2, 1), (1, 1), (2, 2), (1, 2)]),
        ([(1, 1), (2, 1), (2, 2), (1, 2)], wish((1, 4), e2={1}), [(2, 2), (2, 1), (1, 1), (1, 2)]),
    ],
    ids=["the next free one", "exchanged with the first", "with whom it works out"],
)
def test_a_seat_at_another_table_is_taken_or_exchanged(seats, apart, given):
    assert list(given_kept_apart(PEOPLE[:4], seats, apart).values()) == given


def test_where_there_is_no_other_way_they_sit_together():
    apart = wish((1, 2))
    places = given_kept_apart(PEOPLE[:2], [(1, 4), (1, 7)], apart)
    assert places == {"entry:1": (1, 4), "entry:2": (1, 7)}
    assert broken_wishes(places, apart) == ["entry:1", "entry:2"]
    alone = wish(e1={1})
    assert broken_wishes(given_kept_apart(PEOPLE[:1], [(1, 4)], alone), alone) == ["entry:1"]


def test_a_draw_for_many_takes_the_wishes_and_the_seats_stay_those_drawn():
    free, counts = {1: [1, 2, 3], 2: [1, 2, 3]}, {}
    plain = seats_drawn(PEOPLE[:6], free, counts, **SAID)
    pair = [item for item, place in plain.items() if place[0] == 1][:2]
    apart = KeptApart(pairs=frozenset({frozenset(pair)}))
    kept = seats_drawn(PEOPLE[:6], free, counts, **SAID, apart=apart)
    assert sorted(kept.values()) == sorted(plain.values())
    assert kept[pair[0]][0] != kept[pair[1]][0]


def test_a_single_seat_is_drawn_at_another_table_while_one_has_room():
    free, counts = {1: [4, 5], 2: [1]}, {1: 5, 2: 7}
    assert seat_draw("entry:1", free, counts, **SAID)[0] == 1
    assert seat_draw("entry:1", free, counts, **SAID, barred=[1]) == (2, 1)
    assert seat_draw("entry:1", {1: [4]}, counts, **SAID, barred=[1]) == (1, 4)
    assert seat_pool({}, {}) == []


def test_as_many_seats_as_players():
    with pytest.raises(ValueError, match="2 players for 1 seats"):
        given_kept_apart(PEOPLE[:2], [(1, 1)], NOBODY)
