"""Mail as it is tried, and what stays in texts of somebody who is erased."""

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.post.domain.mail import GIVES_UP_AFTER, one_line, wait_after
from tournaments.privacy.domain.privacy import list_without, text_without


def test_the_waits_grow_to_an_hour():
    waits = [wait_after(tries) for tries in range(1, 7)]
    assert waits == [timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 60, 60)]
    assert timedelta(days=1) == GIVES_UP_AFTER


def test_what_was_not_tried_has_nothing_to_wait_for():
    with pytest.raises(ValueError, match="0"):
        wait_after(0)


@given(st.text())
def test_a_line_is_one_line_and_stays_it(text):
    line = one_line(text)
    assert line.splitlines() in ([], [line])
    assert one_line(line) == line


@given(st.text(alphabet="AB ", min_size=1), st.lists(st.text(alphabet="AB ", min_size=1)))
def test_only_whole_names_leave_a_list(name, others):
    left = list_without(", ".join([name, *others]), [name], "x").split(", ")
    assert left == ["x" if other == name else other for other in [name, *others]]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Petra Probst bitte kommen", "P bitte kommen"),
        ("PETRA PROBST, petra probst", "P, P"),
        ("Petra Probstein kommt", "Petra Probstein kommt"),
        ("Petra kommt", "Petra kommt"),
    ],
)
def test_full_names_leave_a_text(text, left):
    assert text_without(text, ["Petra", "Petra Probst", ""], "P") == left


def test_the_longer_of_two_names_goes_first():
    assert text_without("Eva Maria Lang", ["Eva Maria", "Eva Maria Lang"], "E") == "E"
    assert list_without("Eva.+", ["Eva.+"], r"\1") == r"\1"
