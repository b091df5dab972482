"""Places of those who go out in a round of hand-for-hand."""

import pytest

from tests import factories as f
from tests.bubble import (
    begin,
    end,
    first_round,
    in_the_money,
    make_event,
    places,
    release,
    report_all,
)
from tournaments.play.selectors.bubble import provisional_entries
from tournaments.play.selectors.ranking import places_made
from tournaments.play.services.bubble import money_reach
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


def test_tda_2024_rp8_a_the_hand_running_at_the_announcement_belongs_to_it():
    event = make_event(9, 5, paid=8)
    begin(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(11))
    second = f.out(event, two, at=f.after(11.5))
    assert places(event) == {one.number: 8, two.number: 8}
    assert places_made(f.fresh(event), second) == {two.pk: 8}
    assert provisional_entries(event) == {one.pk, two.pk}
    report_all(event, 0, 12, tables=(1, 2))
    assert provisional_entries(event) == frozenset()
    assert places(event) == {one.number: 8, two.number: 8}


def test_tda_2024_rp8_a_three_of_the_running_hand_at_three_tables_share(event):
    before = f.at_table(event, 1)[1]
    f.out(event, before, at=f.after(9))
    begin(event)
    out = [f.at_table(event, table)[0] for table in (3, 1, 2)]
    for minute, entry in enumerate(out, start=11):
        f.out(event, entry, at=f.after(minute))
    assert places(event) == {before.number: 9, **{entry.number: 6 for entry in out}}


def test_rp8_a_the_running_hand_is_over_everywhere_before_it_ends_or_the_money_is_reached(event):
    begin(event)
    in_the_money(event)
    with f.refused("tables_missing", event):
        end(event)
    with f.refused("round_open", event):
        f.drive(money_reach, event, 26)
    report_all(event, 0, 27)
    end(event, 28)
    three = f.at_table(event, 3)[0]
    f.out(event, three, at=f.after(29))
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


def test_ours_disqualified_in_the_middle_of_a_round_ranks_below_who_busts_later_in_it(event):
    first_round(event)
    out, gone, later = (f.at_table(event, table)[0] for table in (1, 2, 3))
    f.out(event, out, at=f.after(13))
    action = f.drive(entry_disqualify, event, 13.5, entry=gone, reason="Test")
    last = f.out(event, later, at=f.after(14))
    assert places(event) == {out.number: 7, later.number: 7, gone.number: 9}
    assert places_made(f.fresh(event), action) == {gone.pk: 9}
    assert places_made(f.fresh(event), last) == {later.pk: 7}


def test_the_disqualified_is_no_part_of_the_round(event):
    first_round(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(13))
    action = f.drive(entry_disqualify, event, 14, entry=two, reason="Test")
    assert places(event) == {two.number: 8, one.number: 9}
    assert places_made(f.fresh(event), action) == {two.pk: 8}
