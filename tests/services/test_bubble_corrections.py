"""Which hand of hand-for-hand an out belongs to: by its true time, or named when told late."""

import pytest

from tests import factories as f
from tests.bubble import (
    begin,
    count_heads,
    end,
    first_round,
    in_the_money,
    make_event,
    places,
    release,
    report,
    report_all,
)
from tournaments.models import Elimination, MoneyReached
from tournaments.play.selectors.eliminations import hands_near
from tournaments.play.selectors.ranking import places_made
from tournaments.play.services.bubble import money_reach
from tournaments.play.services.elimination_details import elimination_correct
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Four tables of three, ten are paid."""
    return make_event(12, 3, 10)


def first_at(event, *tables):
    return [f.at_table(event, table)[0] for table in tables]


def correct(event, *entries, minute=40, **own):
    rows = list(Elimination.objects.live().filter(entry__in=entries))
    return f.drive(elimination_correct, event, minute, eliminations=rows, **own)


def numbered(entries, *found):
    return {entry.number: place for entry, place in zip(entries, found, strict=True)}


def second_round(event):
    """Round 1 is released at minute 12 and round 2 at 15."""
    begin(event)
    report_all(event, 0, tables=(1, 2, 3, 4))
    release(event, 0)
    yield
    report_all(event, 1, 14, tables=(1, 2, 3, 4))
    release(event, 1, 15)
    yield


def out_in_both(event):
    """One goes out in round 1, two more are told in round 2."""
    outs = first_at(event, 1, 2, 3)
    rounds = second_round(event)
    next(rounds)
    f.out(event, outs[0], at=f.after(13))
    next(rounds)
    for minute, entry in enumerate(outs[1:], start=16):
        f.out(event, entry, at=f.after(minute))
    return outs


@pytest.mark.parametrize("minute", [13.5, 12.5])
def test_tda_2024_rp8_an_out_belongs_to_the_round_that_its_true_time_lies_in(event, minute):
    outs = out_in_both(event)
    assert places(event) == numbered(outs, 12, 10, 10)
    action = correct(event, outs[1], to=f.after(minute))
    assert places(event) == numbered(outs, 11, 11, 10)
    assert places_made(f.fresh(event), action) == {outs[1].pk: 11}
    f.undo(event, action)
    assert places(event) == numbered(outs, 12, 10, 10)


def test_rp8_a_an_out_of_before_the_announcement_is_no_part_of_hand_for_hand(event):
    one, two = first_at(event, 1, 2)
    begin(event)
    f.out(event, one, at=f.after(11))
    f.out(event, two, at=f.after(11.5))
    correct(event, two, to=f.after(9))
    assert places(event) == numbered([one, two], 11, 12)
    correct(event, two, to=f.after(10.5), minute=41)
    assert places(event) == numbered([one, two], 11, 11)


def test_several_of_one_hand_move_to_the_round_together(event):
    outs = out_in_both(event)
    two = f.at_table(event, 4)[:2]
    stacks = {two[0].pk: 900, two[1].pk: 300}
    f.out(event, *two, at=f.after(18), start_stacks=stacks)
    correct(event, two[0], to=f.after(13))
    assert places(event) == numbered([*outs, *two], 10, 8, 8, 10, 12)


def test_tda_2024_rp8_an_out_told_after_the_next_hand_was_released_names_its_hand():
    event = make_event()
    first_round(event, by_itself=True)
    one, two, three = first_at(event, 1, 2, 3)
    f.out(event, one, at=f.after(12))
    report_all(event, 1, 13)
    action = f.out(event, two, at=f.after(13.1), hand=1)
    f.assert_logged(event, "entry.eliminated", hand=1)
    assert places_made(f.fresh(event), action) == {two.pk: 8}
    f.out(event, three, at=f.after(14))
    assert places(event) == numbered([one, two, three], 8, 8, 7)


def test_an_out_that_fell_into_the_next_hand_is_moved_to_its_own(event):
    outs = out_in_both(event)
    action = correct(event, outs[1], hand=1)
    f.assert_logged(event, "elimination.corrected", outcome="hand", hand=1)
    assert places(event) == numbered(outs, 11, 11, 10)
    # No later than its table reported that hand over.
    assert Elimination.objects.live().get(entry=outs[1]).at == f.after(14)
    f.undo(event, action)
    assert places(event) == numbered(outs, 12, 10, 10)
    correct(event, outs[0], hand=2, minute=50)
    assert places(event) == numbered(outs, 10, 10, 10)
    correct(event, outs[0], hand=0, minute=51)
    f.assert_logged(event, "elimination.corrected", outcome="running", hand=0)
    assert places(event) == numbered(outs, 12, 10, 10)


def test_rp8_a_the_last_hand_can_be_named_after_hand_for_hand_has_ended():
    event = make_event()
    first_round(event)
    one, two = first_at(event, 1, 2)
    f.out(event, one, at=f.after(13))
    report_all(event, 1, 14)
    end(event, 15)
    f.out(event, two, at=f.after(15.1))
    assert places(event) == numbered([one, two], 9, 8)
    correct(event, two, hand=1)
    assert places(event) == numbered([one, two], 8, 8)


def test_a_table_that_reported_late_does_not_make_the_out_later(event):
    begin(event)
    report_all(event, 0, tables=(1, 2, 3, 4))
    release(event, 0)
    out, gone = first_at(event, 1, 2)
    report(event, 1, 1, 13)
    f.drive(entry_disqualify, event, 14, entry=gone, reason="Test")
    report_all(event, 1, 15, tables=(2, 3, 4))
    release(event, 1, 16)
    f.out(event, out, at=f.after(17), hand=1)
    assert places(event) == numbered([out, gone], 12, 11)


def test_a_correction_taken_back_leaves_in_the_money_announced():
    event = make_event()
    in_the_money(event)
    action = correct(event, *first_out(event), to=f.after(5), minute=28)
    count_heads(event)
    f.drive(money_reach, event, 31)
    f.undo(event, action)
    assert MoneyReached.objects.live().exists()


def first_out(event):
    return [Elimination.objects.live().filter(event=event).earliest("at").entry]


def test_hands_that_cannot_be_named(event):
    outs = out_in_both(event)
    with f.refused("no_such_hand", event):
        correct(event, outs[1], hand=3)
    with f.refused("no_such_hand", event):
        f.out(event, f.at_table(event, 4)[0], at=f.after(20), hand=3)
    with f.refused("nothing", event):
        correct(event, outs[1], hand=2)
    other = make_event(name="Ohne Hand für Hand")
    with f.refused("no_such_hand", other):
        f.out(other, f.at_table(other, 1)[0], hand=0)
    gone = f.at_table(event, 4)[0]
    f.drive(entry_disqualify, event, 20, entry=gone, reason="Test")
    with f.refused("disqualified", event):
        correct(event, gone, hand=1)


def test_a_release_is_taken_back_when_no_out_is_in_its_hand_and_no_correction_puts_one_back(event):
    outs = out_in_both(event)
    released = Elimination.objects.live().get(entry=outs[1]).round.made_by
    with f.refused("needed", event):
        f.undo(event, released)
    made = [correct(event, entry, hand=1) for entry in outs[1:]]
    f.undo(event, released)
    with f.refused("needed", event):
        f.undo(event, made[1])
    assert places(event) == numbered(outs, 10, 10, 10)


def test_an_out_told_after_hand_for_hand_has_ended_may_still_name_its_last_hand(event):
    one, two, three = first_at(event, 1, 2, 3)
    begin(event)
    report_all(event, 0, tables=(1, 2, 3, 4))
    release(event, 0)
    f.out(event, one, at=f.after(13))
    report_all(event, 1, 14, tables=(1, 2, 3, 4))
    end(event, 15)
    f.out(event, two, at=f.after(16))
    late = Elimination.objects.live().get(entry=two)
    assert late.round is None
    assert [hand.number for hand in hands_near(late)] == [0, 1]
    correct(event, two, hand=1)
    assert places(event) == numbered([one, two], 11, 11)
    f.out(event, three, at=f.after(31))
    assert hands_near(Elimination.objects.live().get(entry=three)) == []
