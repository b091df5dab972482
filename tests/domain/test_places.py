"""Places and the line: nobody is let in twice, nobody is passed over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.door.domain.places import Capacity, Waiter, waiting_list_next

small = st.integers(0, 60)


@given(small, small, small, small, small)
def test_what_is_free_and_taken_never_exceeds_the_capacity(
    capacity, reserved, placed, kept, offered
):
    room = Capacity(
        capacity=capacity, reserved=reserved, placed=placed, placed_reserved=kept, offered=offered
    )
    assert room.free >= 0
    assert room.free_reserved >= 0
    if room.free:
        assert room.taken + room.free <= capacity
    if room.free_reserved:
        assert room.taken + room.free_reserved <= capacity


@pytest.mark.parametrize("name", ["capacity", "reserved", "placed", "placed_reserved", "offered"])
def test_a_number_below_zero_is_no_room(name):
    with pytest.raises(ValueError, match="below zero"):
        Capacity(**{"capacity": 9, name: -1})


@given(
    st.lists(st.tuples(st.booleans(), st.booleans()), max_size=20),
    st.integers(-2, 25),
    st.booleans(),
)
def test_the_line_is_kept(flags, free, only):
    line = [
        Waiter(registration=number, is_member=member, is_asked=asked)
        for number, (member, asked) in enumerate(flags)
    ]
    found = waiting_list_next(line, free=free, members_only=only)
    assert list(found) == sorted(found)
    assert len(found) <= max(0, free)
    eligible = [w.registration for w in line if not w.is_asked and (w.is_member or not only)]
    assert list(found) == eligible[: len(found)]
    assert len(found) == min(len(eligible), max(0, free))
