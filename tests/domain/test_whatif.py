"""Two moments of an event, side by side."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.undo.domain.preview_diff import Lot, Turn, differences, turn_of

SEATS = st.tuples(st.integers(1, 3), st.integers(1, 3))
LOTS = st.one_of(
    st.builds(Lot, is_in=st.just(True), seat=st.none() | SEATS, is_drawn=st.just(False)),
    st.builds(Lot, is_in=st.just(True), is_drawn=st.just(True)),
    st.builds(Lot, is_in=st.just(False), place=st.integers(1, 6)),
)
ROOMS = st.dictionaries(st.integers(1, 8), LOTS)
SEATED, ELSEWHERE = Lot(is_in=True, seat=(1, 1)), Lot(is_in=True, seat=(2, 1))
OUT, WORSE = Lot(is_in=False, place=4), Lot(is_in=False, place=5)


def test_what_happens_to_somebody_has_one_word():
    pairs = {
        (None, SEATED): Turn.NEW,
        (SEATED, None): Turn.GONE,
        (OUT, SEATED): Turn.BACK,
        (SEATED, OUT): Turn.OUT,
        (SEATED, ELSEWHERE): Turn.MOVES,
        (OUT, WORSE): Turn.PLACE,
    }
    assert {pair: turn_of(*pair) for pair in pairs} == pairs


def test_who_comes_back_is_named_first_and_places_last_from_the_best():
    before = {1: WORSE, 2: OUT, 3: SEATED, 4: OUT}
    after = {1: OUT, 2: SEATED, 3: ELSEWHERE, 4: WORSE}
    found = differences(before, after)
    assert [(row.entry, row.turn) for row in found] == [
        (2, Turn.BACK), (3, Turn.MOVES), (1, Turn.PLACE), (4, Turn.PLACE),
    ]  # fmt: skip


@given(ROOMS, ROOMS)
def test_exactly_those_are_named_for_whom_something_differs(before, after):
    found = differences(before, after)
    assert {row.entry for row in found} == {
        entry for entry in {*before, *after} if before.get(entry) != after.get(entry)
    }
    assert [(row.before, row.after) for row in found] == [
        (before.get(row.entry), after.get(row.entry)) for row in found
    ]


@given(ROOMS)
def test_nothing_differs_from_itself(room):
    assert differences(room, room) == []
