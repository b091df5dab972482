"""Places of those who go out in a round of hand-for-hand."""

import pytest

from tests import factories as f
from tests.bubble import (
    begin,
    end,
    first_round,
    make_event,
    places,
    release,
    report_all,
)
from tournaments.play.selectors.bubble import provisional_entries
from tournaments.play.selectors.ranking import places_made
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Three tables of three, seven are paid."""
    return make_event()


def test_tda_2024_rp8_at_different_tables_of_one_hand_the_place_is_shared(event):
    first_round(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 3)[0]
    first = f.out(event, one, at=f.after(13))
    assert places_made(f.fresh(event), first) == {one.pk: 9}
    second = f.out(event, two, at=f.after(14))
    assert places_made(f.fresh(event), first) == {one.pk: 8}
    assert places_made(f.fresh(event), second) == {two.pk: 8}
    assert places(event) == {one.number: 8, two.number: 8}
    assert provisional_entries(event) == {one.pk, two.pk}
    report_all(event, 1, 15)
    assert provisional_entries(event) == frozenset()


def test_rp8_at_the_same_table_the_larger_stack_places_higher_also_when_told_apart(event):
    first_round(event)
    one, two = f.at_table(event, 1)[:2]
    three = f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(13), start_stacks={one.pk: 900})
    f.out(event, two, at=f.after(14), start_stacks={two.pk: 300})
    f.out(event, three, at=f.after(13))
    assert places(event) == {one.number: 7, three.number: 7, two.number: 9}


def test_rp8_all_by_stack_where_the_rules_say_so(event):
    event.rules = {**event.rules, "bust_ties": "by_stack"}
    event.save()
    first_round(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(13), start_stacks={one.pk: 300})
    f.out(event, two, at=f.after(14), start_stacks={two.pk: 900})
    assert places(event) == {two.number: 8, one.number: 9}


def test_those_of_the_running_hands_rank_as_ever_and_so_do_later_ones(event):
    begin(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(11))
    f.out(event, two, at=f.after(11.5))
    assert provisional_entries(event) == frozenset()
    assert places(event) == {one.number: 9, two.number: 8}
    report_all(event, 0, 12)
    release(event, 0, 13)
    report_all(event, 1, 14)
    end(event, 15)
    three = f.at_table(event, 3)[0]
    f.out(event, three, at=f.after(16))
    assert places(event)[three.number] == 7


def test_a_tap_that_waited_counts_for_the_hand_it_was_made_in(event):
    first_round(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(13))
    report_all(event, 1, 14)
    release(event, 1, 15)
    action = f.out(event, two, at=f.after(13.5), recorded_at=f.after(16))
    assert places(event) == {one.number: 8, two.number: 8}
    assert places_made(f.fresh(event), action) == {two.pk: 8}


def test_the_disqualified_is_no_part_of_the_round(event):
    first_round(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(13))
    action = f.drive(entry_disqualify, event, 14, entry=two, reason="Test")
    assert places(event) == {two.number: 8, one.number: 9}
    assert places_made(f.fresh(event), action) == {two.pk: 8}
